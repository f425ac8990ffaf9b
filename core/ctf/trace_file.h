/* SPDX-License-Identifier: MIT */
/*
 * A file that is read where it is wanted. What another process cuts off it in the meantime, and what the disk cannot
 * give, is read as zeros; trace_file_is_whole() detects it, and should be called when everything is read. Part of the
 * decoder.
 *
 * It is read, not mapped: a page of a map costs more than copying it, and a file that shrinks would raise SIGBUS.
 * Half of the descriptors that the process may have are kept open; a file beyond them is opened anew for each read.
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
