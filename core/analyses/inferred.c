/* SPDX-License-Identifier: MIT */
/*
 * Nodes without rclcpp, and what is inferred of them: the tables
 *
 *   inferred_executions  a row for each of their callbacks: how many takes stand for one, and the bracket of their
 * ends: after the take at_least (the last publication that certainly comes from it; 0 without one) and at_most (the
 * next boundary of the thread, inferred_executions.h); durations lie in between inferred_instances   a row for each of
 * these takes origins              a row for each publisher of their processes: how many of its publications come from
 * a message that the node took, and how that was decided (core/flow/provenance.h) origin_instances     a row for each
 * of these publications, with the take that it comes from
 *
 * An execution counts in the time range by its take, a publication by its first publish event; the counts of `origins`
 * are of the whole recording, by which it is decided.
 *
 * What comes from what is known at the end: until then everything waits in spools. Memory: that of two spools.
 */
#include "core/analyses/analyses.h"
#include "core/base/name_filter.h"
#include "core/base/spool.h"
#include "ros2bt/duration_statistics.h"

enum { TABLE_EXECUTIONS, TABLE_INSTANCES, TABLE_ORIGINS, TABLE_ORIGIN_INSTANCES };

struct inferred_row {
	uint64_t id; /* in order of the first execution that was closed */
	struct model_callback *callback;
	uint64_t count, publishing;
	struct duration_statistics at_least, at_most;
};

/* Pieces of the spools. */
struct kept_publication {
	uint32_t origin;
	uint32_t thread;
	int64_t publish_ns;
	uint32_t candidates; /* the condition that it comes from none of these */
	uint32_t count;
	struct {
		int64_t take_ns;
		uint64_t inferred_id;
	} takes[INFERRED_BATCH_MAX];
};

struct inferred {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	struct flow_linker *flows;
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	struct table_writer *instances, *origin_instances; /* NULL if nobody asked */
	GPtrArray *rows;				   /* struct inferred_row *, in the arena, by id - 1 */
	GPtrArray *by_callback;				   /* the same, by index of the callback; NULL */
	struct spool executions;			   /* struct inferred_execution */
	struct spool publications;			   /* struct kept_publication */
};

static const struct table_column execution_columns[] = {
	{ .name = "inferred_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_GROUP },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_GROUP },
	{ .name = "procname", .label = "process", .role = COLUMN_ROLE_GROUP },
	{ .name = "node",
	  .merge = COLUMN_MERGE_KEY,
	  .role = COLUMN_ROLE_GROUP,
	  .hints = &(const struct text_hints){ .may_be_hidden = true } },
	{ .name = "source",
	  .merge = COLUMN_MERGE_KEY,
	  .format = COLUMN_NAME,
	  .hints = &(const struct text_hints){ .may_be_hidden = true } },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "publishing", .merge = COLUMN_MERGE_SUM },
	{ .name = "at_least", .label = "at least", .format = COLUMN_STATISTIC },
	{ .name = "at_most", .label = "at most", .format = COLUMN_STATISTIC },
};

static const struct table_schema execution_schema = {
	.name = "inferred_executions",
	.title = "Inferred executions: when after the take they ended",
	.selection = "inferred",
	.is_optional = true,
	.columns = execution_columns,
	.column_count = G_N_ELEMENTS(execution_columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "inferred_id" },
	{ .name = "vtid" },
	{ .name = "start_ns", .format = COLUMN_TIME },
	{ .name = "end_min_ns", .format = COLUMN_TIME },
	{ .name = "end_max_ns", .format = COLUMN_TIME },
};

static const struct table_schema instance_schema = {
	.name = "inferred_instances",
	.title = "Inferred executions one by one",
	.selection = "inferred",
	.is_optional = true,
	.is_instances = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_column origin_columns[] = {
	{ .name = "origin_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_DETAIL },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_DETAIL },
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "topic",
	  .merge = COLUMN_MERGE_KEY,
	  .format = COLUMN_NAME,
	  .hints = &(const struct text_hints){ .may_be_hidden = true } },
	{ .name = "publications", .merge = COLUMN_MERGE_SUM },
	{ .name = "linked", .merge = COLUMN_MERGE_SUM },
	{ .name = "decided" },
	{ .name = "sources", .format = COLUMN_NAME },
};

static const struct table_schema origin_schema = {
	.name = "origins",
	.title = "Origins: from which messages publications of nodes without rclcpp come",
	.selection = "inferred",
	.is_optional = true,
	.columns = origin_columns,
	.column_count = G_N_ELEMENTS(origin_columns),
};

static const struct table_column origin_instance_columns[] = {
	{ .name = "origin_id" },
	{ .name = "vtid" },
	{ .name = "publish_ns", .format = COLUMN_TIME },
	{ .name = "inferred_id" },
	{ .name = "take_ns", .format = COLUMN_TIME },
};

static const struct table_schema origin_instance_schema = {
	.name = "origin_instances",
	.title = "Origins of publications one by one",
	.selection = "inferred",
	.is_optional = true,
	.is_instances = true,
	.columns = origin_instance_columns,
	.column_count = G_N_ELEMENTS(origin_instance_columns),
};

/* clang-format off */
static const struct table_schema *const tables[] = {
	[TABLE_EXECUTIONS] = &execution_schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_ORIGINS] = &origin_schema,
	[TABLE_ORIGIN_INSTANCES] = &origin_instance_schema,
	NULL,
};
/* clang-format on */

/* --- while the recording goes on --- */

static struct inferred_row *row_of(struct inferred *inferred, struct model_callback *callback)
{
	struct arena *arena = recording_arena(inferred->recording);
	struct inferred_row *row;

	if (callback->index >= inferred->by_callback->len) {
		g_ptr_array_set_size(inferred->by_callback, (gint)callback->index + 1);
	}
	row = inferred->by_callback->pdata[callback->index];
	if (!row) {
		row = arena_take(arena, sizeof(*row));
		row->id = inferred->rows->len + 1;
		row->callback = callback;
		duration_statistics_init(&row->at_least, arena);
		duration_statistics_init(&row->at_most, arena);
		g_ptr_array_add(inferred->rows, row);
		inferred->by_callback->pdata[callback->index] = row;
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

	if (analysis_options_include(inferred->options, execution->start_ns)) {
		row_of(inferred, execution->callback)->count++;
		spool_write(&inferred->executions, execution, sizeof(*execution));
	}
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct inferred *inferred = data;
	struct kept_publication kept = {
		.origin = publication->publisher ? flow_linker_origin_id(inferred->flows, publication->publisher) : 0,
		.thread = publication->thread,
		.publish_ns = publication->first_ns,
		.candidates = publication->candidates,
	};

	if (kept.origin == 0 || publication->has_direct_parent ||
	    !analysis_options_include(inferred->options, publication->first_ns)) {
		return;
	}
	kept.count = (uint32_t)flow_linker_candidate_count(inferred->flows, publication->candidates);
	for (uint32_t i = 0; i < kept.count; i++) {
		kept.takes[i].take_ns = publication->parents[i]->start_ns;
		kept.takes[i].inferred_id = row_of(inferred, publication->parents[i]->callback)->id;
	}
	spool_write(&inferred->publications, &kept, sizeof(kept));
}

/* --- at the end --- */

static const char *source_of(const struct inferred *inferred, struct model_callback *callback)
{
	const struct model_callback_info *info = object_model_callback_info(inferred->model, callback);

	return info->subscription ? info->subscription->topic : info->service->name;
}

static bool is_chosen(const struct inferred *inferred, const char *node, const char *topic)
{
	return name_filter_passes(inferred->options->nodes, &node, 1) &&
	       name_filter_passes(inferred->options->topics, &topic, 1);
}

static bool is_row_chosen(const struct inferred *inferred, const struct inferred_row *row)
{
	return is_chosen(inferred, object_model_callback_info(inferred->model, row->callback)->node,
			 source_of(inferred, row->callback));
}

static struct cell vtid_cell(const struct inferred *inferred, uint32_t thread_index)
{
	const struct recording_thread *thread = recording_thread(inferred->recording, thread_index);

	return thread->has_vtid ? cell_integer(thread->vtid) : CELL_NONE;
}

/* The last publication that is certainly the execution's, else its take. */
static int64_t end_min_ns(const struct inferred *inferred, const struct inferred_execution *execution)
{
	int64_t last_ns = execution->start_ns;

	for (uint32_t i = 0; i < execution->publications_count; i++) {
		if (flow_linker_holds(inferred->flows, execution->publications[i].condition)) {
			last_ns = MAX(last_ns, execution->publications[i].last_ns);
		}
	}
	return last_ns;
}

static void add_execution(struct inferred *inferred, const struct inferred_execution *execution)
{
	struct inferred_row *row = row_of(inferred, execution->callback);
	int64_t min_ns = end_min_ns(inferred, execution);
	bool has_max = execution->end_max_ns != INFERRED_NO_END;

	row->publishing += min_ns > execution->start_ns;
	duration_statistics_add(&row->at_least, min_ns - execution->start_ns, execution->start_ns);
	if (has_max) {
		duration_statistics_add(&row->at_most, execution->end_max_ns - execution->start_ns,
					execution->start_ns);
	}
	if (inferred->instances && is_row_chosen(inferred, row)) {
		table_row(inferred->instances, (struct cell[]){
						       cell_unsigned(row->id),
						       vtid_cell(inferred, execution->thread),
						       cell_integer(execution->start_ns),
						       cell_integer(min_ns),
						       has_max ? cell_integer(execution->end_max_ns) : CELL_NONE,
					       });
	}
}

static bool is_origin_chosen(const struct inferred *inferred, const struct model_publisher *publisher)
{
	return is_chosen(inferred, object_model_publisher_node(inferred->model, publisher), publisher->topic);
}

static void write_publication(struct inferred *inferred, const struct kept_publication *kept)
{
	struct cell take[2] = { CELL_NONE, CELL_NONE };

	if (!is_origin_chosen(inferred, flow_linker_origin_at(inferred->flows, kept->origin - 1).publisher)) {
		return;
	}
	for (uint32_t i = 0; i < kept->count; i++) {
		if (flow_linker_holds(inferred->flows, kept->candidates + 1 + i)) {
			take[0] = cell_unsigned(kept->takes[i].inferred_id);
			take[1] = cell_integer(kept->takes[i].take_ns);
		}
	}
	table_row(inferred->origin_instances, (struct cell[]){
						      cell_unsigned(kept->origin),
						      vtid_cell(inferred, kept->thread),
						      cell_integer(kept->publish_ns),
						      take[0],
						      take[1],
					      });
}

static void finish(void *analysis)
{
	struct inferred *inferred = analysis;
	struct inferred_execution execution;
	struct kept_publication publication;

	spool_rewind(&inferred->executions);
	while (spool_read(&inferred->executions, &execution, sizeof(execution))) {
		add_execution(inferred, &execution);
	}
	spool_rewind(&inferred->publications);
	while (spool_read(&inferred->publications, &publication, sizeof(publication))) {
		write_publication(inferred, &publication);
	}
	if (spool_has_failed(&inferred->executions) || spool_has_failed(&inferred->publications)) {
		diagnostics_add(inferred->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "no room for a temporary file", 1);
	}
}

/* --- rows --- */

static void write_row(const struct inferred *inferred, struct table_writer *writer, const struct inferred_row *row)
{
	const struct recording_process *process = recording_process(inferred->recording, row->callback->process);

	table_row(writer, (struct cell[]){
				  cell_unsigned(row->id),
				  cell_text(recording_host(inferred->recording, process->host)->hostname),
				  process->has_vpid ? cell_integer(process->vpid) : CELL_NONE,
				  cell_text(process->procname),
				  cell_text(object_model_callback_info(inferred->model, row->callback)->node),
				  cell_text(source_of(inferred, row->callback)),
				  cell_unsigned(row->count),
				  cell_unsigned(row->publishing),
				  cell_statistic(&row->at_least),
				  cell_statistic(&row->at_most),
			  });
}

static void write_origin(const struct inferred *inferred, struct table_writer *writer, uint64_t id,
			 const struct flow_origin *origin)
{
	const struct recording_process *process = recording_process(inferred->recording, origin->publisher->process);
	g_autoptr(GString) sources = g_string_new(NULL);

	for (size_t i = 0; i < origin->source_count; i++) {
		const char *source = source_of(inferred, origin->sources[i]);

		g_string_append_printf(sources, "%s%s", i > 0 ? ", " : "", source ? source : "?");
	}
	table_row(writer, (struct cell[]){
				  cell_unsigned(id),
				  cell_text(recording_host(inferred->recording, process->host)->hostname),
				  process->has_vpid ? cell_integer(process->vpid) : CELL_NONE,
				  cell_text(object_model_publisher_node(inferred->model, origin->publisher)),
				  cell_text(origin->publisher->topic),
				  cell_unsigned(origin->publications),
				  cell_unsigned(origin->linked),
				  cell_text(origin->verdict),
				  sources->len > 0 ? cell_text(sources->str) : CELL_NONE,
			  });
}

struct sorted_row {
	const struct inferred_row *row;
	const struct recording_process *process;
	const char *hostname, *node, *source;
};

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct sorted_row *left = a;
	const struct sorted_row *right = b;
	int order = strcmp(left->hostname, right->hostname);

	order = order ? order : strcmp(left->process->procname, right->process->procname);
	order = order ? order
		      : (left->process->vpid > right->process->vpid) - (left->process->vpid < right->process->vpid);
	order = order ? order : g_strcmp0(left->node, right->node);
	order = order ? order : g_strcmp0(left->source, right->source);
	return order ? order : (left->row->id > right->row->id) - (left->row->id < right->row->id);
}

static void write_executions(const struct inferred *inferred, struct table_writer *writer)
{
	g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(struct sorted_row));

	for (guint i = 0; i < inferred->rows->len; i++) {
		const struct inferred_row *row = inferred->rows->pdata[i];
		const struct recording_process *process =
			recording_process(inferred->recording, row->callback->process);
		struct sorted_row entry = {
			.row = row,
			.process = process,
			.hostname = recording_host(inferred->recording, process->host)->hostname,
			.node = object_model_callback_info(inferred->model, row->callback)->node,
			.source = source_of(inferred, row->callback),
		};

		if (is_row_chosen(inferred, row)) {
			g_array_append_val(sorted, entry);
		}
	}
	g_array_sort(sorted, compare_rows);
	for (guint i = 0; i < sorted->len; i++) {
		write_row(inferred, writer, g_array_index(sorted, struct sorted_row, i).row);
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	const struct inferred *inferred = analysis;

	if (writers[TABLE_EXECUTIONS]) {
		write_executions(inferred, writers[TABLE_EXECUTIONS]);
	}
	for (size_t i = 0; writers[TABLE_ORIGINS] && i < flow_linker_origin_count(inferred->flows); i++) {
		struct flow_origin origin = flow_linker_origin_at(inferred->flows, i);

		if (is_origin_chosen(inferred, origin.publisher)) {
			write_origin(inferred, writers[TABLE_ORIGINS], i + 1, &origin);
		}
	}
}

/* --- life --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct inferred *inferred = g_new0(struct inferred, 1);

	inferred->recording = context->recording;
	inferred->model = context->model;
	inferred->flows = context->flows;
	inferred->diagnostics = context->diagnostics;
	inferred->options = context->options;
	inferred->instances = writers[TABLE_INSTANCES];
	inferred->origin_instances = writers[TABLE_ORIGIN_INSTANCES];
	inferred->rows = g_ptr_array_new();
	inferred->by_callback = g_ptr_array_new();
	spool_init(&inferred->executions);
	spool_init(&inferred->publications);
	inferred_executions_add_listener(context->inferred, &(struct inferred_listener){
								    .data = inferred,
								    .opened = on_opened,
								    .closed = on_closed,
							    });
	if (inferred->origin_instances) {
		flow_linker_add_listener(context->flows,
					 &(struct flow_listener){ .data = inferred, .settled = on_settled });
	}
	return inferred;
}

static void destroy(void *analysis)
{
	struct inferred *inferred = analysis;

	g_ptr_array_free(inferred->rows, TRUE);
	g_ptr_array_free(inferred->by_callback, TRUE);
	spool_clear(&inferred->executions);
	spool_clear(&inferred->publications);
	g_free(inferred);
}

const struct analysis_class inferred_analysis = {
	.name = "inferred",
	.tables = tables,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.create = create,
	.finish = finish,
	.write = write_tables,
	.destroy = destroy,
};
