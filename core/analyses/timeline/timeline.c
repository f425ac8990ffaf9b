/* SPDX-License-Identifier: MIT */
/*
 * The timeline (core/tables/timeline_tables.h) of executions and messages:
 *
 *   a slice for each execution of a callback, on the track of its thread; an instant if its start or end is missing, or
 *   if it is inferred
 *   an instant for each publication, on the track of its thread; requests and responses as they are delivered
 *   an arrow from each publication to each execution that handles it
 *   an arrow from each execution to the publications in it, so that all consequences of a message are connected
 *
 * An execution is in the time range by its start, a publication by its first event. An arrow needs both ends.
 *
 * A publication is written when it is concluded, an execution when all its publications are, so neither is in order of
 * time. A message that is delivered later has an instant without an arrow from the execution.
 *
 *   timeline.c         executions and publications, from the linker and the executions
 *   timeline_choice.c  which of them the report covers
 *   timeline_arrows.c  the arrows of an event
 *   timeline_queues.c  counters of the messages that wait for a subscription
 *   timeline_lanes.c   lanes for slices that overlap
 *   timeline_names.c   tracks and labels
 *
 * O(1) for each event. Memory: the executions and publications that the flow linker holds as well, and a few bytes for
 * each callback and publisher.
 */
#include "core/analyses/timeline/timeline.h"

#include "core/base/arena_parts.h"
#include "core/base/slots.h"

enum { TABLE_TRACKS, TABLE_LABELS, TABLE_EVENTS };

static const struct table_schema track_schema = {
	.name = "timeline_tracks", .title = "Timeline: tracks", .is_of_threads = true, TIMELINE_SCHEMA_TRACKS
};
static const struct table_schema label_schema = {
	.name = "timeline_labels", .title = "Timeline: labels", .is_of_threads = true, TIMELINE_SCHEMA_LABELS
};
static const struct table_schema event_schema = {
	.name = "timeline_events", .title = "Timeline: events", .is_of_threads = true, TIMELINE_SCHEMA_EVENTS
};

static const struct table_schema *const tables[] = {
	[TABLE_TRACKS] = &track_schema,
	[TABLE_LABELS] = &label_schema,
	[TABLE_EVENTS] = &event_schema,
	NULL,
};

/* An execution that is not final: the linker or the executions may still report on it. */
struct drawn_execution {
	uint64_t serial;
	bool is_ended, is_finished, is_released, is_written;
	bool has_message; /* the arrow of a drawn publication ends here */
	bool is_excluded; /* the report does not cover it */
	uint8_t variant;  /* enum execution_variant */
	uint32_t thread;
	const struct model_callback *callback;
	int64_t start_ns, end_ns;
	int64_t latency_ns;	       /* of the message */
	struct timeline_arrow *arrows; /* to the publications in it, the last one first */
};

/* The fate of a publication so far. */
struct drawn_message {
	struct timeline_arrow *arrows; /* to the executions that handle it, the last one first */
	uint64_t received;	       /* including takes without a callback */
	bool is_lost;
};

static uint64_t key_of(const void *address)
{
	return (uint64_t)(uintptr_t)address;
}

/* Ids of the arrows to an execution, from its message, and from an execution, to a publication. */

static uint64_t message_arrow(const struct drawn_execution *drawn)
{
	return timeline_id(TIMELINE_SPACE_CALLBACK, drawn->serial, 0);
}

static uint64_t inside_arrow(const struct flow_publication *publication)
{
	return timeline_id(TIMELINE_SPACE_PUBLISHER, publication->id, 0);
}

/* --- executions --- */

static struct drawn_execution *drawn_of(struct timeline *timeline, const struct flow_execution *execution)
{
	struct drawn_execution *drawn = u64_map_get_pointer(&timeline->by_flow, key_of(execution));

	if (!drawn) {
		drawn = object_pool_take(&timeline->drawn);
		drawn->serial = ++timeline->last_serial;
		drawn->callback = execution->callback;
		drawn->thread = execution->thread;
		drawn->start_ns = execution->start_ns;
		drawn->is_excluded = !analysis_options_include(timeline->analysis.context.options, drawn->start_ns) ||
				     !timeline_draws_callback(timeline, drawn->callback);
		u64_map_set_pointer(&timeline->by_flow, key_of(execution), drawn);
	}
	return drawn;
}

/* The id of the label, which is marked as used. */
static uint64_t callback_label(struct timeline *timeline, const struct model_callback *callback, unsigned int variant)
{
	*array_at(timeline->variants, uint64_t, callback->index) |= UINT64_C(1) << variant;
	return timeline_id(TIMELINE_SPACE_CALLBACK, callback->index, variant);
}

/* Executions of a thread are nested, unless it stands for all threads of a process. */
static unsigned int lane_of(struct timeline *timeline, const struct drawn_execution *drawn)
{
	if (G_LIKELY(recording_thread(timeline->analysis.context.recording, drawn->thread)->has_vtid)) {
		return 0;
	}
	return timeline_lanes_take(array_at(timeline->lanes, struct timeline_lanes, drawn->thread), drawn->start_ns,
				   drawn->end_ns);
}

/* An execution counts in the rate of its process. */
static void count_execution(struct timeline *timeline, uint32_t thread, int64_t start_ns)
{
	uint32_t process = recording_thread(timeline->analysis.context.recording, thread)->process;

	piece_counter_add(array_at(timeline->rates, struct piece_counter, process), start_ns);
}

static void write_execution(struct timeline *timeline, const struct drawn_execution *drawn)
{
	uint64_t label = callback_label(timeline, drawn->callback, drawn->variant);
	struct cell message = drawn->has_message ? cell_unsigned(message_arrow(drawn)) : CELL_NONE;
	struct cell inside = timeline_first_arrow(drawn->arrows);
	struct cell latency = drawn->has_message ? cell_integer(drawn->latency_ns) : CELL_NONE;
	unsigned int lane;

	timeline_note_executed(timeline, drawn->thread, drawn->callback);
	count_execution(timeline, drawn->thread, drawn->start_ns);
	if (drawn->variant & (VARIANT_WITHOUT_END | VARIANT_TAKE)) {
		timeline_write_instant(timeline->events, timeline_id(TIMELINE_SPACE_THREAD, drawn->thread, 0), label,
				       drawn->start_ns, latency, message, inside);
	} else {
		lane = lane_of(timeline, drawn);
		if (lane == TIMELINE_LANES_MAX) {
			return;
		}
		timeline_write_slice(timeline->events, timeline_id(TIMELINE_SPACE_THREAD, drawn->thread, lane), label,
				     drawn->start_ns, drawn->end_ns, latency, message, inside);
	}
	timeline_write_more_arrows(timeline, drawn->arrows);
}

/* Writes the execution once it is final. */
static void settle_execution(struct timeline *timeline, struct drawn_execution *drawn)
{
	if (drawn->is_ended && drawn->is_finished && !drawn->is_written) {
		drawn->is_written = true;
		if (!drawn->is_excluded) {
			write_execution(timeline, drawn);
		}
		timeline_free_arrows(timeline, &drawn->arrows);
	}
}

/* Frees it once no more reports can follow. */
static void release_execution(struct timeline *timeline, struct drawn_execution *drawn)
{
	if (drawn->is_ended && drawn->is_released) {
		timeline_free_arrows(timeline, &drawn->arrows);
		object_pool_give(&timeline->drawn, drawn);
	}
}

static void on_started(void *data, struct execution *execution)
{
	struct timeline *timeline = data;

	u64_map_set_pointer(&timeline->by_execution, key_of(execution), drawn_of(timeline, execution->flow));
}

/* For an execution without a flow. */
static void write_moment(struct timeline *timeline, const struct model_callback *callback, uint32_t thread,
			 int64_t time_ns, unsigned int variant)
{
	if (analysis_options_include(timeline->analysis.context.options, time_ns) &&
	    timeline_draws_callback(timeline, callback)) {
		if (variant == VARIANT_TAKE) {
			count_execution(timeline, thread, time_ns);
		}
		timeline_write_instant(timeline->events, timeline_id(TIMELINE_SPACE_THREAD, thread, 0),
				       callback_label(timeline, callback, variant), time_ns, cell_none(), cell_none(),
				       cell_none());
	}
}

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct timeline *timeline = data;
	struct drawn_execution *drawn;

	if (outcome == EXECUTION_WITHOUT_START) {
		write_moment(timeline, execution->callback, execution->thread, execution->end_ns,
			     VARIANT_WITHOUT_START);
		return;
	}
	drawn = u64_map_get_pointer(&timeline->by_execution, key_of(execution));
	u64_map_remove(&timeline->by_execution, key_of(execution));
	drawn->is_ended = true;
	drawn->end_ns = execution->end_ns;
	drawn->variant |= outcome == EXECUTION_DOUBTFUL	     ? VARIANT_DOUBTFUL
			  : outcome == EXECUTION_WITHOUT_END ? VARIANT_WITHOUT_END
							     : 0;
	settle_execution(timeline, drawn);
	release_execution(timeline, drawn);
}

static void on_opened(void *data, struct inferred_execution *execution)
{
	struct timeline *timeline = data;

	if (execution->flow) {
		u64_map_set_pointer(&timeline->by_execution, key_of(execution), drawn_of(timeline, execution->flow));
	}
}

static void on_closed(void *data, struct inferred_execution *execution)
{
	struct timeline *timeline = data;
	struct drawn_execution *drawn = u64_map_get_pointer(&timeline->by_execution, key_of(execution));

	if (!drawn) {
		write_moment(timeline, execution->callback, execution->thread, execution->start_ns, VARIANT_TAKE);
		return;
	}
	u64_map_remove(&timeline->by_execution, key_of(execution));
	drawn->is_ended = true;
	drawn->variant |= VARIANT_TAKE;
	settle_execution(timeline, drawn);
	release_execution(timeline, drawn);
}

/* All its publications are concluded. */
static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	struct timeline *timeline = data;
	struct drawn_execution *drawn = drawn_of(timeline, execution);

	drawn->is_finished = true;
	settle_execution(timeline, drawn);
}

/* Called even when a run is aborted, when rows are not accepted any more. */
static void on_released(void *data, struct flow_execution *execution)
{
	struct timeline *timeline = data;
	struct drawn_execution *drawn = u64_map_get_pointer(&timeline->by_flow, key_of(execution));

	if (drawn) {
		u64_map_remove(&timeline->by_flow, key_of(execution));
		drawn->is_released = true;
		release_execution(timeline, drawn);
	}
}

/* --- publications --- */

static uint64_t publication_label(const struct flow_publication *publication,
				  const struct model_subscription *subscription, unsigned int variant)
{
	if (publication->publisher) {
		return timeline_id(TIMELINE_SPACE_PUBLISHER, publication->publisher->index, variant);
	}
	if (publication->client) {
		return timeline_id(TIMELINE_SPACE_CLIENT, publication->client->index, variant);
	}
	if (publication->service) {
		return timeline_id(TIMELINE_SPACE_SERVICE, publication->service->index, variant);
	}
	return timeline_id(TIMELINE_SPACE_SUBSCRIPTION, subscription ? subscription->index : 0, variant);
}

/* The arrow from the execution around it; empty if there is none, or if that was written already. */
static struct cell inside_cell(struct timeline *timeline, const struct flow_publication *publication)
{
	struct drawn_execution *parent =
		publication->has_direct_parent
			? u64_map_get_pointer(&timeline->by_flow, key_of(publication->parents[0]))
			: NULL;

	if (!parent || parent->is_excluded || parent->is_written) {
		return CELL_NONE;
	}
	timeline_add_arrow(timeline, &parent->arrows, inside_arrow(publication));
	return cell_unsigned(inside_arrow(publication));
}

static void write_publication(struct timeline *timeline, const struct flow_publication *publication,
			      const struct model_subscription *subscription, const struct drawn_message *message)
{
	const struct timeline_arrow *arrows = message ? message->arrows : NULL;

	timeline_write_instant(
		timeline->events, timeline_id(TIMELINE_SPACE_THREAD, publication->thread, 0),
		publication_label(publication, subscription, message && message->is_lost ? VARIANT_LOST : 0),
		publication->first_ns, cell_unsigned(message ? message->received : 0),
		inside_cell(timeline, publication), timeline_first_arrow(arrows));
	timeline_write_more_arrows(timeline, arrows);
}

static struct drawn_message *message_of(struct timeline *timeline, const struct flow_publication *publication)
{
	struct drawn_message *message = u64_map_get_pointer(&timeline->by_publication, publication->id);

	if (!message) {
		message = object_pool_take(&timeline->messages);
		u64_map_set_pointer(&timeline->by_publication, publication->id, message);
	}
	return message;
}

/* Whether its instant was written already, or no report will follow that writes it. */
static bool is_late(const struct flow_publication *publication)
{
	return !publication->publisher || publication->is_concluded;
}

/* If the publisher's definition was not recorded, its topic is that of the subscription. */
static void note_subscription(struct timeline *timeline, const struct flow_delivery *delivery)
{
	const struct model_publisher *publisher = delivery->publication->publisher;

	if (publisher && !publisher->is_defined && delivery->subscription) {
		*slot_at(timeline->subscriptions, publisher->index) = delivery->subscription;
	}
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct timeline *timeline = data;
	const struct flow_publication *publication = delivery->publication;
	struct drawn_execution *drawn = delivery->execution ? drawn_of(timeline, delivery->execution) : NULL;
	bool has_arrow = drawn && !drawn->is_excluded && !drawn->is_written;
	struct timeline_arrow arrow = { .id = has_arrow ? message_arrow(drawn) : 0 };

	note_subscription(timeline, delivery);
	if (!timeline_draws_publication(timeline, publication)) {
		return;
	}
	if (has_arrow) {
		drawn->has_message = true;
		drawn->latency_ns = drawn->start_ns - publication->first_ns;
		drawn->variant |= (delivery->is_intra_process ? VARIANT_INTRA_PROCESS : 0) |
				  (delivery->is_inferred ? VARIANT_INFERRED : 0);
		if (delivery->subscription && delivery->has_start) {
			timeline_queues_add(&timeline->queues, delivery->subscription, publication->first_ns,
					    drawn->start_ns, timeline->events);
		}
	}
	if (is_late(publication)) {
		write_publication(timeline, publication, delivery->subscription,
				  &(struct drawn_message){ .received = 1, .arrows = has_arrow ? &arrow : NULL });
	} else {
		struct drawn_message *message = message_of(timeline, publication);

		message->received++;
		if (has_arrow) {
			timeline_add_arrow(timeline, &message->arrows, arrow.id);
		}
	}
}

static void on_missed(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
		      bool is_intra_process, enum flow_outcome outcome)
{
	struct timeline *timeline = data;

	if (outcome == FLOW_LOST && timeline_draws_publication(timeline, publication)) {
		message_of(timeline, publication)->is_lost = true;
	}
}

static void on_concluded(void *data, const struct flow_publication *publication)
{
	struct timeline *timeline = data;
	struct drawn_message *message = u64_map_get_pointer(&timeline->by_publication, publication->id);

	if (timeline_draws_publication(timeline, publication)) {
		write_publication(timeline, publication, NULL, message);
	}
	if (message) {
		u64_map_remove(&timeline->by_publication, publication->id);
		timeline_free_arrows(timeline, &message->arrows);
		object_pool_give(&timeline->messages, message);
	}
}

/* --- life --- */

static void listen(struct timeline *timeline, const struct analysis_context *context)
{
	executions_add_listener(context->executions, &(struct executions_listener){
							     .data = timeline,
							     .started = on_started,
							     .ended = on_ended,
						     });
	if (context->inferred) {
		inferred_executions_add_listener(context->inferred, &(struct inferred_listener){
									    .data = timeline,
									    .opened = on_opened,
									    .closed = on_closed,
								    });
	}
	flow_linker_add_listener(context->flows, &(struct flow_listener){
							 .data = timeline,
							 .delivered = on_delivered,
							 .missed = on_missed,
							 .concluded = on_concluded,
							 .finished = on_finished,
							 .released = on_released,
						 });
}

static void begin(void *data)
{
	struct timeline *timeline = data;
	struct analysis *analysis = &timeline->analysis;
	struct arena *arena = analysis_arena(analysis);

	timeline->events = analysis->writers[TABLE_EVENTS];
	arena_pool(arena, &timeline->drawn, sizeof(struct drawn_execution));
	arena_pool(arena, &timeline->messages, sizeof(struct drawn_message));
	arena_pool(arena, &timeline->arrows, sizeof(struct timeline_arrow));
	arena_own(arena, &timeline->queues, (GDestroyNotify)timeline_queues_clear);
	arena_map(arena, &timeline->by_flow);
	arena_map(arena, &timeline->by_execution);
	arena_map(arena, &timeline->by_publication);
	timeline->variants = arena_array(arena, sizeof(uint64_t));
	timeline->lanes = arena_array(arena, sizeof(struct timeline_lanes));
	g_array_set_clear_func(timeline->lanes, (GDestroyNotify)timeline_lanes_clear);
	timeline->rates = arena_array(arena, sizeof(struct piece_counter));
	g_array_set_clear_func(timeline->rates, (GDestroyNotify)piece_counter_clear);
	timeline->subscriptions = arena_pointers(arena);
	timeline->executed = arena_pointers(arena);
	arena_map(arena, &timeline->has_executed);
	timeline->hidden_callbacks = arena_array(arena, sizeof(uint8_t));
	timeline->hidden_publishers = arena_array(arena, sizeof(uint8_t));
	if (timeline->events) {
		listen(timeline, &analysis->context);
	}
}

static void finish(void *data)
{
	struct timeline *timeline = data;

	timeline_queues_finish(&timeline->queues, timeline->events);
	for (guint i = 0; i < timeline->rates->len; i++) {
		piece_counter_write_rate(&g_array_index(timeline->rates, struct piece_counter, i), timeline->events,
					 timeline_id(TIMELINE_SPACE_RATE, i, 0));
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	timeline_write_names(analysis, writers[TABLE_TRACKS], writers[TABLE_LABELS]);
}

const struct analysis_class timeline_analysis = {
	.name = "timeline",
	.tables = tables,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.size = sizeof(struct timeline),
	.begin = begin,
	.finish = finish,
	.write = write_tables,
};
