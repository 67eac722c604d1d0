/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_WRITTEN_H
#define HEDDLE_WRITTEN_H

#include "analysis/nest.h"
#include "function.h"

/* The mention with all that follows it; NULL where nothing but casts does: the pointer itself. */
struct node *written_element(const struct use *use);
bool written_for_sure(const struct nest *w, const struct var *v, size_t *at); /* through the array v itself */
bool written_perhaps(const struct nest *w, const struct var *v);

#endif
