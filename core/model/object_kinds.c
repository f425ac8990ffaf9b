/* SPDX-License-Identifier: MIT */
#include "core/model/object_kinds.h"

static void complete_node(struct model_object *object, struct definition *definition)
{
	((struct model_node *)object)->name = definition_text(definition, NODE_NAME);
}

static void complete_service(struct model_object *object, struct definition *definition)
{
	struct model_endpoint *endpoint = (struct model_endpoint *)object;

	endpoint->node_handle = definition->word[ENDPOINT_NODE];
	endpoint->rmw_handle = definition->word[ENDPOINT_RMW];
	endpoint->name = definition_text(definition, ENDPOINT_NAME);
}

static void complete_topic_endpoint(struct model_object *object, struct definition *definition)
{
	complete_service(object, definition);
	((struct model_endpoint *)object)->queue_depth = definition->word[ENDPOINT_QUEUE_DEPTH];
}

static void complete_timer(struct model_object *object, struct definition *definition)
{
	((struct model_timer *)object)->period_ns = (int64_t)definition->word[TIMER_PERIOD];
}

static void complete_callback(struct model_object *object, struct definition *definition)
{
	((struct callback_object *)object)->definition = definition;
}

static void complete_executor(struct model_object *object, struct definition *definition)
{
	((struct model_executor *)object)->type = definition_text(definition, EXECUTOR_TYPE);
}

static void complete_state_machine(struct model_object *object, struct definition *definition)
{
	((struct model_state_machine *)object)->node_handle = definition->word[STATE_MACHINE_NODE];
}

static void complete_action(struct model_object *object, struct definition *definition)
{
	struct model_action *action = (struct model_action *)object;

	action->node_handle = definition->word[ACTION_NODE];
	action->name = definition_text(definition, ACTION_NAME);
	action->is_server = definition->word[ACTION_IS_SERVER];
}

#define NO_RMW DEFINITION_KIND_COUNT

const struct kind_row model_kinds[MODEL_KIND_COUNT] = {
	[MODEL_NODE] = { sizeof(struct model_node), DEFINITION_NODE, NO_RMW, complete_node },
	[MODEL_PUBLISHER] = { sizeof(struct model_publisher), DEFINITION_PUBLISHER, DEFINITION_PUBLISHER_BY_RMW,
			      complete_topic_endpoint },
	[MODEL_SUBSCRIPTION] = { sizeof(struct model_subscription), DEFINITION_SUBSCRIPTION,
				 DEFINITION_SUBSCRIPTION_BY_RMW, complete_topic_endpoint },
	[MODEL_SERVICE] = { sizeof(struct model_service), DEFINITION_SERVICE, DEFINITION_SERVICE_BY_RMW,
			    complete_service },
	[MODEL_CLIENT] = { sizeof(struct model_client), DEFINITION_CLIENT, DEFINITION_CLIENT_BY_RMW, complete_service },
	[MODEL_TIMER] = { sizeof(struct model_timer), DEFINITION_TIMER, NO_RMW, complete_timer },
	[MODEL_CALLBACK] = { sizeof(struct callback_object), DEFINITION_CALLBACK, NO_RMW, complete_callback },
	[MODEL_EXECUTOR] = { sizeof(struct model_executor), DEFINITION_EXECUTOR, NO_RMW, complete_executor },
	[MODEL_STATE_MACHINE] = { sizeof(struct model_state_machine), DEFINITION_STATE_MACHINE, NO_RMW,
				  complete_state_machine },
	[MODEL_ACTION] = { sizeof(struct model_action), DEFINITION_ACTION, NO_RMW, complete_action },
};
