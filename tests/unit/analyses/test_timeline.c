/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

#include "core/analyses/analyses.h"
#include "core/analyses/timeline/timeline_lanes.h"
#include "core/base/name_filter.h"
#include "core/tables/timeline_tables.h"

/* An event with the properties of its label, which are reported later. */
struct kept_event {
	const char *kind;
	uint64_t track, label;
	int64_t begin_ns, end_ns, value;
	GArray *arrows; /* uint64_t */
};

static GArray *events;
static GHashTable *names, *variants; /* of labels: id → owned text */
static GHashTable *tracks;	     /* id → owned "kind name" */
static struct analysis_options options;
static struct analysis *timeline;

static void add_arrow(struct kept_event *event, const struct cell *cell)
{
	if (cell->type != CELL_EMPTY) {
		g_array_append_val(event->arrows, cell->unsigned_integer);
	}
}

static void keep_event(struct table_writer *writer, const struct cell *cells)
{
	struct kept_event *event;

	if (strcmp(cells[TIMELINE_EVENT_KIND].text, TIMELINE_ARROWS) != 0) {
		struct kept_event new = {
			.kind = cells[TIMELINE_EVENT_KIND].text,
			.track = cells[TIMELINE_EVENT_TRACK].unsigned_integer,
			.label = cells[TIMELINE_EVENT_LABEL].unsigned_integer,
			.begin_ns = cells[TIMELINE_EVENT_BEGIN].integer,
			.end_ns = cells[TIMELINE_EVENT_END].integer,
			.value = cells[TIMELINE_EVENT_VALUE].integer,
			.arrows = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
		};

		g_array_append_val(events, new);
	}
	event = &g_array_index(events, struct kept_event, events->len - 1);
	add_arrow(event, &cells[TIMELINE_EVENT_ARROW]);
	add_arrow(event, &cells[TIMELINE_EVENT_SECOND_ARROW]);
}

/* Ids have 64 bits, pointers may have fewer. */
static void keep_text(GHashTable *texts, const struct cell *id, char *text)
{
	g_hash_table_insert(texts, g_memdup2(&id->unsigned_integer, sizeof(id->unsigned_integer)), text);
}

static void keep_label(struct table_writer *writer, const struct cell *cells)
{
	const char *key = cells[TIMELINE_LABEL_KEY].text;

	if (strcmp(key, "name") == 0) {
		keep_text(names, &cells[TIMELINE_LABEL_ID], g_strdup(cells[TIMELINE_LABEL_VALUE].text));
	} else if (strcmp(key, "transport") == 0 || strcmp(key, "execution") == 0 || strcmp(key, "message") == 0) {
		keep_text(variants, &cells[TIMELINE_LABEL_ID], g_strdup(cells[TIMELINE_LABEL_VALUE].text));
	}
}

static void keep_track(struct table_writer *writer, const struct cell *cells)
{
	keep_text(tracks, &cells[TIMELINE_TRACK_ID],
		  g_strdup_printf("%s %s %d", cells[TIMELINE_TRACK_KIND].text, cells[TIMELINE_TRACK_NAME].text,
				  (int)cells[TIMELINE_TRACK_TID].integer));
}

static struct table_writer event_writer = { .row = keep_event }, label_writer = { .row = keep_label },
			   track_writer = { .row = keep_track };

static struct table_writer *const writers[] = { &track_writer, &label_writer, &event_writer };

static void clear_event(gpointer data)
{
	g_array_unref(((struct kept_event *)data)->arrows);
}

static void setup(void)
{
	events = g_array_new(FALSE, FALSE, sizeof(struct kept_event));
	g_array_set_clear_func(events, clear_event);
	names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	variants = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	tracks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	options = (struct analysis_options){ 0 };
	flow_setup_recording();
	flow_setup_analysis();
	timeline = analysis_create(&timeline_analysis,
				   &(struct analysis_context){
					   .recording = recording,
					   .model = model,
					   .diagnostics = diagnostics,
					   .executions = executions,
					   .inferred = pipeline->inferred,
					   .flows = linker,
					   .options = &options,
				   },
				   writers);
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_timer(talker, 1);
	define_node(listener, "second");
	define_subscription(listener, 1, "/a");
	define_subscription(listener_2, 2, "/a");
	define_publisher(listener, 2, "/b");
	run(talker);
	run(listener);
	run(listener_2);
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
	g_array_unref(events);
	g_hash_table_unref(names);
	g_hash_table_unref(variants);
	g_hash_table_unref(tracks);
}

TestSuite(timeline, .init = setup, .fini = teardown);

static const char *name_of(const struct kept_event *event)
{
	const char *name = g_hash_table_lookup(names, &event->label);

	return name ? name : "?";
}

static int compare_events(gconstpointer a, gconstpointer b)
{
	const struct kept_event *left = a, *right = b;

	return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* In order of time: "name", with "." behind an instant, and the variants of its label. */
static void expect_events(const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	finish();
	timeline_analysis.write(timeline, writers);
	g_array_sort(events, compare_events);
	for (guint i = 0; i < events->len; i++) {
		const struct kept_event *event = &g_array_index(events, struct kept_event, i);
		const char *variant = g_hash_table_lookup(variants, &event->label);

		g_string_append_printf(text, "%s%s%s%s\n", name_of(event), event->kind[0] == 'i' ? "." : "",
				       variant ? " " : "", variant ? variant : "");
	}
	cr_assert_str_eq(text->str, expected);
}

static bool has_arrow(const struct kept_event *event, uint64_t id)
{
	for (guint i = 0; i < event->arrows->len; i++) {
		if (g_array_index(event->arrows, uint64_t, i) == id) {
			return true;
		}
	}
	return false;
}

/* "from -> to\n" by index of the events, after expect_events(). At most two events share an id. */
static void expect_arrows(const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < events->len; i++) {
		const struct kept_event *from = &g_array_index(events, struct kept_event, i);

		for (guint j = 0; j < from->arrows->len; j++) {
			uint64_t id = g_array_index(from->arrows, uint64_t, j);
			unsigned int ends = 0;

			for (guint k = 0; k < events->len; k++) {
				ends += has_arrow(&g_array_index(events, struct kept_event, k), id);
			}
			cr_assert_leq(ends, 2);
			for (guint k = i + 1; k < events->len; k++) {
				if (has_arrow(&g_array_index(events, struct kept_event, k), id)) {
					g_string_append_printf(text, "%u -> %u\n", i, k);
				}
			}
		}
	}
	cr_assert_str_eq(text->str, expected);
}

static void publish_in_timer(uint64_t stamp)
{
	start(talker, TIMER_CALLBACK + 1);
	publish(talker, 1, stamp);
	end(talker, TIMER_CALLBACK + 1);
}

Test(timeline, arrows_lead_from_the_timer_to_the_last_callback)
{
	publish_in_timer(500);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(listener, 2, 501);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n/a > /second\n/second > /b.\n");
	expect_arrows("0 -> 1\n1 -> 2\n2 -> 3\n");
}

Test(timeline, a_publication_has_an_arrow_to_each_of_its_callbacks)
{
	publish_in_timer(500);
	handle(listener, 1, 500);
	handle(listener_2, 2, 500);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n/a > /second\n/a > /second\n");
	expect_arrows("0 -> 1\n1 -> 3\n1 -> 2\n");
	cr_assert_eq(g_array_index(events, struct kept_event, 1).value, 2, "received by two");
}

Test(timeline, a_callback_carries_the_latency_of_its_message_and_is_on_its_thread)
{
	const struct kept_event *callback;

	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n/a > /second\n");
	callback = &g_array_index(events, struct kept_event, 2);
	cr_assert_eq(callback->value, callback->begin_ns - g_array_index(events, struct kept_event, 1).begin_ns);
	cr_assert_eq(callback->end_ns, callback->begin_ns + STEP_NS);
	cr_assert_str_eq(g_hash_table_lookup(tracks, &callback->track), "thread /second 3");
}

Test(timeline, a_message_that_nobody_got_is_drawn_and_a_lost_one_is_marked)
{
	publish_in_timer(500);
	handle(listener, 1, 500);
	publish(talker, 1, 501);
	publish(talker, 1, 502);
	handle(listener, 1, 502);
	publish(listener, 2, 600);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n/a > /second\n/first > /a (lost).\n/first > /a.\n"
		      "/a > /second\n/second > /b.\n");
	expect_arrows("0 -> 1\n1 -> 2\n4 -> 5\n");
}

Test(timeline, what_misses_its_start_or_end_is_an_instant)
{
	start(talker, TIMER_CALLBACK + 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_events("timer 10.0 ms > /first. its end was not recorded\n/a > /second. its start was not recorded\n");
}

Test(timeline, a_range_leaves_no_arrow_with_one_end)
{
	options.range = (struct time_range){ .has_begin = true, .begin_ns = now_ns + 6 * STEP_NS };
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_events("/a > /second\n");
	expect_arrows("");
	cr_assert_eq(g_array_index(events, struct kept_event, 0).value, 0,
		     "the latency of a message that is not there");
}

Test(timeline, is_about_the_chosen_names)
{
	static const char *const globs[] = { "/first", NULL };
	struct name_filter *filter = name_filter_create(globs);

	options.names.nodes = filter;
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n");
	expect_arrows("0 -> 1\n");
	name_filter_destroy(filter);
}

Test(timeline, a_stamp_that_is_bound_late_still_gives_the_arrow)
{
	start(talker, TIMER_CALLBACK + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	end(talker, TIMER_CALLBACK + 1);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n/a > /second\n");
	expect_arrows("0 -> 1\n1 -> 2\n");
}

Test(timeline, nothing_is_kept_for_a_run_that_is_broken_off)
{
	publish_in_timer(500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	flow_teardown_analysis();
	flow_setup_analysis();
	cr_assert_eq(events->len, 0, "the publication may still be received, and the timer's arrow leads to it");
}

Test(timeline_lanes, overlapping_slices_are_on_different_lanes)
{
	struct timeline_lanes lanes = { 0 };

	cr_assert_eq(timeline_lanes_take(&lanes, 0, 10), 0);
	cr_assert_eq(timeline_lanes_take(&lanes, 5, 15), 1);
	cr_assert_eq(timeline_lanes_take(&lanes, 10, 20), 0);
	cr_assert_eq(timeline_lanes_take(&lanes, 1, 2), 2, "late: not between others");
	cr_assert_eq(timeline_lanes_count(&lanes), 3);
	for (unsigned int i = 3; i < TIMELINE_LANES_MAX; i++) {
		cr_assert_eq(timeline_lanes_take(&lanes, 0, 100), i);
	}
	cr_assert_eq(timeline_lanes_take(&lanes, 0, 100), TIMELINE_LANES_MAX);
	timeline_lanes_clear(&lanes);
}
