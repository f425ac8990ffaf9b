/* SPDX-License-Identifier: MIT */
/*
 * Walks through a directory that a user named and all directories below it, in order of their names, as both readers
 * look for traces. Each is looked into once, however many symbolic links lead to it, so the walk ends even if some lead
 * back, and its cost does not grow with the links.
 */
#ifndef ROS2BT_DIRECTORY_WALK_H
#define ROS2BT_DIRECTORY_WALK_H

#include <glib.h>
#include <stdbool.h>

struct directory_walk {
	/*
	 * Called for each directory, at every path that leads to it, before what is below. `relative_path` is relative
	 * to the first one, and "" for that one itself. Whether to look into it.
	 */
	bool (*enters)(const char *path, const char *relative_path, void *data);
	void *data;
	GPtrArray *left_out; /* gets a line (char *, to be freed) for each directory below that cannot be listed */
};

/* False with the reason (to be freed): the walk was stopped, or has not seen everything that can be seen. */
bool directory_walk(const struct directory_walk *walk, const char *path, char **reason);

/* From now on, walks stop as soon as `is_stopped` says so; NULL: none does. */
void directory_walk_watch(bool (*is_stopped)(void));

/* The entries of a directory (char *) in order of their names; NULL if it cannot be read. */
GPtrArray *directory_entries(const char *path, GError **error);

#endif
