/* SPDX-License-Identifier: MIT */
/*
 * The tables `actions` (a row per client and server of an action) and `action_instances` (a row per goal).
 *
 * - A goal is a request to send_goal; action_goals.h follows it. goal_response: from sending the request to taking its
 *   response. goal_to_result: from sending it to taking the response to get_result, if this result certainly belongs to
 *   the goal.
 * - A goal counts if its first event lies in the range. A goal whose answer the trace does not show is neither accepted
 *   nor rejected.
 * - Feedback and status are messages of the server; feedback_received counts those that the client took.
 * - Releases before tracetools 8.5 record only these messages: all other columns are empty.
 * - action_id: in the order of the first goal that ended, or the first message.
 *
 *   events → service_calls.h → action_goals.h → actions.c → action_tables.c
 *                                action_sides.h: the clients and servers, and which service is which part of an action
 *
 * Cost: that of action_goals.h, and O(1) for a message. Memory: clients and servers of actions; open goals.
 */
#include "core/analyses/actions/actions.h"
#include "core/base/arena_parts.h"
#include "core/base/slots.h"

static struct action_row *row_of(struct actions *actions, const struct action_pair *pair)
{
	struct action_row *row = row_store_at(&actions->analysis.rows, pair->index);

	if (row->id == 0) {
		struct arena *arena = recording_arena(actions->analysis.context.recording);

		row->id = ++actions->next_id;
		duration_statistics_init(&row->goal_to_result, arena);
		duration_statistics_init(&row->goal_response, arena);
	}
	return row;
}

/* --- goals --- */

static void on_goal_ended(void *data, const struct action_goal *goal)
{
	struct actions *actions = data;
	struct action_row *row;

	if (!goal->is_counted) {
		return;
	}
	row = row_of(actions, goal->pair);
	action_row_count(row, goal);
	if (goal->has_send && goal->has_response) {
		duration_statistics_add(&row->goal_response, goal->response_ns - goal->send_ns, goal->send_ns);
	}
	if (goal->has_send && goal->has_result && !goal->is_ambiguous) {
		duration_statistics_add(&row->goal_to_result, goal->result_ns - goal->send_ns, goal->send_ns);
	}
	action_tables_write_instance(actions, row, goal);
}

/* --- messages --- */

/* The topic of an action that a publisher or a subscription has. */
struct topic_role {
	bool is_resolved;
	enum action_part part;
	struct model_action *action; /* NULL: of none */
};

static struct topic_role *role_of(struct actions *actions, GArray *roles, enum model_kind kind,
				  const struct model_endpoint *endpoint)
{
	struct topic_role *role;
	size_t length;

	role = array_at(roles, struct topic_role, endpoint->index);
	if (G_UNLIKELY(!role->is_resolved) && endpoint->name) {
		role->is_resolved = true;
		role->part = action_part_of(endpoint->name, &length);
		role->action = object_model_action_of(actions->analysis.context.model, kind, endpoint);
	}
	return role;
}

static const struct topic_role *role_of_publisher(struct actions *actions, const struct model_publisher *publisher)
{
	return role_of(actions, actions->publishers, MODEL_PUBLISHER, &publisher->endpoint);
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct actions *actions = data;
	const struct flow_publication *publication = delivery->publication;
	const struct topic_role *from, *to;

	if (!publication->publisher || !delivery->subscription) {
		return;
	}
	from = role_of_publisher(actions, publication->publisher);
	if (G_LIKELY(from->part != ACTION_PART_FEEDBACK) ||
	    !analysis_options_include(actions->analysis.context.options, publication->first_ns)) {
		return;
	}
	to = role_of(actions, actions->subscriptions, MODEL_SUBSCRIPTION, &delivery->subscription->endpoint);
	if (to->action || from->action) {
		row_of(actions, action_sides_pair(actions->sides, to->action, from->action))->feedback_received++;
	}
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct actions *actions = data;
	const struct topic_role *role;
	struct action_messages *messages;

	if (!publication->publisher) {
		return;
	}
	role = role_of_publisher(actions, publication->publisher);
	if (G_LIKELY(!role->action) ||
	    !analysis_options_include(actions->analysis.context.options, publication->first_ns)) {
		return;
	}
	messages = array_at(actions->messages, struct action_messages, role->action->index);
	messages->feedback += role->part == ACTION_PART_FEEDBACK;
	messages->status += role->part == ACTION_PART_STATUS;
	actions->message_count++;
}

/* --- the analysis --- */

static void begin(void *analysis)
{
	struct actions *actions = analysis;
	const struct analysis_context *context = &actions->analysis.context;

	actions->publishers = arena_array(analysis_arena(analysis), sizeof(struct topic_role));
	actions->subscriptions = arena_array(analysis_arena(analysis), sizeof(struct topic_role));
	actions->messages = arena_array(analysis_arena(analysis), sizeof(struct action_messages));
	actions->goals =
		action_goals_create(context->pipeline, &context->options->range,
				    &(struct action_goals_listener){ .data = actions, .ended = on_goal_ended });
	actions->sides = action_goals_sides(actions->goals);
}

static void feed(void *analysis, const struct event_record *record)
{
	action_goals_feed(((struct actions *)analysis)->goals, record);
}

static void finish(void *analysis)
{
	struct actions *actions = analysis;

	action_goals_finish(actions->goals);
	for (size_t i = 0; i < action_sides_pair_count(actions->sides); i++) {
		const struct action_pair *pair = action_sides_pair_at(actions->sides, i);

		if (pair->cancels_sent > 0) {
			row_of(actions, pair);
		}
	}
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct actions *actions = analysis;

	if (!action_goals_has_calls(actions->goals)) {
		diagnostics_add_of_release(
			findings, DIAGNOSTIC_MISSING_EVENTS,
			"goals and results of actions: ros2:rmw_send_request, ros2:rmw_take_response: since "
			"tracetools 8.5 (Kilted)",
			actions->message_count);
	}
}

const struct analysis_class actions_analysis = {
	.name = "actions",
	.tables = action_tables,
	.kinds = action_goal_kinds,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.flows = { .delivered = on_delivered, .settled = on_settled },
	.size = sizeof(struct actions),
	.row_size = sizeof(struct action_row),
	.begin = begin,
	.feed = feed,
	.finish = finish,
	.diagnose = diagnose,
	.write = action_tables_write,
};
