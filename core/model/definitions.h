/* SPDX-License-Identifier: MIT */
/*
 * The contents of initialization events by process, kind and address, ordered by the time from which they hold. This is
 * the store below the object model: it decides whether two events define the same thing, and which of several
 * definitions holds at a time.
 *
 * Two events of the same kind, process, address and words are copies
 *   - if both have an init_timestamp (CARET) and these are equal;
 *   - otherwise, if they are at most 1 ms apart: a second recording session, or a CARET event and its ros2 twin, in
 *     which case CARET's time is kept.
 * If they are not copies, the address was reused.
 *
 * An address may be used before it is defined, or without ever being defined; then it has an undefined definition,
 * which is the oldest of the address. The first definition that begins no later than the last use of the undefined one
 * completes it; a definition that begins later is another object at a reused address.
 *
 * Cost: a look-up hashes one word and steps over the newer definitions of the address. Memory: 48 bytes and the words
 * per definition. Definitions live as long as the arena, and pointers to them stay valid.
 */
#ifndef ROS2BT_DEFINITIONS_H
#define ROS2BT_DEFINITIONS_H

#include "core/base/arena.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/events/event_record.h"

/* Equal definitions that are at most this far apart are copies. CARET and ros2_tracing record one event twice. */
#define DEFINITION_COPY_DISTANCE_NS NS_PER_MS

enum definition_kind {
	DEFINITION_NODE,		 /* node handle: full name */
	DEFINITION_PUBLISHER,		 /* rcl handle: node handle, rmw handle, topic, queue depth */
	DEFINITION_PUBLISHER_BY_RMW,	 /* rmw handle: the definition by rcl handle */
	DEFINITION_SUBSCRIPTION,	 /* rcl handle: node handle, rmw handle, topic, queue depth */
	DEFINITION_SUBSCRIPTION_BY_RMW,	 /* as with the publisher */
	DEFINITION_SUBSCRIPTION_OBJECT,	 /* rclcpp object: rcl handle */
	DEFINITION_SUBSCRIPTION_PART,	 /* rcl handle: rclcpp object */
	DEFINITION_SERVICE,		 /* rcl handle: node handle, rmw handle, name */
	DEFINITION_SERVICE_BY_RMW,	 /* as with the publisher */
	DEFINITION_CLIENT,		 /* rcl handle: node handle, rmw handle, service name */
	DEFINITION_CLIENT_BY_RMW,	 /* as with the publisher */
	DEFINITION_CLIENT_GID,		 /* rmw handle: gid */
	DEFINITION_TIMER,		 /* rcl handle: period */
	DEFINITION_TIMER_NODE,		 /* timer handle: node handle */
	DEFINITION_TIMER_CALLBACK,	 /* timer handle: callback */
	DEFINITION_TIMER_GROUP,		 /* timer handle: callback group */
	DEFINITION_SUBSCRIPTION_GROUP,	 /* rcl handle: callback group */
	DEFINITION_SERVICE_GROUP,	 /* rcl handle: callback group */
	DEFINITION_GROUP_MEMBER,	 /* callback group: kind of the member, handle of the member */
	DEFINITION_GROUP_EXECUTOR,	 /* callback group: executor, type of the group */
	DEFINITION_GROUP_COLLECTOR,	 /* callback group: entities collector, type of the group */
	DEFINITION_COLLECTOR_EXECUTOR,	 /* entities collector: executor */
	DEFINITION_EXECUTOR,		 /* executor: type */
	DEFINITION_STATE_MACHINE,	 /* state machine: node handle */
	DEFINITION_ACTION,		 /* rcl handle of send_goal: node handle, name of the action, is a server */
	DEFINITION_CALLBACK,		 /* callback: kind of the owner, address of the owner */
	DEFINITION_SYMBOL,		 /* callback: symbol */
	DEFINITION_CALLBACK_SERVICE,	 /* callback: rcl handle of the service (lifecycle_services.h) */
	DEFINITION_BUFFER,		 /* ring buffer: intra-process buffer */
	DEFINITION_INTRA_PROCESS_BUFFER, /* intra-process buffer: rclcpp object of the subscription */
	DEFINITION_KIND_COUNT,
};

#define DEFINITION_WORDS_MAX 4

struct definition {
	struct definition *older; /* of the same address */
	int64_t since_ns;	  /* INT64_MIN while undefined */
	int64_t last_ns;	  /* of its last copy; the same as since_ns if there is none */
	int64_t last_use_ns;	  /* while undefined; INT64_MIN: never */
	void *object;		  /* for the caller, NULL at first */
	bool is_defined;
	bool is_from_caret;
	bool has_init_time;
	uint64_t word[]; /* as many as the kind has */
};

struct definitions;

struct definitions *definitions_create(struct arena *arena); /* borrowed: definitions are in it */
void definitions_destroy(struct definitions *definitions);

/*
 * Adds the definition of an address by a record; `words` as listed with the kind. NULL if it is a copy of a known
 * definition and changes nothing. Amortized O(1) if definitions arrive in order of time.
 */
struct definition *definitions_add(struct definitions *definitions, uint32_t process, enum definition_kind kind,
				   uint64_t address, const struct event_record *record, const uint64_t *words);

/* Adds the undefined definition of an address, for which definition_at() must give NULL at the time of the use. */
struct definition *definitions_add_undefined(struct definitions *definitions, uint32_t process,
					     enum definition_kind kind, uint64_t address);

/* The newest definition of an address, NULL if there is none. The others follow by ->older. */
struct definition *definitions_newest(const struct definitions *definitions, uint32_t process,
				      enum definition_kind kind, uint64_t address);

/* The definition that holds at a time: the newest at or before it. */
static inline struct definition *definition_at(struct definition *newest, int64_t time_ns)
{
	while (newest && newest->since_ns > time_ns) {
		newest = newest->older;
	}
	return newest;
}

/* The first definition, other than the undefined one, that begins at or after a time. */
struct definition *definition_from(struct definition *newest, int64_t time_ns);

/* The definition that holds at a time, else the first one after it; never the undefined one. */
struct definition *definition_at_or_from(struct definition *newest, int64_t time_ns);

/* The definition nearest in time, the older of two at the same distance; never the undefined one. */
struct definition *definition_nearest(struct definition *newest, int64_t time_ns);

/* The time at which the next definition of the same address begins, INT64_MAX if there is none. */
int64_t definition_until_ns(struct definition *newest, const struct definition *definition);

/* The only definition of a kind in a process, NULL if there are none or several. */
struct definition *definitions_only(const struct definitions *definitions, uint32_t process, enum definition_kind kind);

#endif
