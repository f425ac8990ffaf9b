/* SPDX-License-Identifier: MIT */
#include "core/analyses/executors/executor_threads.h"

#include <string.h>

#include "core/analyses/shared/row_process.h"
#include "core/base/compare_texts.h"

#define BITS 64

void executor_thread_note_callback(struct executor_thread *thread, const struct model_callback *callback)
{
	guint word = callback->index / BITS;

	if (word >= thread->callbacks->len) {
		g_array_set_size(thread->callbacks, word + 1);
	}
	g_array_index(thread->callbacks, uint64_t, word) |= UINT64_C(1) << callback->index % BITS;
}

static bool has_callback(const struct executor_thread *thread, guint index)
{
	return index / BITS < thread->callbacks->len &&
	       (g_array_index(thread->callbacks, uint64_t, index / BITS) >> index % BITS & 1);
}

static void executor_destroy(gpointer data)
{
	struct executor *executor = data;

	g_ptr_array_unref(executor->threads);
	g_ptr_array_unref(executor->nodes);
	g_free(executor);
}

/* Of an executor: also if none of them lies in the part that the report is about, but the thread was in a state there.
 */
static bool has_events(const struct executor_thread *thread)
{
	const struct executor_states *states = &thread->states;

	return thread->totals.has_events ||
	       ((states->had_events || states->totals.has_events) && executor_totals_span(&thread->totals) > 0);
}

static struct executor *executor_create(const struct executors *executors, struct executor_thread *thread)
{
	struct executor *executor = g_new0(struct executor, 1);

	executor->process = recording_thread(executors->analysis.context.recording, thread->thread)->process;
	executor->has_events = has_events(thread);
	executor->threads = g_ptr_array_new();
	executor->nodes = g_ptr_array_new();
	g_ptr_array_add(executor->threads, thread);
	return executor;
}

static void note_node(struct executor *executor, const char *node)
{
	for (guint i = 0; i < executor->nodes->len; i++) {
		if (strcmp(executor->nodes->pdata[i], node) == 0) {
			return;
		}
	}
	g_ptr_array_add(executor->nodes, (gpointer)node);
}

/* Adds the nodes whose callbacks a thread executed, and the type that CARET records of its executor. */
static void note_callbacks(const struct executors *executors, struct executor *executor,
			   const struct executor_thread *thread)
{
	for (guint i = 0; i < thread->callbacks->len * BITS; i++) {
		struct model_callback_group group;
		struct model_callback *callback;
		const char *node;

		if (!has_callback(thread, i)) {
			continue;
		}
		callback = object_model_callback_at(executors->analysis.context.model, i);
		node = object_model_callback_info(executors->analysis.context.model, callback)->node;
		if (node) {
			note_node(executor, node);
		}
		if (!executor->type &&
		    object_model_callback_group(executors->analysis.context.model, callback, &group) &&
		    group.executor) {
			executor->type = group.executor->type;
		}
	}
}

static bool shares_node(const struct executor *one, const struct executor *other)
{
	for (guint i = 0; i < one->nodes->len; i++) {
		for (guint j = 0; j < other->nodes->len; j++) {
			if (strcmp(one->nodes->pdata[i], other->nodes->pdata[j]) == 0) {
				return true;
			}
		}
	}
	return false;
}

/* A thread of which only callbacks are known may have called them without an executor. */
static bool is_known(const struct executor *executor)
{
	return executor->has_events || executor->type;
}

static bool is_same_executor(const struct executor *one, const struct executor *other)
{
	return one->process == other->process && one->has_events == other->has_events && is_known(one) &&
	       is_known(other) && shares_node(one, other);
}

static void join(struct executor *into, const struct executor *from)
{
	g_ptr_array_extend(into->threads, from->threads, NULL, NULL);
	for (guint i = 0; i < from->nodes->len; i++) {
		note_node(into, from->nodes->pdata[i]);
	}
	into->type = into->type ? into->type : from->type;
}

/* Joins a new executor with all that share a node with it; these may have had no node in common before. */
static void add_or_join(GPtrArray *all, struct executor *executor)
{
	for (guint i = all->len; i-- > 0;) {
		if (is_same_executor(executor, all->pdata[i])) {
			join(executor, all->pdata[i]);
			g_ptr_array_remove_index(all, i);
		}
	}
	g_ptr_array_add(all, executor);
}

static gint compare_threads(gconstpointer a, gconstpointer b, gpointer recording)
{
	const struct executor_thread *left = *(const struct executor_thread *const *)a;
	const struct executor_thread *right = *(const struct executor_thread *const *)b;
	int order = compare_integers(recording_thread(recording, left->thread)->vtid,
				     recording_thread(recording, right->thread)->vtid);

	return order ? order : compare_integers(left->thread, right->thread);
}

static gint compare_executors(gconstpointer a, gconstpointer b, gpointer recording)
{
	const struct executor *left = *(const struct executor *const *)a;
	const struct executor *right = *(const struct executor *const *)b;
	struct row_process left_process = row_process_of(recording, left->process);
	struct row_process right_process = row_process_of(recording, right->process);
	int order = compare_row_processes(&left_process, &right_process);

	return order ? order : compare_threads(&left->threads->pdata[0], &right->threads->pdata[0], recording);
}

GPtrArray *executors_find(const struct executors *executors)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(executor_destroy);
	bool has_any = false;

	for (guint i = 0; i < executors->analysis.rows.rows->len; i++) {
		struct executor_thread *thread = executors->analysis.rows.rows->pdata[i];

		if (thread) {
			executor_thread_end(executors, thread);
			thread->totals = executor_states_totals(&thread->states);
		}
		if (thread && (has_events(thread) || thread->totals.executions > 0)) {
			struct executor *executor = executor_create(executors, thread);

			has_any |= executor->has_events;
			note_callbacks(executors, executor, thread);
			add_or_join(all, executor);
		}
	}
	if (!has_any) {
		g_ptr_array_set_size(all, 0);
	}
	for (guint i = 0; i < all->len; i++) {
		struct executor *executor = all->pdata[i];

		g_ptr_array_sort_with_data(executor->threads, compare_threads, executors->analysis.context.recording);
		g_ptr_array_sort(executor->nodes, compare_texts);
	}
	g_ptr_array_sort_with_data(all, compare_executors, executors->analysis.context.recording);
	return all;
}
