/* SPDX-License-Identifier: MIT */
/*
 * Selects names by globs: a name passes if it matches one of the globs (or there are none without `!`), and none of
 * those that begin with `!`. In a glob, `*` matches any number of characters, including `/`, and `?` matches one.
 *
 * A filter that notes knows which globs have matched; one that remembers also knows, until all have, the names: a glob
 * that matches nothing is probably misspelt. Globs with `!` may match nothing.
 */
#ifndef ROS2BT_NAME_FILTER_H
#define ROS2BT_NAME_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct name_filter;

/* `globs`: ended by NULL, or NULL. Gives NULL if there are no globs; everything passes a filter of NULL. */
struct name_filter *name_filter_create(const char *const *globs);
struct name_filter *name_filter_create_noting(const char *const *globs);
struct name_filter *name_filter_create_remembering(const char *const *globs); /* memory: the different names */
void name_filter_destroy(struct name_filter *filter);			      /* NULL is allowed */

/*
 * Whether an object with several names passes: one of them matches, and none is excluded. A name of NULL matches
 * nothing. O(names × globs).
 */
bool name_filter_passes(const struct name_filter *filter, const char *const *names, size_t count);

/* Whether a glob with `!` excludes the name, whatever other names the object has. `filter` may be NULL. */
bool name_filter_excludes(const struct name_filter *filter, const char *name);

/* For a filter that notes: globs that match a name that exists are not misspelt. `filter` may be NULL. */
void name_filter_note(const struct name_filter *filter, const char *name);

/*
 * Of a filter that notes: the globs that have matched none of the names so far, in the order given; of one that
 * remembers, empty if there was no name. Ended by NULL; to be freed with g_free(), the texts are borrowed. `filter` may
 * be NULL.
 */
const char **name_filter_unmatched(const struct name_filter *filter);

/* If a glob is unmatched, all names so far, sorted; to be freed likewise. */
const char **name_filter_names(const struct name_filter *filter, size_t *count);

#endif
