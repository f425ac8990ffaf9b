/* SPDX-License-Identifier: MIT */
#include "ros2bt/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "ros2bt/output_stream.h"

#define TEMPORARY_NAMES_MAX 1000

struct output_file {
	char *path;		      /* owned */
	char *temporary_path;	      /* owned; NULL once there is none to remove */
	int descriptor;		      /* -1 when closed */
	struct output_stream *stream; /* owned */
};

static void set_error(const char *path, int error_number, GError **error)
{
	g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(error_number), "cannot write %s: %s", path,
		    g_strerror(error_number));
}

/* Not mkstemp(), which makes files that only the user can read. */
static void open_temporary(struct output_file *file, const char *directory, const char *name)
{
	for (int number = 0; number < TEMPORARY_NAMES_MAX; number++) {
		g_autofree char *temporary_name = g_strdup_printf(".%s.%d-%d.tmp", name, (int)getpid(), number);
		g_autofree char *path = g_build_filename(directory, temporary_name, NULL);

		file->descriptor = g_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file->descriptor >= 0) {
			file->temporary_path = g_steal_pointer(&path);
			return;
		}
		if (errno != EEXIST) {
			return;
		}
	}
}

struct output_file *output_file_create(const char *directory, const char *name, GError **error)
{
	struct output_file *file = g_new0(struct output_file, 1);

	file->path = g_build_filename(directory, name, NULL);
	open_temporary(file, directory, name);
	if (file->descriptor < 0) {
		set_error(file->path, errno, error);
		output_file_destroy(file);
		return NULL;
	}
	file->stream = output_stream_create(file->descriptor, file->path);
	return file;
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
	file->descriptor = -1;
	if (close(descriptor) != 0 && errno != EINTR) {
		set_error(file->path, errno, error);
		return false;
	}
	return true;
}

bool output_file_commit(struct output_file *file, GError **error)
{
	if (g_rename(file->temporary_path, file->path) != 0) {
		set_error(file->path, errno, error);
		return false;
	}
	g_clear_pointer(&file->temporary_path, g_free);
	return true;
}
