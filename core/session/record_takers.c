/* SPDX-License-Identifier: MIT */
#include "core/session/record_takers.h"

#include "core/points/point_file.h"
#include "core/session/poll_queue.h"
#include "ros2bt/pipeline.h"

/* The arrays are of struct chosen_analysis: copies, so that a record leads to its analyses by one step. */
struct record_takers {
	GArray *by_kind[EVENT_KIND_COUNT]; /* with feed(); NULL: nobody takes the kind */
	GArray *losses;			   /* with feed_losses() */
	GArray *counters;		   /* with feed_counter() */
	GArray *polls;			   /* with feed_polls() */
	GArray *points;			   /* with feed_point(), if there are points */
	struct pipeline *pipeline;	   /* borrowed */
	bool are_any;
	bool pipeline_wants[EVENT_KIND_COUNT];
	struct poll_queue *poll_queue; /* owned; NULL: neither executions nor an analysis takes polls */
	struct analysis_span point_span;
};

static const struct chosen_analysis *taker_at(const GArray *takers, guint index)
{
	return &g_array_index(takers, struct chosen_analysis, index);
}

/* --- who takes what --- */

static GArray *create_list(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct chosen_analysis));
}

static void add(struct record_takers *takers, GArray *list, const struct chosen_analysis *taker)
{
	g_array_append_val(list, *taker);
	takers->are_any = true;
}

static void add_kinds(struct record_takers *takers, const struct chosen_analysis *taker, const enum event_kind *kinds,
		      struct event_interest *interest)
{
	for (size_t i = 0; kinds && kinds[i] != EVENT_KIND_COUNT; i++) {
		g_assert(event_class_of(kinds[i]) != EVENT_CLASS_POLL); /* feed_polls() takes these */
		if (!takers->by_kind[kinds[i]]) {
			takers->by_kind[kinds[i]] = create_list();
		}
		add(takers, takers->by_kind[kinds[i]], taker);
		interest->wants[kinds[i]] = true;
	}
}

static void feed_polls(void *data, uint32_t thread, const struct poll *polls, size_t count)
{
	const struct record_takers *takers = data;

	pipeline_feed_poll(takers->pipeline, thread, polls[0].time_ns);
	for (guint i = 0; i < takers->polls->len; i++) {
		const struct chosen_analysis *taker = taker_at(takers->polls, i);

		taker->class->feed_polls(taker->analysis, thread, polls, count);
	}
}

static void release_polls(void *data, uint32_t thread, int64_t until_ns)
{
	poll_queue_release(((struct record_takers *)data)->poll_queue, thread, until_ns);
}

static void queue_all_polls(struct record_takers *takers, struct event_interest *interest)
{
	if (!takers->poll_queue) {
		takers->poll_queue = poll_queue_create(feed_polls, takers);
		takers->are_any = true;
		interest->joins_polls = true;
		pipeline_add_polls(interest);
	}
}

static void add_polls(struct record_takers *takers, const struct chosen_analysis *taker,
		      struct event_interest *interest)
{
	add(takers, takers->polls, taker);
	queue_all_polls(takers, interest);
}

static void add_counters(struct record_takers *takers, const struct chosen_analysis *taker,
			 struct event_interest *interest)
{
	const enum event_kind *kinds = taker->class->counter_kinds;

	add(takers, takers->counters, taker);
	for (size_t i = 0; kinds[i] != EVENT_KIND_COUNT; i++) {
		interest->wants_counters[kinds[i]] = true;
	}
}

static void add_taker(struct record_takers *takers, const struct chosen_analysis *taker,
		      const struct analysis_options *options, struct event_interest *interest)
{
	const struct analysis_class *class = taker->class;

	add_kinds(takers, taker, class->kinds_for ? class->kinds_for(options) : class->kinds, interest);
	if (class->feed_losses) {
		add(takers, takers->losses, taker);
	}
	if (class->feed_polls) {
		add_polls(takers, taker, interest);
	}
	if (class->feed_point && options->points) {
		add(takers, takers->points, taker);
		interest->points = &options->points->events;
	}
	if (class->feed_counter) {
		add_counters(takers, taker, interest);
	}
}

struct record_takers *record_takers_create(const struct analysis_set *set, const struct analysis_options *options,
					   struct pipeline *pipeline, struct event_interest *interest)
{
	struct record_takers *takers = g_new0(struct record_takers, 1);

	G_STATIC_ASSERT(sizeof(takers->pipeline_wants) == sizeof(interest->wants));
	memcpy(takers->pipeline_wants, interest->wants, sizeof(interest->wants));
	takers->losses = create_list();
	takers->counters = create_list();
	takers->polls = create_list();
	takers->points = create_list();
	takers->point_span = (struct analysis_span){ INT64_MAX, INT64_MIN };
	takers->pipeline = pipeline;
	if (pipeline->executions) {
		queue_all_polls(takers, interest);
		executions_set_polls(pipeline->executions, release_polls, takers);
	}
	for (guint i = 0; i < set->chosen->len; i++) {
		add_taker(takers, analysis_set_at(set, i), options, interest);
	}
	if (!takers->are_any) {
		g_clear_pointer(&takers, record_takers_destroy);
	}
	return takers;
}

void record_takers_destroy(struct record_takers *takers)
{
	if (!takers) {
		return;
	}
	for (size_t kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		g_clear_pointer(&takers->by_kind[kind], g_array_unref);
	}
	g_array_unref(takers->losses);
	g_array_unref(takers->counters);
	g_array_unref(takers->polls);
	g_array_unref(takers->points);
	poll_queue_destroy(takers->poll_queue);
	g_free(takers);
}

/* --- records --- */

static void feed_losses(const struct record_takers *takers, const struct event_record *record)
{
	for (guint i = 0; i < takers->losses->len; i++) {
		const struct chosen_analysis *taker = taker_at(takers->losses, i);

		taker->class->feed_losses(taker->analysis, record);
	}
}

void record_takers_feed(const struct record_takers *takers, const struct event_record *record)
{
	const GArray *list = record->kind < EVENT_KIND_COUNT ? takers->by_kind[record->kind] : NULL;

	if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS ||
	    record->kind == RECORD_GAP) {
		feed_losses(takers, record);
	}
	for (guint i = 0; list && i < list->len; i++) {
		const struct chosen_analysis *taker = taker_at(list, i);

		taker->class->feed(taker->analysis, record);
	}
}

/* Whether the recording goes on until the time of the record, once the pipeline has taken it. */
static bool is_runtime(const struct record_takers *takers, const struct event_record *record)
{
	return record->kind < EVENT_KIND_COUNT && takers->pipeline_wants[record->kind] &&
	       event_class_of(record->kind) == EVENT_CLASS_RUNTIME;
}

/*
 * Whether the record was polls, which wait for their place. Any other record releases the polls of its thread that are
 * earlier.
 */
static bool queue_polls(struct record_takers *takers, const struct event_record *record)
{
	struct poll_queue *queue = takers->poll_queue;

	if (record->kind == RECORD_POLLS) {
		poll_queue_add(queue, record->thread, record_polls(record), record->word[RECORD__count]);
		return true;
	}
	if (record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) == EVENT_CLASS_POLL) {
		struct poll poll = poll_of(record);

		poll_queue_add(queue, record->thread, &poll, 1);
		return true;
	}
	if (poll_queue_is_due(queue, record->thread, record->time_ns)) {
		if (is_runtime(takers, record)) {
			pipeline_announce(takers->pipeline, record->time_ns);
		}
		poll_queue_release(queue, record->thread, record->time_ns);
	}
	return false;
}

static void feed_counter(const struct record_takers *takers, const struct event_record *record)
{
	for (guint i = 0; i < takers->counters->len; i++) {
		const struct chosen_analysis *taker = taker_at(takers->counters, i);

		taker->class->feed_counter(taker->analysis, record);
	}
}

static void feed_point(struct record_takers *takers, const struct event_record *record)
{
	takers->point_span.begin_ns = MIN(takers->point_span.begin_ns, record->time_ns);
	takers->point_span.end_ns = MAX(takers->point_span.end_ns, record->time_ns);
	for (guint i = 0; i < takers->points->len; i++) {
		const struct chosen_analysis *taker = taker_at(takers->points, i);

		taker->class->feed_point(taker->analysis, record);
	}
}

bool record_takers_let_pass(struct record_takers *takers, const struct event_record *record)
{
	if (record->kind == RECORD_COUNTER) {
		feed_counter(takers, record);
		return false;
	}
	if (takers->poll_queue && queue_polls(takers, record)) {
		return false;
	}
	if (record->kind == RECORD_POINT) {
		feed_point(takers, record);
		return false;
	}
	if (record->kind >= EVENT_KIND_COUNT || takers->pipeline_wants[record->kind]) {
		return true;
	}
	record_takers_feed(takers, record);
	return false;
}

void record_takers_release_polls(struct record_takers *takers, int64_t until_ns)
{
	if (takers && takers->poll_queue) {
		poll_queue_release_all(takers->poll_queue, until_ns);
	}
}

struct analysis_span record_takers_points(const struct record_takers *takers)
{
	return takers ? takers->point_span : (struct analysis_span){ INT64_MAX, INT64_MIN };
}
