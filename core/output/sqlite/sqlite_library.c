/* SPDX-License-Identifier: MIT */
#include "core/output/sqlite/sqlite_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* ISO C does not convert a pointer to an object into one to a function; POSIX says that they have the same form. */
#define LOAD(name)                                                                                                     \
	symbol = dlsym(handle, "sqlite3_" #name);                                                                      \
	if (!symbol) {                                                                                                 \
		*error = "libsqlite3 lacks sqlite3_" #name "()";                                                       \
		return NULL;                                                                                           \
	}                                                                                                              \
	memcpy(&library.name, &symbol, sizeof(symbol));

const struct sqlite_library *sqlite_library_load(const char **error)
{
	static struct sqlite_library library;
	static void *handle;
	void *symbol;

	if (library.step) {
		return &library;
	}
	handle = handle ? handle : dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		*error = dlerror();
		return NULL;
	}
	SQLITE_FUNCTIONS(LOAD)
	return &library;
}
