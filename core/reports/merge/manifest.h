/* SPDX-License-Identifier: MIT */
/*
 * The attributes of each recording of a fleet: a CSV file with a row for each recording. One column is the path,
 * relative to the file, and every other one an attribute: robot, version, day, … Memory: the file.
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
	char *path;    /* relative to the working directory */
	char **values; /* of the attributes; empty for a recording that the manifest does not list */
};

/* `path_column`: the name of the column of paths. NULL with an error. */
struct manifest *manifest_read(const char *path, const char *path_column, GError **error);

/* A manifest without attributes and recordings. */
struct manifest *manifest_create_empty(void);
void manifest_destroy(struct manifest *manifest); /* NULL is allowed */

/* Keeps these paths only, in this order. Paths that the manifest does not list get empty values; returns their number.
 */
size_t manifest_choose(struct manifest *manifest, const char *const *paths, size_t count);

/* The index of an attribute, -1 if there is none. */
int manifest_find(const struct manifest *manifest, const char *attribute);

#endif
