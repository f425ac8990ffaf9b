/* SPDX-License-Identifier: MIT */
#include "core/analyses/actions/action_tables.h"

#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/compare_numbers.h"
#include "core/base/name_filter.h"

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
	{ .name = "client_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "server_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	COLUMN_HOST("client_hostname", "client on"),
	COLUMN_HOST("server_hostname", "server on"),
	COLUMN_WHICH("client_which", "which client"),
	COLUMN_WHICH("server_which", "which server"),
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
	COLUMN_CLIENT_HOSTNAME,
	COLUMN_SERVER_HOSTNAME,
	COLUMN_CLIENT_WHICH,
	COLUMN_SERVER_WHICH,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "actions",
	.title = "Actions: from the goal to its result",
	.selection = "actions",
	.is_optional = true,
	.why_empty = "needs actions, see docs/actions.md",
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

const struct table_schema *const action_tables[] = {
	[TABLE_ACTIONS] = &schema,
	[TABLE_ACTION_INSTANCES] = &instance_schema,
	NULL,
};

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

/* --- instances --- */

static struct cell time_cell(bool is_known, int64_t time_ns)
{
	return is_known ? cell_integer(time_ns) : CELL_NONE;
}

void action_tables_write_instance(const struct actions *actions, const struct action_row *row,
				  const struct action_goal *goal)
{
	if (!is_chosen(actions, goal->pair)) {
		return;
	}
	TABLE_ROW(actions->instance_writer, instance_columns,
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

/* --- rows --- */

/* A row with its sort keys, including the counts of open goals. */
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
	return order ? order : compare_unsigned(left->row.id, right->row.id);
}

static void add_open_goal(void *data, const struct action_goal *goal)
{
	if (goal->is_counted) {
		action_row_count(&g_array_index((GArray *)data, struct output_row, goal->pair->index).row, goal);
	}
}

static GArray *rows_of(const struct actions *actions)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct output_row));

	for (size_t i = 0; i < action_sides_pair_count(actions->sides); i++) {
		const struct action_pair *pair = action_sides_pair_at(actions->sides, i);
		const struct action_row *row = actions_row_at(actions, i);
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

static struct cell process_cell(const struct actions *actions, const struct model_action *action)
{
	return action ? vpid_cell(recording_process(actions->recording, action->process)) : CELL_NONE;
}

static struct cell host_cell(const struct actions *actions, const struct model_action *action)
{
	return action ? cell_text(row_process_of(actions->recording, action->process).hostname) : CELL_NONE;
}

static struct cell which_cell(const struct actions *actions, const struct model_action *action)
{
	return action ? object_numbers_cell(actions->numbers, MODEL_ACTION, &action->object) : CELL_NONE;
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
	/* A request to cancel may have been accepted if its response came from another thread than the one that took
	 * it. */
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
		[COLUMN_CLIENT_VPID] = process_cell(actions, pair->client),
		[COLUMN_SERVER_VPID] = process_cell(actions, pair->server),
		[COLUMN_CLIENT_HOSTNAME] = host_cell(actions, pair->client),
		[COLUMN_SERVER_HOSTNAME] = host_cell(actions, pair->server),
		[COLUMN_CLIENT_WHICH] = which_cell(actions, pair->client),
		[COLUMN_SERVER_WHICH] = which_cell(actions, pair->server),
	};

	TABLE_ROW(writer, columns, cells);
}

static bool is_used(const struct output_row *output)
{
	return output->row.goals > 0 || output->row.feedback_received > 0 || output->pair->cancels_sent > 0;
}

void action_tables_write(const struct actions *actions, struct table_writer *writer)
{
	GArray *rows = rows_of(actions);

	for (guint i = 0; i < rows->len; i++) {
		const struct output_row *output = &g_array_index(rows, struct output_row, i);

		if (is_used(output) && is_chosen(actions, output->pair)) {
			write_row(actions, writer, output);
		}
	}
	g_array_free(rows, TRUE);
}
