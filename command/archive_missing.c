/* SPDX-License-Identifier: MIT */
/* Instead of archive.c where it was built without libarchive. */
#include "command/archive.h"

bool archive_unpack(const struct archive_unpacking *task, char **left_out, GError **error)
{
	*left_out = NULL;
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
		    "%s: this build cannot read archives, since libarchive was not there: unpack it first", task->path);
	return false;
}
