/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/analysis.h"

#include "core/model/callback_ids.h"

struct row_list *analysis_rows(const struct analysis *analysis, const struct table_schema *schema)
{
	struct row_list *rows = row_list_create(schema);

	rows->chosen = &analysis->context.options->names;
	return rows;
}

bool analysis_is_about(const struct analysis *analysis, const void *row)
{
	return row_is_chosen(&analysis->context.options->names, analysis->class->tables[0], row);
}

static void write_main_table(const struct analysis *analysis, struct table_writer *writer)
{
	g_autoptr(row_list) rows = analysis_rows(analysis, analysis->class->tables[0]);

	for (guint i = 0; i < analysis->rows.rows->len; i++) {
		void *row = analysis->rows.rows->pdata[i];

		if (row && (!analysis->class->prepare || analysis->class->prepare(analysis, row))) {
			row_list_add(rows, row);
		}
	}
	row_list_write(rows, writer);
}

void analysis_write(const struct analysis *analysis, struct table_writer *const *writers)
{
	if (analysis->class->write) {
		analysis->class->write(analysis, writers);
	} else {
		write_main_table(analysis, writers[0]);
	}
}

static void add_listeners(struct analysis *analysis)
{
	struct executions_listener executions = analysis->class->executions;
	struct inferred_listener inferred = analysis->class->inferred;
	struct flow_listener flows = analysis->class->flows;

	executions.data = inferred.data = flows.data = analysis;
	if (executions.started || executions.ended) {
		executions_add_listener(analysis->context.executions, &executions);
	}
	if (inferred.taken || inferred.opened || inferred.closed) {
		inferred_executions_add_listener(analysis->context.inferred, &inferred);
	}
	if (flows.delivered || flows.received || flows.settled || flows.missed || flows.concluded || flows.resolved ||
	    flows.finished || flows.released) {
		flow_linker_add_listener(analysis->context.flows, &flows);
	}
}

struct analysis *analysis_create(const struct analysis_class *class, const struct analysis_context *context,
				 struct table_writer *const *writers)
{
	struct arena *arena = recording_arena(context->recording);
	struct analysis *analysis = arena_take(arena, MAX(class->size, sizeof(*analysis)));

	analysis->class = class;
	analysis->context = *context;
	analysis->writers = writers;
	if (class->row_size > 0) {
		row_store_init_of_size(&analysis->rows, class->row_size, arena);
	} else {
		row_store_init(&analysis->rows, class->tables[0], arena);
	}
	analysis->rows.is_brief = !writers[0] || writers[0]->is_brief;
	if (class->needs & ANALYSIS_NEEDS_CALLBACK_IDS) {
		callback_ids_listen(context->callback_ids);
	}
	if (class->begin) {
		class->begin(analysis);
	}
	add_listeners(analysis);
	return analysis;
}
