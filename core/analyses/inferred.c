/* SPDX-License-Identifier: MIT */
/*
 * Nodes without rclcpp, and what is inferred about them:
 *
 *   inferred_executions  A row for each of their callbacks: how many takes stand for an execution, and between which
 *                        times after the take these ended. at_least: the last publication that certainly belongs to the
 *                        execution, or 0. at_most: the next boundary of the thread (inferred_executions.h).
 *   inferred_instances   A row for each of these takes.
 *   origins              A row for each publisher of their processes: how many of its publications result from a
 *                        message that the node took, and how that was decided (core/flow/provenance.h).
 *   origin_instances     A row for each of these publications, with the take that it results from.
 *
 * An execution counts in the time range by its take, a publication by its first publish event. The counts of `origins`
 * are those of the whole recording, by which it is decided.
 *
 * Which publication results from which take is decided at the end: until then takes and publications wait in a spool
 * each (core/base/spool.h). Cost: O(1) per take and publication. Memory: that of two spools.
 */
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/columns.h"
#include "core/model/object_numbers.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/spool.h"
#include "core/tables/row_list.h"

struct inferred_row {
	uint64_t id; /* from 1, in the order of first takes */
	struct model_callback *callback;
	uint64_t count, publishing;
	struct duration_statistics at_least, at_most;
	/* As it is written: */
	struct row_process process;
	const char *node, *source, *which;
};

struct inferred {
	struct analysis analysis;  /* its rows are struct inferred_row by index of the callback */
	uint64_t count;		   /* of them */
	struct spool executions;   /* struct inferred_execution */
	struct spool publications; /* struct kept_publication */
};

/* clang-format off */
#define ROW struct inferred_row
static const struct table_column execution_columns[] = {
	{ .name = "inferred_id", .id_of = "inferred_executions", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	COLUMNS_OF_PROCESS(process),
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP,
	  .hints = HINT_MAY_BE_HIDDEN, CELL_OF(node) },
	{ .name = "source", .means = MEANS_SOURCE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .hints = HINT_MAY_BE_HIDDEN, CELL_OF(source) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_OF(count) },
	{ .name = "publishing", .merge = COLUMN_MERGE_SUM, CELL_OF(publishing) },
	{ .name = "at_least", .label = "at least", .format = COLUMN_STATISTIC, CELL_OF(at_least) },
	{ .name = "at_most", .label = "at most", .format = COLUMN_STATISTIC, CELL_OF(at_most) },
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(which) },
};

static const struct table_column execution_unwritten[] = {
	{ .name = "topic", .means = MEANS_TOPIC, CELL_OF(source) },
};

static const struct table_schema execution_schema = {
	TABLE("inferred_executions", execution_columns), UNWRITTEN(execution_unwritten),
	.title = "Inferred executions: when after the take they ended", .selection = "inferred", .presence = PRESENT_IF_ANY,
	.why_empty = "needs nodes without rclcpp, see docs/other-clients.md",
	.order = "hostname procname vpid node source inferred_id",
};
#undef ROW

struct instance {
	struct cell inferred_id, vtid, start, end_min, end_max;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "inferred_id", .id_of = "inferred_executions", CELL_OF(inferred_id) },
	{ .name = "vtid", .means = MEANS_THREAD, CELL_OF(vtid) },
	{ .name = "start_ns", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_min_ns", .format = COLUMN_TIME, CELL_OF(end_min) },
	{ .name = "end_max_ns", .format = COLUMN_TIME, CELL_OF(end_max) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("inferred_instances", instance_columns), .title = "Inferred executions one by one",
	.selection = "inferred", .presence = PRESENT_IF_ANY, .kind = KIND_INSTANCES,
};
#undef ROW

struct origin_row {
	uint64_t id;
	struct row_process process;
	const char *node, *sources;
	struct flow_origin origin;
	struct cell which;
};

#define ROW struct origin_row
static const struct table_column origin_columns[] = {
	{ .name = "origin_id", .id_of = "origins", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	{ .name = "hostname", .means = MEANS_HOST, .label = "on", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_TELLS_APART(HOST), CELL_OF(process.hostname) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_TELLS_APART(PROCESS), CELL_OF(process.vpid) },
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, CELL_OF(node) },
	{ .name = "topic", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .hints = HINT_MAY_BE_HIDDEN, CELL_VIA(origin.publisher, topic) },
	{ .name = "publications", .merge = COLUMN_MERGE_SUM, CELL_OF(origin.publications) },
	{ .name = "linked", .merge = COLUMN_MERGE_SUM, CELL_OF(origin.linked) },
	{ .name = "decided", CELL_OF(origin.verdict) },
	{ .name = "sources", .format = COLUMN_NAME, CELL_OF(sources) },
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(which) },
};

static const struct table_schema origin_schema = {
	TABLE("origins", origin_columns),
	.title = "Origins: from which messages publications of nodes without rclcpp come", .selection = "inferred",
	.presence = PRESENT_IF_ANY, .why_empty = "needs publications of nodes without rclcpp, see docs/other-clients.md",
};
#undef ROW

struct origin_instance {
	struct cell origin_id, vtid, publish, inferred_id, take;
};

#define ROW struct origin_instance
static const struct table_column origin_instance_columns[] = {
	{ .name = "origin_id", .id_of = "origins", CELL_OF(origin_id) },
	{ .name = "vtid", .means = MEANS_THREAD, CELL_OF(vtid) },
	{ .name = "publish_ns", .format = COLUMN_TIME, CELL_OF(publish) },
	{ .name = "inferred_id", .id_of = "inferred_executions", CELL_OF(inferred_id) },
	{ .name = "take_ns", .format = COLUMN_TIME, CELL_OF(take) },
};

static const struct table_schema origin_instance_schema = {
	TABLE_OF_CELLS("origin_instances", origin_instance_columns), .title = "Origins of publications one by one",
	.selection = "inferred", .presence = PRESENT_IF_ANY, .kind = KIND_INSTANCES,
};
#undef ROW
/* clang-format on */

enum { TABLE_EXECUTIONS, TABLE_INSTANCES, TABLE_ORIGINS, TABLE_ORIGIN_INSTANCES };

/* The take that a publication results from. */
struct inferred_origin {
	uint64_t inferred_id;
	int64_t take_ns;
};

/* A publication in its spool. */
struct kept_publication {
	uint32_t origin;
	uint32_t thread;
	int64_t publish_ns;
	uint32_t candidates; /* the condition that it results from none of the takes; that of take i is candidates + 1 +
				i */
	uint32_t count;
	struct inferred_origin takes[INFERRED_BATCH_MAX];
};

/* --- while the recording goes on --- */

static struct inferred_row *row_of(struct inferred *inferred, struct model_callback *callback)
{
	struct inferred_row *row = row_store_at(&inferred->analysis.rows, callback->index);

	if (G_UNLIKELY(!row->callback)) {
		row->id = ++inferred->count;
		row->callback = callback;
	}
	return row;
}

static void on_opened(void *data, struct inferred_execution *execution)
{
	row_of(data, execution->callback);
}

static void on_closed(void *data, struct inferred_execution *execution)
{
	struct inferred *inferred = data;

	if (analysis_options_include(inferred->analysis.context.options, execution->start_ns)) {
		row_of(inferred, execution->callback)->count++;
		spool_write(&inferred->executions, execution, sizeof(*execution));
	}
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct inferred *inferred = data;
	const struct analysis_context *context = &inferred->analysis.context;
	struct kept_publication kept = {
		.origin = publication->publisher ? flow_linker_origin_id(context->flows, publication->publisher) : 0,
		.thread = publication->thread,
		.publish_ns = publication->first_ns,
		.candidates = publication->candidates,
	};

	if (kept.origin == 0 || publication->has_direct_parent ||
	    !analysis_options_include(context->options, publication->first_ns)) {
		return;
	}
	kept.count = (uint32_t)flow_linker_candidate_count(context->flows, publication->candidates);
	for (uint32_t i = 0; i < kept.count; i++) {
		kept.takes[i].take_ns = publication->parents[i]->start_ns;
		kept.takes[i].inferred_id = row_of(inferred, publication->parents[i]->callback)->id;
	}
	spool_write(&inferred->publications, &kept, sizeof(kept));
}

static void begin(void *data)
{
	struct inferred *inferred = data;
	struct analysis *analysis = &inferred->analysis;

	spool_init(&inferred->executions);
	arena_own(analysis_arena(analysis), &inferred->executions, (GDestroyNotify)spool_clear);
	spool_init(&inferred->publications);
	arena_own(analysis_arena(analysis), &inferred->publications, (GDestroyNotify)spool_clear);
	if (analysis->writers[TABLE_ORIGIN_INSTANCES]) {
		flow_linker_add_listener(analysis->context.flows,
					 &(struct flow_listener){ .data = inferred, .settled = on_settled });
	}
}

/* --- at the end --- */

/* The last publication that certainly belongs to the execution, or else its take. */
static int64_t end_min_ns(const struct inferred *inferred, const struct inferred_execution *execution)
{
	int64_t last_ns = execution->start_ns;

	for (uint32_t i = 0; i < execution->publications_count; i++) {
		if (flow_linker_holds(inferred->analysis.context.flows, execution->publications[i].condition)) {
			last_ns = MAX(last_ns, execution->publications[i].last_ns);
		}
	}
	return last_ns;
}

static struct cell thread_cell(const struct analysis *analysis, uint32_t thread)
{
	return vtid_cell(recording_thread(analysis->context.recording, thread));
}

static void name_row(const struct analysis_context *context, struct inferred_row *row)
{
	const struct model_callback_info *info = object_model_callback_info(context->model, row->callback);

	row->node = info->node;
	row->source = callback_source(info);
}

/* If the report is about the callback. */
static void write_instance(const struct analysis *analysis, struct inferred_row *row,
			   const struct inferred_execution *execution, int64_t min_ns)
{
	bool has_max = execution->end_max_ns != INFERRED_NO_END;

	name_row(&analysis->context, row);
	if (!analysis_is_about(analysis, row)) {
		return;
	}
	row_write(analysis->writers[TABLE_INSTANCES], &instance_schema,
		  &(struct instance){
			  .inferred_id = cell_unsigned(row->id),
			  .vtid = thread_cell(analysis, execution->thread),
			  .start = cell_integer(execution->start_ns),
			  .end_min = cell_integer(min_ns),
			  .end_max = has_max ? cell_integer(execution->end_max_ns) : CELL_NONE,
		  });
}

static void add_execution(struct inferred *inferred, const struct inferred_execution *execution)
{
	const struct analysis *analysis = &inferred->analysis;
	struct inferred_row *row = row_of(inferred, execution->callback);
	int64_t min_ns = end_min_ns(inferred, execution);

	row->publishing += min_ns > execution->start_ns;
	duration_statistics_add(&row->at_least, min_ns - execution->start_ns, execution->start_ns);
	if (execution->end_max_ns != INFERRED_NO_END) {
		duration_statistics_add(&row->at_most, execution->end_max_ns - execution->start_ns,
					execution->start_ns);
	}
	if (analysis->writers[TABLE_INSTANCES]) {
		write_instance(analysis, row, execution, min_ns);
	}
}

static void write_publication(const struct analysis *analysis, const struct kept_publication *kept)
{
	const struct analysis_context *context = &analysis->context;
	const struct inferred_origin *take = NULL;
	struct origin_row of = { .origin = flow_linker_origin_at(context->flows, kept->origin - 1) };

	of.node = object_model_publisher_node(context->model, of.origin.publisher);
	for (uint32_t i = 0; i < kept->count; i++) {
		if (flow_linker_holds(context->flows, kept->candidates + 1 + i)) {
			take = &kept->takes[i];
		}
	}
	if (row_is_chosen(&context->options->names, &origin_schema, &of)) {
		row_write(analysis->writers[TABLE_ORIGIN_INSTANCES], &origin_instance_schema,
			  &(struct origin_instance){
				  .origin_id = cell_unsigned(kept->origin),
				  .vtid = thread_cell(analysis, kept->thread),
				  .publish = cell_integer(kept->publish_ns),
				  .inferred_id = take ? cell_unsigned(take->inferred_id) : CELL_NONE,
				  .take = take ? cell_integer(take->take_ns) : CELL_NONE,
			  });
	}
}

static void finish(void *data)
{
	struct inferred *inferred = data;
	struct inferred_execution execution;
	struct kept_publication publication;

	spool_rewind(&inferred->executions);
	while (spool_read(&inferred->executions, &execution, sizeof(execution))) {
		add_execution(inferred, &execution);
	}
	spool_rewind(&inferred->publications);
	while (spool_read(&inferred->publications, &publication, sizeof(publication))) {
		write_publication(&inferred->analysis, &publication);
	}
	if (spool_has_failed(&inferred->executions) || spool_has_failed(&inferred->publications)) {
		diagnostics_add(inferred->analysis.context.diagnostics, DIAGNOSTIC_PATHS_CAPPED,
				"no room for a temporary file", 1);
	}
}

/* --- the tables --- */

static void write_executions(const struct analysis *analysis, struct table_writer *writer)
{
	const struct analysis_context *context = &analysis->context;
	g_autoptr(row_list) rows = analysis_rows(analysis, &execution_schema);

	for (guint i = 0; i < analysis->rows.rows->len; i++) {
		struct inferred_row *row = analysis->rows.rows->pdata[i];

		if (row) {
			name_row(context, row);
			row->process = row_process_of(context->recording, row->callback->process);
			row->which = row_list_keep(rows, object_numbers_callback(context->numbers, row->callback));
			row_list_add(rows, row);
		}
	}
	row_list_write(rows, writer);
}

/* The topics and services whose messages an origin results from; NULL if there are none. To be freed. */
static char *sources_text(const struct analysis_context *context, const struct flow_origin *origin)
{
	g_autoptr(GString) sources = g_string_new(NULL);

	for (size_t i = 0; i < origin->source_count; i++) {
		const char *source = callback_source(object_model_callback_info(context->model, origin->sources[i]));

		g_string_append_printf(sources, "%s%s", i > 0 ? ", " : "", source ? source : "?");
	}
	return sources->len > 0 ? g_string_free(g_steal_pointer(&sources), FALSE) : NULL;
}

static void write_origins(const struct analysis *analysis, struct table_writer *writer)
{
	const struct analysis_context *context = &analysis->context;
	g_autoptr(row_list) rows = analysis_rows(analysis, &origin_schema);

	for (size_t i = 0; i < flow_linker_origin_count(context->flows); i++) {
		struct flow_origin origin = flow_linker_origin_at(context->flows, i);

		*(struct origin_row *)row_list_make(rows) = (struct origin_row){
			.id = i + 1,
			.process = row_process_of(context->recording, origin.publisher->process),
			.node = object_model_publisher_node(context->model, origin.publisher),
			.sources = row_list_keep(rows, sources_text(context, &origin)),
			.origin = origin,
			.which = object_numbers_cell(context->numbers, MODEL_PUBLISHER, &origin.publisher->object),
		};
	}
	row_list_write(rows, writer);
}

static void write_tables(const void *data, struct table_writer *const *writers)
{
	const struct analysis *analysis = data;

	write_executions(analysis, writers[TABLE_EXECUTIONS]);
	if (writers[TABLE_ORIGINS]) {
		write_origins(analysis, writers[TABLE_ORIGINS]);
	}
}

const struct analysis_class inferred_analysis = {
	.name = "inferred",
	.tables = (const struct table_schema *const[]){ &execution_schema, &instance_schema, &origin_schema,
							&origin_instance_schema, NULL },
	.needs = ANALYSIS_NEEDS_FLOWS,
	.inferred = { .opened = on_opened, .closed = on_closed },
	.size = sizeof(struct inferred),
	.begin = begin,
	.finish = finish,
	.write = write_tables,
};
