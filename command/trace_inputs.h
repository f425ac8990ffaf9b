/* SPDX-License-Identifier: MIT */
/* Where the traces of a command line are read: a directory as it is, an archive from a temporary directory. */
#ifndef ROS2BT_TRACE_INPUTS_H
#define ROS2BT_TRACE_INPUTS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

struct trace_inputs;

/*
 * NULL with an error if nothing has the name, an archive cannot be unpacked, or *is_interrupted became true meanwhile.
 * `paths` is borrowed until trace_inputs_close(), which removes what was unpacked. Without archives, nothing is made.
 */
struct trace_inputs *trace_inputs_open(const char *const *paths, size_t count, bool (*is_interrupted)(void),
				       GError **error);
/* As many as were given. */
const char *const *trace_inputs_paths(const struct trace_inputs *inputs);
/* A line (char *) for each archive in which something was left out. */
const GPtrArray *trace_inputs_left_out(const struct trace_inputs *inputs);
/* A text about the paths in the words of who gave them: files of an archive are below its own path. To be freed. */
char *trace_inputs_text(const struct trace_inputs *inputs, const char *text);
void trace_inputs_close(struct trace_inputs *inputs);

#endif
