/* SPDX-License-Identifier: MIT */
/*
 * What a mirror holds, and its life. The files of the mirror, each of which uses those below it:
 *
 *   mirror_messages.c  messages
 *   mirror_traces.c    traces, streams, packets
 *   mirror_classes.c   classes of traces, clocks, streams, events
 *   mirror_state.c     this
 */
#ifndef ROS2BT_MIRROR_STATE_H
#define ROS2BT_MIRROR_STATE_H

#include <glib.h>

#include "ros2bt/base/u64_map.h"
#include "ros2bt/bt/mirror.h"

typedef void (*put_function)(const void *);

/* A reference that is released with the mirror. */
struct kept {
	const void *object;
	put_function put;
};

struct mirror {
	bt_self_message_iterator *self;
	const struct mirror_hooks *hooks; /* borrowed, may be NULL */
	uint64_t mip_version;
	GArray *kept; /* struct kept */
	/* the address of an original → its copy; both are kept */
	struct u64_map trace_classes;
	struct u64_map clock_classes;
	struct u64_map stream_classes;
	struct u64_map event_classes; /* → struct mirrored_event_class * */
	struct u64_map traces;
	struct u64_map streams;
	struct u64_map copiers; /* trace class → struct field_class_copier * */
	struct u64_map packets; /* → bt_packet *, a reference on both until the end of the packet */
};

/* What is needed for each event. */
struct mirrored_event_class {
	bt_event_class *copy; /* kept */
	bool has_packets;
	bool has_clock;
};

static inline uint64_t mirror_address_of(const void *object)
{
	return (uint64_t)(uintptr_t)object;
}

/* The reference is released with the mirror, before those that were kept earlier. */
static inline void mirror_keep(struct mirror *mirror, const void *object, put_function put)
{
	struct kept kept = { object, put };

	g_array_append_val(mirror->kept, kept);
}

#define KEEP_COPY(mirror, copy, type) mirror_keep((mirror), (copy), (put_function)bt_##type##_put_ref)
#define KEEP_ORIGINAL(mirror, original, type)                                                                          \
	do {                                                                                                           \
		bt_##type##_get_ref(original);                                                                         \
		mirror_keep((mirror), (original), (put_function)bt_##type##_put_ref);                                  \
	} while (0)

/* Appends an error cause; NULL. */
void *mirror_failed(struct mirror *mirror, const char *what, const char *name);

/* NULL: failed. */
const struct mirrored_event_class *mirror_event_class_copy(struct mirror *mirror, const bt_event_class *original);
/* The packet has ended: neither it nor its copy is kept any longer. */
void mirror_forget_packet(struct mirror *mirror, const bt_packet *original);

#endif
