/* SPDX-License-Identifier: MIT */
/*
 * libsqlite3, loaded when the first database is written: linked, it would take a third of the time in which any
 * command starts, since its 1600 symbols are all bound at once. The build only needs its header.
 */
#ifndef ROS2BT_SQLITE_LIBRARY_H
#define ROS2BT_SQLITE_LIBRARY_H

#include <sqlite3.h>

/* What output_sqlite.c calls: sqlite3_NAME(). */
#define SQLITE_FUNCTIONS(FUNCTION)                                                                                     \
	FUNCTION(bind_double)                                                                                          \
	FUNCTION(bind_int64)                                                                                           \
	FUNCTION(bind_null)                                                                                            \
	FUNCTION(bind_text)                                                                                            \
	FUNCTION(close)                                                                                                \
	FUNCTION(errmsg)                                                                                               \
	FUNCTION(exec)                                                                                                 \
	FUNCTION(finalize)                                                                                             \
	FUNCTION(initialize)                                                                                           \
	FUNCTION(open_v2)                                                                                              \
	FUNCTION(prepare_v2)                                                                                           \
	FUNCTION(reset)                                                                                                \
	FUNCTION(step)

struct sqlite_library {
#define MEMBER(name) __typeof__(sqlite3_##name) *name;
	SQLITE_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* NULL, with *error (static or of the loader), if it is not installed. Loaded once, never unloaded. Not thread-safe. */
const struct sqlite_library *sqlite_library_load(const char **error);

#endif
