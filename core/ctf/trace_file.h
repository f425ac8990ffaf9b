/* SPDX-License-Identifier: MIT */
/*
 * A file with random access. Bytes that another process has cut off since it was opened, or that the disk cannot
 * deliver, read as zeros; trace_file_is_whole() detects this, and should be called after everything was read. Part of
 * the decoder.
 *
 * It is read, not mapped: mapping a page costs more than copying it, and a file that shrinks would raise SIGBUS. At
 * most half of the descriptors that the process may have stay open; any further file is opened for each read.
 */
#ifndef ROS2BT_TRACE_FILE_H
#define ROS2BT_TRACE_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct trace_file;

/* NULL: it cannot be opened or is no regular file, with a G_FILE_ERROR that names it. */
struct trace_file *trace_file_open(const char *path, GError **error);
/* NULL is allowed. */
void trace_file_close(struct trace_file *file);

const char *trace_file_path(const struct trace_file *file);

/* When it was opened, bytes. */
uint64_t trace_file_size(const struct trace_file *file);

/* Reads bytes that lie within the file's size. */
void trace_file_read(struct trace_file *file, uint64_t offset, void *bytes, size_t size);

/* Whether all bytes are those of the file; a file that was removed or has grown is whole. */
bool trace_file_is_whole(const struct trace_file *file);

#endif
