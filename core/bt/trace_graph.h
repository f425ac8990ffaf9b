/* SPDX-License-Identifier: MIT */
/*
 * The graph that `babeltrace2 PATH…` runs for CTF traces, in this process: all traces below the paths, as source.ctf.fs
 * finds and groups them, merged (message_merge.h instead of filter.utils.muxer), decoded, and the records given to a
 * function.
 */
#ifndef ROS2BT_TRACE_GRAPH_H
#define ROS2BT_TRACE_GRAPH_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/bt/message_decoder.h"

/* Receives records, possibly none, borrowed during the call; false stops the graph. */
typedef bool (*trace_graph_take)(const struct event_record *records, size_t count, void *data);

/*
 * Reads the traces to their end. The decoder is borrowed; it was created for protocol version 0. False: something
 * failed and *reason (to be freed) holds the message of babeltrace2, or `take` stopped and *reason is NULL.
 */
bool trace_graph_run(const char *const *paths, size_t path_count, struct message_decoder *decoder,
		     trace_graph_take take, void *data, char **reason);

#endif
