/* SPDX-License-Identifier: MIT */
/*
 * Who hears of what the linker reports: of each member of struct flow_listener, the listeners that have it, in the
 * order in which they were added. Most listeners hear of little, and a message is reported eight times.
 */
#ifndef ROS2BT_FLOW_HEARERS_H
#define ROS2BT_FLOW_HEARERS_H

#include "ros2bt/flow/flow_linker.h"

/* clang-format off */
#define FLOW_NOTICES(OF) \
	OF(taken) OF(delivered) OF(received) OF(stamped) OF(sized) OF(settled) OF(expected) OF(missed) OF(concluded) \
	OF(resolved) OF(finished) OF(released)
/* clang-format on */

/* clang-format off */
#define HEARER(notice) \
	struct hearer_of_##notice { \
		__typeof__(((struct flow_listener *)0)->notice) call; /* NULL: the end of the list */ \
		void *data; \
	};
FLOW_NOTICES(HEARER)
#undef HEARER

struct flow_hearers {
#define LIST(notice) struct hearer_of_##notice *notice; /* owned */
	FLOW_NOTICES(LIST)
#undef LIST
};
/* clang-format on */

/* Replaces the lists; of zeros there are none. To be called, if only for no listeners, before FLOW_TELL(). */
void flow_hearers_set(struct flow_hearers *hearers, const struct flow_listener *listeners, size_t count);
void flow_hearers_clear(struct flow_hearers *hearers);

/* From now on nothing is told but `released`. */
void flow_hearers_only_release(struct flow_hearers *hearers);

/* Calls a member of all listeners that have it: FLOW_TELL(hearers, resolved, execution). */
#define FLOW_TELL(hearers, notice, ...)                                                                                \
	do {                                                                                                           \
		for (const struct hearer_of_##notice *hearer = (hearers)->notice; hearer->call; hearer++) {            \
			hearer->call(hearer->data, __VA_ARGS__);                                                       \
		}                                                                                                      \
	} while (0)

#endif
