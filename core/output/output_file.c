/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE */
#include "ros2bt/output/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "ros2bt/output/output_stream.h"

#define TEMPORARY_NAMES_MAX 1000

struct output_file {
	char *path;	      /* owned */
	char *temporary_path; /* owned; NULL: there is no name to remove, before it has one or after the commit */
	int descriptor;	      /* -1 when closed */
	struct output_stream *stream; /* owned */
};

static void set_error(const char *path, int error_number, GError **error)
{
	g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(error_number), "cannot write %s: %s", path,
		    g_strerror(error_number));
}

/* The temporary name of this number, next to the file. */
static char *temporary_path(const struct output_file *file, int number)
{
	g_autofree char *directory = g_path_get_dirname(file->path);
	g_autofree char *name = g_path_get_basename(file->path);
	g_autofree char *temporary_name = g_strdup_printf(".%s.%d-%d.tmp", name, (int)getpid(), number);

	return g_build_filename(directory, temporary_name, NULL);
}

/* Calls `make` (open or link) with the first temporary name that is free; returns its result, or -1 with errno. */
static int with_temporary_path(struct output_file *file, int (*make)(const struct output_file *file, const char *path))
{
	for (int number = 0; number < TEMPORARY_NAMES_MAX; number++) {
		g_autofree char *path = temporary_path(file, number);
		int result = make(file, path);

		if (result >= 0) {
			file->temporary_path = g_steal_pointer(&path);
		}
		if (result >= 0 || errno != EEXIST) {
			return result;
		}
	}
	return -1;
}

static char *descriptor_path(const struct output_file *file)
{
	return g_strdup_printf("/proc/self/fd/%d", file->descriptor);
}

/* Not mkstemp(), whose files only the user can read. */
static int open_named(const struct output_file *file, const char *path)
{
	return g_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int link_nameless(const struct output_file *file, const char *path)
{
	g_autofree char *nameless = descriptor_path(file);

	return linkat(AT_FDCWD, nameless, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Without a name: nothing is left of it however the process ends. Not all file systems support that. */
static bool open_nameless(struct output_file *file, const char *directory)
{
	g_autofree char *nameless = NULL;

	file->descriptor = g_open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (file->descriptor < 0) {
		return false;
	}
	nameless = descriptor_path(file);
	if (access(nameless, F_OK) == 0) {
		return true;
	}
	close(file->descriptor);
	return false;
}

/* False with errno. */
static bool open_file(struct output_file *file, const char *directory, const char *name)
{
	file->path = g_build_filename(directory, name, NULL);
	if (!open_nameless(file, directory)) {
		file->descriptor = with_temporary_path(file, open_named);
	}
	return file->descriptor >= 0;
}

struct output_file *output_file_create(const char *directory, const char *name, GError **error)
{
	struct output_file *file = g_new0(struct output_file, 1);

	if (!open_file(file, directory, name)) {
		set_error(file->path, errno, error);
		output_file_destroy(file);
		return NULL;
	}
	file->stream = output_stream_create(file->descriptor, file->path);
	return file;
}

static bool can_write(const char *directory, GError **error)
{
	struct output_file *probe = g_new0(struct output_file, 1);
	bool is_open = open_file(probe, directory, "report");
	int error_number = errno;

	output_file_destroy(probe);
	if (!is_open) {
		g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(error_number),
			    "cannot write to the directory %s: %s", directory, g_strerror(error_number));
	}
	return is_open;
}

bool output_directory_create(const char *directory, GError **error)
{
	if (g_mkdir_with_parents(directory, 0777) != 0) {
		int error_number = errno;

		g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(error_number),
			    "cannot create the directory %s: %s", directory, g_strerror(error_number));
		return false;
	}
	return can_write(directory, error);
}

void output_file_destroy(struct output_file *file)
{
	if (!file) {
		return;
	}
	output_stream_destroy(file->stream);
	if (file->descriptor >= 0) {
		close(file->descriptor);
	}
	if (file->temporary_path) {
		g_unlink(file->temporary_path);
	}
	g_free(file->temporary_path);
	g_free(file->path);
	g_free(file);
}

struct output_stream *output_file_stream(struct output_file *file)
{
	return file->stream;
}

bool output_file_close(struct output_file *file, GError **error)
{
	int descriptor = file->descriptor;

	if (!output_stream_flush(file->stream, error)) {
		return false;
	}
	if (!file->temporary_path) {
		return true;
	}
	file->descriptor = -1;
	if (close(descriptor) != 0 && errno != EINTR) {
		set_error(file->path, errno, error);
		return false;
	}
	return true;
}

static bool commit(struct output_file *file)
{
	if (!file->temporary_path) {
		if (link_nameless(file, file->path) == 0) {
			return true;
		}
		/* A link does not replace an older file. */
		if (errno != EEXIST || with_temporary_path(file, link_nameless) < 0) {
			return false;
		}
	}
	return g_rename(file->temporary_path, file->path) == 0;
}

bool output_file_commit(struct output_file *file, GError **error)
{
	if (!commit(file)) {
		set_error(file->path, errno, error);
		return false;
	}
	g_clear_pointer(&file->temporary_path, g_free);
	return true;
}

/* Whether an earlier report can have left this file; nothing else is removed. */
static bool is_removable(const char *path)
{
	GStatBuf status;

	return g_lstat(path, &status) == 0 && (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode));
}

bool output_files_remove(const char *directory, const GPtrArray *names, GError **error)
{
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(directory, g_ptr_array_index(names, i), NULL);

		if (is_removable(path) && g_unlink(path) != 0 && errno != ENOENT) {
			int error_number = errno;

			g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(error_number),
				    "cannot remove the older %s: %s", path, g_strerror(error_number));
			return false;
		}
	}
	return true;
}
