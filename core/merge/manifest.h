/* SPDX-License-Identifier: MIT */
/*
 * What is known of each recording of a fleet: a CSV file with a row for each, of which one column is its path, relative
 * to the file, and every further one an attribute: robot, version, day, … Memory: the file.
 */
#ifndef ROS2BT_MANIFEST_H
#define ROS2BT_MANIFEST_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

struct manifest {
	char **attributes; /* ended by NULL; their names */
	size_t attribute_count;
	GPtrArray *recordings; /* struct manifest_recording, owned, as in the file */
};

struct manifest_recording {
	char *path;    /* as it can be opened */
	char **values; /* of the attributes; a recording that the manifest does not have has empty ones */
};

/* `path_column`: the one that holds the path. NULL with an error. */
struct manifest *manifest_read(const char *path, const char *path_column, GError **error);

/* Without a file: no attribute, no recording. */
struct manifest *manifest_create_empty(void);
void manifest_destroy(struct manifest *manifest); /* NULL is allowed */

/* Leaves these paths, in this order. Those that the manifest does not have get empty values; their number is returned.
 */
size_t manifest_choose(struct manifest *manifest, const char *const *paths, size_t count);

/* The index of an attribute, -1 if there is none. */
int manifest_find(const struct manifest *manifest, const char *attribute);

#endif
