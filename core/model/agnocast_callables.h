/* SPDX-License-Identifier: MIT */
/*
 * The callables of Agnocast: what stands for one execution of a callback. agnocast_create_callable or
 * agnocast_create_timer_callable says whose it is and which message it has, agnocast_callable_start and
 * agnocast_callable_end only name it. The thread that makes a callable is not always the one that executes it, and its
 * address is that of a variable on the stack or of an object on the heap: it is used again for the next one.
 *
 * A callable is known from the event that makes it to its end, and only if it has not been executed before. Where
 * events of its process may be missing since it was made, it may be another one at the same address: it is unknown.
 *
 * A record of a callable can be read as one of callback_start or callback_end: agnocast_callables_translate().
 *
 * Times are in ns. Cost: O(1). Memory: the callables that have not ended, CALLABLES_MAX of a process at most.
 */
#ifndef ROS2BT_AGNOCAST_CALLABLES_H
#define ROS2BT_AGNOCAST_CALLABLES_H

#include "ros2bt/events/event_record.h"
#include "ros2bt/model/object_model.h"

struct agnocast_callables;

/* Beyond that, all of the process are forgotten: the ends of as many were lost. */
#define CALLABLES_MAX 65536

struct agnocast_callable {
	uint64_t callback; /* address */
	int64_t entry_id;  /* of its message, if has_message */
	int64_t created_ns;
	uint32_t thread; /* that made it */
	uint32_t phase;	 /* of its process, see struct execution */
	bool has_message;
	bool is_started;
};

struct agnocast_callables *agnocast_callables_create(struct recording *recording, struct object_model *model);
void agnocast_callables_destroy(struct agnocast_callables *callables); /* NULL is allowed */

/* Takes agnocast_create_callable and agnocast_create_timer_callable. */
void agnocast_callables_add(struct agnocast_callables *callables, const struct event_record *record, uint32_t phase);

/* The callable at an address that may start, made in this phase; NULL: none. `callables` may be NULL. */
const struct agnocast_callable *agnocast_callables_find(const struct agnocast_callables *callables, uint32_t process,
							uint64_t address, uint32_t phase);

/*
 * What the start or end of a callable would be as one of an ordinary callback; is_known: agnocast_callables_find()
 * finds the one that starts, and no other can be meant. If it is unknown, so is the callback: its address is that of
 * the callable with the lowest bit set. No callback has that; the id of one, which has the pid in its upper half, only
 * in a trace that is made so.
 */
struct event_record agnocast_callables_translate(struct agnocast_callables *callables,
						 const struct event_record *record, bool is_known);

#endif
