/* SPDX-License-Identifier: Apache-2.0 */
#pragma heddle wavefront
int x;
// expect: 2:1: error: '#pragma heddle wavefront' outside a function; put it before the loop
