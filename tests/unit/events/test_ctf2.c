/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <string.h>

#include "core/events/trace_files/ctf2.h"

static bool is_metadata(const char *bytes)
{
	return ctf2_is_metadata((const uint8_t *)bytes, strlen(bytes));
}

Test(ctf2, metadata_begins_with_a_record_separator)
{
	cr_assert(is_metadata("\x1e{\"type\":\"preamble\",\"version\":2}"));
	cr_assert(!is_metadata("/* CTF 1.8 */\n"));
	cr_assert(!is_metadata("\x75\xd1\x1d\x57"));
	cr_assert(!is_metadata(" \x1e{}"));
	cr_assert(!is_metadata(""));
}

Test(ctf2, only_a_regular_file_is_looked_into)
{
	g_autofree char *folder = g_dir_make_tmp("ros2bt-ctf2-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(folder, "metadata", NULL);
	g_autofree char *fifo = g_build_filename(folder, "fifo", NULL);

	cr_assert(!ctf2_is_metadata_file(file));
	cr_assert(g_file_set_contents(file, "", 0, NULL));
	cr_assert(!ctf2_is_metadata_file(file));
	cr_assert(g_file_set_contents(file, "\x1e{}", -1, NULL));
	cr_assert(ctf2_is_metadata_file(file));
	cr_assert(!ctf2_is_metadata_file(folder));
	cr_assert_eq(mkfifo(fifo, 0600), 0);
	cr_assert(!ctf2_is_metadata_file(fifo));
	g_unlink(file);
	g_unlink(fifo);
	g_rmdir(folder);
}
