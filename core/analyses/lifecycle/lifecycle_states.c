/* SPDX-License-Identifier: MIT */
#include "core/analyses/lifecycle/lifecycle_states.h"

#include <glib.h>
#include <string.h>

#define ERROR_STATE "errorprocessing"

/* In the order in which a node passes them. */
static const struct state {
	const char *label;
	const char *success, *failure; /* of a transition: the next states; else NULL */
} states[] = {
	{ LIFECYCLE_INITIAL_STATE, NULL, NULL },
	{ "configuring", "inactive", "unconfigured" },
	{ "inactive", NULL, NULL },
	{ "activating", "active", "inactive" },
	{ LIFECYCLE_ACTIVE_STATE, NULL, NULL },
	{ "deactivating", "inactive", "active" },
	{ "cleaningup", "unconfigured", "inactive" },
	{ "shuttingdown", "finalized", NULL },
	{ ERROR_STATE, "unconfigured", "finalized" },
	{ "finalized", NULL, NULL },
};

unsigned int lifecycle_state_order(const char *label)
{
	unsigned int order = 0;

	while (order < G_N_ELEMENTS(states) && strcmp(states[order].label, label) != 0) {
		order++;
	}
	return order;
}

bool lifecycle_state_is_transition(const char *label)
{
	unsigned int order = lifecycle_state_order(label);

	return order < G_N_ELEMENTS(states) && states[order].success;
}

enum lifecycle_result lifecycle_result_of(const char *transition, const char *goal)
{
	unsigned int order = lifecycle_state_order(transition);

	if (order == G_N_ELEMENTS(states)) {
		return LIFECYCLE_RESULT_UNKNOWN;
	}
	if (g_strcmp0(states[order].success, goal) == 0) {
		return LIFECYCLE_SUCCESS;
	}
	if (g_strcmp0(states[order].failure, goal) == 0) {
		return LIFECYCLE_FAILURE;
	}
	return states[order].success && strcmp(goal, ERROR_STATE) == 0 ? LIFECYCLE_ERROR : LIFECYCLE_RESULT_UNKNOWN;
}

const char *lifecycle_result_name(enum lifecycle_result result)
{
	static const char *const names[LIFECYCLE_RESULTS] = {
		[LIFECYCLE_SUCCESS] = "success",
		[LIFECYCLE_FAILURE] = "failure",
		[LIFECYCLE_ERROR] = "error",
	};

	return names[result];
}
