/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for libomptarget: a library of that name that keeps the driver's entry points in variables. */
void *stub_launch, *stub_launch_ex;
