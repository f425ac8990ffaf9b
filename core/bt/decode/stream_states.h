/* SPDX-License-Identifier: MIT */
/*
 * What the decoder knows of each open stream: its numbers in the recording, how its context is read, the thread of its
 * last event, and whether events were lost. Part of the decoder.
 *
 * Finding the stream of the message before costs a comparison, any other one a hash. The thread, too, is looked up only
 * when the context differs from that of the stream's event before. Holds references on the open streams and on every
 * trace seen, so that no address is reused for another object.
 */
#ifndef ROS2BT_STREAM_STATES_H
#define ROS2BT_STREAM_STATES_H

#include <babeltrace2/babeltrace.h>

#include "core/bt/decode/context_plan.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

/* What each event reads comes first, in two cache lines. */
struct stream_state {
	const bt_stream *stream;    /* a reference */
	uint64_t record_head;	    /* event_record_head() of a record that is nothing but its stream */
	struct event_record *polls; /* its last record, if another poll may join it in this batch; else NULL */
	uint32_t thread;	    /* of last_context; RECORDING_NONE before the first event */
	uint16_t index;		    /* in the recording */
	bool has_clock;
	struct recording_context last_context;
	struct context_plan context;
	uint32_t trace; /* index in the recording */
	uint32_t ids;	/* of last_ids; the same for events of a kernel */
	struct recording_context last_ids;
	bool has_definitions_only; /* as far as its event classes are known: filters make them with their events */
	bool has_loss;		   /* events were lost in the packet that is open or about to begin */
	int64_t loss_begin_ns;
};

struct stream_states {
	struct recording *recording; /* borrowed */
	uint64_t mip_version;
	struct u64_map streams; /* const bt_stream * → struct stream_state * */
	struct u64_map traces;	/* const bt_trace * → index in the recording; a reference each */
	struct stream_state *last;
	size_t definitions_only; /* streams with has_definitions_only */
};

void stream_states_init(struct stream_states *states, struct recording *recording, uint64_t mip_version);
void stream_states_clear(struct stream_states *states);

/* stream_states_find() for another stream than that of the last call; adds what it has not seen yet to the recording.
 */
struct stream_state *stream_states_find_other(struct stream_states *states, const bt_stream *stream);

static inline struct stream_state *stream_states_find(struct stream_states *states, const bt_stream *stream)
{
	return G_LIKELY(states->last && states->last->stream == stream) ? states->last
									: stream_states_find_other(states, stream);
}

/* The records of the batch before are gone. */
void stream_states_begin_batch(struct stream_states *states);

/* The stream has an event that defines nothing. */
void stream_states_note_more(struct stream_states *states, struct stream_state *state);

/* The stream has ended; `state` is freed. */
void stream_states_remove(struct stream_states *states, struct stream_state *state);

uint32_t stream_state_find_thread(struct stream_state *state, struct recording *recording, const bt_event *event);

/* The thread of an event, added to the recording if it is new. */
static inline uint32_t stream_state_thread(struct stream_state *state, struct recording *recording,
					   const bt_event *event)
{
	return G_LIKELY(state->context.has_ids_only && state->thread != RECORDING_NONE &&
			context_plan_is_same(&state->context, bt_event_borrow_common_context_field_const(event),
					     &state->last_context))
		       ? state->thread
		       : stream_state_find_thread(state, recording, event);
}

/* The process of the thread has the name that the event's context holds (recording_name_process()). */
void stream_state_name_process(const struct stream_state *state, struct recording *recording, const bt_event *event,
			       uint32_t thread);

/* What an event of a kernel has in place of the thread (event_record.h); RECORDING_NONE if its context has no ids. */
uint32_t stream_state_ids(struct stream_state *state, struct recording *recording, const bt_event *event);

#endif
