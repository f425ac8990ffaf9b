/* SPDX-License-Identifier: MIT */
#include "core/flow/breaks.h"
#include "core/flow/doubtful_origins.h"
#include "core/flow/endpoints.h"
#include "core/flow/guessed_takes.h"
#include "core/flow/inferred_flows.h"
#include "core/flow/inferred_stamps.h"
#include "core/flow/intra.h"
#include "core/flow/kept_messages.h"
#include "core/flow/latched.h"
#include "core/flow/linked_executions.h"
#include "core/flow/missing_events.h"
#include "core/flow/notes.h"
#include "core/flow/polled_takes.h"
#include "core/flow/provenance.h"
#include "core/flow/publish.h"
#include "core/flow/resolve.h"
#include "core/flow/servers.h"
#include "core/flow/settle.h"
#include "core/flow/take.h"
#include "core/flow/take_links.h"
#include "core/flow/topic_counts.h"
#include "core/flow/untaken_messages.h"

bool flow_linker_has_takes(const struct flow_linker *linker)
{
	return linker->has_takes;
}

/* --- executions: the record of a start has made its thread known before (linker_feed.c) --- */

static void on_started(void *data, struct execution *execution)
{
	struct flow_linker *linker = data;
	struct flow_thread *thread = g_ptr_array_index(linker->threads, execution->thread);
	const struct model_callback_info *info = callback_info_at_start(execution->callback);
	struct linked_execution *node;

	flow_missing_events_started(execution);
	flow_settle_close_open(linker, thread);
	node = linked_execution_create(linker, execution->callback, info, execution->thread, execution->start_ns);
	execution->flow = node;
	if (G_UNLIKELY(linker->follows_untaken) && thread->has_vtid &&
	    untaken_messages_started(linker, thread, node, info, execution->is_intra_process)) {
		flow_take_drop(linker, thread);
	} else if (thread->has_vtid) {
		flow_take_dispatch(linker, thread, node, info, execution->is_intra_process);
	} else {
		flow_take_drop(linker, thread);
		flow_resolve_now(linker, node);
	}
	thread->is_cut = false;
	if (node->note) {
		flow_note_offer(linker, flow_note_reference(node->note));
	}
}

/* The execution has ended and may be finished, be kept for indirect links, or have a note. */
static G_GNUC_NO_INLINE void release_ended(struct flow_linker *linker, struct linked_execution *node)
{
	if (linker->links->len > 0 && node->public.is_complete && node->subscription) {
		kept_messages_keep(linker, node, node->subscription);
	}
	if (node->note) {
		/* The end is the last record that the note belongs to. */
		flow_note_offer(linker, node->note);
		node->note = NULL;
	}
	flow_resolve_await_less(linker, node);
	linked_execution_release(linker, node);
}

static inline void end(struct flow_linker *linker, struct execution *execution, enum execution_outcome outcome,
		       struct flow_thread *thread)
{
	struct linked_execution *node = execution->flow;

	execution->flow = NULL;
	untaken_thread_end(&thread->untaken, linker->now_ns);
	node->is_ended = true;
	node->public.is_complete = outcome == EXECUTION_COMPLETE;
	node->public.end_ns = node->public.is_complete ? execution->end_ns : execution->start_ns;
	if (node->awaited == 1 || node->references == 1 || node->note || linker->links->len > 0) {
		release_ended(linker, node);
	} else {
		node->awaited--;
		node->references--;
	}
}

/* The end of an execution that publications may still come from. */
static G_GNUC_NO_INLINE void settle_and_end(struct flow_linker *linker, struct execution *execution,
					    enum execution_outcome outcome, struct flow_thread *thread)
{
	flow_settle_close_open(linker, thread);
	if (((const struct linked_execution *)execution->flow)->has_doubtful) {
		doubtful_origins_decide(linker, execution, outcome);
		flow_settle_decided(linker);
	}
	end(linker, execution, outcome, thread);
}

/* Most ends call nothing: what does is a function of its own that is called last, so that no registers are saved. */
static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct flow_linker *linker = data;
	const struct linked_execution *node = execution->flow;
	struct flow_thread *thread;

	if (!node) {
		return;
	}
	thread = g_ptr_array_index(linker->threads, execution->thread);
	if (thread->open || node->has_doubtful) {
		settle_and_end(linker, execution, outcome, thread);
	} else {
		end(linker, execution, outcome, thread);
	}
}

/* --- the end --- */

void flow_linker_finish(struct flow_linker *linker)
{
	if (linker->is_finished) {
		return;
	}
	linker->is_finished = true;
	for (guint i = 0; i < linker->threads->len; i++) {
		struct flow_thread *thread = g_ptr_array_index(linker->threads, i);

		if (thread) {
			flow_publish_forget(linker, thread);
			flow_take_drop(linker, thread);
		}
	}
	doubtful_origins_finish(linker);
	flow_settle_decided(linker);
	untaken_matcher_finish(linker->untaken, linker->now_ns);
	take_links_finish(linker);
	flow_settle_all(linker);
	kept_messages_finish(linker);
	flow_topic_counts_report(linker);
	flow_missing_events_report(linker);
	if (linker->provenance) {
		provenance_decide(linker->provenance, linker->diagnostics);
	}
}

bool flow_linker_has_ended(const struct flow_linker *linker)
{
	return linker->is_finished;
}

/* --- life --- */

struct flow_linker *flow_linker_create(struct recording *recording, struct object_model *model,
				       struct executions *executions, struct diagnostics *diagnostics)
{
	struct flow_linker *linker = g_new0(struct flow_linker, 1);
	struct arena *arena = recording_arena(recording);

	linker->recording = recording;
	linker->model = model;
	linker->executions = executions;
	linker->diagnostics = diagnostics;
	object_pool_init_in(&linker->publications, arena, sizeof(struct linked_publication));
	object_pool_init_in(&linker->executions_pool, arena, sizeof(struct linked_execution));
	object_pool_init_in(&linker->deliveries, arena, sizeof(struct linked_delivery));
	object_pool_init(&linker->waiting_takes, sizeof(struct waiting_take));
	object_pool_init(&linker->notes, sizeof(struct flow_note));
	linker->threads = g_ptr_array_new();
	linker->processes = g_ptr_array_new();
	linker->publishers = g_ptr_array_new();
	linker->undefined_subscriptions = g_ptr_array_new();
	linker->guessed_takes = guessed_takes_create();
	linker->unlinked_takes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	linker->links = g_ptr_array_new_with_free_func(g_free);
	linker->kept = g_ptr_array_new_with_free_func(g_free);
	linker->stamps = stamp_matcher_create();
	inferred_stamps_listen(linker);
	untaken_messages_create(linker);
	linker->infer_due_ns = INT64_MAX;
	linker->aged_due_ns = INT64_MAX;
	executions_add_listener(executions, &(struct executions_listener){
						    .data = linker,
						    .started = on_started,
						    .ended = on_ended,
					    });
	return linker;
}

void flow_linker_infer(struct flow_linker *linker, struct inferred_executions *inferred)
{
	inferred_flows_listen(linker, inferred);
}

size_t flow_linker_candidate_count(const struct flow_linker *linker, uint32_t candidates)
{
	return provenance_candidate_count(linker->provenance, candidates);
}

bool flow_linker_holds(const struct flow_linker *linker, uint32_t condition)
{
	return provenance_holds(linker->provenance, condition);
}

static void free_values(struct u64_map *map)
{
	size_t position = 0;
	uint64_t key, value;

	while (u64_map_next(map, &position, &key, &value)) {
		g_free((void *)(uintptr_t)value);
	}
	u64_map_clear(map);
}

/* Destroyed before the end: releases what is under way in the ordinary way, but listeners hear only `released`. */
static void abandon(struct flow_linker *linker)
{
	for (size_t i = 0; i < linker->listener_count; i++) {
		const struct flow_listener *of = &linker->listeners[i];

		linker->listeners[i] = (struct flow_listener){ .data = of->data, .released = of->released };
	}
	flow_hearers_set(&linker->hearers, linker->listeners, linker->listener_count);
	flow_linker_finish(linker);
}

void flow_linker_destroy(struct flow_linker *linker)
{
	if (!linker) {
		return;
	}
	if (!linker->is_finished) {
		abandon(linker);
	}
	untaken_messages_destroy(linker);
	for (guint i = 0; i < linker->publishers->len; i++) {
		struct flow_publisher *publisher = g_ptr_array_index(linker->publishers, i);

		if (publisher) {
			latched_clear(linker, publisher);
			g_free(publisher->channels);
			u64_map_clear(&publisher->by_subscription);
		}
	}
	kept_messages_clear(linker);
	g_ptr_array_free(linker->publishers, TRUE);
	for (guint i = 0; i < linker->processes->len; i++) {
		struct flow_process *process = g_ptr_array_index(linker->processes, i);

		if (process) {
			flow_intra_clear_process(linker, process);
		}
	}
	g_ptr_array_free(linker->processes, TRUE);
	g_ptr_array_free(linker->threads, TRUE);
	g_ptr_array_free(linker->undefined_subscriptions, TRUE);
	g_array_free(linker->guessed_takes, TRUE);
	g_array_free(linker->unlinked_takes, TRUE);
	g_ptr_array_free(linker->links, TRUE);
	g_ptr_array_free(linker->kept, TRUE);
	doubtful_origins_clear(linker);
	free_values(&linker->topics);
	flow_servers_clear(linker);
	u64_map_clear(&linker->by_key);
	u64_map_clear(&linker->waiting_by_key);
	u64_map_clear(&linker->received_later);
	flow_topic_counts_clear(linker);
	stamp_matcher_destroy(linker->stamps);
	provenance_destroy(linker->provenance);
	object_pool_clear(&linker->publications);
	object_pool_clear(&linker->executions_pool);
	object_pool_clear(&linker->deliveries);
	object_pool_clear(&linker->waiting_takes);
	object_pool_clear(&linker->notes);
	flow_hearers_clear(&linker->hearers);
	g_free(linker->listeners);
	g_free(linker);
}

void flow_linker_keep_notes(struct flow_linker *linker)
{
	linker->keeps_notes = true;
}

struct flow_note *flow_linker_take_note(struct flow_linker *linker)
{
	struct flow_note *note = linker->note;

	linker->note = NULL;
	return note;
}

void flow_linker_add_listener(struct flow_linker *linker, const struct flow_listener *listener)
{
	linker->listeners = g_renew(struct flow_listener, linker->listeners, linker->listener_count + 1);
	linker->listeners[linker->listener_count++] = *listener;
	flow_hearers_set(&linker->hearers, linker->listeners, linker->listener_count);
}

void flow_linker_begin(struct flow_linker *linker)
{
	size_t left = 0;

	for (size_t i = 0; i < linker->listener_count; i++) {
		if (!recording_lacks_all(linker->recording, linker->listeners[i].only_with)) {
			linker->listeners[left++] = linker->listeners[i];
		}
	}
	linker->listener_count = left;
	flow_hearers_set(&linker->hearers, linker->listeners, linker->listener_count);
}

void flow_linker_add_rules(struct flow_linker *linker, const struct link_rule *rules, size_t count)
{
	kept_messages_add_rules(linker, rules, count);
}

struct flow_process_life flow_linker_process_life(const struct flow_linker *linker, uint32_t process)
{
	const struct flow_process *of = process < linker->processes->len ? linker->processes->pdata[process] : NULL;

	return of ? (struct flow_process_life){ of->recorded.has_run, of->first_runtime_ns, of->recorded.last_ns }
		  : (struct flow_process_life){ 0 };
}

bool flow_linker_may_miss(const struct flow_linker *linker, uint32_t process, int64_t begin_ns, int64_t end_ns)
{
	const struct flow_process *of = process < linker->processes->len ? linker->processes->pdata[process] : NULL;

	return !of || flow_breaks_overlap(linker, of, begin_ns, end_ns);
}

void **flow_linker_way(const struct flow_linker *linker)
{
	return linker->way;
}

struct model_callback *flow_linker_last_callback(const struct model_subscription *subscription)
{
	return flow_subscription(subscription)->last_callback;
}

void flow_linker_counts(const struct flow_linker *linker, struct flow_counts *counts)
{
	*counts = linker->counts;
}
