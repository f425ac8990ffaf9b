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
	LIFECYCLE_ERROR,   /* goes on in errorprocessing */
	LIFECYCLE_RESULTS,
};

#define LIFECYCLE_INITIAL_STATE "unconfigured"
#define LIFECYCLE_ACTIVE_STATE "active"

/* Its place among the states, in the order in which a node passes them; those of other labels come last. */
unsigned int lifecycle_state_order(const char *label);

/* Whether a node is in it while one of its on_… functions is executed. A label that is not known is one of a user's. */
bool lifecycle_state_is_transition(const char *label);

/*
 * What the step from the state `transition` to another one says of the user's function. A shutdown that fails ends as
 * one that succeeds does, and an error that could not be processed as one of which processing failed.
 */
enum lifecycle_result lifecycle_result_of(const char *transition, const char *goal);

/* "success", …; NULL if unknown. */
const char *lifecycle_result_name(enum lifecycle_result result);

#endif
