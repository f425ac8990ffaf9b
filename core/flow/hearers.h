/* SPDX-License-Identifier: MIT */
/*
 * Who hears of what the linker reports: of each member of struct flow_listener, the listener that has it. If several
 * have, it is a function that calls them in the order in which they were added. Most listeners hear of little, and a
 * message is reported eight times, nearly always to one listener.
 */
#ifndef ROS2BT_FLOW_HEARERS_H
#define ROS2BT_FLOW_HEARERS_H

#include "ros2bt/flow/flow_linker.h"

/* clang-format off */
#define FLOW_NOTICES(OF) \
	OF(delivered) OF(continued) OF(received) OF(stamped) OF(sized) OF(settled) OF(expected) OF(missed) OF(concluded) \
	OF(resolved) OF(finished) OF(released)
/* clang-format on */

/* clang-format off */
#define HEARER(notice) \
	struct hearer_of_##notice { \
		__typeof__(((struct flow_listener *)0)->notice) call; /* NULL: nobody */ \
		void *data; \
	};
FLOW_NOTICES(HEARER)
#undef HEARER

struct flow_hearers {
#define HEARERS(notice) struct hearer_of_##notice notice, *all_##notice; /* owned; its end is nobody */
	FLOW_NOTICES(HEARERS)
#undef HEARERS
	bool hear_all_ends; /* `finished` or `released`, not only_carriers */
};
/* clang-format on */

/* Replaces the hearers; of zeros there are none. */
void flow_hearers_set(struct flow_hearers *hearers, const struct flow_listener *listeners, size_t count);
void flow_hearers_clear(struct flow_hearers *hearers);

/* Calls a member of all listeners that have it: FLOW_TELL(hearers, resolved, execution). */
#define FLOW_TELL(hearers, notice, ...)                                                                                \
	do {                                                                                                           \
		if ((hearers)->notice.call) {                                                                          \
			(hearers)->notice.call((hearers)->notice.data, __VA_ARGS__);                                   \
		}                                                                                                      \
	} while (0)

#endif
