/* SPDX-License-Identifier: MIT */
/*
 * A mirror copies the traces that pass a message iterator. A filter that changes events needs one, because the objects
 * of another component are read-only. Each trace class, clock class, stream class, event class, trace, stream and
 * packet gets one copy when it is first met; messages are copied by index. Copies keep names, ids, attributes,
 * environment, clock identity and all properties of fields; only the identity (UUID or UID) of a trace is not kept,
 * because its content differs. A filter makes the events that it adds or changes from these copies.
 *
 * Originals are kept alive as long as the mirror (packets: until their end), so that an address always means the same
 * thing. A function that fails appends an error cause to the current thread's error and returns NULL. One look-up of a
 * word per event and per packet; O(size of the event).
 */
#ifndef ROS2BT_MIRROR_H
#define ROS2BT_MIRROR_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* The greatest message interchange protocol version that a filter with a mirror can support. */
#ifdef HAVE_BT2_MIP1
#define MIRROR_MIP_VERSION 1
#else
#define MIRROR_MIP_VERSION 0
#endif

struct mirror;

struct mirror_hooks {
	/*
	 * May append members to the event-specific context of the copy of an event class, which already has those of
	 * the original. The filter must then set them in every event of the class (they follow the original's members).
	 * False: failed.
	 */
	bool (*extend_context)(void *data, const bt_event_class *original, bt_trace_class *copy,
			       bt_field_class *context);
	void *data;
};

/* `hooks` may be NULL, and is borrowed otherwise. */
struct mirror *mirror_create(bt_self_message_iterator *self, const struct mirror_hooks *hooks);
void mirror_destroy(struct mirror *mirror);

/*
 * Starts over after the iterator went back to its beginning. Only packets get new copies: messages from before and
 * after belong to the same trace and stream.
 */
void mirror_rewind(struct mirror *mirror);

/* The copies, borrowed. */
bt_trace_class *mirror_trace_class(struct mirror *mirror, const bt_trace_class *original);
bt_stream_class *mirror_stream_class(struct mirror *mirror, const bt_stream_class *original);
bt_event_class *mirror_event_class(struct mirror *mirror, const bt_event_class *original);
bt_stream *mirror_stream(struct mirror *mirror, const bt_stream *original);
bt_packet *mirror_packet(struct mirror *mirror, const bt_packet *original);

/* A copy of a field class for use in the copy of its trace class, owned by the caller; array lengths have no
 * references. */
bt_field_class *mirror_field_class(struct mirror *mirror, const bt_trace_class *original_trace_class,
				   const bt_field_class *original);

/* Adds an event class (with a new id, without fields) to the copy of a stream class. Borrowed. */
bt_event_class *mirror_add_event_class(struct mirror *mirror, const bt_stream_class *original, const char *name);

/* Adds a stream of the class of the copy of `original`, with a new id. Borrowed. */
bt_stream *mirror_add_stream(struct mirror *mirror, const bt_stream *original, const char *name);

/* Adds a packet to an added stream, with the context of an original packet. Owned by the caller. */
bt_packet *mirror_add_packet(struct mirror *mirror, bt_stream *stream, const bt_packet *original);

/*
 * The copy of a message, owned by the caller. A message that belongs to no stream is its own copy. Not for events whose
 * context is extended: the caller must set what was added, so it needs mirror_event().
 */
const bt_message *mirror_message(struct mirror *mirror, const bt_message *original);

/* The copy of an event message, to be completed by the caller, who owns it. */
bt_message *mirror_event(struct mirror *mirror, const bt_message *original);

/* The copy of an event message at another place and time. `packet` is of the stream; NULL if its class has none. */
bt_message *mirror_event_at(struct mirror *mirror, const bt_message *original, const bt_stream *stream,
			    const bt_packet *packet, uint64_t clock_value);

#endif
