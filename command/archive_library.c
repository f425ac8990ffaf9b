/* SPDX-License-Identifier: MIT */
#include "command/archive_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* ISO C does not convert a pointer to an object into one to a function; POSIX says that they have the same form. */
#define LOAD(name)                                                                                                     \
	symbol = dlsym(handle, "archive_" #name);                                                                      \
	if (!symbol) {                                                                                                 \
		*error = "libarchive lacks archive_" #name "()";                                                       \
		return NULL;                                                                                           \
	}                                                                                                              \
	memcpy(&library.name, &symbol, sizeof(symbol));

const struct archive_library *archive_library_load(const char **error)
{
	static struct archive_library library;
	static void *handle;
	void *symbol;

	if (library.read_support_format_zip_seekable) {
		return &library;
	}
	handle = handle ? handle : dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		*error = dlerror();
		return NULL;
	}
	ARCHIVE_FUNCTIONS(LOAD)
	return &library;
}
