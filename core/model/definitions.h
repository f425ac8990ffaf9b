/* SPDX-License-Identifier: MIT */
/*
 * What initialization events say, by process, kind and address, in the order of the time from which on it holds. The
 * memory under the object model: it knows when two events say the same thing, and which of several holds at a time.
 *
 * Copies (the same kind, process, address and words):
 *   - both with an init_timestamp (CARET): copies if the timestamps are equal, else the address is used again;
 *   - otherwise: copies if at most 1 ms apart (a second recording session, or the ros2 twin of a CARET event), else the
 *     address is used again. Of twins the CARET event's time stays.
 * A look-up of what nothing defines leaves an undefined definition, the oldest of its address. The first definition
 * that does not begin after its last use completes it; one that begins later is another object at a reused address.
 *
 * Look-up: one hash of one word, then as many steps as there are newer definitions. Definitions are never freed before
 * the store, pointers stay valid.
 */
#ifndef ROS2BT_DEFINITIONS_H
#define ROS2BT_DEFINITIONS_H

#include "ros2bt/event_record.h"
#include "core/base/u64_map.h"

enum definition_kind {
	DEFINITION_NODE,		 /* node handle: full name */
	DEFINITION_PUBLISHER,		 /* rcl handle: node handle, rmw handle, topic, queue depth */
	DEFINITION_PUBLISHER_BY_RMW,	 /* rmw handle: the definition by rcl handle */
	DEFINITION_SUBSCRIPTION,	 /* rcl handle: node handle, rmw handle, topic, queue depth */
	DEFINITION_SUBSCRIPTION_BY_RMW,	 /* as with the publisher */
	DEFINITION_SUBSCRIPTION_OBJECT,	 /* rclcpp object: rcl handle */
	DEFINITION_SERVICE,		 /* rcl handle: node handle, rmw handle, name */
	DEFINITION_SERVICE_BY_RMW,	 /* as with the publisher */
	DEFINITION_CLIENT,		 /* rcl handle: node handle, rmw handle, service name */
	DEFINITION_CLIENT_BY_RMW,	 /* as with the publisher */
	DEFINITION_CLIENT_GID,		 /* rmw handle: gid */
	DEFINITION_TIMER,		 /* rcl handle: period */
	DEFINITION_TIMER_NODE,		 /* timer handle: node handle */
	DEFINITION_TIMER_GROUP,		 /* timer handle: callback group */
	DEFINITION_GROUP_MEMBER,	 /* callback group: kind of the member, handle of the member */
	DEFINITION_CALLBACK,		 /* callback: kind of the owner, address of the owner */
	DEFINITION_SYMBOL,		 /* callback: symbol */
	DEFINITION_BUFFER,		 /* ring buffer: intra-process buffer */
	DEFINITION_INTRA_PROCESS_BUFFER, /* intra-process buffer: rclcpp object of the subscription */
	DEFINITION_KIND_COUNT,
};

#define DEFINITION_WORDS_MAX 4

struct definition {
	struct definition *older; /* of the same address */
	int64_t since_ns;	  /* INT64_MIN while undefined */
	int64_t last_use_ns;	  /* while undefined; INT64_MIN: never */
	void *object;		  /* of the one who adds */
	bool is_defined;
	bool is_from_caret;
	bool has_init_time;
	uint64_t word[]; /* as many as the kind has */
};

struct definitions;

struct definitions *definitions_create(void);
void definitions_destroy(struct definitions *definitions);

/*
 * Adds what a record says of an address; `words` as listed with the kind. NULL if it is a copy of what is there.
 * Amortized O(1) when definitions come in order of time.
 */
struct definition *definitions_add(struct definitions *definitions, uint32_t process, enum definition_kind kind,
				   uint64_t address, const struct event_record *record, const uint64_t *words);

/* The undefined definition of an address nothing holds for at the time of its use. Call when definitions_at() gives
 * NULL. */
struct definition *definitions_add_undefined(struct definitions *definitions, uint32_t process,
					     enum definition_kind kind, uint64_t address);

/* The newest definition of an address, then ->older. NULL if there is none. */
struct definition *definitions_newest(const struct definitions *definitions, uint32_t process,
				      enum definition_kind kind, uint64_t address);

/* The one that holds at a time: the newest at or before it. */
static inline struct definition *definition_at(struct definition *newest, int64_t time_ns)
{
	while (newest && newest->since_ns > time_ns) {
		newest = newest->older;
	}
	return newest;
}

/* The first defined one that begins at or after a time. */
struct definition *definition_from(struct definition *newest, int64_t time_ns);

/* The one that holds at a time, or where there is none, the first one after it; only defined ones. */
struct definition *definition_at_or_from(struct definition *newest, int64_t time_ns);

/* The defined one nearest in time; the older one of two. */
struct definition *definition_nearest(struct definition *newest, int64_t time_ns);

/* The time at which the next definition of the same address begins, INT64_MAX if there is none. */
int64_t definition_until_ns(struct definition *newest, const struct definition *definition);

/* The one definition of a kind in a process, NULL if there are none or several. */
struct definition *definitions_only(const struct definitions *definitions, uint32_t process, enum definition_kind kind);

#endif
