/* SPDX-License-Identifier: MIT */
#include "core/events/trace_files/trace_path.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

static char *file_problem(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *metadata = g_build_filename(directory, "metadata", NULL);

	return g_file_test(metadata, G_FILE_TEST_IS_REGULAR)
		       ? g_strdup_printf("%s is one file of a trace: name its directory, %s", path, directory)
		       : g_strdup_printf("%s is a file: name the directory that holds the trace", path);
}

char *trace_path_problem(const char *path)
{
	GStatBuf status;

	if (path[0] == '\0') {
		return g_strdup("the path of a trace is empty");
	}
	if (g_stat(path, &status) != 0) {
		return g_strdup_printf("cannot open %s: %s", path, g_strerror(errno));
	}
	if (!S_ISDIR(status.st_mode)) {
		return file_problem(path);
	}
	return NULL;
}
