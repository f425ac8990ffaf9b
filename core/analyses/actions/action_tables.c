/* SPDX-License-Identifier: MIT */
#include "core/analyses/actions/actions.h"

#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/tables/row_list.h"

/* A pair of a client and a server, with the counts of open goals. */
struct output_row {
	const struct action_pair *pair;
	struct action_row row;
	const struct action_row *known; /* NULL: of events that this release does not record */
	const char *name, *client_node, *server_node;
	struct row_process client, server;	/* zeros: unknown */
	const struct action_messages *messages; /* NULL: unknown */
	struct cell id, canceled, cancel_requests, client_which, server_which;
};

/* clang-format off */
#define ROW struct output_row
static const struct table_column columns[] = {
	{ .name = "action_id", .id_of = "actions", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	{ .name = "action", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .budget = "action", CELL_OF(name) },
	{ .name = "client_node", .means = MEANS_NODE, .side = SIDE_SENDER, .merge = COLUMN_MERGE_KEY, .label = "client",
	  .format = COLUMN_NAME, CELL_OF(client_node) },
	{ .name = "server_node", .means = MEANS_NODE, .side = SIDE_RECEIVER, .merge = COLUMN_MERGE_KEY,
	  .label = "server", .format = COLUMN_NAME, CELL_OF(server_node) },
	{ .name = "goals", .merge = COLUMN_MERGE_SUM, CELL_VIA(known, goals) },
	{ .name = "accepted", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_VIA(known, accepted) },
	{ .name = "rejected", .merge = COLUMN_MERGE_SUM, CELL_VIA(known, rejected) },
	{ .name = "canceled", .merge = COLUMN_MERGE_SUM, CELL_OF(canceled) },
	{ .name = "results", .merge = COLUMN_MERGE_SUM, CELL_VIA(known, results) },
	{ .name = "goal_to_result", .format = COLUMN_STATISTIC, CELL_OF(row.goal_to_result) },
	{ .name = "goal_response", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_OF(row.goal_response) },
	{ .name = "cancel_requests", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN, CELL_OF(cancel_requests) },
	{ .name = "ambiguous", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_VIA(known, ambiguous) },
	{ .name = "feedback", .merge = COLUMN_MERGE_SUM, CELL_VIA(messages, feedback) },
	{ .name = "feedback_received", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN,
	  CELL_OF(row.feedback_received) },
	{ .name = "status", .role = COLUMN_ROLE_HIDDEN, CELL_VIA(messages, status) },
	{ COLUMN_IS_PROCESS("client_vpid"), .side = SIDE_SENDER, CELL_OF(client.vpid) },
	{ COLUMN_IS_PROCESS("server_vpid"), .side = SIDE_RECEIVER, CELL_OF(server.vpid) },
	{ COLUMN_IS_HOST("client_hostname", "client on"), .side = SIDE_SENDER, CELL_OF(client.hostname) },
	{ COLUMN_IS_HOST("server_hostname", "server on"), .side = SIDE_RECEIVER, CELL_OF(server.hostname) },
	{ COLUMN_IS_WHICH("client_which", "which client"), CELL_OF(client_which) },
	{ COLUMN_IS_WHICH("server_which", "which server"), CELL_OF(server_which) },
};

/* To choose rows by topics and services: an action is named like them. */
static const struct table_column unwritten[] = { { .name = "topic", .means = MEANS_TOPIC, CELL_OF(name) } };

static const struct table_schema schema = {
	TABLE("actions", columns), UNWRITTEN(unwritten), .title = "Actions: from the goal to its result", .selection = "actions",
	.presence = PRESENT_IF_ANY, .why_empty = "needs actions, see docs/actions.md",
	.order = "action client_node server_node action_id",
};
#undef ROW

struct instance {
	struct cell action_id, sequence_number, sent, response, result_request, result, accepted, ambiguous;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "action_id", .id_of = "actions", CELL_OF(action_id) },
	{ .name = "sequence_number", CELL_OF(sequence_number) },
	{ .name = "send_ns", .label = "sent", .format = COLUMN_TIME, CELL_OF(sent) },
	{ .name = "response_ns", .label = "response", .format = COLUMN_TIME, CELL_OF(response) },
	{ .name = "result_request_ns", .label = "result requested", .format = COLUMN_TIME, CELL_OF(result_request) },
	{ .name = "result_ns", .label = "result", .format = COLUMN_TIME, CELL_OF(result) },
	{ .name = "accepted", CELL_OF(accepted) },
	{ .name = "ambiguous", CELL_OF(ambiguous) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("action_instances", instance_columns), .title = "Goals of actions", .selection = "actions",
	.kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW
/* clang-format on */
const struct table_schema *const action_tables[] = {
	[TABLE_ACTIONS] = &schema,
	[TABLE_ACTION_INSTANCES] = &instance_schema,
	NULL,
};

/* --- names --- */

static const char *node_of(const struct actions *actions, const struct model_action *action)
{
	return action ? object_model_node_name(actions->analysis.context.model, action->process, action->node_handle,
					       action->since_ns)
		      : NULL;
}

static const char *name_of(const struct action_pair *pair)
{
	return pair->server ? pair->server->name : pair->client ? pair->client->name : NULL;
}

static void name_row(const struct actions *actions, struct output_row *output)
{
	output->name = name_of(output->pair);
	output->client_node = node_of(actions, output->pair->client);
	output->server_node = node_of(actions, output->pair->server);
}

/* As the row of the pair will be. */
static bool is_chosen(const struct actions *actions, const struct action_pair *pair)
{
	struct output_row output = { .pair = pair };

	if (analysis_is_about_all(&actions->analysis)) {
		return true;
	}
	name_row(actions, &output);
	return analysis_is_about(&actions->analysis, &output);
}

/* --- instances --- */

static struct cell time_cell(bool is_known, int64_t time_ns)
{
	return is_known ? cell_integer(time_ns) : CELL_NONE;
}

void action_tables_write_instance(const struct actions *actions, const struct action_row *row,
				  const struct action_goal *goal)
{
	struct table_writer *writer = actions->analysis.writers[TABLE_ACTION_INSTANCES];

	if (!writer || !is_chosen(actions, goal->pair)) {
		return;
	}
	row_write(writer, &instance_schema,
		  &(struct instance){
			  .action_id = cell_unsigned(row->id),
			  .sequence_number = cell_integer(goal->sequence_number),
			  .sent = time_cell(goal->has_send, goal->send_ns),
			  .response = time_cell(goal->has_response, goal->response_ns),
			  .result_request = time_cell(goal->has_result_request, goal->result_request_ns),
			  .result = time_cell(goal->has_result, goal->result_ns),
			  .accepted = goal->answer == GOAL_UNDECIDED ? CELL_NONE
								     : cell_integer(goal->answer == GOAL_ACCEPTED),
			  .ambiguous = cell_integer(goal->is_ambiguous),
		  });
}

/* --- rows --- */

static void add_open_goal(void *data, const struct action_goal *goal)
{
	if (goal->is_counted) {
		struct output_row *output = row_list_at(data, goal->pair->index);

		action_row_count(&output->row, goal);
	}
}

/* By index of the pair. */
static void add_rows(const struct actions *actions, struct row_list *rows)
{
	for (size_t i = 0; i < action_sides_pair_count(actions->sides); i++) {
		const struct action_row *row = slot_get(actions->analysis.rows.rows, (uint32_t)i);
		struct output_row *output = row_list_make(rows);

		output->pair = action_sides_pair_at(actions->sides, i);
		if (row) {
			output->row = *row;
		}
	}
	action_goals_foreach(actions->goals, add_open_goal, rows);
}

static const struct action_messages *messages_of(const struct actions *actions, const struct model_action *server)
{
	static const struct action_messages none;

	return server->index < actions->messages->len
		       ? &g_array_index(actions->messages, struct action_messages, server->index)
		       : &none;
}

static void fill_calls(struct output_row *output)
{
	const struct action_pair *pair = output->pair;

	output->known = &output->row;
	output->cancel_requests = cell_unsigned(pair->cancels_sent);
	/* A request to cancel may have been accepted if its response came from another thread than the one that took
	 * it. */
	if (pair->server && pair->cancels_answered >= pair->cancels_sent) {
		output->canceled = cell_unsigned(pair->cancels_accepted);
	}
}

static void fill_row(const struct actions *actions, struct output_row *output)
{
	const struct analysis_context *context = &actions->analysis.context;
	const struct model_action *client = output->pair->client, *server = output->pair->server;

	output->id = output->row.id ? cell_unsigned(output->row.id) : CELL_NONE;
	name_row(actions, output);
	if (action_goals_has_calls(actions->goals)) {
		fill_calls(output);
	}
	if (client) {
		output->client = row_process_of(context->recording, client->process);
		output->client_which = object_numbers_cell(context->numbers, MODEL_ACTION, &client->object);
	}
	if (server) {
		output->server = row_process_of(context->recording, server->process);
		output->server_which = object_numbers_cell(context->numbers, MODEL_ACTION, &server->object);
		output->messages = messages_of(actions, server);
	}
}

static bool is_used(const struct output_row *output)
{
	return output->row.goals > 0 || output->row.feedback_received > 0 || output->pair->cancels_sent > 0;
}

void action_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct actions *actions = data;
	g_autoptr(row_list) rows = analysis_rows(&actions->analysis, &schema);
	guint kept = 0;

	add_rows(actions, rows);
	for (guint i = 0; i < row_list_count(rows); i++) {
		struct output_row *output = row_list_at(rows, i);

		if (is_used(output)) {
			fill_row(actions, output);
			row_list_put(rows, kept++, output);
		}
	}
	row_list_cut(rows, kept);
	row_list_write(rows, writers[TABLE_ACTIONS]);
}
