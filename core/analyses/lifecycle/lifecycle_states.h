/* SPDX-License-Identifier: MIT */
/* The states of a lifecycle node (rcl_lifecycle, default_state_machine.c), by the labels of rcl_lifecycle_transition.
 */
#ifndef ROS2BT_LIFECYCLE_STATES_H
#define ROS2BT_LIFECYCLE_STATES_H

#include <stdbool.h>

enum lifecycle_result {
	LIFECYCLE_RESULT_UNKNOWN,
	LIFECYCLE_SUCCESS,
	LIFECYCLE_FAILURE, /* back in the state from which the transition began */
	LIFECYCLE_ERROR,   /* continues in errorprocessing */
	LIFECYCLE_RESULTS,
};

#define LIFECYCLE_INITIAL_STATE "unconfigured"
#define LIFECYCLE_ACTIVE_STATE "active"

/* The rank of a state, in the order in which a node passes them; unknown labels come last. */
unsigned int lifecycle_state_order(const char *label);

/* Whether the node executes one of its on_… functions in this state. Unknown labels are those of a user's states. */
bool lifecycle_state_is_transition(const char *label);

/*
 * The result of the user's function, by the step from the state `transition` to another one. A failed shutdown ends in
 * the same state as a successful one, and an error in errorprocessing in the same state as a failure there.
 */
enum lifecycle_result lifecycle_result_of(const char *transition, const char *goal);

/* "success", …; NULL if unknown. */
const char *lifecycle_result_name(enum lifecycle_result result);

#endif
