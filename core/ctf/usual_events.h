/* SPDX-License-Identifier: MIT */
/*
 * Reads streams as LTTng writes them on common machines, as long as their events are all copies or nobody wants them
 * (enum ctf_usual): docs/internals/fast_reader.md, "The usual path". It gives what ctf_stream_read() and
 * ctf_stream_advance() would give, in a fraction of the time. Part of the decoder.
 */
#ifndef ROS2BT_USUAL_EVENTS_H
#define ROS2BT_USUAL_EVENTS_H

#include "core/ctf/stream_heap.h"
#include "ros2bt/events/kernel_call.h"
#include "ros2bt/events/poll.h"

/* Where the records of a batch go, and what some of them point to. It is full when there is no room for one of these:
 * next == end then. */
struct ctf_batch {
	struct event_record *next, *end;
	struct poll *next_poll, *polls_end;
	struct kernel_call *next_call, *calls_end;
};

/*
 * For a batch with room, and a heap whose first head is usual (ctf_stream.usual). Reads the first stream up to the head
 * of the second one, then that one, and so on, until a head is not usual or not before limit_ns, or the batch is full,
 * or a stream fails: it is the first one then, with its error. The head that is there at the beginning is read in any
 * case. Polls that are to be joined are read beyond other heads, as long as they are of one thread.
 */
void usual_events_read(struct stream_heap *heap, int64_t limit_ns, struct ctf_batch *batch);

#endif
