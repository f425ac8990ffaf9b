/* SPDX-License-Identifier: MIT */
/*
 * Archives with traces: what is in them is written to a directory. Nothing is trusted: only directories and regular
 * files are made, below the directory and nowhere else, and not more than a number of bytes.
 */
#ifndef ROS2BT_COMMAND_ARCHIVE_H
#define ROS2BT_COMMAND_ARCHIVE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

bool archive_has_ending(const char *path);
/* Whether the path is a file with the ending of an archive. */
bool archive_is_at(const char *path);

/* `progress` is called now and then with the bytes of the archive that were read; false ends unpacking, an error. */
struct archive_unpacking {
	const char *path;
	const char *directory; /* exists, and is empty */
	uint64_t bytes_max;    /* of all files together */
	bool (*progress)(void *data, uint64_t bytes);
	void *data;
};

/*
 * False with an error unless the whole archive was read: a stream that is missing would make messages look lost.
 * *left_out (to be freed) says which entries were left out, because they are neither directories nor files or have
 * names that lead elsewhere; NULL: none.
 */
bool archive_unpack(const struct archive_unpacking *task, char **left_out, GError **error);

#endif
