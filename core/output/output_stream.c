/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE */
#include "ros2bt/output/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ros2bt/base/ascii_text.h"

#define BUFFER_SIZE ((size_t)16 * 1024)

struct output_stream {
	char *name;	       /* owned */
	char *spool_directory; /* owned; NULL: not a spool */
	int descriptor;	       /* owned by a spool, else borrowed; -1: a spool without a file */
	int error_number;      /* of the first failure */
	void (*take)(const char *bytes, size_t size, void *data); /* NULL: goes to the descriptor */
	void *take_data;
	bool is_ascii;
	size_t used;
	size_t position; /* of the next byte to read */
	char buffer[BUFFER_SIZE];
};

static struct output_stream *stream_create(int descriptor, const char *name)
{
	struct output_stream *stream = g_new(struct output_stream, 1);

	stream->name = g_strdup(name);
	stream->spool_directory = NULL;
	stream->descriptor = descriptor;
	stream->error_number = 0;
	stream->take = NULL;
	stream->is_ascii = false;
	stream->used = 0;
	stream->position = 0;
	return stream;
}

struct output_stream *output_stream_create(int descriptor, const char *name)
{
	return stream_create(descriptor, name);
}

struct output_stream *output_stream_create_spool(const char *directory)
{
	struct output_stream *stream = stream_create(-1, directory);

	stream->spool_directory = g_strdup(directory);
	return stream;
}

struct output_stream *output_stream_create_into(void (*take)(const char *bytes, size_t size, void *data), void *data)
{
	struct output_stream *stream = stream_create(-1, NULL);

	stream->take = take;
	stream->take_data = data;
	return stream;
}

void output_stream_destroy(struct output_stream *stream)
{
	if (!stream) {
		return;
	}
	if (stream->spool_directory && stream->descriptor >= 0) {
		close(stream->descriptor);
	}
	g_free(stream->spool_directory);
	g_free(stream->name);
	g_free(stream);
}

/*
 * The signal that write() may have raised, 0 if none. If the reader of a pipe leaves in the middle of a long write, the
 * call raises the signal and also returns the number of bytes written until then (Linux, fs/pipe.c).
 */
static int signal_of(ssize_t written, size_t size, int error_number)
{
	if (written >= 0) {
		return (size_t)written < size ? SIGPIPE : 0;
	}
	switch (error_number) {
	case EPIPE:
		return SIGPIPE;
	case EFBIG:
		return SIGXFSZ;
	default:
		return 0;
	}
}

static void take_signal(int signal_number)
{
	const struct timespec at_once = { 0 };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, signal_number);
	while (sigtimedwait(&signals, NULL, &at_once) < 0 && errno == EINTR) {}
}

/* write() without its signals: they are blocked in this thread, and consumed if the write raised one. */
static ssize_t write_without_signal(int descriptor, const char *bytes, size_t size)
{
	sigset_t held, pending, before;
	int error_number, raised;
	ssize_t written;

	sigemptyset(&held);
	sigaddset(&held, SIGPIPE);
	sigaddset(&held, SIGXFSZ);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &held, &before);
	written = write(descriptor, bytes, size);
	error_number = errno;
	raised = signal_of(written, size, error_number);
	if (raised && sigismember(&pending, raised) == 0) {
		take_signal(raised);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error_number;
	return written;
}

static void write_all(struct output_stream *stream, const char *bytes, size_t size)
{
	while (size && !stream->error_number) {
		ssize_t written = write_without_signal(stream->descriptor, bytes, size);

		if (written >= 0) {
			bytes += written;
			size -= (size_t)written;
		} else if (errno != EINTR) {
			stream->error_number = errno;
		}
	}
}

/* For file systems without files that have no name. */
static int open_removed(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, ".ros2bt-spool-XXXXXX", NULL);
	int descriptor = g_mkstemp(path);

	if (descriptor >= 0) {
		g_unlink(path);
	}
	return descriptor;
}

static void open_spool_file(struct output_stream *stream)
{
	stream->descriptor = g_open(stream->spool_directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (stream->descriptor < 0) {
		stream->descriptor = open_removed(stream->spool_directory);
	}
	if (stream->descriptor < 0) {
		stream->error_number = errno;
	}
}

static void write_buffer(struct output_stream *stream)
{
	size_t size = stream->used, rest = 0;

	if (stream->take) {
		stream->take(stream->buffer, size, stream->take_data);
		stream->used = 0;
		return;
	}
	if (stream->is_ascii) {
		rest = ascii_text_convert(stream->buffer, &size);
	}
	if (stream->descriptor < 0 && !stream->error_number) {
		open_spool_file(stream);
	}
	write_all(stream, stream->buffer, size);
	memmove(stream->buffer, stream->buffer + size, rest);
	stream->used = rest;
}

void output_stream_set_ascii(struct output_stream *stream)
{
	stream->is_ascii = true;
}

void output_stream_bytes(struct output_stream *stream, const char *bytes, size_t size)
{
	while (size) {
		size_t part = MIN(size, BUFFER_SIZE - stream->used);

		memcpy(&stream->buffer[stream->used], bytes, part);
		stream->used += part;
		bytes += part;
		size -= part;
		if (stream->used == BUFFER_SIZE) {
			write_buffer(stream);
		}
	}
}

void output_stream_text(struct output_stream *stream, const char *text)
{
	output_stream_bytes(stream, text, strlen(text));
}

void output_stream_byte(struct output_stream *stream, char byte)
{
	stream->buffer[stream->used++] = byte;
	if (stream->used == BUFFER_SIZE) {
		write_buffer(stream);
	}
}

void output_stream_rewind(struct output_stream *spool)
{
	spool->position = 0;
	if (spool->descriptor < 0) {
		return;
	}
	write_buffer(spool);
	spool->used = 0;
	if (!spool->error_number && lseek(spool->descriptor, 0, SEEK_SET) < 0) {
		spool->error_number = errno;
	}
}

/* Reads the next part of a spool's file into its buffer; false if there is none. */
static bool fill_buffer(struct output_stream *spool)
{
	spool->position = 0;
	spool->used = 0;
	while (spool->descriptor >= 0 && !spool->error_number) {
		ssize_t size = read(spool->descriptor, spool->buffer, BUFFER_SIZE);
		if (size >= 0) {
			spool->used = (size_t)size;
			return size > 0;
		}
		if (errno != EINTR) {
			spool->error_number = errno;
		}
	}
	return false;
}

bool output_stream_read(struct output_stream *spool, void *bytes, size_t size)
{
	char *at = bytes;

	while (size > 0) {
		size_t part = MIN(size, spool->used - spool->position);

		memcpy(at, &spool->buffer[spool->position], part);
		spool->position += part;
		at += part;
		size -= part;
		if (size > 0 && !fill_buffer(spool)) {
			return false;
		}
	}
	return true;
}

bool output_stream_read_line(struct output_stream *spool, GString *line)
{
	bool has_bytes = false;

	g_string_truncate(line, 0);
	while (spool->position < spool->used || fill_buffer(spool)) {
		const char *start = &spool->buffer[spool->position];
		size_t size = spool->used - spool->position;
		const char *end = memchr(start, '\n', size);
		size_t part = end ? (size_t)(end - start) : size;

		has_bytes = true;
		g_string_append_len(line, start, (gssize)part);
		spool->position += part + (end ? 1 : 0);
		if (end) {
			return true;
		}
	}
	return has_bytes && !spool->error_number;
}

void output_stream_splice(struct output_stream *stream, struct output_stream *spool)
{
	output_stream_rewind(spool);
	do {
		output_stream_bytes(stream, spool->buffer, spool->used);
	} while (fill_buffer(spool));
}

bool output_stream_flush(struct output_stream *stream, GError **error)
{
	write_buffer(stream);
	return output_stream_check(stream, error);
}

bool output_stream_check(const struct output_stream *stream, GError **error)
{
	if (stream->error_number) {
		g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(stream->error_number),
			    "cannot write %s%s: %s", stream->spool_directory ? "a temporary file in " : "",
			    stream->name, g_strerror(stream->error_number));
		return false;
	}
	return true;
}
