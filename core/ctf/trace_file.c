/* SPDX-License-Identifier: MIT */
#include "core/ctf/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct trace_file {
	char *path;
	int descriptor;	    /* -1: opened for each read */
	struct stat status; /* when it was opened */
	volatile sig_atomic_t is_cut;
};

static bool may_be_kept(int descriptor)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)descriptor < limit.rlim_cur / 2;
}

static int open_file(const char *path)
{
	/* O_NONBLOCK: does not wait for the writer of a pipe */
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void close_file(int descriptor)
{
	if (descriptor >= 0) {
		(void)close(descriptor);
	}
}

/* `descriptor` is -1 if it could not be opened, and errno says why. */
static bool look_at(int descriptor, const char *path, struct stat *status, GError **error)
{
	int error_number = 0;

	if (descriptor < 0 || fstat(descriptor, status) != 0) {
		error_number = errno;
	} else if (!S_ISREG(status->st_mode)) {
		error_number = EINVAL;
	}
	if (error_number != 0) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(error_number), "cannot open %s: %s", path,
			    g_strerror(error_number));
	}
	return error_number == 0;
}

struct trace_file *trace_file_open(const char *path, GError **error)
{
	struct trace_file *file;
	struct stat status;
	int descriptor = open_file(path);

	if (!look_at(descriptor, path, &status, error)) {
		close_file(descriptor);
		return NULL;
	}
	file = g_new0(struct trace_file, 1);
	file->path = g_strdup(path);
	file->status = status;
	file->descriptor = descriptor;
	if (!may_be_kept(descriptor)) {
		close_file(descriptor);
		file->descriptor = -1;
	}
	return file;
}

void trace_file_close(struct trace_file *file)
{
	if (!file) {
		return;
	}
	close_file(file->descriptor);
	g_free(file->path);
	g_free(file);
}

const char *trace_file_path(const struct trace_file *file)
{
	return file->path;
}

uint64_t trace_file_size(const struct trace_file *file)
{
	return (uint64_t)file->status.st_size;
}

static bool is_same_file(const struct trace_file *file, const struct stat *status)
{
	return status->st_dev == file->status.st_dev && status->st_ino == file->status.st_ino;
}

/* -1: the file no longer exists. */
static int reopen(const struct trace_file *file)
{
	int descriptor = open_file(file->path);
	struct stat status;

	if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !is_same_file(file, &status))) {
		close_file(descriptor);
		return -1;
	}
	return descriptor;
}

/* The number of bytes that could be read. */
static size_t read_at(int descriptor, uint64_t offset, uint8_t *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t count = pread(descriptor, bytes + done, size - done, (off_t)(offset + done));

		if (count > 0) {
			done += (size_t)count;
		} else if (count == 0 || errno != EINTR) {
			break;
		}
	}
	return done;
}

void trace_file_read(struct trace_file *file, uint64_t offset, void *bytes, size_t size)
{
	int descriptor = file->descriptor >= 0 ? file->descriptor : reopen(file);
	size_t done = descriptor >= 0 ? read_at(descriptor, offset, bytes, size) : 0;

	if (done < size) {
		memset((uint8_t *)bytes + done, 0, size - done);
		file->is_cut = 1;
	}
	if (file->descriptor < 0) {
		close_file(descriptor);
	}
}

const uint8_t *trace_file_view(struct trace_file *file, struct file_view *view, uint64_t offset, size_t size,
			       size_t view_size)
{
	if (!file_view_has(view, offset, size, &file->is_cut)) {
		int descriptor = file->descriptor >= 0 ? file->descriptor : reopen(file);
		bool is_viewed = descriptor >= 0 && file_view_move(view, descriptor, offset, view_size, &file->is_cut);

		if (file->descriptor < 0) {
			close_file(descriptor);
		}
		if (!is_viewed) {
			return NULL;
		}
	}
	return view->bytes + (offset - view->offset);
}

bool trace_file_is_whole(const struct trace_file *file)
{
	struct stat status;
	int result = file->descriptor >= 0 ? fstat(file->descriptor, &status) : stat(file->path, &status);

	return !file->is_cut && (result != 0 || !is_same_file(file, &status) || status.st_size >= file->status.st_size);
}
