/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strverscmp() */
#include "core/analyses/timeline/timeline.h"

#include <string.h>

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/timeline/timeline_ids.h"
#include "core/base/arena_parts.h"
#include "core/base/slots.h"
#include "core/base/text/human_text.h"

#define RATE_RANK (1U << 24) /* after the rows of the process, before its queues */
#define NODES_NAMED 3	     /* of those whose callbacks a thread executed */

/* --- tracks --- */

static bool has_several_hosts(const struct recording *recording)
{
	for (uint32_t i = 1; i < recording_host_count(recording); i++) {
		if (g_strcmp0(recording_host(recording, i)->hostname, recording_host(recording, 0)->hostname) != 0) {
			return true;
		}
	}
	return false;
}

/* By host, then by name as people count: mp9 before mp10. */
static gint compare_processes(gconstpointer one, gconstpointer other, gpointer data)
{
	const struct recording *recording = data;
	const struct recording_process *first = recording_process(recording, *(const uint32_t *)one);
	const struct recording_process *second = recording_process(recording, *(const uint32_t *)other);
	int order = g_strcmp0(recording_host(recording, first->host)->hostname,
			      recording_host(recording, second->host)->hostname);

	order = order ? order : strverscmp(first->procname, second->procname);
	return order ? order : *(const uint32_t *)one < *(const uint32_t *)other ? -1 : 1;
}

/* The place of each process among the others, by index. */
static GArray *process_ranks(const struct recording *recording)
{
	uint32_t count = (uint32_t)recording_process_count(recording);
	GArray *ranks = g_array_sized_new(FALSE, TRUE, sizeof(uint32_t), count);
	g_autofree uint32_t *sorted = g_new(uint32_t, count);

	g_array_set_size(ranks, count);
	for (uint32_t i = 0; i < count; i++) {
		sorted[i] = i;
	}
	g_qsort_with_data(sorted, (gint)count, sizeof(*sorted), compare_processes, (gpointer)recording);
	for (uint32_t i = 0; i < count; i++) {
		g_array_index(ranks, uint32_t, sorted[i]) = i + 1;
	}
	return ranks;
}

static void write_process(const struct timeline *timeline, struct table_writer *tracks, uint32_t index, int32_t pid,
			  uint32_t rank)
{
	const struct recording_process *process = recording_process(timeline->analysis.context.recording, index);
	const char *hostname = recording_host(timeline->analysis.context.recording, process->host)->hostname;
	const char *procname = process->procname[0] != '\0' ? process->procname : "?";
	g_autofree char *on_host = has_several_hosts(timeline->analysis.context.recording)
					   ? g_strdup_printf("%s: %s", hostname, procname)
					   : NULL;

	timeline_write_track(tracks, &(struct timeline_track){
					     .id = timeline_id(TIMELINE_SPACE_PROCESS, index, 0),
					     .kind = "process",
					     .name = on_host ? on_host : procname,
					     .rank = rank,
					     .pid = cell_integer(pid),
				     });
}

/* A row of a process that is not one thread: all its threads, or a thread that two traces recorded. */
static void write_rows(const struct timeline *timeline, struct table_writer *tracks, uint32_t index, const char *name)
{
	unsigned int lanes =
		index < timeline->lanes->len
			? timeline_lanes_count(&g_array_index(timeline->lanes, struct timeline_lanes, index))
			: 0;

	for (unsigned int lane = 0; lane < MAX(lanes, 1); lane++) {
		timeline_write_track(
			tracks,
			&(struct timeline_track){
				.id = timeline_id(TIMELINE_SPACE_THREAD, index, lane),
				.parent = timeline_id(
					TIMELINE_SPACE_PROCESS,
					recording_thread(timeline->analysis.context.recording, index)->process, 0),
				.kind = "row",
				.name = name,
				.rank = lane,
			});
	}
}

void timeline_note_executed(struct timeline *timeline, uint32_t thread, const struct model_callback *callback)
{
	uint64_t pair = (uint64_t)thread << 32 | callback->index;
	uint32_t index = callback->index;
	gpointer *callbacks;

	if (G_LIKELY(u64_map_get(&timeline->has_executed, pair) != U64_MAP_NONE)) {
		return;
	}
	u64_map_set(&timeline->has_executed, pair, 0);
	callbacks = slot_at(timeline->executed, thread);
	if (!*callbacks) {
		*callbacks = arena_array(analysis_arena(&timeline->analysis), sizeof(uint32_t));
	}
	g_array_append_val((GArray *)*callbacks, index);
}

/* The nodes whose callbacks a thread executed: "/talker, /listener"; NULL: none is known. */
static char *nodes_of_thread(const struct timeline *timeline, uint32_t index)
{
	struct object_model *model = timeline->analysis.context.model;
	const GArray *callbacks = slot_get(timeline->executed, index);
	g_autoptr(GPtrArray) nodes = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; callbacks && i < callbacks->len; i++) {
		struct model_callback *callback =
			object_model_callback_at(model, g_array_index(callbacks, uint32_t, i));
		const char *node = object_model_callback_info(model, callback)->node;

		if (node && !g_ptr_array_find_with_equal_func(nodes, node, g_str_equal, NULL)) {
			g_ptr_array_add(nodes, (char *)node);
		}
	}
	for (guint i = 0; i < nodes->len && i < NODES_NAMED; i++) {
		g_string_append_printf(text, "%s%s", i ? ", " : "", (const char *)nodes->pdata[i]);
	}
	if (nodes->len > NODES_NAMED) {
		g_string_append_printf(text, " and %u more", nodes->len - NODES_NAMED);
	}
	return nodes->len ? g_strdup(text->str) : NULL;
}

static void write_thread(const struct timeline *timeline, struct table_writer *tracks, uint32_t index,
			 const struct timeline_ids *ids)
{
	const struct recording *recording = timeline->analysis.context.recording;
	const struct recording_thread *thread = recording_thread(recording, index);
	const struct recording_process *process = recording_process(recording, thread->process);
	int32_t tid = timeline_ids_tid(ids, index);
	g_autofree char *nodes = nodes_of_thread(timeline, index);

	if (!thread->has_vtid) {
		write_rows(timeline, tracks, index, "all threads");
	} else if (tid == 0) {
		g_autofree char *name = g_strdup_printf("thread %d in %s", thread->vtid,
							recording_trace(recording, thread->trace)->name);

		write_rows(timeline, tracks, index, name);
	} else {
		const char *name = process->has_vpid && thread->vtid == process->vpid ? "main thread" : "thread";

		timeline_write_track(tracks, &(struct timeline_track){
						     .id = timeline_id(TIMELINE_SPACE_THREAD, index, 0),
						     .parent = timeline_id(TIMELINE_SPACE_PROCESS, thread->process, 0),
						     .kind = "thread",
						     .name = nodes ? nodes : name,
						     .rank = index,
						     .pid = cell_integer(timeline_ids_pid(ids, thread->process)),
						     .tid = cell_integer(tid),
					     });
	}
}

static void write_tracks(const struct timeline *timeline, struct table_writer *tracks)
{
	const struct recording *recording = timeline->analysis.context.recording;
	g_autoptr(GArray) ranks = process_ranks(recording);
	struct timeline_ids ids;

	timeline_ids_init(&ids, recording);
	for (uint32_t i = 0; i < recording_process_count(recording); i++) {
		write_process(timeline, tracks, i, timeline_ids_pid(&ids, i), g_array_index(ranks, uint32_t, i));
	}
	for (uint32_t i = 0; i < recording_thread_count(recording); i++) {
		write_thread(timeline, tracks, i, &ids);
	}
	timeline_ids_clear(&ids);
}

/* --- labels --- */

/* "/scan", "timer 100 ms", "callback 0x5ca1ab1e" */
static char *source_text(const struct model_callback *callback, const struct model_callback_info *info)
{
	char buffer[HUMAN_TEXT_SIZE];

	if (callback_source(info)) {
		return g_strdup(callback_source(info));
	}
	if (info->kind != CALLBACK_KIND_TIMER) {
		return g_strdup_printf("callback 0x%" G_GINT64_MODIFIER "x", callback->address);
	}
	return info->has_period ? g_strdup_printf("timer %s", human_text_duration(buffer, info->period_ns))
				: g_strdup("timer");
}

/* "/scan > /filter" */
static char *callback_name(const struct model_callback *callback, const struct model_callback_info *info)
{
	g_autofree char *source = source_text(callback, info);

	return info->node ? g_strdup_printf("%s > %s", source, info->node) : g_steal_pointer(&source);
}

static void write_property(struct table_writer *labels, uint64_t id, const char *key, const char *value)
{
	timeline_write_label(labels, id, key, cell_text(value));
}

static const char *execution_text(unsigned int variant, bool is_deferred)
{
	if (variant & VARIANT_DOUBTFUL) {
		return "doubtful";
	}
	if (variant & VARIANT_WITHOUT_END) {
		return is_deferred ? "it answers later: its end is not recorded" : "its end was not recorded";
	}
	if (variant & VARIANT_WITHOUT_START) {
		return "its start was not recorded";
	}
	return variant & VARIANT_TAKE ? "inferred: only the take is recorded" : NULL;
}

static void write_variant(struct table_writer *labels, uint64_t id, unsigned int variant, bool is_deferred)
{
	write_property(labels, id, "transport", variant & VARIANT_INTRA_PROCESS ? "intra-process" : NULL);
	write_property(labels, id, "message", variant & VARIANT_INFERRED ? "inferred" : NULL);
	write_property(labels, id, "execution", execution_text(variant, is_deferred));
}

static void write_callback(const struct timeline *timeline, struct table_writer *labels,
			   const struct model_callback *callback, unsigned int variant)
{
	const struct model_callback_info *info =
		object_model_callback_info(timeline->analysis.context.model, (struct model_callback *)callback);
	uint64_t id = timeline_id(TIMELINE_SPACE_CALLBACK, callback->index, variant);
	g_autofree char *name = callback_name(callback, info);

	write_property(labels, id, "name", name);
	write_property(labels, id, "category", "callback");
	write_property(labels, id, "value", variant & VARIANT_TAKE ? "transport_ns" : "latency_ns");
	write_property(labels, id, "node", info->node);
	write_property(labels, id, "kind", callback_kind_name(info->kind));
	write_property(labels, id, info->kind == CALLBACK_KIND_SERVICE ? "service" : "topic", callback_source(info));
	timeline_write_label(labels, id, "period_ns", info->has_period ? cell_integer(info->period_ns) : CELL_NONE);
	write_property(labels, id, "symbol", info->symbol);
	timeline_write_label(labels, id, "callback", cell_address(callback->address));
	write_variant(labels, id, variant,
		      executions_is_deferred(timeline->analysis.context.executions, (struct model_callback *)callback));
}

static void write_callbacks(const struct timeline *timeline, struct table_writer *labels)
{
	for (guint i = 0; i < timeline->variants->len; i++) {
		for (unsigned int variant = 0; variant < VARIANTS; variant++) {
			if (g_array_index(timeline->variants, uint64_t, i) >> variant & 1) {
				write_callback(timeline, labels,
					       object_model_callback_at(timeline->analysis.context.model, i), variant);
			}
		}
	}
}

/* `what`: publication, request or response. */
static void write_publication(struct table_writer *labels, uint64_t id, unsigned int variant, const char *what,
			      const char *node, const char *source)
{
	g_autofree char *name = g_strdup_printf("%s > %s%s", node ? node : "?", source ? source : "?",
						variant & VARIANT_LOST ? " (lost)" : "");

	write_property(labels, id, "name", name);
	write_property(labels, id, "category", variant & VARIANT_LOST ? "lost" : what);
	write_property(labels, id, "value", "received");
	write_property(labels, id, "node", node);
	write_property(labels, id, strcmp(what, "publication") == 0 ? "topic" : "service", source);
}

static const char *topic_of(const struct timeline *timeline, const struct model_publisher *publisher)
{
	const struct model_subscription *subscription = publisher->index < timeline->subscriptions->len
								? timeline->subscriptions->pdata[publisher->index]
								: NULL;

	return publisher->topic ? publisher->topic : subscription ? subscription->topic : NULL;
}

static void write_publications(const struct timeline *timeline, struct table_writer *labels, unsigned int variant)
{
	const struct object_model *model = timeline->analysis.context.model;

	for (size_t i = 0; i < object_model_publisher_count(model); i++) {
		const struct model_publisher *publisher = object_model_publisher_at(model, i);

		write_publication(labels, timeline_id(TIMELINE_SPACE_PUBLISHER, i, variant), variant, "publication",
				  object_model_publisher_node(model, publisher), topic_of(timeline, publisher));
	}
	for (size_t i = 0; i < object_model_subscription_count(model); i++) {
		write_publication(labels, timeline_id(TIMELINE_SPACE_SUBSCRIPTION, i, variant), variant, "publication",
				  NULL, object_model_subscription_at(model, i)->topic);
	}
	for (size_t i = 0; i < object_model_client_count(model); i++) {
		const struct model_client *client = object_model_client_at(model, i);

		write_publication(labels, timeline_id(TIMELINE_SPACE_CLIENT, i, variant), variant, "request",
				  object_model_endpoint_node(model, &client->endpoint), client->service_name);
	}
	for (size_t i = 0; i < object_model_service_count(model); i++) {
		const struct model_service *service = object_model_service_at(model, i);

		write_publication(labels, timeline_id(TIMELINE_SPACE_SERVICE, i, variant), variant, "response",
				  object_model_endpoint_node(model, &service->endpoint), service->name);
	}
}

/* Counters of processes, below their rows. */
static void write_rates(const struct timeline *timeline, struct table_writer *tracks)
{
	for (guint i = 0; i < timeline->rates->len; i++) {
		if (piece_counter_has_any(&g_array_index(timeline->rates, struct piece_counter, i))) {
			timeline_write_track(tracks, &(struct timeline_track){
							     .id = timeline_id(TIMELINE_SPACE_RATE, i, 0),
							     .parent = timeline_id(TIMELINE_SPACE_PROCESS, i, 0),
							     .kind = "counter",
							     .name = "executions a second",
							     .rank = RATE_RANK,
						     });
		}
	}
}

void timeline_write_names(const struct timeline *timeline, struct table_writer *tracks, struct table_writer *labels)
{
	write_tracks(timeline, tracks);
	write_rates(timeline, tracks);
	timeline_queues_write_names(&timeline->queues, timeline->analysis.context.model, tracks);
	write_callbacks(timeline, labels);
	for (unsigned int variant = 0; variant < PUBLICATION_VARIANTS; variant++) {
		write_publications(timeline, labels, variant);
	}
}
