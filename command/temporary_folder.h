/* SPDX-License-Identifier: MIT */
/*
 * A directory for temporary files that is removed when the program ends, however it ends: a second process waits for
 * that, so neither a signal that cannot be caught nor a crash leaves anything.
 */
#ifndef ROS2BT_TEMPORARY_FOLDER_H
#define ROS2BT_TEMPORARY_FOLDER_H

#include <glib.h>
#include <stdint.h>

struct temporary_folder;

/* In the directory that TMPDIR names, else in /tmp; only for this user. NULL with an error. */
struct temporary_folder *temporary_folder_create(GError **error);
const char *temporary_folder_path(const struct temporary_folder *folder);
/* The space that is left for this user, in bytes. */
uint64_t temporary_folder_space(const struct temporary_folder *folder);
/* Removes it with all that is in it, and waits until it is gone. */
void temporary_folder_remove(struct temporary_folder *folder);

#endif
