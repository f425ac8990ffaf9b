/* SPDX-License-Identifier: MIT */
#include "core/session/record_takers.h"

#include "core/events/points/point_file.h"
#include "core/flow/poll_queue.h"
#include "ros2bt/flow/pipeline.h"

static void add_kinds(struct pipeline *pipeline, const struct chosen_analysis *taker, const enum event_kind *kinds,
		      struct event_interest *interest)
{
	for (size_t i = 0; kinds && kinds[i] != EVENT_KIND_COUNT; i++) {
		g_assert(event_class_of(kinds[i]) != EVENT_CLASS_POLL); /* feed_polls() takes these */
		pipeline_add_taker(pipeline, kinds[i], taker->class->feed, taker->analysis);
		interest->wants[kinds[i]] = true;
	}
}

static void add_counters(struct pipeline *pipeline, const struct chosen_analysis *taker,
			 struct event_interest *interest)
{
	const enum event_kind *kinds = taker->class->counter_kinds;

	pipeline_add_taker(pipeline, RECORD_COUNTER, taker->class->feed_counter, taker->analysis);
	for (size_t i = 0; kinds[i] != EVENT_KIND_COUNT; i++) {
		interest->wants_counters[kinds[i]] = true;
	}
}

static void note_point(void *data, const struct event_record *record)
{
	struct analysis_span *points = data;

	points->begin_ns = MIN(points->begin_ns, record->time_ns);
	points->end_ns = MAX(points->end_ns, record->time_ns);
}

static void add_taker(struct pipeline *pipeline, const struct chosen_analysis *taker,
		      const struct analysis_options *options, struct event_interest *interest)
{
	const struct analysis_class *class = taker->class;

	add_kinds(pipeline, taker, class->kinds_for ? class->kinds_for(options) : class->kinds, interest);
	if (class->feed_losses) {
		pipeline_add_taker(pipeline, RECORD_DISCARDED_EVENTS, class->feed_losses, taker->analysis);
		pipeline_add_taker(pipeline, RECORD_DISCARDED_PACKETS, class->feed_losses, taker->analysis);
		pipeline_add_taker(pipeline, RECORD_GAP, class->feed_losses, taker->analysis);
	}
	if (class->feed_polls) {
		poll_queue_add_taker(pipeline->polls, class->feed_polls, taker->analysis);
	}
	if (class->feed_point && options->points) {
		pipeline_add_taker(pipeline, RECORD_POINT, class->feed_point, taker->analysis);
		interest->points = &options->points->events;
	}
	if (class->feed_counter) {
		add_counters(pipeline, taker, interest);
	}
}

void record_takers_add(const struct analysis_set *set, const struct analysis_options *options,
		       struct pipeline *pipeline, struct event_interest *interest, struct analysis_span *points)
{
	*points = (struct analysis_span){ INT64_MAX, INT64_MIN };
	pipeline_set_interest(pipeline, interest);
	pipeline_add_taker(pipeline, RECORD_POINT, note_point, points);
	if (pipeline->executions) {
		pipeline_queue_polls(pipeline);
		pipeline_add_polls(interest);
		interest->joins_polls = true;
	}
	for (guint i = 0; i < set->chosen->len; i++) {
		add_taker(pipeline, analysis_set_at(set, i), options, interest);
	}
}
