/* SPDX-License-Identifier: MIT */
/*
 * libarchive, loaded when the first archive is read: linked, it and the seven libraries that it needs would be bound
 * whenever a command starts. The build only needs its headers.
 */
#ifndef ROS2BT_ARCHIVE_LIBRARY_H
#define ROS2BT_ARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

/* What archive.c calls: archive_NAME(). */
#define ARCHIVE_FUNCTIONS(FUNCTION)                                                                                    \
	FUNCTION(entry_filetype)                                                                                       \
	FUNCTION(entry_hardlink)                                                                                       \
	FUNCTION(entry_pathname)                                                                                       \
	FUNCTION(entry_pathname_utf8)                                                                                  \
	FUNCTION(entry_size)                                                                                           \
	FUNCTION(error_string)                                                                                         \
	FUNCTION(filter_bytes)                                                                                         \
	FUNCTION(format)                                                                                               \
	FUNCTION(read_data_block)                                                                                      \
	FUNCTION(read_free)                                                                                            \
	FUNCTION(read_new)                                                                                             \
	FUNCTION(read_next_header)                                                                                     \
	FUNCTION(read_open_filename)                                                                                   \
	FUNCTION(read_support_filter_bzip2)                                                                            \
	FUNCTION(read_support_filter_gzip)                                                                             \
	FUNCTION(read_support_filter_xz)                                                                               \
	FUNCTION(read_support_filter_zstd)                                                                             \
	FUNCTION(read_support_format_tar)                                                                              \
	FUNCTION(read_support_format_zip_seekable)

struct archive_library {
#define MEMBER(name) __typeof__(archive_##name) *name;
	ARCHIVE_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* NULL, with *error (static or of the loader), if it is not installed. Loaded once, never unloaded. Not thread-safe. */
const struct archive_library *archive_library_load(const char **error);

#endif
