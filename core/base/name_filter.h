/* SPDX-License-Identifier: MIT */
/*
 * Which names a report is about: those that match one of some globs (all, if there are none), but none that matches
 * one with `!` in front. In a glob, `*` stands for any number of characters, `/` among them, and `?` for one.
 */
#ifndef ROS2BT_NAME_FILTER_H
#define ROS2BT_NAME_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct name_filter;

/* `globs`: ended by NULL, or NULL. Gives NULL for no globs, which lets everything pass. */
struct name_filter *name_filter_create(const char *const *globs);
void name_filter_destroy(struct name_filter *filter); /* NULL is allowed */

/*
 * Whether something with these names passes: one of them matches, and none is excluded. A name may be NULL, which
 * matches nothing. O(names × globs).
 */
bool name_filter_passes(const struct name_filter *filter, const char *const *names, size_t count);

/*
 * Whether a name, or one of the names in a text with spaces between, is of those that tools of ROS 2 hide: /rosout,
 * /parameter_events, and names with a part that begins with `_`.
 */
bool name_is_hidden(const char *text);

#endif
