/* SPDX-License-Identifier: MIT */
/* The name that a misspelt one probably stands for, for "did you mean" in messages. */
#ifndef ROS2BT_NEAREST_NAME_H
#define ROS2BT_NEAREST_NAME_H

#include <stddef.h>

/*
 * The name with the smallest edit distance to `name`, the first of several; NULL if more than half of the characters
 * would have to change, or any of one or two. Some `names` may be NULL. O(names × length²).
 */
const char *nearest_name(const char *name, const char *const *names, size_t count);

/* The same for names in one text, separated by `|`; to be freed. */
char *nearest_choice(const char *name, const char *choices);

#endif
