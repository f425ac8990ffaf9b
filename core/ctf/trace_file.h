/* SPDX-License-Identifier: MIT */
/*
 * A file with random access. Bytes that another process has cut off since it was opened, or that the disk cannot
 * deliver, read as zeros; trace_file_is_whole() detects this, and should be called after everything was read. Part of
 * the decoder.
 *
 * It is copied, or viewed without a copy. At most half of the descriptors that the process may have stay open; any
 * further file is opened for each read.
 */
#ifndef ROS2BT_TRACE_FILE_H
#define ROS2BT_TRACE_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/ctf/file_view.h"

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

/*
 * The same bytes in a view, which moves there if it does not show them: by at least `view_size` bytes then. They are
 * good until it moves on. NULL: the file cannot be viewed.
 */
const uint8_t *trace_file_view(struct trace_file *file, struct file_view *view, uint64_t offset, size_t size,
			       size_t view_size);

/* Whether all bytes are those of the file; a file that was removed or has grown is whole. */
bool trace_file_is_whole(const struct trace_file *file);

#endif
