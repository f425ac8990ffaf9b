/* SPDX-License-Identifier: MIT */
#include "command/archive.h"

bool archive_has_ending(const char *path)
{
	static const char *const endings[] = { ".tar",	   ".tar.gz", ".tgz",	  ".tar.xz", ".txz",
					       ".tar.zst", ".tzst",   ".tar.bz2", ".tbz2",   ".zip" };

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		if (g_str_has_suffix(path, endings[i])) {
			return true;
		}
	}
	return false;
}

bool archive_is_at(const char *path)
{
	return archive_has_ending(path) && g_file_test(path, G_FILE_TEST_IS_REGULAR);
}
