/* SPDX-License-Identifier: MIT */
/*
 * Actions, recognized by the names of their services and topics: those that rcl_action_get_goal_service_name() and its
 * siblings make.
 */
#include <glib.h>
#include <string.h>

#include "ros2bt/model/object_model.h"

#define ACTION_INFIX "/_action/"

static const char *const part_names[] = {
	[ACTION_PART_SEND_GOAL] = "send_goal",	 [ACTION_PART_CANCEL_GOAL] = "cancel_goal",
	[ACTION_PART_GET_RESULT] = "get_result", [ACTION_PART_FEEDBACK] = "feedback",
	[ACTION_PART_STATUS] = "status",
};

enum action_part action_part_of(const char *name, size_t *length)
{
	const char *part = strrchr(name, '/');
	size_t infix_length = strlen(ACTION_INFIX);

	*length = 0;
	if (!part || (size_t)(part + 1 - name) <= infix_length ||
	    strncmp(part + 1 - infix_length, ACTION_INFIX, infix_length) != 0) {
		return ACTION_PART_NONE;
	}
	for (size_t i = ACTION_PART_SEND_GOAL; i < G_N_ELEMENTS(part_names); i++) {
		if (strcmp(part + 1, part_names[i]) == 0) {
			*length = (size_t)(part + 1 - name) - infix_length;
			return (enum action_part)i;
		}
	}
	return ACTION_PART_NONE;
}

static bool has_name(const struct model_action *action, const char *name, size_t length)
{
	return strncmp(action->name, name, length) == 0 && action->name[length] == '\0';
}

struct model_action *object_model_action_of(const struct object_model *model, enum model_kind kind,
					    const struct model_endpoint *endpoint)
{
	bool is_server = kind == MODEL_SERVICE || kind == MODEL_PUBLISHER;
	struct model_action *latest = NULL;
	size_t length;

	if (!endpoint->name || action_part_of(endpoint->name, &length) == ACTION_PART_NONE) {
		return NULL;
	}
	for (size_t i = 0; i < object_model_action_count(model); i++) {
		struct model_action *action = object_model_action_at(model, i);

		if (action->process == endpoint->process && action->node_handle == endpoint->node_handle &&
		    action->is_server == is_server && action->since_ns <= endpoint->since_ns &&
		    has_name(action, endpoint->name, length) && (!latest || latest->since_ns <= action->since_ns)) {
			latest = action;
		}
	}
	return latest;
}
