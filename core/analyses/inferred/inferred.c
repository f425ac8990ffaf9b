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
#include "core/analyses/analyses.h"
#include "core/analyses/inferred/inferred_tables.h"
#include "core/base/slots.h"

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
	gpointer *slot = slot_at(inferred->by_callback, callback->index);
	struct inferred_row *row = *slot;

	if (G_UNLIKELY(!row)) {
		struct arena *arena = recording_arena(inferred->recording);

		row = *slot = arena_take(arena, sizeof(*row));
		row->id = inferred->rows->len + 1;
		row->callback = callback;
		duration_statistics_init(&row->at_least, arena);
		duration_statistics_init(&row->at_most, arena);
		g_ptr_array_add(inferred->rows, row);
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

/* The last publication that certainly belongs to the execution, or else its take. */
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
	inferred_tables_write_instance(inferred, row, execution, min_ns);
}

static void write_publication(const struct inferred *inferred, const struct kept_publication *kept)
{
	const struct inferred_origin *take = NULL;

	for (uint32_t i = 0; i < kept->count; i++) {
		if (flow_linker_holds(inferred->flows, kept->candidates + 1 + i)) {
			take = &kept->takes[i];
		}
	}
	inferred_tables_write_origin(inferred, kept->origin, kept->thread, kept->publish_ns, take);
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct inferred *inferred = g_new0(struct inferred, 1);

	inferred->recording = context->recording;
	inferred->model = context->model;
	inferred->flows = context->flows;
	inferred->diagnostics = context->diagnostics;
	inferred->options = context->options;
	inferred->numbers = context->numbers;
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

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	inferred_tables_write(analysis, writers);
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
	.tables = inferred_tables,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.create = create,
	.finish = finish,
	.write = write_tables,
	.destroy = destroy,
};
