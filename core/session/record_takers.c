/* SPDX-License-Identifier: MIT */
#include "core/session/record_takers.h"

#include "core/events/points/point_file.h"
#include "core/session/poll_queue.h"
#include "ros2bt/flow/pipeline.h"

/* An analysis that takes records: a record leads to it by one step. */
struct taker {
	void (*feed)(void *analysis, const struct event_record *record); /* NULL: the end of a list */
	void *analysis;
};

/* Where records of a kind go. */
enum route {
	ROUTE_PIPELINE = 1, /* to the pipeline, before the takers */
	ROUTE_RUNTIME = 2,  /* … which then knows that the recording goes on until their time */
	ROUTE_POLLS = 4,    /* to the queue of polls */
	ROUTE_IN_TURN = 8,  /* after the polls of their thread that wait; not counters, which are of the next record */
	ROUTE_POINT = 16,   /* their times are noted */
	ROUTE_TAKERS = 32,  /* to their takers */
};

struct record_takers {
	uint8_t routes[RECORD_KIND_COUNT];	/* of enum route */
	struct taker *lists[RECORD_KIND_COUNT]; /* owned, but for those that are empty: these are `none` */
	struct pipeline *pipeline;		/* borrowed */
	struct poll_queue *poll_queue;		/* owned; NULL: neither executions nor an analysis takes polls */
	GPtrArray *polls;			/* const struct chosen_analysis *, borrowed: with feed_polls() */
	bool are_any;
	struct analysis_span point_span;
};

static struct taker none;

/* --- who takes what --- */

static void add(struct record_takers *takers, unsigned int kind, const struct chosen_analysis *taker,
		void (*feed)(void *analysis, const struct event_record *record))
{
	struct taker **list = &takers->lists[kind];
	size_t count = 0;

	while ((*list)[count].feed) {
		count++;
	}
	*list = g_renew(struct taker, count > 0 ? *list : NULL, count + 2);
	(*list)[count] = (struct taker){ feed, taker->analysis };
	(*list)[count + 1] = (struct taker){ NULL, NULL };
	takers->are_any = true;
}

static void add_kinds(struct record_takers *takers, const struct chosen_analysis *taker, const enum event_kind *kinds,
		      struct event_interest *interest)
{
	for (size_t i = 0; kinds && kinds[i] != EVENT_KIND_COUNT; i++) {
		g_assert(event_class_of(kinds[i]) != EVENT_CLASS_POLL); /* feed_polls() takes these */
		add(takers, kinds[i], taker, taker->class->feed);
		interest->wants[kinds[i]] = true;
	}
}

static void feed_polls(void *data, uint32_t thread, const struct poll *polls, size_t count)
{
	const struct record_takers *takers = data;

	pipeline_feed_poll(takers->pipeline, thread, polls[0].time_ns);
	for (guint i = 0; i < takers->polls->len; i++) {
		const struct chosen_analysis *taker = g_ptr_array_index(takers->polls, i);

		taker->class->feed_polls(taker->analysis, thread, polls, count);
	}
}

static void release_polls(void *data, uint32_t thread, int64_t until_ns)
{
	poll_queue_release(((struct record_takers *)data)->poll_queue, thread, until_ns);
}

static void queue_all_polls(struct record_takers *takers, struct event_interest *interest)
{
	if (takers->poll_queue) {
		return;
	}
	takers->poll_queue = poll_queue_create(feed_polls, takers);
	takers->are_any = true;
	takers->routes[RECORD_POLLS] = ROUTE_POLLS;
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		if (event_class_of(kind) == EVENT_CLASS_POLL) {
			takers->routes[kind] = ROUTE_POLLS;
		}
	}
	interest->joins_polls = true;
	pipeline_add_polls(interest);
}

static void add_counters(struct record_takers *takers, const struct chosen_analysis *taker,
			 struct event_interest *interest)
{
	const enum event_kind *kinds = taker->class->counter_kinds;

	add(takers, RECORD_COUNTER, taker, taker->class->feed_counter);
	for (size_t i = 0; kinds[i] != EVENT_KIND_COUNT; i++) {
		interest->wants_counters[kinds[i]] = true;
	}
}

static void add_taker(struct record_takers *takers, struct chosen_analysis *taker,
		      const struct analysis_options *options, struct event_interest *interest)
{
	const struct analysis_class *class = taker->class;

	add_kinds(takers, taker, class->kinds_for ? class->kinds_for(options) : class->kinds, interest);
	if (class->feed_losses) {
		add(takers, RECORD_DISCARDED_EVENTS, taker, class->feed_losses);
		add(takers, RECORD_DISCARDED_PACKETS, taker, class->feed_losses);
		add(takers, RECORD_GAP, taker, class->feed_losses);
	}
	if (class->feed_polls) {
		g_ptr_array_add(takers->polls, taker);
		queue_all_polls(takers, interest);
	}
	if (class->feed_point && options->points) {
		add(takers, RECORD_POINT, taker, class->feed_point);
		interest->points = &options->points->events;
	}
	if (class->feed_counter) {
		add_counters(takers, taker, interest);
	}
}

/* What the pipeline takes of what it wants: all that describes the recording, too. */
static void set_routes(struct record_takers *takers, const struct event_interest *interest)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		if (interest->wants[kind]) {
			takers->routes[kind] = ROUTE_PIPELINE;
			takers->routes[kind] |= event_class_of(kind) == EVENT_CLASS_RUNTIME ? ROUTE_RUNTIME : 0;
		}
	}
	for (int kind = EVENT_KIND_COUNT; kind < RECORD_KIND_COUNT; kind++) {
		takers->routes[kind] = ROUTE_PIPELINE;
	}
	takers->routes[RECORD_COUNTER] = 0;
	takers->routes[RECORD_POINT] = ROUTE_POINT;
}

/* When all takers are known. */
static void complete_routes(struct record_takers *takers)
{
	for (unsigned int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
		bool is_in_turn = takers->poll_queue && !(takers->routes[kind] & ROUTE_POLLS) && kind != RECORD_COUNTER;

		takers->routes[kind] |=
			(is_in_turn ? ROUTE_IN_TURN : 0) | (takers->lists[kind] != &none ? ROUTE_TAKERS : 0);
	}
}

struct record_takers *record_takers_create(const struct analysis_set *set, const struct analysis_options *options,
					   struct pipeline *pipeline, struct event_interest *interest)
{
	struct record_takers *takers = g_new0(struct record_takers, 1);

	for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
		takers->lists[kind] = &none;
	}
	set_routes(takers, interest);
	takers->polls = g_ptr_array_new();
	takers->point_span = (struct analysis_span){ INT64_MAX, INT64_MIN };
	takers->pipeline = pipeline;
	if (pipeline->executions) {
		queue_all_polls(takers, interest);
		executions_set_polls(pipeline->executions, release_polls, takers);
	}
	for (guint i = 0; i < set->chosen->len; i++) {
		add_taker(takers, analysis_set_at(set, i), options, interest);
	}
	complete_routes(takers);
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
	for (size_t kind = 0; kind < RECORD_KIND_COUNT; kind++) {
		if (takers->lists[kind] != &none) {
			g_free(takers->lists[kind]);
		}
	}
	g_ptr_array_unref(takers->polls);
	poll_queue_destroy(takers->poll_queue);
	g_free(takers);
}

/* --- records --- */

static void add_polls(struct poll_queue *queue, const struct event_record *record)
{
	if (record->kind == RECORD_POLLS) {
		poll_queue_add(queue, record->thread, record_polls(record), record->word[RECORD__count]);
	} else {
		struct poll poll = poll_of(record);

		poll_queue_add(queue, record->thread, &poll, 1);
	}
}

static void release_polls_before(struct record_takers *takers, const struct event_record *record)
{
	if (takers->routes[record->kind] & ROUTE_RUNTIME) {
		pipeline_announce(takers->pipeline, record->time_ns);
	}
	poll_queue_release(takers->poll_queue, record->thread, record->time_ns);
}

static G_GNUC_NO_INLINE void note_point(struct record_takers *takers, const struct event_record *record)
{
	takers->point_span.begin_ns = MIN(takers->point_span.begin_ns, record->time_ns);
	takers->point_span.end_ns = MAX(takers->point_span.end_ns, record->time_ns);
}

static void feed_takers(const struct record_takers *takers, const struct event_record *record)
{
	for (const struct taker *taker = takers->lists[record->kind]; taker->feed; taker++) {
		taker->feed(taker->analysis, record);
	}
}

void record_takers_feed(struct record_takers *takers, const struct event_record *records, size_t count)
{
	struct pipeline *pipeline = takers->pipeline;
	const struct event_record *end = records + count;

	pipeline_prepare(pipeline);
	for (const struct event_record *record = records; record < end; record++) {
		unsigned int route = takers->routes[record->kind];

		if (route & ROUTE_IN_TURN && poll_queue_is_due(takers->poll_queue, record->thread, record->time_ns)) {
			release_polls_before(takers, record);
		}
		if (G_LIKELY(route & ROUTE_PIPELINE)) {
			pipeline_feed_next(pipeline, record);
		} else if (route & ROUTE_POLLS) {
			add_polls(takers->poll_queue, record);
		} else if (G_UNLIKELY(route & ROUTE_POINT)) {
			note_point(takers, record);
		}
		if (route & ROUTE_TAKERS) {
			feed_takers(takers, record);
		}
	}
}

void record_takers_end(struct record_takers *takers)
{
	if (takers && takers->poll_queue) {
		poll_queue_release_all(takers->poll_queue, INT64_MAX);
	}
}

struct analysis_span record_takers_points(const struct record_takers *takers)
{
	return takers ? takers->point_span : (struct analysis_span){ INT64_MAX, INT64_MIN };
}
