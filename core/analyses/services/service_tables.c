/* SPDX-License-Identifier: MIT */
#include "core/analyses/services/service_tables.h"

#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/compare_numbers.h"
#include "core/base/name_filter.h"
#include "core/text/hidden_names.h"
#include <string.h>

#define SUMMARY_SERVICES 3

static const struct table_column columns[] = {
	{ .name = "service_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "service", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "client_node",
	  .merge = COLUMN_MERGE_KEY,
	  .label = "client",
	  .format = COLUMN_NAME,
	  .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "client_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "server_node",
	  .merge = COLUMN_MERGE_KEY,
	  .label = "server",
	  .format = COLUMN_NAME,
	  .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "server_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "sent", .merge = COLUMN_MERGE_SUM },
	{ .name = "taken", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "answered", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "received", .merge = COLUMN_MERGE_SUM },
	{ .name = "round_trip", .format = COLUMN_STATISTIC },
	{ .name = "request", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "service", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "response", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "lost", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "unanswered", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM, .label = "executed" },
	{ .name = "deferred", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "callback", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF },
	COLUMN_HOST("client_hostname", "client on"),
	COLUMN_HOST("server_hostname", "server on"),
	COLUMN_WHICH("client_which", "which client"),
	COLUMN_WHICH("server_which", "which server"),
};

enum {
	COLUMN_ID,
	COLUMN_SERVICE,
	COLUMN_CLIENT_NODE,
	COLUMN_CLIENT_VPID,
	COLUMN_SERVER_NODE,
	COLUMN_SERVER_VPID,
	COLUMN_SENT,
	COLUMN_TAKEN,
	COLUMN_ANSWERED,
	COLUMN_RECEIVED,
	COLUMN_ROUND_TRIP,
	COLUMN_REQUEST,
	COLUMN_SERVICE_TIME,
	COLUMN_RESPONSE,
	COLUMN_LOST,
	COLUMN_UNANSWERED,
	COLUMN_EXECUTIONS,
	COLUMN_DEFERRED,
	COLUMN_CALLBACK,
	COLUMN_CLIENT_HOSTNAME,
	COLUMN_SERVER_HOSTNAME,
	COLUMN_CLIENT_WHICH,
	COLUMN_SERVER_WHICH,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "services",
	.title = "Services: from the request to its response",
	.selection = "services",
	.is_optional = true,
	.why_empty = "needs calls of services, see docs/services.md",
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "service_id" },
	{ .name = "sequence_number" },
	{ .name = "send_ns", .label = "sent", .format = COLUMN_TIME },
	{ .name = "take_ns", .label = "taken", .format = COLUMN_TIME },
	{ .name = "answer_ns", .label = "answered", .format = COLUMN_TIME },
	{ .name = "receive_ns", .label = "received", .format = COLUMN_TIME },
	{ .name = "outcome" },
};

static const struct table_schema instance_schema = {
	.name = "service_instances",
	.title = "Service calls",
	.selection = "services",
	.is_instances = true,
	.is_optional = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_column slowest_columns[] = {
	{ .name = "service", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "server", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "calls" },
	{ .name = "unanswered" },
	{ .name = "p50_ns", .label = "p50", .format = COLUMN_DURATION, .role = COLUMN_ROLE_DETAIL },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION },
	{ .name = "max_ns", .label = "max", .format = COLUMN_DURATION },
	{ .name = "most", .label = "most of it", .format = COLUMN_NAME, .hints = HINT_WRAPS },
};

static const struct table_schema slowest_schema = {
	.name = "slowest_services",
	.title = "Slowest services",
	.selection = "services",
	.summary = 3,
	.columns = slowest_columns,
	.column_count = G_N_ELEMENTS(slowest_columns),
};

/* clang-format off */
const struct table_schema *const service_tables[] = {
	[TABLE_SERVICES] = &schema,
	[TABLE_SERVICE_INSTANCES] = &instance_schema,
	[TABLE_SLOWEST_SERVICES] = &slowest_schema,
	NULL,
};
/* clang-format on */

/* A row with its sort keys, including the counts of open calls. */
struct output_row {
	const struct service_pair *pair;
	const struct service_row *row;
	const char *name, *client_node, *server_node;
	struct service_counts counts;
};

static bool is_chosen(const struct services *services, const char *name, const char *client_node,
		      const char *server_node)
{
	const char *const nodes[] = { client_node, server_node };

	return name_filter_passes(services->options->topics, &name, 1) &&
	       name_filter_passes(services->options->nodes, nodes, G_N_ELEMENTS(nodes));
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
	const struct service_pair *pair = service_call_pair(call);
	struct cell cells[G_N_ELEMENTS(instance_columns)] = {
		cell_unsigned(row->id),
		cell_integer(call->sequence_number),
	};

	if ((services->options->nodes || services->options->topics) &&
	    !is_chosen(services, service_pair_name(pair), service_pair_client_node(services->model, pair),
		       service_pair_server_node(services->model, pair))) {
		return;
	}
	for (size_t step = 0; step < CALL_STEPS; step++) {
		cells[2 + step] = call_has(call, step) ? cell_integer(call->time_ns[step]) : CELL_NONE;
	}
	cells[6] = cell_text(outcome_of(services, call));
	TABLE_ROW(services->instance_writer, instance_columns, cells);
}

/* --- rows --- */

static int compare_vpids(const struct services *services, uint32_t left, uint32_t right)
{
	int32_t left_vpid = left == RECORDING_NONE ? -1 : recording_process(services->recording, left)->vpid;
	int32_t right_vpid = right == RECORDING_NONE ? -1 : recording_process(services->recording, right)->vpid;

	return compare_integers(left_vpid, right_vpid);
}

static int compare_hosts(const struct services *services, uint32_t left, uint32_t right)
{
	const char *left_host = left == RECORDING_NONE ? "" : row_process_of(services->recording, left).hostname;
	const char *right_host = right == RECORDING_NONE ? "" : row_process_of(services->recording, right).hostname;

	return strcmp(left_host, right_host);
}

static uint32_t client_process(const struct service_pair *pair)
{
	return pair->client ? pair->client->process : RECORDING_NONE;
}

static uint32_t server_process(const struct service_pair *pair)
{
	return pair->server ? pair->server->process : RECORDING_NONE;
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer services)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = g_strcmp0(left->name, right->name);

	order = order ? order : g_strcmp0(left->client_node, right->client_node);
	order = order ? order : compare_vpids(services, client_process(left->pair), client_process(right->pair));
	order = order ? order : g_strcmp0(left->server_node, right->server_node);
	order = order ? order : compare_vpids(services, server_process(left->pair), server_process(right->pair));
	order = order ? order : compare_hosts(services, client_process(left->pair), client_process(right->pair));
	order = order ? order : compare_hosts(services, server_process(left->pair), server_process(right->pair));
	return order ? order : compare_unsigned(left->row->id, right->row->id);
}

struct open_calls {
	const struct service_calls *calls;
	GArray *rows;
};

static void add_open_call(void *data, const struct service_call *call)
{
	const struct open_calls *open = data;
	size_t index = service_call_pair(call)->index;

	if (call->is_counted && index < open->rows->len) {
		service_counts_add(&g_array_index(open->rows, struct output_row, index).counts, open->calls, call);
	}
}

/* By index of the pair; `row` is never NULL. */
static GArray *all_rows(const struct services *services)
{
	static const struct service_row none;
	const struct service_peers *peers = service_calls_peers(services->calls);
	size_t count = service_peers_pair_count(peers);
	GArray *rows = g_array_sized_new(FALSE, FALSE, sizeof(struct output_row), (guint)count);

	for (size_t i = 0; i < count; i++) {
		const struct service_pair *pair = service_peers_pair_at(peers, i);
		const struct service_row *row = services_row_at(services, i);
		struct output_row output = {
			.pair = pair,
			.row = row ? row : &none,
			.name = service_pair_name(pair),
			.client_node = service_pair_client_node(services->model, pair),
			.server_node = service_pair_server_node(services->model, pair),
		};

		if (row) {
			output.counts = row->counts;
		}
		g_array_append_val(rows, output);
	}
	service_calls_foreach(services->calls, add_open_call, &(struct open_calls){ services->calls, rows });
	return rows;
}

static bool has_content(const struct services *services, const struct output_row *output)
{
	bool has_calls = false;

	for (size_t step = 0; step < CALL_STEPS; step++) {
		has_calls |= output->counts.steps[step] > 0;
	}
	return (has_calls || output->row->executions > 0) &&
	       is_chosen(services, output->name, output->client_node, output->server_node);
}

/* The rows to write, in their order. Rows without id, which have open calls only, follow the others. */
static GArray *rows_of(const struct services *services)
{
	GArray *rows = all_rows(services);

	for (guint i = rows->len; i-- > 0;) {
		if (!has_content(services, &g_array_index(rows, struct output_row, i))) {
			g_array_remove_index(rows, i);
		}
	}
	g_array_sort_with_data(rows, compare_rows, (gpointer)services);
	return rows;
}

static struct cell process_cell(const struct services *services, uint32_t process)
{
	return process == RECORDING_NONE ? CELL_NONE : vpid_cell(recording_process(services->recording, process));
}

static struct cell host_cell(const struct services *services, uint32_t process)
{
	return process == RECORDING_NONE ? CELL_NONE : cell_text(row_process_of(services->recording, process).hostname);
}

static struct cell client_which_cell(const struct services *services, const struct service_client *client)
{
	return client && client->client ? object_numbers_cell(services->numbers, MODEL_CLIENT, &client->client->object)
					: CELL_NONE;
}

static struct cell server_which_cell(const struct services *services, const struct service_server *server)
{
	return server && server->service
		       ? object_numbers_cell(services->numbers, MODEL_SERVICE, &server->service->object)
		       : CELL_NONE;
}

static void write_row(const struct services *services, struct table_writer *writer, const struct output_row *output)
{
	const struct service_row *row = output->row;
	const struct service_counts *counts = &output->counts;
	/* counts of events that this release does not record are unknown */
	bool has_calls = service_calls_has_events(services->calls);
	bool is_deferred = row->handler && executions_is_deferred(services->executions, row->handler);
	const struct cell cells[] = {
		[COLUMN_ID] = row->id ? cell_unsigned(row->id) : CELL_NONE,
		[COLUMN_SERVICE] = cell_text(output->name),
		[COLUMN_CLIENT_NODE] = cell_text(output->client_node),
		[COLUMN_CLIENT_VPID] = process_cell(services, client_process(output->pair)),
		[COLUMN_SERVER_NODE] = cell_text(output->server_node),
		[COLUMN_SERVER_VPID] = process_cell(services, server_process(output->pair)),
		[COLUMN_SENT] = has_calls ? cell_unsigned(counts->steps[CALL_SENT]) : CELL_NONE,
		[COLUMN_TAKEN] = has_calls ? cell_unsigned(counts->steps[CALL_TAKEN]) : CELL_NONE,
		[COLUMN_ANSWERED] = has_calls ? cell_unsigned(counts->steps[CALL_ANSWERED]) : CELL_NONE,
		[COLUMN_RECEIVED] = has_calls ? cell_unsigned(counts->steps[CALL_RECEIVED]) : CELL_NONE,
		[COLUMN_ROUND_TRIP] = cell_statistic(&row->round_trip),
		[COLUMN_REQUEST] = cell_statistic(&row->request),
		[COLUMN_SERVICE_TIME] = cell_statistic(&row->service),
		[COLUMN_RESPONSE] = cell_statistic(&row->response),
		[COLUMN_LOST] = has_calls ? cell_unsigned(counts->lost) : CELL_NONE,
		[COLUMN_UNANSWERED] = has_calls ? cell_unsigned(counts->unanswered) : CELL_NONE,
		[COLUMN_EXECUTIONS] = cell_unsigned(row->executions),
		[COLUMN_DEFERRED] = cell_unsigned(is_deferred ? row->without_end : 0),
		[COLUMN_CALLBACK] = cell_statistic(&row->callback),
		[COLUMN_CLIENT_HOSTNAME] = host_cell(services, client_process(output->pair)),
		[COLUMN_SERVER_HOSTNAME] = host_cell(services, server_process(output->pair)),
		[COLUMN_CLIENT_WHICH] = client_which_cell(services, output->pair->client),
		[COLUMN_SERVER_WHICH] = server_which_cell(services, output->pair->server),
	};

	TABLE_ROW(writer, columns, cells);
}

/* --- the summary --- */

/* A service in the summary: the client that waits longest for it, and the unanswered requests of all. */
struct summary {
	const struct output_row *worst;
	int64_t p99_ns; /* of the worst */
	uint64_t calls, unanswered;
};

static int64_t p99_of(const struct output_row *output)
{
	return duration_statistics_totals(&output->row->round_trip).count > 0
		       ? duration_statistics_quantile(&output->row->round_trip, 0.99)
		       : INT64_MIN;
}

/* The rows are sorted by service. */
static GArray *summaries_of(const GArray *rows)
{
	GArray *summaries = g_array_new(FALSE, FALSE, sizeof(struct summary));

	for (guint i = 0; i < rows->len; i++) {
		const struct output_row *row = &g_array_index(rows, struct output_row, i);
		struct summary *last =
			summaries->len ? &g_array_index(summaries, struct summary, summaries->len - 1) : NULL;

		if (row->counts.steps[CALL_SENT] == 0 || !row->name || name_is_hidden(row->name)) {
			continue;
		}
		if (!last || strcmp(last->worst->name, row->name) != 0) {
			const struct summary summary = { .worst = row, .p99_ns = p99_of(row) };

			g_array_append_val(summaries, summary);
			last = &g_array_index(summaries, struct summary, summaries->len - 1);
		}
		last->calls += row->counts.steps[CALL_SENT];
		last->unanswered += row->counts.unanswered;
		if (p99_of(row) > last->p99_ns) {
			last->worst = row;
			last->p99_ns = p99_of(row);
		}
	}
	return summaries;
}

/* Services that never answered first, then the slowest. */
static gint compare_summaries(gconstpointer a, gconstpointer b)
{
	const struct summary *left = a;
	const struct summary *right = b;
	bool is_left_silent = left->unanswered == left->calls;
	bool is_right_silent = right->unanswered == right->calls;
	int order = is_right_silent - is_left_silent;

	order = order ? order : compare_integers(right->p99_ns, left->p99_ns);
	return order ? order : strcmp(left->worst->name, right->worst->name);
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
	double total = (double)duration_statistics_totals(&row->round_trip).sum_ns;
	double longest = 0;
	const char *name = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(legs); i++) {
		double sum = (double)duration_statistics_totals(legs[i].statistic).sum_ns;

		if (sum > longest) {
			longest = sum;
			name = legs[i].name;
		}
	}
	return name && total > 0 ? g_strdup_printf("%.0f %% %s", MIN(100 * longest / total, 100), name) : NULL;
}

static void write_summary(struct table_writer *writer, const struct summary *summary)
{
	const struct service_row *row = summary->worst->row;
	bool has_round_trip = duration_statistics_totals(&row->round_trip).count > 0;
	g_autofree char *most = has_round_trip ? most_text(row) : NULL;
	const struct duration_statistics *round_trip = &row->round_trip;

	TABLE_ROW(writer, slowest_columns,
		  (struct cell[]){
			  cell_text(summary->worst->name),
			  cell_text(summary->worst->server_node),
			  cell_unsigned(summary->calls),
			  cell_unsigned(summary->unanswered),
			  has_round_trip ? cell_integer(duration_statistics_quantile(round_trip, 0.5)) : CELL_NONE,
			  has_round_trip ? cell_integer(summary->p99_ns) : CELL_NONE,
			  has_round_trip ? cell_integer(round_trip->longest_ns) : CELL_NONE,
			  cell_text(most),
		  });
}

void service_tables_write(const struct services *services, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = rows_of(services);

	for (guint i = 0; i < rows->len; i++) {
		write_row(services, writers[TABLE_SERVICES], &g_array_index(rows, struct output_row, i));
	}
	if (writers[TABLE_SLOWEST_SERVICES]) {
		g_autoptr(GArray) summaries = summaries_of(rows);

		g_array_sort(summaries, compare_summaries);
		for (guint i = 0; i < MIN(summaries->len, SUMMARY_SERVICES); i++) {
			write_summary(writers[TABLE_SLOWEST_SERVICES], &g_array_index(summaries, struct summary, i));
		}
	}
}
