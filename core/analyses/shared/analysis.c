/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/analysis.h"

#include "core/model/callback_ids.h"

struct owned_object {
	void *object;
	GDestroyNotify free_object;
};

void *analysis_own(struct analysis *analysis, void *object, GDestroyNotify free_object)
{
	g_array_append_val(analysis->owned, ((struct owned_object){ object, free_object }));
	return object;
}

void *analysis_part(const struct analysis *analysis, size_t size)
{
	return arena_take(recording_arena(analysis->context.recording), size);
}

GArray *analysis_array(struct analysis *analysis, size_t element_size)
{
	return analysis_own(analysis, g_array_new(FALSE, TRUE, (guint)element_size), (GDestroyNotify)g_array_unref);
}

GPtrArray *analysis_pointers(struct analysis *analysis)
{
	return analysis_own(analysis, g_ptr_array_new(), (GDestroyNotify)g_ptr_array_unref);
}

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
	if (flows.delivered || flows.settled || flows.expected || flows.concluded || flows.resolved || flows.finished ||
	    flows.released) {
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
	analysis->owned = g_array_new(FALSE, FALSE, sizeof(struct owned_object));
	if (class->row_size > 0) {
		row_store_init_of_size(&analysis->rows, class->row_size, arena);
	} else {
		row_store_init(&analysis->rows, class->tables[0], arena);
	}
	if (class->needs & ANALYSIS_NEEDS_CALLBACK_IDS) {
		callback_ids_listen(context->callback_ids);
	}
	if (class->begin) {
		class->begin(analysis);
	}
	add_listeners(analysis);
	return analysis;
}

void analysis_destroy(struct analysis *analysis)
{
	for (guint i = analysis->owned->len; i-- > 0;) {
		const struct owned_object *owned = &g_array_index(analysis->owned, struct owned_object, i);

		owned->free_object(owned->object);
	}
	g_array_unref(analysis->owned);
	row_store_clear(&analysis->rows);
}
