/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded behind libheddle: says when libomptarget is handed a program's device code, and when it is taken back. */
#include <dlfcn.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))
EXPORT void __tgt_register_lib(void *library);
EXPORT void __tgt_unregister_lib(void *library);

static void pass(const char *name, void *library) {
    fprintf(stderr, "%s\n", name);
    void (*next)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, name);
    next(library);
}
void __tgt_register_lib(void *library) { pass(__func__, library); }
void __tgt_unregister_lib(void *library) { pass(__func__, library); }
