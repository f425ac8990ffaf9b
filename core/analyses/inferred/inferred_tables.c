/* SPDX-License-Identifier: MIT */
#include "core/analyses/inferred/inferred_tables.h"

#include "core/analyses/shared/callback_choice.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/name_filter.h"

static const struct table_column execution_columns[] = {
	{ .name = "inferred_id", .role = COLUMN_ROLE_HIDDEN },
	COLUMNS_OF_PROCESS_GROUP,
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "source", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "publishing", .merge = COLUMN_MERGE_SUM },
	{ .name = "at_least", .label = "at least", .format = COLUMN_STATISTIC },
	{ .name = "at_most", .label = "at most", .format = COLUMN_STATISTIC },
	COLUMN_WHICH("which", "which"),
};

static const struct table_schema execution_schema = {
	.name = "inferred_executions",
	.title = "Inferred executions: when after the take they ended",
	.selection = "inferred",
	.is_optional = true,
	.why_empty = "needs nodes without rclcpp, see docs/other-clients.md",
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
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(HOST) },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "topic", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "publications", .merge = COLUMN_MERGE_SUM },
	{ .name = "linked", .merge = COLUMN_MERGE_SUM },
	{ .name = "decided" },
	{ .name = "sources", .format = COLUMN_NAME },
	COLUMN_WHICH("which", "which"),
};

static const struct table_schema origin_schema = {
	.name = "origins",
	.title = "Origins: from which messages publications of nodes without rclcpp come",
	.selection = "inferred",
	.is_optional = true,
	.why_empty = "needs publications of nodes without rclcpp, see docs/other-clients.md",
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
const struct table_schema *const inferred_tables[] = {
	[TABLE_EXECUTIONS] = &execution_schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_ORIGINS] = &origin_schema,
	[TABLE_ORIGIN_INSTANCES] = &origin_instance_schema,
	NULL,
};
/* clang-format on */

static bool is_origin_chosen(const struct inferred *inferred, const struct model_publisher *publisher)
{
	const char *node = object_model_publisher_node(inferred->model, publisher);

	return name_filter_passes(inferred->options->nodes, &node, 1) &&
	       name_filter_passes(inferred->options->topics, &publisher->topic, 1);
}

static struct cell thread_cell(const struct inferred *inferred, uint32_t thread)
{
	return vtid_cell(recording_thread(inferred->recording, thread));
}

void inferred_tables_write_instance(const struct inferred *inferred, const struct inferred_row *row,
				    const struct inferred_execution *execution, int64_t end_min_ns)
{
	bool has_max = execution->end_max_ns != INFERRED_NO_END;

	if (!inferred->instances || !callback_is_chosen(inferred->options, inferred->model, row->callback)) {
		return;
	}
	TABLE_ROW(inferred->instances, instance_columns,
		  (struct cell[]){
			  cell_unsigned(row->id),
			  thread_cell(inferred, execution->thread),
			  cell_integer(execution->start_ns),
			  cell_integer(end_min_ns),
			  has_max ? cell_integer(execution->end_max_ns) : CELL_NONE,
		  });
}

void inferred_tables_write_origin(const struct inferred *inferred, uint32_t origin, uint32_t thread, int64_t publish_ns,
				  const struct inferred_origin *take)
{
	if (!is_origin_chosen(inferred, flow_linker_origin_at(inferred->flows, origin - 1).publisher)) {
		return;
	}
	TABLE_ROW(inferred->origin_instances, origin_instance_columns,
		  (struct cell[]){
			  cell_unsigned(origin),
			  thread_cell(inferred, thread),
			  cell_integer(publish_ns),
			  take ? cell_unsigned(take->inferred_id) : CELL_NONE,
			  take ? cell_integer(take->take_ns) : CELL_NONE,
		  });
}

/* --- rows --- */

/* A row as it is sorted and written. */
struct output_row {
	const struct inferred_row *row;
	struct row_process process;
	const char *node, *source;
};

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = compare_row_processes(&left->process, &right->process);

	order = order ? order : g_strcmp0(left->node, right->node);
	order = order ? order : g_strcmp0(left->source, right->source);
	return order ? order : compare_unsigned(left->row->id, right->row->id);
}

static GArray *rows_of(const struct inferred *inferred)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct output_row));

	for (guint i = 0; i < inferred->rows->len; i++) {
		const struct inferred_row *row = inferred->rows->pdata[i];
		const struct model_callback_info *info = object_model_callback_info(inferred->model, row->callback);
		struct output_row output = {
			.row = row,
			.process = row_process_of(inferred->recording, row->callback->process),
			.node = info->node,
			.source = callback_source(info),
		};

		if (callback_is_chosen(inferred->options, inferred->model, row->callback)) {
			g_array_append_val(rows, output);
		}
	}
	g_array_sort(rows, compare_rows);
	return rows;
}

static void write_row(const struct inferred *inferred, struct table_writer *writer, const struct output_row *output)
{
	const struct inferred_row *row = output->row;
	g_autofree char *which = object_numbers_callback(inferred->numbers, row->callback);

	TABLE_ROW(writer, execution_columns,
		  (struct cell[]){
			  cell_unsigned(row->id),
			  cell_text(output->process.hostname),
			  vpid_cell(output->process.process),
			  cell_text(output->process.process->procname),
			  cell_text(output->node),
			  cell_text(output->source),
			  cell_unsigned(row->count),
			  cell_unsigned(row->publishing),
			  cell_statistic(&row->at_least),
			  cell_statistic(&row->at_most),
			  cell_text(which),
		  });
}

/* The topics and services whose messages an origin results from; NULL if there are none. To be freed. */
static char *sources_text(const struct inferred *inferred, const struct flow_origin *origin)
{
	g_autoptr(GString) sources = g_string_new(NULL);

	for (size_t i = 0; i < origin->source_count; i++) {
		const char *source = callback_source(object_model_callback_info(inferred->model, origin->sources[i]));

		g_string_append_printf(sources, "%s%s", i > 0 ? ", " : "", source ? source : "?");
	}
	return sources->len > 0 ? g_string_free(g_steal_pointer(&sources), FALSE) : NULL;
}

static void write_origin(const struct inferred *inferred, struct table_writer *writer, uint64_t id,
			 const struct flow_origin *origin)
{
	struct row_process process = row_process_of(inferred->recording, origin->publisher->process);
	g_autofree char *sources = sources_text(inferred, origin);

	TABLE_ROW(writer, origin_columns,
		  (struct cell[]){
			  cell_unsigned(id),
			  cell_text(process.hostname),
			  vpid_cell(process.process),
			  cell_text(object_model_publisher_node(inferred->model, origin->publisher)),
			  cell_text(origin->publisher->topic),
			  cell_unsigned(origin->publications),
			  cell_unsigned(origin->linked),
			  cell_text(origin->verdict),
			  cell_text(sources),
			  object_numbers_cell(inferred->numbers, MODEL_PUBLISHER, &origin->publisher->object),
		  });
}

void inferred_tables_write(const struct inferred *inferred, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = rows_of(inferred);

	for (guint i = 0; i < rows->len; i++) {
		write_row(inferred, writers[TABLE_EXECUTIONS], &g_array_index(rows, struct output_row, i));
	}
	for (size_t i = 0; writers[TABLE_ORIGINS] && i < flow_linker_origin_count(inferred->flows); i++) {
		struct flow_origin origin = flow_linker_origin_at(inferred->flows, i);

		if (is_origin_chosen(inferred, origin.publisher)) {
			write_origin(inferred, writers[TABLE_ORIGINS], i + 1, &origin);
		}
	}
}
