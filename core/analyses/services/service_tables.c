/* SPDX-License-Identifier: MIT */
#include "core/analyses/services/services.h"

#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/text/hidden_names.h"
#include "core/tables/row_list.h"

#define SUMMARY_SERVICES 3

/* A pair of a client and a server, with the counts of open calls. */
struct output_row {
	const struct service_pair *pair;
	const struct service_row *row;
	const char *name, *client_node, *server_node;
	struct row_process client, server; /* zeros: unknown */
	struct service_counts counts;
	const struct service_counts *known; /* NULL: of events that this release does not record */
	uint64_t deferred;
	struct cell id, client_which, server_which;
};

/* clang-format off */
#define ROW struct output_row
static const struct table_column columns[] = {
	{ .name = "service_id", .id_of = "services", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	{ .name = "service", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .budget = "service", .hints = HINT_MAY_BE_HIDDEN, CELL_OF(name) },
	{ .name = "client_node", .means = MEANS_NODE, .side = SIDE_SENDER, .merge = COLUMN_MERGE_KEY, .label = "client",
	  .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN, CELL_OF(client_node) },
	{ COLUMN_IS_PROCESS("client_vpid"), .side = SIDE_SENDER, CELL_OF(client.vpid) },
	{ .name = "server_node", .means = MEANS_NODE, .side = SIDE_RECEIVER, .merge = COLUMN_MERGE_KEY,
	  .label = "server", .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN, CELL_OF(server_node) },
	{ COLUMN_IS_PROCESS("server_vpid"), .side = SIDE_RECEIVER, CELL_OF(server.vpid) },
	{ .name = "sent", .means = MEANS_SENT, .merge = COLUMN_MERGE_SUM, CELL_VIA(known, steps[CALL_SENT]) },
	{ .name = "taken", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_VIA(known, steps[CALL_TAKEN]) },
	{ .name = "answered", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL,
	  CELL_VIA(known, steps[CALL_ANSWERED]) },
	{ .name = "received", .means = MEANS_RECEIVED, .merge = COLUMN_MERGE_SUM,
	  CELL_VIA(known, steps[CALL_RECEIVED]) },
	{ .name = "round_trip", .means = MEANS_DURATION, .format = COLUMN_STATISTIC, CELL_VIA(row, round_trip) },
	{ .name = "request", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(row, request) },
	{ .name = "service", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(row, service) },
	{ .name = "response", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(row, response) },
	{ .name = "lost", .means = MEANS_MISSED, .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL,
	  CELL_VIA(known, lost) },
	{ .name = "unanswered", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN, CELL_VIA(known, unanswered) },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM, .label = "executed", CELL_VIA(row, executions) },
	{ .name = "deferred", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_OF(deferred) },
	{ .name = "callback", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF,
	  CELL_VIA(row, callback) },
	{ COLUMN_IS_HOST("client_hostname", "client on"), .side = SIDE_SENDER, CELL_OF(client.hostname) },
	{ COLUMN_IS_HOST("server_hostname", "server on"), .side = SIDE_RECEIVER, CELL_OF(server.hostname) },
	{ COLUMN_IS_WHICH("client_which", "which client"), CELL_OF(client_which) },
	{ COLUMN_IS_WHICH("server_which", "which server"), CELL_OF(server_which) },
};

static const struct table_schema schema = {
	TABLE("services", columns), .title = "Services: from the request to its response",
	.selection = "services", .subject = SUBJECT_CALLS,
	.presence = PRESENT_IF_ANY, .why_empty = "needs calls of services, see docs/services.md", .is_of_processes = true,
	.order = "service client_node client_vpid server_node server_vpid client_hostname server_hostname service_id",
};
#undef ROW

struct instance {
	struct cell service_id, sequence_number, steps[CALL_STEPS], outcome;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "service_id", .id_of = "services", CELL_OF(service_id) },
	{ .name = "sequence_number", CELL_OF(sequence_number) },
	{ .name = "send_ns", .label = "sent", .format = COLUMN_TIME, CELL_OF(steps[CALL_SENT]) },
	{ .name = "take_ns", .label = "taken", .format = COLUMN_TIME, CELL_OF(steps[CALL_TAKEN]) },
	{ .name = "answer_ns", .label = "answered", .format = COLUMN_TIME, CELL_OF(steps[CALL_ANSWERED]) },
	{ .name = "receive_ns", .label = "received", .format = COLUMN_TIME, CELL_OF(steps[CALL_RECEIVED]) },
	{ .name = "outcome", .means = MEANS_STATE, CELL_OF(outcome) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("service_instances", instance_columns), .title = "Service calls", .selection = "services",
	.kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW

/* A service: the client that waits longest for it, and the unanswered requests of all. */
struct summary {
	const struct output_row *worst;
	struct row_quantiles round_trip; /* of the worst */
	uint64_t calls, unanswered;
	bool is_silent; /* it never answered */
	const char *most;
};

#define ROW struct summary
static const struct table_column slowest_columns[] = {
	{ .name = "service", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  CELL_VIA(worst, name) },
	{ .name = "server", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, CELL_VIA(worst, server_node) },
	{ .name = "calls", CELL_OF(calls) },
	{ .name = "unanswered", CELL_OF(unanswered) },
	{ .name = "p50_ns", .label = "p50", .format = COLUMN_DURATION, .role = COLUMN_ROLE_DETAIL,
	  CELL_OF(round_trip.p50) },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION, CELL_OF(round_trip.p99) },
	{ .name = "max_ns", .label = "max", .format = COLUMN_DURATION, CELL_OF(round_trip.max) },
	{ .name = "most", .label = "largest part", .format = COLUMN_NAME, .hints = HINT_WRAPS, CELL_OF(most) },
};

static const struct table_column summary_order_columns[] = {
	{ .name = "is_silent", CELL_OF(is_silent) },
};

static const struct table_schema slowest_schema = {
	TABLE("slowest_services", slowest_columns), .title = "Slowest services", .selection = "services", .kind = KIND_SUMMARY, .place = 3,
	.order = "-is_silent -p99_ns service", UNWRITTEN(summary_order_columns),
};
#undef ROW
const struct table_schema *const service_tables[] = {
	[TABLE_SERVICES] = &schema,
	[TABLE_SERVICE_INSTANCES] = &instance_schema,
	[TABLE_SLOWEST_SERVICES] = &slowest_schema,
	NULL,
};
/* clang-format on */

static void name_row(const struct services *services, struct output_row *output)
{
	const struct object_model *model = services->analysis.context.model;

	output->name = service_pair_name(output->pair);
	output->client_node = service_pair_client_node(model, output->pair);
	output->server_node = service_pair_server_node(model, output->pair);
}

/* As the row of the pair will be. */
static bool is_chosen(const struct services *services, const struct service_pair *pair)
{
	struct output_row output = { .pair = pair };

	if (analysis_is_about_all(&services->analysis)) {
		return true;
	}
	name_row(services, &output);
	return analysis_is_about(&services->analysis, &output);
}

static const char *outcome_of(const struct services *services, const struct service_call *call)
{
	if (call_has(call, CALL_RECEIVED)) {
		return "received";
	}
	if (call_has(call, CALL_ANSWERED)) {
		return "not_received";
	}
	if (call_has(call, CALL_TAKEN)) {
		return "not_answered";
	}
	if (service_call_is_lost(services->calls, call)) {
		return "lost";
	}
	return call->is_skipped ? "unknown" : "not_taken";
}

void service_tables_write_instance(const struct services *services, const struct service_row *row,
				   const struct service_call *call)
{
	struct table_writer *writer = services->analysis.writers[TABLE_SERVICE_INSTANCES];
	struct instance instance;

	if (!writer || !is_chosen(services, service_call_pair(call))) {
		return;
	}
	instance.service_id = cell_unsigned(row->id);
	instance.sequence_number = cell_integer(call->sequence_number);
	for (size_t step = 0; step < CALL_STEPS; step++) {
		instance.steps[step] = call_has(call, step) ? cell_integer(call->time_ns[step]) : CELL_NONE;
	}
	instance.outcome = cell_text(outcome_of(services, call));
	row_write(writer, &instance_schema, &instance);
}

/* --- rows --- */

struct open_calls {
	const struct service_calls *calls;
	struct row_list *rows;
};

static void add_open_call(void *data, const struct service_call *call)
{
	const struct open_calls *open = data;
	guint index = service_call_pair(call)->index;

	if (call->is_counted && index < row_list_count(open->rows)) {
		struct output_row *output = row_list_at(open->rows, index);

		service_counts_add(&output->counts, open->calls, call);
	}
}

/* By index of the pair. */
static void add_rows(const struct services *services, struct row_list *rows)
{
	static const struct service_row none;
	const struct service_peers *peers = service_calls_peers(services->calls);

	for (size_t i = 0; i < service_peers_pair_count(peers); i++) {
		const struct service_row *row = slot_get(services->analysis.rows.rows, (uint32_t)i);
		struct output_row *output = row_list_make(rows);

		output->pair = service_peers_pair_at(peers, i);
		output->row = row ? row : &none;
		output->counts = output->row->counts;
	}
	service_calls_foreach(services->calls, add_open_call, &(struct open_calls){ services->calls, rows });
}

static bool has_content(const struct output_row *output)
{
	bool has_calls = false;

	for (size_t step = 0; step < CALL_STEPS; step++) {
		has_calls |= output->counts.steps[step] > 0;
	}
	return has_calls || output->row->executions > 0;
}

static void set_client(const struct analysis_context *context, struct output_row *output,
		       const struct service_client *client)
{
	if (client->process != RECORDING_NONE) {
		output->client = row_process_of(context->recording, client->process);
	}
	if (client->client) {
		output->client_which = object_numbers_cell(context->numbers, MODEL_CLIENT, &client->client->object);
	}
}

static void set_server(const struct analysis_context *context, struct output_row *output,
		       const struct service_server *server)
{
	output->server = row_process_of(context->recording, server->process);
	if (server->service) {
		output->server_which = object_numbers_cell(context->numbers, MODEL_SERVICE, &server->service->object);
	}
}

static void fill_row(const struct services *services, struct output_row *output)
{
	const struct analysis_context *context = &services->analysis.context;
	const struct service_row *row = output->row;

	name_row(services, output);
	output->id = row->id ? cell_unsigned(row->id) : CELL_NONE;
	output->known = service_calls_has_events(services->calls) ? &output->counts : NULL;
	if (row->handler && executions_is_deferred(context->executions, row->handler)) {
		output->deferred = row->without_end;
	}
	if (output->pair->client) {
		set_client(context, output, output->pair->client);
	}
	if (output->pair->server) {
		set_server(context, output, output->pair->server);
	}
}

/* The rows to write. Those without id have open calls only. */
static struct row_list *rows_of(const struct services *services)
{
	struct row_list *rows = analysis_rows(&services->analysis, &schema);
	guint kept = 0;

	add_rows(services, rows);
	for (guint i = 0; i < row_list_count(rows); i++) {
		struct output_row *output = row_list_at(rows, i);

		if (has_content(output)) {
			fill_row(services, output);
			row_list_put(rows, kept++, output);
		}
	}
	row_list_cut(rows, kept);
	row_list_choose(rows);
	return rows;
}

/* --- the summary --- */

static bool is_slower(const struct cell *p99, const struct cell *than)
{
	return p99->type != CELL_EMPTY && (than->type == CELL_EMPTY || p99->integer > than->integer);
}

static void add_to_summary(struct summary *summary, const struct output_row *row)
{
	struct row_quantiles round_trip = row_quantiles_of(&row->row->round_trip);

	summary->calls += row->counts.steps[CALL_SENT];
	summary->unanswered += row->counts.unanswered;
	summary->is_silent = summary->unanswered == summary->calls;
	if (!summary->worst || is_slower(&round_trip.p99, &summary->round_trip.p99)) {
		summary->worst = row;
		summary->round_trip = round_trip;
	}
}

/* The leg that takes most of the round trips, as "97 % service"; NULL if the legs are unknown. */
static char *most_text(const struct service_row *row)
{
	const struct {
		const char *name;
		const struct duration_statistics *statistic;
	} legs[] = {
		{ "service", &row->service },
		{ "request", &row->request },
		{ "response", &row->response },
	};
	double total = int128_to_double(duration_statistics_totals(&row->round_trip).sum_ns);
	double longest = 0;
	const char *name = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(legs); i++) {
		double sum = int128_to_double(duration_statistics_totals(legs[i].statistic).sum_ns);

		if (sum > longest) {
			longest = sum;
			name = legs[i].name;
		}
	}
	return name && total > 0 ? g_strdup_printf("%.0f %% %s", MIN(100 * longest / total, 100), name) : NULL;
}

/* The rows are sorted by service. */
static void write_summary(const struct row_list *rows, struct table_writer *writer)
{
	g_autoptr(row_list) summaries = row_list_create(&slowest_schema);
	struct summary *last = NULL;

	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct output_row *row = row_list_at(rows, i);

		if (row->counts.steps[CALL_SENT] == 0 || !row->name || name_is_hidden(row->name)) {
			continue;
		}
		if (!last || strcmp(last->worst->name, row->name) != 0) {
			last = row_list_make(summaries);
		}
		add_to_summary(last, row);
	}
	for (guint i = 0; i < row_list_count(summaries); i++) {
		struct summary *summary = row_list_at(summaries, i);

		if (summary->round_trip.p99.type != CELL_EMPTY) {
			summary->most = row_list_keep(summaries, most_text(summary->worst->row));
		}
	}
	row_list_write_first(summaries, SUMMARY_SERVICES, writer);
}

void service_tables_write(const void *data, struct table_writer *const *writers)
{
	g_autoptr(row_list) rows = rows_of(data);

	row_list_write(rows, writers[TABLE_SERVICES]);
	if (writers[TABLE_SLOWEST_SERVICES]) {
		write_summary(rows, writers[TABLE_SLOWEST_SERVICES]);
	}
}
