/* SPDX-License-Identifier: MIT */
#include "core/events/trace_files/ctf2.h"

#include <glib/gstdio.h>
#include <stdio.h>

bool ctf2_is_metadata(const uint8_t *bytes, size_t size)
{
	return size > 0 && bytes[0] == CTF2_RECORD_SEPARATOR;
}

bool ctf2_is_metadata_file(const char *path)
{
	/* opening a FIFO would wait for a writer */
	FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? g_fopen(path, "rbe") : NULL;
	uint8_t first;
	size_t size;

	if (!file) {
		return false;
	}
	size = fread(&first, 1, sizeof(first), file);
	(void)fclose(file);
	return ctf2_is_metadata(&first, size);
}
