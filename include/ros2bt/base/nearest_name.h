/* SPDX-License-Identifier: MIT */
/* The name that a misspelt one probably stands for, for "did you mean" in messages. */
#ifndef ROS2BT_NEAREST_NAME_H
#define ROS2BT_NEAREST_NAME_H

#include <stddef.h>

/*
 * The name with the smallest edit distance to `name`, the first of several; NULL if more than half of the characters
 * would have to change, or any of one or two. In `name`, `*` stands for any characters and `?` for one, as in globs.
 * Some `names` may be NULL. O(names × length²).
 */
const char *nearest_name(const char *name, const char *const *names, size_t count);

/* For messages: ` (did you mean "NAME"?)`, or an empty text if no name is near; to be freed. */
char *nearest_name_hint(const char *name, const char *const *names, size_t count);

/*
 * What a glob that matches none of the names may stand for: `did you mean "/a"?`, the nearest name or the first that
 * contains it, such as "/robot/planner" for "planner"; without one, `there are "/b", "/c" and 7 more`. To be freed.
 */
char *nearest_glob_hint(const char *glob, const char *const *names, size_t count);

/* As nearest_name_hint(), for names in one text, separated by one of `separators`; to be freed. */
char *nearest_choice_hint(const char *name, const char *choices, const char *separators);

#endif
