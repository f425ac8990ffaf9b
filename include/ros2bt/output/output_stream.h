/* SPDX-License-Identifier: MIT */
/*
 * A buffered stream of bytes into a file, standard output, or an anonymous spool file, which is created only when the
 * buffer is full. The first error sticks: later bytes are dropped, and the error is returned when the stream is
 * finished, so writers of rows need no error path. A closed pipe gives EPIPE, never SIGPIPE, however the process
 * handles that signal.
 */
#ifndef ROS2BT_OUTPUT_STREAM_H
#define ROS2BT_OUTPUT_STREAM_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

struct output_stream;

/* Writes to `descriptor`, which is borrowed; `name` is for error messages. */
struct output_stream *output_stream_create(int descriptor, const char *name);

/* Keeps the bytes, in an anonymous file in `directory` if there are many. */
struct output_stream *output_stream_create_spool(const char *directory);

/* Passes the bytes to a function, a buffer at a time. */
struct output_stream *output_stream_create_into(void (*take)(const char *bytes, size_t size, void *data), void *data);

/* Drops bytes that have not been written. */
void output_stream_destroy(struct output_stream *stream);

/* Writes all further bytes, which are UTF-8, as ASCII (ascii_text.h). Not for spools, which are spliced unchanged. */
void output_stream_set_ascii(struct output_stream *stream);

void output_stream_bytes(struct output_stream *stream, const char *bytes, size_t size);
void output_stream_text(struct output_stream *stream, const char *text);
void output_stream_byte(struct output_stream *stream, char byte);

/* Appends everything a spool holds. The spool cannot be written to afterwards. */
void output_stream_splice(struct output_stream *stream, struct output_stream *spool);

/* Rewinds a spool for reading. It cannot be written to afterwards. */
void output_stream_rewind(struct output_stream *spool);

/* The next `size` bytes of a spool; false if there are no more or reading fails, which becomes its error. */
bool output_stream_read(struct output_stream *spool, void *bytes, size_t size);

/* The next line of a spool, without its line break; false if there is none or reading fails, as above. */
bool output_stream_read_line(struct output_stream *spool, GString *line);

/* False with an error if anything has failed: "cannot write NAME: No space left on device". */
bool output_stream_check(const struct output_stream *stream, GError **error);

/* Writes the rest of the buffer. False with a G_FILE_ERROR that names the file if anything has failed since creation.
 */
bool output_stream_flush(struct output_stream *stream, GError **error);

#endif
