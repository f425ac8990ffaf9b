/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline_lanes.h"
#include "scripted_session.h"

/* A row of the events, with the arrows of the rows below it. */
struct drawn_event {
	guint row;
	int64_t begin_ns;
	GPtrArray *arrows; /* their ids as texts */
};

static GArray *events; /* struct drawn_event, in order of time */

static void clear_event(gpointer data)
{
	g_ptr_array_unref(((struct drawn_event *)data)->arrows);
}

static void setup(void)
{
	events = g_array_new(FALSE, FALSE, sizeof(struct drawn_event));
	g_array_set_clear_func(events, clear_event);
	scripted_setup();
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
	scripted_teardown();
	g_array_unref(events);
}

TestSuite(timeline, .init = setup, .fini = teardown);

static const char *event_cell(const struct drawn_event *event, const char *column)
{
	return cell_of("timeline_events", event->row, column);
}

static int64_t number_of(guint event, const char *column)
{
	return g_ascii_strtoll(event_cell(&g_array_index(events, struct drawn_event, event), column), NULL, 10);
}

/* Of its label; the first of these keys that it has. NULL: it has none. */
static const char *property_of(const struct drawn_event *event, const char *const *keys)
{
	for (guint i = 0; i < row_count("timeline_labels"); i++) {
		if (strcmp(cell_of("timeline_labels", i, "label"), event_cell(event, "label")) == 0 &&
		    g_strv_contains(keys, cell_of("timeline_labels", i, "key"))) {
			return cell_of("timeline_labels", i, "value");
		}
	}
	return NULL;
}

static void add_arrow(struct drawn_event *event, const char *id)
{
	if (*id) {
		g_ptr_array_add(event->arrows, (gpointer)id);
	}
}

static int compare_events(gconstpointer a, gconstpointer b)
{
	const struct drawn_event *left = a, *right = b;

	return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* Counters aside. */
static void take_events(void)
{
	for (guint i = 0; i < row_count("timeline_events"); i++) {
		const char *kind = cell_of("timeline_events", i, "kind");
		struct drawn_event *last;

		if (strcmp(kind, "slice") == 0 || strcmp(kind, "instant") == 0) {
			struct drawn_event event = { .row = i, .arrows = g_ptr_array_new() };

			event.begin_ns = g_ascii_strtoll(event_cell(&event, "begin_ns"), NULL, 10);
			g_array_append_val(events, event);
		} else if (strcmp(kind, "arrows") != 0) {
			continue;
		}
		last = &g_array_index(events, struct drawn_event, events->len - 1);
		add_arrow(last, cell_of("timeline_events", i, "arrow"));
		add_arrow(last, cell_of("timeline_events", i, "second_arrow"));
	}
	g_array_sort(events, compare_events);
}

/* In order of time: "name", with "." behind an instant, and the variants of its label. */
static void expect_events(const char *expected)
{
	static const char *const names[] = { "name", NULL };
	static const char *const variants[] = { "transport", "execution", "message", NULL };
	g_autoptr(GString) text = g_string_new(NULL);

	report();
	take_events();
	for (guint i = 0; i < events->len; i++) {
		const struct drawn_event *event = &g_array_index(events, struct drawn_event, i);
		const char *variant = property_of(event, variants);

		g_string_append_printf(text, "%s%s%s%s\n", property_of(event, names),
				       *event_cell(event, "kind") == 'i' ? "." : "", variant ? " " : "",
				       variant ? variant : "");
	}
	cr_assert_str_eq(text->str, expected, "%s", text->str);
}

static bool has_arrow(guint event, const char *id)
{
	return g_ptr_array_find_with_equal_func(g_array_index(events, struct drawn_event, event).arrows, id,
						g_str_equal, NULL);
}

/* "from -> to\n" by index of the events, after expect_events(). At most two events share an id. */
static void expect_arrows(const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < events->len; i++) {
		const GPtrArray *arrows = g_array_index(events, struct drawn_event, i).arrows;

		for (guint j = 0; j < arrows->len; j++) {
			unsigned int ends = 0;

			for (guint k = 0; k < events->len; k++) {
				ends += has_arrow(k, arrows->pdata[j]);
				if (k > i && has_arrow(k, arrows->pdata[j])) {
					g_string_append_printf(text, "%u -> %u\n", i, k);
				}
			}
			cr_assert_leq(ends, 2);
		}
	}
	cr_assert_str_eq(text->str, expected, "%s", text->str);
}

static void publish_in_timer(uint64_t stamp)
{
	publish_in(talker, TIMER_CALLBACK + 1, 1, stamp);
}

Test(timeline, arrows_lead_from_the_timer_to_the_last_callback)
{
	publish_in_timer(500);
	pass_on(listener, 1, 500, 2, 501);
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
	cr_assert_eq(number_of(1, "value"), 2, "received by two");
}

Test(timeline, a_callback_carries_the_latency_of_its_message_and_is_on_its_thread)
{
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n/a > /second\n");
	cr_assert_eq(number_of(2, "value"), number_of(2, "begin_ns") - number_of(1, "begin_ns"));
	cr_assert_eq(number_of(2, "end_ns"), number_of(2, "begin_ns") + STEP_NS);
	for (guint i = 0; i < row_count("timeline_tracks"); i++) {
		if (g_ascii_strtoll(cell_of("timeline_tracks", i, "track"), NULL, 10) == number_of(2, "track")) {
			expect_cells("timeline_tracks", i, "kind", "thread", "name", "/second", "tid", "3");
			return;
		}
	}
	cr_assert_fail("it is on no track");
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
	limit_range(now_ns + 6 * STEP_NS, INT64_MAX);
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_events("/a > /second\n");
	expect_arrows("");
	cr_assert_eq(number_of(0, "value"), 0, "the latency of a message that is not there");
}

Test(timeline, is_about_the_chosen_names)
{
	choose_nodes("/first");
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n");
	expect_arrows("0 -> 1\n");
}

Test(timeline, a_stamp_that_is_bound_late_still_gives_the_arrow)
{
	start(talker, TIMER_CALLBACK + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	take(listener, 1, 500);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	end(talker, TIMER_CALLBACK + 1);
	expect_events("timer 10.0 ms > /first\n/first > /a.\n/a > /second\n");
	expect_arrows("0 -> 1\n1 -> 2\n");
}

Test(timeline, nothing_is_kept_for_a_run_that_is_broken_off)
{
	publish_in_timer(500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	feed_script();
	g_clear_pointer(&session, session_destroy);
	cr_assert_eq(row_count("timeline_events"), 0,
		     "the publication may still be received, and the timer's arrow leads to it");
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
