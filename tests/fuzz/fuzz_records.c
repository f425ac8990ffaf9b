/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: any records into the latency analysis and into a flow linker with a listener. A report must add up (each
 * table against its instances, published = received + lost + unknown, no time before its cause), a listener must be
 * called in the promised order and once for each, and the same records must give the same rows, also with copies of the
 * definitions.
 *
 * An input: eight bytes of options, then a script of records (record_script.h).
 */
#include <inttypes.h>

#include "fuzz_input.h"
#include "record_script.h"
#include "ros2bt/flow/pipeline.h"
#include "ros2bt/session/session.h"
#include "ros2bt/flow/link_rules.h"
#include "core/tables/statistics_columns.h"

#define OPTION_BYTES 8

enum option {
	OPTION_BEGIN = 1,
	OPTION_END = 2,
	OPTION_LINKS = 4,
	OPTION_QUANTILES = 8,
};

/* --- the report --- */

/* What is counted of a row of callbacks, communications or paths: by the table and by its instances. */
struct tally {
	uint64_t complete, incomplete; /* received and lost; traversals */
	uint64_t latched;	       /* of the received ones: no samples of latency */
};

struct checked_table {
	struct table_writer writer;
	struct statistics_columns *columns; /* owned */
	const struct table_schema *schema;
	GString *rows;		    /* borrowed: all rows as text */
	GArray *reported, *counted; /* borrowed: struct tally by id */
};

struct checked_output {
	struct table_output output;
	GString *rows;
	GPtrArray *tables;		  /* struct checked_table *, owned */
	GArray *reported[5], *counted[5]; /* of callbacks, communications, paths, services, actions */
};

static const struct cell *cell_of(const struct table_schema *schema, const struct cell *cells, const char *name)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (strcmp(schema->columns[i].name, name) == 0) {
			return &cells[i];
		}
	}
	FUZZ_MUST(false, "%s has a column %s", schema->name, name);
	return NULL;
}

static bool has_cell(const struct table_schema *schema, const struct cell *cells, const char *name)
{
	return cell_of(schema, cells, name)->type != CELL_EMPTY;
}

static uint64_t count_of(const struct table_schema *schema, const struct cell *cells, const char *name)
{
	const struct cell *cell = cell_of(schema, cells, name);

	FUZZ_MUST(cell->type == CELL_UNSIGNED, "%s.%s is a count", schema->name, name);
	return cell->unsigned_integer;
}

static int64_t time_of(const struct table_schema *schema, const struct cell *cells, const char *name)
{
	const struct cell *cell = cell_of(schema, cells, name);

	FUZZ_MUST(cell->type == CELL_INTEGER, "%s.%s is a time", schema->name, name);
	return cell->integer;
}

static struct tally *tally_of(GArray *tallies, uint64_t id)
{
	if (id >= tallies->len) {
		g_array_set_size(tallies, (guint)id + 1);
	}
	return &g_array_index(tallies, struct tally, id);
}

static void check_callback(struct checked_table *table, const struct cell *cells)
{
	struct tally *reported = tally_of(table->reported, count_of(table->schema, cells, "callback_id"));

	reported->complete = count_of(table->schema, cells, "count");
	reported->incomplete =
		count_of(table->schema, cells, "incomplete") + count_of(table->schema, cells, "deferred");
	if (strcmp(cell_of(table->schema, cells, "kind")->text, "inferred") == 0) {
		/* No end of these is recorded. */
		reported->incomplete += reported->complete;
		reported->complete = 0;
	}
}

static void check_callback_instance(struct checked_table *table, const struct cell *cells)
{
	struct tally *counted = tally_of(table->counted, count_of(table->schema, cells, "callback_id"));
	bool has_start = has_cell(table->schema, cells, "start_ns");
	bool has_end = has_cell(table->schema, cells, "end_ns");

	FUZZ_MUST(has_start || has_end, "an execution has a start or an end");
	FUZZ_MUST(has_cell(table->schema, cells, "duration_ns") == (has_start && has_end), "a duration has both");
	counted->complete += has_start && has_end;
	counted->incomplete += !has_start || !has_end;
	if (has_start && has_end) {
		int64_t start_ns = time_of(table->schema, cells, "start_ns");
		int64_t end_ns = time_of(table->schema, cells, "end_ns");

		FUZZ_MUST(start_ns <= end_ns, "%" PRIi64 " to %" PRIi64, start_ns, end_ns);
		FUZZ_MUST(time_of(table->schema, cells, "duration_ns") == end_ns - start_ns, "duration");
	}
}

static void check_communication(struct checked_table *table, const struct cell *cells)
{
	struct tally *reported = tally_of(table->reported, count_of(table->schema, cells, "communication_id"));
	uint64_t published = count_of(table->schema, cells, "published");
	uint64_t unknown = count_of(table->schema, cells, "unknown");

	reported->complete = count_of(table->schema, cells, "received");
	reported->incomplete = has_cell(table->schema, cells, "lost") ? count_of(table->schema, cells, "lost") : 0;
	FUZZ_MUST(published == reported->complete + reported->incomplete + unknown,
		  "%" PRIu64 " = %" PRIu64 " + %" PRIu64 " + %" PRIu64, published, reported->complete,
		  reported->incomplete, unknown);
	FUZZ_MUST(count_of(table->schema, cells, "in_flight") <= unknown, "what is under way is unknown");
	FUZZ_MUST(count_of(table->schema, cells, "inferred") <= reported->complete, "what is inferred is received");
	reported->latched = count_of(table->schema, cells, "latched");
	FUZZ_MUST(reported->latched <= reported->complete, "what is latched is received");
}

static void check_communication_instance(struct checked_table *table, const struct cell *cells)
{
	struct tally *counted = tally_of(table->counted, count_of(table->schema, cells, "communication_id"));
	bool has_take = has_cell(table->schema, cells, "take_ns");
	bool has_start = has_cell(table->schema, cells, "callback_start_ns");
	int64_t publish_ns = time_of(table->schema, cells, "publish_ns");

	counted->complete += has_take || has_start;
	counted->incomplete += strcmp(cell_of(table->schema, cells, "outcome")->text, "lost") == 0;
	if (has_take && has_start) {
		FUZZ_MUST(time_of(table->schema, cells, "take_ns") <=
				  time_of(table->schema, cells, "callback_start_ns"),
			  "a callback starts after its take");
	}
	counted->latched += has_start && !has_cell(table->schema, cells, "latency_ns");
	if (has_start && has_cell(table->schema, cells, "latency_ns")) {
		FUZZ_MUST(time_of(table->schema, cells, "latency_ns") ==
				  time_of(table->schema, cells, "callback_start_ns") - publish_ns,
			  "latency");
	}
}

static void check_path(struct checked_table *table, const struct cell *cells)
{
	tally_of(table->reported, count_of(table->schema, cells, "path_id"))->complete =
		count_of(table->schema, cells, "count");
}

static void check_path_instance(struct checked_table *table, const struct cell *cells)
{
	const struct table_schema *schema = table->schema;
	int64_t origin_ns = time_of(schema, cells, "origin_start_ns");
	int64_t publish_ns = time_of(schema, cells, "first_publish_ns");
	int64_t start_ns = time_of(schema, cells, "last_callback_start_ns");
	/* where a path ends in an inferred execution, the end is not recorded: its latency is to the start */
	bool has_end = has_cell(schema, cells, "last_callback_end_ns");
	int64_t end_ns = has_end ? time_of(schema, cells, "last_callback_end_ns") : start_ns;

	tally_of(table->counted, count_of(schema, cells, "path_id"))->complete++;
	FUZZ_MUST(origin_ns <= publish_ns, "a path is published after it begins");
	FUZZ_MUST(start_ns <= end_ns, "a callback ends after its start");
	FUZZ_MUST(time_of(schema, cells, "latency_ns") == end_ns - origin_ns, "latency");
}

static void check_service(struct checked_table *table, const struct cell *cells)
{
	struct tally *reported = tally_of(table->reported, count_of(table->schema, cells, "service_id"));

	if (has_cell(table->schema, cells, "sent")) {
		reported->complete = count_of(table->schema, cells, "received");
		reported->incomplete = count_of(table->schema, cells, "unanswered");
		FUZZ_MUST(reported->incomplete <= count_of(table->schema, cells, "sent"),
			  "what is unanswered was sent");
		FUZZ_MUST(count_of(table->schema, cells, "lost") <= reported->incomplete, "what is lost is unanswered");
	}
}

static void check_service_instance(struct checked_table *table, const struct cell *cells)
{
	struct tally *counted = tally_of(table->counted, count_of(table->schema, cells, "service_id"));
	bool is_received = has_cell(table->schema, cells, "receive_ns");

	counted->complete += is_received;
	counted->incomplete += !is_received && has_cell(table->schema, cells, "send_ns");
}

static void check_action(struct checked_table *table, const struct cell *cells)
{
	struct tally *reported = tally_of(table->reported, count_of(table->schema, cells, "action_id"));

	if (has_cell(table->schema, cells, "goals")) {
		uint64_t goals = count_of(table->schema, cells, "goals");

		reported->complete = count_of(table->schema, cells, "results");
		reported->incomplete = goals - reported->complete;
		FUZZ_MUST(reported->complete <= goals, "a result is one of a goal");
		FUZZ_MUST(count_of(table->schema, cells, "accepted") + count_of(table->schema, cells, "rejected") <=
				  goals,
			  "a goal is accepted or rejected");
	}
}

static void check_action_instance(struct checked_table *table, const struct cell *cells)
{
	struct tally *counted = tally_of(table->counted, count_of(table->schema, cells, "action_id"));
	bool has_result = has_cell(table->schema, cells, "result_ns");

	counted->complete += has_result;
	counted->incomplete += !has_result;
}

static const struct table_check {
	const char *table;
	unsigned int tally;
	void (*check)(struct checked_table *table, const struct cell *cells);
} checks[] = {
	{ "callbacks", 0, check_callback },
	{ "callback_instances", 0, check_callback_instance },
	{ "communications", 1, check_communication },
	{ "communication_instances", 1, check_communication_instance },
	{ "paths", 2, check_path },
	{ "path_instances", 2, check_path_instance },
	{ "services", 3, check_service },
	{ "service_instances", 3, check_service_instance },
	{ "actions", 4, check_action },
	{ "action_instances", 4, check_action_instance },
};

static void append_cell(GString *rows, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC:
		break;
	case CELL_INTEGER:
		g_string_append_printf(rows, "%" PRIi64, cell->integer);
		break;
	case CELL_UNSIGNED:
	case CELL_ADDRESS:
		g_string_append_printf(rows, "%" PRIu64, cell->unsigned_integer);
		break;
	case CELL_REAL:
		g_string_append_printf(rows, "%.17g", cell->real);
		break;
	case CELL_TEXT:
		g_string_append(rows, cell->text);
		break;
	}
}

static void check_row(struct table_writer *writer, const struct cell *cells)
{
	struct checked_table *table = (struct checked_table *)writer;

	/* Copies of definitions that are left out are not counted. */
	if (strcmp(table->schema->selection, "diagnostics") == 0) {
		return;
	}
	cells = statistics_columns_cells(table->columns, cells);
	g_string_append(table->rows, table->schema->name);
	for (size_t i = 0; i < table->schema->column_count; i++) {
		g_string_append_c(table->rows, '|');
		append_cell(table->rows, &cells[i]);
	}
	g_string_append_c(table->rows, '\n');
	for (size_t i = 0; i < G_N_ELEMENTS(checks); i++) {
		if (strcmp(checks[i].table, table->schema->name) == 0) {
			checks[i].check(table, cells);
		}
	}
}

/* The quantiles of an input are as many of these as it says. */
static const double quantiles[] = { 0, 0.5, 1 };
static size_t quantile_count;

static struct table_writer *open_checked(struct table_output *output, const struct table_schema *schema)
{
	struct checked_output *checked = (struct checked_output *)output;
	struct checked_table *table = g_new0(struct checked_table, 1);

	table->writer.row = check_row;
	table->columns = statistics_columns_create(schema, quantiles, quantile_count);
	table->schema = statistics_columns_schema(table->columns);
	table->rows = checked->rows;
	for (size_t i = 0; i < G_N_ELEMENTS(checks); i++) {
		if (strcmp(checks[i].table, schema->name) == 0) {
			table->reported = checked->reported[checks[i].tally];
			table->counted = checked->counted[checks[i].tally];
		}
	}
	g_ptr_array_add(checked->tables, table);
	return &table->writer;
}

static void check_sums(const struct checked_output *checked)
{
	for (size_t i = 0; i < G_N_ELEMENTS(checked->reported); i++) {
		guint count = MAX(checked->reported[i]->len, checked->counted[i]->len);

		for (guint id = 0; id < count; id++) {
			const struct tally *reported = tally_of(checked->reported[i], id);
			const struct tally *counted = tally_of(checked->counted[i], id);

			FUZZ_MUST(reported->complete == counted->complete, "table %zu, id %u: %" PRIu64 " are %" PRIu64,
				  i, id, reported->complete, counted->complete);
			/* a message that arrived after it was given up has a row as lost and one as received */
			FUZZ_MUST(i == 1 ? reported->incomplete <= counted->incomplete
					 : reported->incomplete == counted->incomplete,
				  "table %zu, id %u: %" PRIu64 " are %" PRIu64, i, id, reported->incomplete,
				  counted->incomplete);
			FUZZ_MUST(counted->latched <= reported->latched, "only latched messages have no latency");
		}
	}
}

static void checked_table_destroy(gpointer data)
{
	struct checked_table *table = data;

	statistics_columns_destroy(table->columns);
	g_free(table);
}

static void checked_output_init(struct checked_output *checked)
{
	*checked = (struct checked_output){
		.output.open = open_checked,
		.rows = g_string_new(NULL),
		.tables = g_ptr_array_new_with_free_func(checked_table_destroy),
	};
	for (size_t i = 0; i < G_N_ELEMENTS(checked->reported); i++) {
		checked->reported[i] = g_array_new(FALSE, TRUE, sizeof(struct tally));
		checked->counted[i] = g_array_new(FALSE, TRUE, sizeof(struct tally));
	}
}

/* Gives the rows, to be freed. */
static char *checked_output_clear(struct checked_output *checked)
{
	g_ptr_array_unref(checked->tables);
	for (size_t i = 0; i < G_N_ELEMENTS(checked->reported); i++) {
		g_array_unref(checked->reported[i]);
		g_array_unref(checked->counted[i]);
	}
	return g_string_free(checked->rows, FALSE);
}

static bool is_definition(const struct event_record *record)
{
	return record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) == EVENT_CLASS_INIT;
}

/* The rows of all tables except the diagnostics. With `has_copies` each definition is recorded twice. */
static char *report(const struct analysis_options *options, struct recording *recording, const GArray *records,
		    bool has_copies)
{
	struct checked_output checked;
	struct session *session;

	checked_output_init(&checked);
	session = session_create_for_tables(recording, options, &checked.output);
	for (guint i = 0; i < records->len; i++) {
		const struct event_record *record = &g_array_index(records, struct event_record, i);

		session_feed(session, record, 1);
		if (has_copies && is_definition(record)) {
			session_feed(session, record, 1);
		}
	}
	(void)session_finish(session, NULL);
	check_sums(&checked);
	session_destroy(session);
	return checked_output_clear(&checked);
}

/* --- the flow linker --- */

struct flow_state {
	bool is_resolved, is_finished;
};

struct flow_check {
	GHashTable *executions; /* struct flow_execution * → struct flow_state *, owned */
	GHashTable *deliveries; /* text of the key */
	GHashTable *expectations;
};

static struct flow_state *state_of(struct flow_check *check, struct flow_execution *execution)
{
	struct flow_state *state = g_hash_table_lookup(check->executions, execution);

	if (!state) {
		state = g_new0(struct flow_state, 1);
		g_hash_table_insert(check->executions, execution, state);
	}
	return state;
}

static void check_once(GHashTable *keys, uint64_t publication, const struct model_subscription *subscription,
		       bool is_intra_process)
{
	char *key = g_strdup_printf("publication %" PRIu64 ", subscription %u, intra-process %d", publication,
				    subscription->index, is_intra_process);

	FUZZ_MUST(!g_hash_table_contains(keys, key), "%s: once", key);
	g_hash_table_add(keys, key);
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct flow_check *check = data;

	FUZZ_MUST(delivery->publication, "a delivery has its publication");
	FUZZ_MUST(!delivery->subscription || !delivery->service, "a subscription or a service");
	FUZZ_MUST(delivery->publication->first_ns <= delivery->publication->last_ns, "first is not after last");
	if (delivery->subscription) {
		check_once(check->deliveries, delivery->publication->id, delivery->subscription,
			   delivery->is_intra_process);
	}
	if (delivery->has_take && delivery->has_start) {
		FUZZ_MUST(delivery->take_ns <= delivery->callback_start_ns, "start after take");
	}
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			bool is_intra_process, enum flow_outcome outcome)
{
	struct flow_check *check = data;

	if (outcome == FLOW_NOT_EXPECTED) {
		return;
	}
	check_once(check->expectations, publication->id, subscription, is_intra_process);
}

static void on_resolved(void *data, struct flow_execution *execution)
{
	struct flow_state *state = state_of(data, execution);

	FUZZ_MUST(!state->is_resolved && !state->is_finished, "resolved once, before it is finished");
	state->is_resolved = true;
}

static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	struct flow_state *state = state_of(data, execution);

	FUZZ_MUST(state->is_resolved && !state->is_finished, "finished once, after it was resolved");
	FUZZ_MUST(!execution->is_complete || execution->start_ns <= execution->end_ns, "end after start");
	state->is_finished = true;
}

static void on_released(void *data, struct flow_execution *execution)
{
	struct flow_check *check = data;

	g_hash_table_remove(check->executions, execution);
}

static void check_counts(const struct flow_linker *linker)
{
	struct flow_counts counts;

	flow_linker_counts(linker, &counts);
	FUZZ_MUST(counts.linked_takes <= counts.takes, "%" PRIu64 " of %" PRIu64, counts.linked_takes, counts.takes);
	FUZZ_MUST(counts.inferred_takes <= counts.linked_takes, "inferred are linked");
}

static void check_flow(const struct analysis_options *options, struct recording *recording, const GArray *records)
{
	struct flow_check check = {
		.executions = g_hash_table_new_full(NULL, NULL, NULL, g_free),
		.deliveries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.expectations = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	const struct flow_listener listener = {
		.data = &check,
		.delivered = on_delivered,
		.expected = on_expected,
		.resolved = on_resolved,
		.finished = on_finished,
		.released = on_released,
	};
	struct pipeline *pipeline = pipeline_create(recording, PIPELINE_FLOWS);
	struct flow_linker *flows = pipeline->flows;

	flow_linker_add_rules(flows, options->links, options->link_count);
	flow_linker_add_listener(flows, &listener);
	for (guint i = 0; i < records->len; i++) {
		pipeline_feed(pipeline, &g_array_index(records, struct event_record, i));
	}
	pipeline_finish(pipeline);
	check_counts(flows);
	pipeline_destroy(pipeline);
	FUZZ_MUST(g_hash_table_size(check.executions) == 0, "%u executions are never released",
		  g_hash_table_size(check.executions));
	g_hash_table_destroy(check.executions);
	g_hash_table_destroy(check.deliveries);
	g_hash_table_destroy(check.expectations);
}

/* --- the input --- */

static const char *const rules[] = { "/a: /a -> /b: periodic_async", "/a/b: /c -> /b: partial_sync", NULL };
static void read_options(struct fuzz_input *input, struct analysis_options *options, GArray *links, int64_t first_ns)
{
	uint8_t bits = fuzz_input_byte(input);
	uint8_t begin = fuzz_input_byte(input);
	uint8_t end = fuzz_input_byte(input);

	for (unsigned int i = 3; i < OPTION_BYTES; i++) {
		(void)fuzz_input_byte(input);
	}
	quantile_count = bits & OPTION_QUANTILES ? G_N_ELEMENTS(quantiles) : 0;
	*options = (struct analysis_options){
		.range = {
			.has_begin = bits & OPTION_BEGIN,
			.begin = { MOMENT_FROM_EPOCH, first_ns + ((int64_t)1 << begin % 62) / 2 },
			.has_end = bits & OPTION_END,
			.end = { MOMENT_FROM_EPOCH, first_ns + ((int64_t)1 << end % 62) / 2 },
		},
	};
	options->worst = end % 8;
	if (bits & OPTION_LINKS) {
		options->links = (const struct link_rule *)(const void *)links->data;
		options->link_count = links->len;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz_input input = { bytes, size };
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autoptr(GArray) links = link_rules_parse(rules, NULL);
	struct analysis_options options;
	g_autoptr(GArray) records = NULL;
	g_autofree char *first = NULL;
	g_autofree char *second = NULL;

	read_options(&input, &options, links, INT64_C(1700000000000000000));
	records = record_script_read(&input, recording);
	first = report(&options, recording, records, false);
	second = report(&options, recording, records, true);
	FUZZ_MUST(strcmp(first, second) == 0, "the same with copies:\n%s\n%s", first, second);
	check_flow(&options, recording, records);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return 0;
}
