/* SPDX-License-Identifier: MIT */
/*
 * The graph that `babeltrace2 PATH…` runs for CTF traces, in this process: all traces below the paths, as source.ctf.fs
 * finds and groups them, merged (message_merge.h instead of filter.utils.muxer), decoded, and the records given to a
 * function.
 */
#ifndef ROS2BT_TRACE_GRAPH_H
#define ROS2BT_TRACE_GRAPH_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "ros2bt/bt/message_decoder.h"

/* Receives records, possibly none, borrowed during the call; false stops the graph. */
typedef bool (*trace_graph_take)(const struct event_record *records, size_t count, void *data);

/* Follows the path of a trace if babeltrace2 gives no reason. */
#define TRACE_GRAPH_NO_REASON "babeltrace2 cannot read this trace"

/*
 * Reads the traces to their end: their records of the wanted kinds go to `take`, everything else that is known of them
 * into the recording, which is borrowed. `left_out` gets a line (char *, to be freed) for each trace or directory below
 * the paths that cannot be read while others can. False: something failed and *reason (to be freed) holds the message
 * of babeltrace2, or `take` stopped and *reason is NULL.
 *
 * The graph has the greatest message interchange protocol version that its components share: fields that came with CTF
 * 2 (BLOBs) exist from version 1 on, and source.ctf.fs of babeltrace2 2.1 aborts on them in a graph of version 0.
 */
bool trace_graph_run(const char *const *paths, size_t path_count, struct recording *recording,
		     const struct event_interest *interest, trace_graph_take take, void *data, GPtrArray *left_out,
		     char **reason);

/* Who follows a recording while it goes on, besides taking its records. */
struct trace_graph_follower {
	void (*reached)(int64_t time_ns, void *data); /* all records up to this time were taken */
	bool (*wait)(void *data);		      /* nothing arrives for now; false stops the graph */
};

/*
 * The same of a live session of LTTng, by the address of its relay daemon, "net://HOST/host/HOST/SESSION", until the
 * session ends. A session that is not there has ended. Nothing is left out: what cannot be read is a failure.
 */
bool trace_graph_run_live(const char *url, struct recording *recording, const struct event_interest *interest,
			  trace_graph_take take, const struct trace_graph_follower *follower, void *data,
			  char **reason);

#endif
