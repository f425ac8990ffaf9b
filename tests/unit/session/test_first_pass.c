/* SPDX-License-Identifier: MIT */
/* Hosts whose clocks are known, which send each other messages: what the first pass learns of the clocks. */
#include "ros2bt/session/first_pass.h"
#include "ros2bt/clocks/record_alignment.h"
#include "core/base/text/time_text.h"
#include "flow_records.h"
#include "ros2bt/flow/link_rules.h"

#define HOSTS 3

/* How a host's clock shows a true time. */
struct true_clock {
	int64_t offset_ns;
	double drift;
	int64_t set_at_ns, set_by_ns;
};

static struct first_pass *pass;
static struct true_clock clocks[HOSTS];
static uint32_t threads[HOSTS];
static GRand *randoms;
static uint64_t last_stamp;

static int64_t shown(uint32_t host, int64_t true_ns)
{
	const struct true_clock *clock = &clocks[host];
	int64_t time_ns = true_ns + clock->offset_ns + (int64_t)(clock->drift * (double)(true_ns - 1000 * MS));

	return clock->set_at_ns != 0 && true_ns >= clock->set_at_ns ? time_ns + clock->set_by_ns : time_ns;
}

static void setup(void)
{
	static const struct analysis_options options = { .aligns_clocks = true };
	static const struct event_interest interest = { .joins_polls = false };
	static const char *const names[] = { "a", "b", "c" };

	pass = first_pass_create(&options, &interest);
	recording = first_pass_recording(pass);
	pool = recording_pool(recording);
	randoms = g_rand_new_with_seed(1);
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	for (uint32_t i = 0; i < HOSTS; i++) {
		uint32_t trace = recording_add_trace(
			recording, &(struct recording_trace_info){ .name = names[i], .hostname = names[i] });

		cr_assert_eq(recording_add_stream(recording, trace), i);
		threads[i] = add_thread(trace, 1, 1);
		clocks[i] = (struct true_clock){ 0 };
	}
	now_ns = 1000 * MS;
}

static void teardown(void)
{
	first_pass_destroy(pass);
	g_array_unref(script);
	g_rand_free(randoms);
	script = NULL;
}

TestSuite(first_pass, .init = setup, .fini = teardown);

static int64_t latency(void)
{
	return 50000 + (int64_t)g_rand_int_range(randoms, 0, 200000);
}

/* The endpoints of a topic from one host to another: number 10 * from + to. */
static void connect(uint32_t from, uint32_t to)
{
	uint64_t number = 10 * from + to;
	g_autofree char *topic = g_strdup_printf("/from_%u_to_%u", from, to);

	define_publisher(threads[from], number, topic);
	define_subscription(threads[to], number, topic);
}

static void send(uint32_t from, uint32_t to, int64_t true_ns)
{
	uint64_t number = 10 * from + to, stamp = ++last_stamp;

	now_ns = true_ns;
	publish(threads[from], number, stamp);
	now_ns = true_ns + latency();
	handle(threads[to], number, stamp);
}

static int compare_times(gconstpointer a, gconstpointer b)
{
	const struct event_record *left = a, *right = b;

	return (left->time_ns > right->time_ns) - (left->time_ns < right->time_ns);
}

/* What the hosts' clocks show, in the order of the merged recording. */
static void read_it(void)
{
	for (guint i = 0; i < script->len; i++) {
		struct event_record *record = &g_array_index(script, struct event_record, i);
		uint32_t host = recording_process(recording, process_of(record->thread))->host;

		record->stream = (uint16_t)host;
		record->time_ns = shown(host, record->time_ns);
	}
	g_array_sort(script, compare_times);
	first_pass_feed(pass, (const struct event_record *)(void *)script->data, script->len);
	first_pass_finish(pass);
}

/* Everywhere in the recording, the aligned time of a host is that of the first one within its uncertainty. */
static void check_times(uint32_t host, int64_t begin_ns, int64_t end_ns)
{
	const struct clock_alignment *found = first_pass_clocks(pass);
	int64_t uncertainty_ns = clock_alignment_uncertainty(found, host, 0);

	cr_assert_eq(clock_alignment_reference(found, host), clock_alignment_reference(found, 0));
	cr_assert_neq(uncertainty_ns, CLOCK_UNKNOWN_NS);
	for (int64_t t = begin_ns; t < end_ns; t += 100 * MS) {
		int64_t here = clock_alignment_to_reference(found, host, shown(host, t));
		int64_t there = clock_alignment_to_reference(found, 0, shown(0, t));

		cr_assert_leq(llabs(here - there), uncertainty_ns, "host %u at %g s: %g us, uncertainty %g us", host,
			      (double)t / 1e9, (double)(here - there) / 1e3, (double)uncertainty_ns / 1e3);
	}
}

Test(first_pass, two_hosts_far_apart_are_aligned_within_the_uncertainty)
{

	clocks[1] = (struct true_clock){ -10000 * MS, 50e-6, 0, 0 };
	connect(0, 1);
	connect(1, 0);
	for (int64_t t = 1100 * MS; t < 11000 * MS; t += 40 * MS) {
		send(0, 1, t);
		send(1, 0, t + 13 * MS);
	}
	read_it();
	check_times(1, 1100 * MS, 11000 * MS);
	cr_assert_leq(clock_alignment_uncertainty(first_pass_clocks(pass), 1, 0), 100000);
	cr_assert_leq(llabs(first_pass_span(pass).end_ns - now_ns), 200000);
}

Test(first_pass, hosts_without_direct_messages_are_aligned_over_a_third_one)
{
	clocks[1] = (struct true_clock){ 7000 * MS, -20e-6, 0, 0 };
	clocks[2] = (struct true_clock){ -4000 * MS, 120e-6, 0, 0 };
	connect(0, 1);
	connect(1, 0);
	connect(1, 2);
	connect(2, 1);
	for (int64_t t = 1100 * MS; t < 11000 * MS; t += 40 * MS) {
		send(0, 1, t);
		send(1, 2, t + 5 * MS);
		send(2, 1, t + 10 * MS);
		send(1, 0, t + 15 * MS);
	}
	read_it();
	cr_assert_eq(clock_alignment_reference(first_pass_clocks(pass), 2), 1, "the one in the middle");
	check_times(2, 1100 * MS, 11000 * MS);
	check_times(1, 1100 * MS, 11000 * MS);
}

Test(first_pass, a_clock_that_is_set_is_followed)
{
	clocks[1] = (struct true_clock){ 100 * MS, 0, 6005 * MS, 500 * MS };
	connect(0, 1);
	connect(1, 0);
	for (int64_t t = 1100 * MS; t < 11000 * MS; t += 40 * MS) {
		send(0, 1, t);
		send(1, 0, t + 13 * MS);
	}
	read_it();
	cr_assert_eq(clock_alignment_host(first_pass_clocks(pass), 1)->relation->pieces->len, 2);
	check_times(1, 1100 * MS, 5900 * MS);
	check_times(1, 6100 * MS, 11000 * MS);
}

Test(first_pass, messages_of_one_direction_give_no_uncertainty)
{
	clocks[1].offset_ns = 250 * MS;
	connect(0, 1);
	for (int64_t t = 1100 * MS; t < 11000 * MS; t += 40 * MS) {
		send(0, 1, t);
	}
	read_it();
	cr_assert_eq(clock_alignment_uncertainty(first_pass_clocks(pass), 1, 0), CLOCK_UNKNOWN_NS);
	cr_assert_leq(llabs(clock_alignment_to_reference(first_pass_clocks(pass), 1, 5250 * MS) - 5000 * MS), 260000);
}

Test(first_pass, hosts_that_no_message_connects_keep_their_times)
{
	clocks[2].offset_ns = 999 * MS;
	connect(0, 1);
	connect(1, 0);
	for (int64_t t = 1100 * MS; t < 2000 * MS; t += 40 * MS) {
		send(0, 1, t);
		send(1, 0, t + 13 * MS);
	}
	now_ns = 1500 * MS;
	run(threads[2]);
	read_it();
	cr_assert_eq(clock_alignment_reference(first_pass_clocks(pass), 2), 2);
	cr_assert_eq(clock_alignment_to_reference(first_pass_clocks(pass), 2, 77), 77);
}

Test(first_pass, equal_stamps_of_two_publications_say_nothing)
{
	connect(0, 1);
	for (int i = 0; i < 10; i++) {
		now_ns = 1100 * MS + i * MS;
		publish(threads[0], 1, 5);
		now_ns += 100000;
		take(threads[1], 1, 5);
	}
	read_it();
	cr_assert_eq(clock_alignment_reference(first_pass_clocks(pass), 1), 1);
}

/* --- records on the reference's clock --- */

static GArray *taken;

static bool keep(const struct event_record *records, size_t count, void *data)
{
	g_array_append_vals(taken, records, (guint)count);
	return taken->len < GPOINTER_TO_UINT(data);
}

static void align(guint limit)
{
	struct record_alignment *alignment =
		record_alignment_create(recording, first_pass_clocks(pass), keep, GUINT_TO_POINTER(limit));

	taken = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	for (guint i = 0; i < script->len; i += 100) {
		if (!record_alignment_feed(alignment, &g_array_index(script, struct event_record, i),
					   MIN(100, script->len - i))) {
			break;
		}
	}
	if (taken->len < limit) {
		record_alignment_finish(alignment);
	}
	record_alignment_destroy(alignment);
}

Test(first_pass, records_come_in_the_order_of_the_reference)
{
	clocks[1].offset_ns = -3000 * MS;
	connect(0, 1);
	connect(1, 0);
	for (int64_t t = 1100 * MS; t < 6000 * MS; t += 40 * MS) {
		send(0, 1, t);
		send(1, 0, t + 13 * MS);
	}
	read_it();
	align(UINT_MAX);
	cr_assert_eq(taken->len, script->len);
	for (guint i = 1; i < taken->len; i++) {
		cr_assert_geq(g_array_index(taken, struct event_record, i).time_ns,
			      g_array_index(taken, struct event_record, i - 1).time_ns);
	}
	g_array_unref(taken);
}

Test(first_pass, records_stop_where_they_are_not_wanted_any_more)
{
	connect(0, 1);
	for (int64_t t = 1100 * MS; t < 6000 * MS; t += 40 * MS) {
		send(0, 1, t);
	}
	read_it();
	align(10);
	cr_assert_geq(taken->len, 10);
	cr_assert_lt(taken->len, script->len);
	g_array_unref(taken);
}

/* --- links --- */

static void begin_to_propose(const struct link_rule *given, size_t count)
{
	const struct analysis_options options = { .proposes_links = true, .links = given, .link_count = count };
	static const struct event_interest interest = { .joins_polls = false };

	cr_assert(first_pass_is_needed(&options));
	teardown();
	pass = first_pass_create(&options, &interest);
	cr_assert_not(first_pass_is_done(pass));
	recording = first_pass_recording(pass);
	pool = recording_pool(recording);
	randoms = g_rand_new();
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	cr_assert_eq(recording_add_stream(recording, recording_add_trace(recording,
									 &(struct recording_trace_info){
										 .name = "a", .hostname = "a" })),
		     0);
	now_ns = 1000 * MS;
	for (uint32_t i = 0; i < HOSTS; i++) {
		threads[i] = add_thread(0, 10 + (int32_t)i, 10 + (int32_t)i);
	}
}

/* Timers of /first and /second publish /a and /b, which /second and /third receive. */
static void read_two_paths(void)
{
	static const char *const names[] = { "first", "second", "third" };

	for (uint32_t i = 0; i < HOSTS; i++) {
		define_node(threads[i], names[i]);
		define_timer(threads[i], i);
	}
	define_publisher(threads[0], 1, "/a");
	define_subscription(threads[1], 1, "/a");
	define_publisher(threads[1], 2, "/b");
	define_subscription(threads[2], 2, "/b");
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t from = i % 2;

		publish_in(threads[from], TIMER_CALLBACK + from, 1 + from, ++last_stamp);
		handle(threads[from + 1], 1 + from, last_stamp);
	}
	first_pass_feed(pass, (const struct event_record *)(void *)script->data, script->len);
	first_pass_finish(pass);
}

Test(first_pass, links_that_join_paths_follow_those_of_the_user)
{
	struct link_rule given;
	struct analysis_options found = { .link_count = 1 };

	cr_assert(link_rule_parse(&given, "/other: /x -> /y: partial_sync", NULL));
	begin_to_propose(&given, 1);
	read_two_paths();
	first_pass_follow_links(pass, NULL, &found);
	cr_assert_eq(found.link_count, 2);
	cr_assert_str_eq(found.links[0].text, given.text);
	cr_assert_not(found.links[0].is_proposed);
	cr_assert_str_eq(found.links[1].text, "/second: /a -> /b: periodic_async");
	cr_assert(found.links[1].is_proposed);
	link_rule_clear(&given);
}

Test(first_pass, a_link_of_the_user_is_not_proposed_again)
{
	struct analysis_options found = { .link_count = 1 };
	struct link_rule given;

	cr_assert(link_rule_parse(&given, "/second: /a -> /b: periodic_async", NULL));
	begin_to_propose(&given, 1);
	read_two_paths();
	first_pass_follow_links(pass, NULL, &found);
	cr_assert_eq(found.link_count, 1);
	link_rule_clear(&given);
}

/* --- when the recording begins and ends --- */

static void restart(const char *begin, bool reads_threads)
{
	static struct event_interest interest;
	struct analysis_options options = { .range = { .has_begin = true } };

	cr_assert(time_text_parse(begin, &options.range.begin));
	cr_assert(first_pass_is_needed(&options));
	interest = (struct event_interest){ .wants[EVENT_SCHED_SWITCH] = reads_threads };
	teardown();
	pass = first_pass_create(&options, &interest);
	recording = first_pass_recording(pass);
	pool = recording_pool(recording);
	randoms = g_rand_new();
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	cr_assert_eq(recording_add_stream(recording, recording_add_trace(recording,
									 &(struct recording_trace_info){
										 .name = "a", .hostname = "a" })),
		     0);
	threads[0] = add_thread(0, 1, 1);
}

static void feed_kind(unsigned int kind, int64_t time_ns)
{
	const struct event_record record = { .kind = (uint8_t)kind, .time_ns = time_ns, .thread = threads[0] };

	first_pass_feed(pass, &record, 1);
}

Test(first_pass, a_range_from_the_start_needs_nothing_after_the_first_runtime_event)
{
	restart("+1s", true);
	feed_kind(EVENT_RCL_INIT, 1);
	feed_kind(EVENT_SCHED_SWITCH, 2);
	cr_assert_not(first_pass_is_done(pass));
	feed_kind(EVENT_CALLBACK_START, 3);
	cr_assert(first_pass_is_done(pass));
	first_pass_finish(pass);
	cr_assert_eq(first_pass_span(pass).begin_ns, 3);
}

Test(first_pass, a_range_from_the_end_needs_everything)
{
	restart("-1s", true);
	feed_kind(EVENT_CALLBACK_START, 3);
	cr_assert_not(first_pass_is_done(pass));
	feed_kind(EVENT_CALLBACK_END, 4);
	feed_kind(EVENT_SCHED_SWITCH, 5);
	first_pass_finish(pass);
	cr_assert_eq(first_pass_span(pass).end_ns, 4);
}

Test(first_pass, without_runtime_events_the_others_are_the_span)
{
	restart("+1s", true);
	feed_kind(EVENT_RCL_INIT, 1);
	feed_kind(EVENT_SCHED_SWITCH, 2);
	feed_kind(RECORD_POINT, 6);
	feed_kind(RECORD_STREAM_END, 9);
	first_pass_finish(pass);
	cr_assert_eq(first_pass_span(pass).begin_ns, 2);
	cr_assert_eq(first_pass_span(pass).end_ns, 6);
}

Test(first_pass, a_recording_without_events_has_no_span)
{
	restart("+1s", false);
	feed_kind(EVENT_RCL_INIT, 1);
	first_pass_finish(pass);
	cr_assert_gt(first_pass_span(pass).begin_ns, first_pass_span(pass).end_ns);
}
