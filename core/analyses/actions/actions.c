/* SPDX-License-Identifier: MIT */
/*
 * The tables `actions` (a row per client and server of an action) and `action_instances` (a row per goal).
 *
 * - A goal is a request to send_goal; see action_goals.h for what became of it. goal_response: from sending the request
 *   to taking its response. goal_to_result: from sending it to taking the response to get_result, where it is certain
 *   that this result is the goal's.
 * - A goal counts when its first event lies in the range. What the trace cannot say is neither accepted nor rejected.
 * - Feedback and status are messages of the server; feedback_received those that the client took.
 * - Releases before tracetools 8.5 record the messages only: all else is empty.
 * - action_id: by first goal that ended, or message, in the order of the trace.
 *
 * Cost: that of action_goals.h, and O(1) for a message. Memory: sides of actions; goals under way.
 */
#include "core/analyses/actions/action_goals.h"
#include "core/analyses/analyses.h"
#include "core/base/name_filter.h"
#include "ros2bt/duration_statistics.h"

#define HINT_TELLS_APART (&(const struct text_hints){ .tells_apart = true })
#define HINT_BRIEF (&(const struct text_hints){ .is_brief = true })

static const struct table_column columns[] = {
	{ .name = "action_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "action", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "client_node", .merge = COLUMN_MERGE_KEY, .label = "client", .format = COLUMN_NAME },
	{ .name = "server_node", .merge = COLUMN_MERGE_KEY, .label = "server", .format = COLUMN_NAME },
	{ .name = "goals", .merge = COLUMN_MERGE_SUM },
	{ .name = "accepted", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "rejected", .merge = COLUMN_MERGE_SUM },
	{ .name = "canceled", .merge = COLUMN_MERGE_SUM },
	{ .name = "results", .merge = COLUMN_MERGE_SUM },
	{ .name = "goal_to_result", .format = COLUMN_STATISTIC },
	{ .name = "goal_response", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "cancel_requests", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "ambiguous", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "feedback", .merge = COLUMN_MERGE_SUM },
	{ .name = "feedback_received", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "status", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "client_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART },
	{ .name = "server_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART },
};

enum {
	COLUMN_ID,
	COLUMN_ACTION,
	COLUMN_CLIENT_NODE,
	COLUMN_SERVER_NODE,
	COLUMN_GOALS,
	COLUMN_ACCEPTED,
	COLUMN_REJECTED,
	COLUMN_CANCELED,
	COLUMN_RESULTS,
	COLUMN_GOAL_TO_RESULT,
	COLUMN_GOAL_RESPONSE,
	COLUMN_CANCEL_REQUESTS,
	COLUMN_AMBIGUOUS,
	COLUMN_FEEDBACK,
	COLUMN_FEEDBACK_RECEIVED,
	COLUMN_STATUS,
	COLUMN_CLIENT_VPID,
	COLUMN_SERVER_VPID,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "actions",
	.title = "Actions: from the goal to its result",
	.selection = "actions",
	.is_optional = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "action_id" },
	{ .name = "sequence_number" },
	{ .name = "send_ns", .label = "sent", .format = COLUMN_TIME },
	{ .name = "response_ns", .label = "response", .format = COLUMN_TIME },
	{ .name = "result_request_ns", .label = "result requested", .format = COLUMN_TIME },
	{ .name = "result_ns", .label = "result", .format = COLUMN_TIME },
	{ .name = "accepted" },
	{ .name = "ambiguous" },
};

static const struct table_schema instance_schema = {
	.name = "action_instances",
	.title = "Goals of actions",
	.selection = "actions",
	.is_instances = true,
	.is_optional = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

enum { TABLE_ACTIONS, TABLE_INSTANCES };

struct action_row {
	uint64_t id; /* from 1; 0: nothing happened */
	uint64_t goals, accepted, rejected, results, ambiguous;
	uint64_t feedback_received;
	struct duration_statistics goal_to_result, goal_response;
};

/* Which topic of which action a publisher publishes, or a subscription gets. */
struct topic_role {
	bool is_resolved;
	enum action_part part;
	struct model_action *action; /* NULL: of none */
};

/* What the server of an action published. */
struct action_messages {
	uint64_t feedback, status;
};

struct actions {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	const struct analysis_options *options;
	struct table_writer *instance_writer; /* NULL if nobody asked */
	struct action_goals *goals;	      /* owned */
	struct action_sides *sides;	      /* of the goals */
	GPtrArray *rows; /* struct action_row, in the arena, by index of the pair; NULL: nothing happened */
	GArray *publishers, *subscriptions; /* struct topic_role, by index */
	GArray *messages;		    /* struct action_messages, by index of the server's side */
	uint64_t next_id;
	uint64_t message_count;
};

static const struct action_row *row_at(const struct actions *actions, size_t pair)
{
	return pair < actions->rows->len ? actions->rows->pdata[pair] : NULL;
}

static struct action_row *row_of(struct actions *actions, const struct action_pair *pair)
{
	struct action_row *row;

	if (pair->index >= actions->rows->len) {
		g_ptr_array_set_size(actions->rows, (gint)pair->index + 1);
	}
	row = actions->rows->pdata[pair->index];
	if (!row) {
		struct arena *arena = recording_arena(actions->recording);

		row = actions->rows->pdata[pair->index] = arena_take(arena, sizeof(*row));
		row->id = ++actions->next_id;
		duration_statistics_init(&row->goal_to_result, arena);
		duration_statistics_init(&row->goal_response, arena);
	}
	return row;
}

/* --- names --- */

static const char *node_of(const struct actions *actions, const struct model_action *action)
{
	return action ? object_model_node_name(actions->model, action->process, action->node_handle, action->since_ns)
		      : NULL;
}

static const char *name_of(const struct action_pair *pair)
{
	return pair->server ? pair->server->name : pair->client ? pair->client->name : NULL;
}

static bool is_chosen(const struct actions *actions, const struct action_pair *pair)
{
	const struct analysis_options *options = actions->options;
	const char *name = name_of(pair);
	const char *nodes[2];

	if (!options->nodes && !options->topics) {
		return true;
	}
	nodes[0] = node_of(actions, pair->client);
	nodes[1] = node_of(actions, pair->server);
	return name_filter_passes(options->topics, &name, 1) &&
	       name_filter_passes(options->nodes, nodes, G_N_ELEMENTS(nodes));
}

/* --- goals --- */

static struct cell time_cell(bool is_known, int64_t time_ns)
{
	return is_known ? cell_integer(time_ns) : CELL_NONE;
}

static void write_instance(const struct actions *actions, const struct action_row *row, const struct action_goal *goal)
{
	table_row(actions->instance_writer,
		  (struct cell[]){
			  cell_unsigned(row->id),
			  cell_integer(goal->sequence_number),
			  time_cell(goal->has_send, goal->send_ns),
			  time_cell(goal->has_response, goal->response_ns),
			  time_cell(goal->has_result_request, goal->result_request_ns),
			  time_cell(goal->has_result, goal->result_ns),
			  goal->answer == GOAL_UNDECIDED ? CELL_NONE : cell_integer(goal->answer == GOAL_ACCEPTED),
			  cell_integer(goal->is_ambiguous),
		  });
}

static void count_goal(struct action_row *row, const struct action_goal *goal)
{
	row->goals++;
	row->accepted += goal->answer == GOAL_ACCEPTED;
	row->rejected += goal->answer == GOAL_REJECTED;
	row->results += goal->has_result;
	row->ambiguous += goal->is_ambiguous;
}

static void on_goal_ended(void *data, const struct action_goal *goal)
{
	struct actions *actions = data;
	struct action_row *row;

	if (!goal->is_counted) {
		return;
	}
	row = row_of(actions, goal->pair);
	count_goal(row, goal);
	if (goal->has_send && goal->has_response) {
		duration_statistics_add(&row->goal_response, goal->response_ns - goal->send_ns, goal->send_ns);
	}
	if (goal->has_send && goal->has_result && !goal->is_ambiguous) {
		duration_statistics_add(&row->goal_to_result, goal->result_ns - goal->send_ns, goal->send_ns);
	}
	if (actions->instance_writer && is_chosen(actions, goal->pair)) {
		write_instance(actions, row, goal);
	}
}

/* --- messages --- */

static struct topic_role *role_of(struct actions *actions, GArray *roles, enum model_kind kind,
				  const struct model_endpoint *endpoint)
{
	struct topic_role *role;
	size_t length;

	if (endpoint->index >= roles->len) {
		g_array_set_size(roles, endpoint->index + 1);
	}
	role = &g_array_index(roles, struct topic_role, endpoint->index);
	if (G_UNLIKELY(!role->is_resolved) && endpoint->name) {
		role->is_resolved = true;
		role->part = action_part_of(endpoint->name, &length);
		role->action = object_model_action_of(actions->model, kind, endpoint);
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
	    !analysis_options_include(actions->options, publication->first_ns)) {
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
	if (G_LIKELY(!role->action) || !analysis_options_include(actions->options, publication->first_ns)) {
		return;
	}
	if (role->action->index >= actions->messages->len) {
		g_array_set_size(actions->messages, role->action->index + 1);
	}
	messages = &g_array_index(actions->messages, struct action_messages, role->action->index);
	messages->feedback += role->part == ACTION_PART_FEEDBACK;
	messages->status += role->part == ACTION_PART_STATUS;
	actions->message_count++;
}

/* --- rows --- */

/* A row with its sort keys resolved once, and what goals under way add to it. */
struct output_row {
	const struct action_pair *pair;
	struct action_row row;
	const char *name, *client_node, *server_node;
};

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = g_strcmp0(left->name, right->name);

	order = order ? order : g_strcmp0(left->client_node, right->client_node);
	order = order ? order : g_strcmp0(left->server_node, right->server_node);
	return order ? order : (left->row.id > right->row.id) - (left->row.id < right->row.id);
}

static void add_open_goal(void *data, const struct action_goal *goal)
{
	if (goal->is_counted) {
		count_goal(&g_array_index((GArray *)data, struct output_row, goal->pair->index).row, goal);
	}
}

static GArray *rows_of(const struct actions *actions)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct output_row));

	for (size_t i = 0; i < action_sides_pair_count(actions->sides); i++) {
		const struct action_pair *pair = action_sides_pair_at(actions->sides, i);
		const struct action_row *row = row_at(actions, i);
		struct output_row output = {
			.pair = pair,
			.row = row ? *row : (struct action_row){ 0 },
			.name = name_of(pair),
			.client_node = node_of(actions, pair->client),
			.server_node = node_of(actions, pair->server),
		};

		g_array_append_val(rows, output);
	}
	action_goals_foreach(actions->goals, add_open_goal, rows);
	g_array_sort(rows, compare_rows);
	return rows;
}

static struct cell vpid_cell(const struct actions *actions, const struct model_action *action)
{
	const struct recording_process *process =
		action ? recording_process(actions->recording, action->process) : NULL;

	return process && process->has_vpid ? cell_integer(process->vpid) : CELL_NONE;
}

static struct cell count_cell(bool is_known, uint64_t count)
{
	return is_known ? cell_unsigned(count) : CELL_NONE;
}

static void write_row(const struct actions *actions, struct table_writer *writer, const struct output_row *output)
{
	const struct action_pair *pair = output->pair;
	const struct action_row *row = &output->row;
	bool has_calls = action_goals_has_calls(actions->goals);
	/* A request to cancel that was not answered by the thread that took it may have been accepted. */
	bool knows_canceled = has_calls && pair->server && pair->cancels_answered >= pair->cancels_sent;
	const struct action_messages *messages =
		pair->server && pair->server->index < actions->messages->len
			? &g_array_index(actions->messages, struct action_messages, pair->server->index)
			: &(const struct action_messages){ 0 };
	const struct cell cells[] = {
		[COLUMN_ID] = row->id ? cell_unsigned(row->id) : CELL_NONE,
		[COLUMN_ACTION] = cell_text(output->name),
		[COLUMN_CLIENT_NODE] = cell_text(output->client_node),
		[COLUMN_SERVER_NODE] = cell_text(output->server_node),
		[COLUMN_GOALS] = count_cell(has_calls, row->goals),
		[COLUMN_ACCEPTED] = count_cell(has_calls, row->accepted),
		[COLUMN_REJECTED] = count_cell(has_calls, row->rejected),
		[COLUMN_CANCELED] = count_cell(knows_canceled, pair->cancels_accepted),
		[COLUMN_RESULTS] = count_cell(has_calls, row->results),
		[COLUMN_GOAL_TO_RESULT] = cell_statistic(&row->goal_to_result),
		[COLUMN_GOAL_RESPONSE] = cell_statistic(&row->goal_response),
		[COLUMN_CANCEL_REQUESTS] = count_cell(has_calls, pair->cancels_sent),
		[COLUMN_AMBIGUOUS] = count_cell(has_calls, row->ambiguous),
		[COLUMN_FEEDBACK] = count_cell(pair->server != NULL, messages->feedback),
		[COLUMN_FEEDBACK_RECEIVED] = cell_unsigned(row->feedback_received),
		[COLUMN_STATUS] = count_cell(pair->server != NULL, messages->status),
		[COLUMN_CLIENT_VPID] = vpid_cell(actions, pair->client),
		[COLUMN_SERVER_VPID] = vpid_cell(actions, pair->server),
	};

	table_row(writer, cells);
}

static bool is_used(const struct output_row *output)
{
	return output->row.goals > 0 || output->row.feedback_received > 0 || output->pair->cancels_sent > 0;
}

static void write_table(const void *analysis, struct table_writer *const *writers)
{
	const struct actions *actions = analysis;
	GArray *rows = rows_of(actions);

	for (guint i = 0; i < rows->len; i++) {
		const struct output_row *output = &g_array_index(rows, struct output_row, i);

		if (is_used(output) && is_chosen(actions, output->pair)) {
			write_row(actions, writers[TABLE_ACTIONS], output);
		}
	}
	g_array_free(rows, TRUE);
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct actions *actions = g_new0(struct actions, 1);

	actions->recording = context->recording;
	actions->model = context->model;
	actions->options = context->options;
	actions->instance_writer = writers[TABLE_INSTANCES];
	actions->rows = g_ptr_array_new();
	actions->publishers = g_array_new(FALSE, TRUE, sizeof(struct topic_role));
	actions->subscriptions = g_array_new(FALSE, TRUE, sizeof(struct topic_role));
	actions->messages = g_array_new(FALSE, TRUE, sizeof(struct action_messages));
	actions->goals = action_goals_create(context, &(struct action_goals_listener){
							      .data = actions,
							      .ended = on_goal_ended,
						      });
	actions->sides = action_goals_sides(actions->goals);
	flow_linker_add_listener(context->flows, &(struct flow_listener){
							 .data = actions,
							 .delivered = on_delivered,
							 .settled = on_settled,
						 });
	return actions;
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
		diagnostics_add(findings, DIAGNOSTIC_MISSING_EVENTS,
				"goals and results of actions: ros2:rmw_send_request, ros2:rmw_take_response: since "
				"tracetools 8.5 (Kilted)",
				actions->message_count);
	}
}

static void destroy(void *analysis)
{
	struct actions *actions = analysis;

	action_goals_destroy(actions->goals);
	g_ptr_array_free(actions->rows, TRUE);
	g_array_free(actions->publishers, TRUE);
	g_array_free(actions->subscriptions, TRUE);
	g_array_free(actions->messages, TRUE);
	g_free(actions);
}

const struct analysis_class actions_analysis = {
	.name = "actions",
	.tables = (const struct table_schema *const[]){ &schema, &instance_schema, NULL },
	.kinds = action_goal_kinds,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.create = create,
	.feed = feed,
	.finish = finish,
	.diagnose = diagnose,
	.write = write_table,
	.destroy = destroy,
};
