/* SPDX-License-Identifier: MIT */
#include "core/flow/provenance.h"
#include "flow_records.h"

/* What became of the publications of publisher 1: the subscription that they come from, 0 for none; as digits. */
static GString *publications;
static uint32_t candidates[64];
static uint32_t subscriptions[64][4];
static size_t count;

static void on_settled(void *data, const struct flow_publication *publication)
{
	size_t candidate_count = flow_linker_candidate_count(linker, publication->candidates);

	if (!publication->publisher || publication->publisher->handle != PUBLISHER + 1) {
		return;
	}
	candidates[count] = publication->candidates;
	for (size_t i = 0; i < candidate_count; i++) {
		const struct model_callback_info *info =
			object_model_callback_info(model, publication->parents[i]->callback);

		cr_assert_eq(publication->parents[i]->kind, CALLBACK_KIND_INFERRED);
		cr_assert_leq(publication->parents[i]->start_ns, publication->first_ns);
		subscriptions[count][i] = (uint32_t)(info->subscription->handle & 0xff);
	}
	cr_assert_not(publication->candidates && publication->has_direct_parent);
	count++;
}

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	flow_linker_add_listener(linker, &(struct flow_listener){ .settled = on_settled });
	publications = g_string_new(NULL);
	count = 0;
	define_node(listener, "python");
	define_publisher(listener, 1, "/out");
	define_plain_subscription(listener, 1, "/a");
	define_plain_subscription(listener, 2, "/b");
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
	g_string_free(publications, TRUE);
}

TestSuite(provenance, .init = setup, .fini = teardown);

static uint32_t origin_of(size_t publication)
{
	uint32_t origin = 0;

	if (candidates[publication] == 0) {
		return 0;
	}
	for (uint32_t i = 0; i < flow_linker_candidate_count(linker, candidates[publication]); i++) {
		if (flow_linker_holds(linker, candidates[publication] + 1 + i)) {
			cr_assert_eq(origin, 0, "one at most");
			origin = subscriptions[publication][i];
		}
	}
	cr_assert_eq(flow_linker_holds(linker, candidates[publication]), origin == 0);
	return origin;
}

/* `reason` NULL: none is undecided. */
static void expect(const char *expected, const char *reason, uint64_t undecided)
{
	g_autofree char *detail = reason ? g_strconcat("/out of /python: ", reason, NULL) : NULL;

	finish();
	for (size_t i = 0; i < count; i++) {
		g_string_append_printf(publications, "%u", origin_of(i));
	}
	cr_assert_str_eq(publications->str, expected);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_UNDECIDED_ORIGIN, NULL), undecided);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_UNDECIDED_ORIGIN, detail), undecided);
}

static uint64_t next_stamp = 1;

static void take_at(int64_t time_ns, uint64_t subscription)
{
	now_ns = time_ns - STEP_NS;
	take_plain(listener, subscription, next_stamp++);
}

static void publish_at(int64_t time_ns)
{
	now_ns = time_ns - STEP_NS;
	publish_plain(listener, 1, next_stamp++);
}

Test(provenance, publications_after_takes_of_one_subscription)
{
	for (int64_t i = 1; i <= 8; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		publish_at((1002 + 40 * i) * MS);
		take_at((1020 + 40 * i) * MS, 2);
	}
	expect("11111111", NULL, 0);
}

Test(provenance, before_the_end_nothing_is_decided)
{
	for (int64_t i = 1; i <= 8; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		publish_at((1002 + 40 * i) * MS);
	}
	cr_assert(flow_linker_holds(linker, 1));
	cr_assert_not(flow_linker_holds(linker, 2));
	expect("11111111", NULL, 0);
	cr_assert_not(flow_linker_holds(linker, 1));
	cr_assert(flow_linker_holds(linker, 2));
	cr_assert(flow_linker_holds(linker, 0));
}

Test(provenance, a_publication_before_any_take_is_nobodys)
{
	publish_at(1001 * MS);
	take_at(1010 * MS, 1);
	NEXT(RCL_TIMER_INIT, listener, TIMER, 10 * MS); /* a wait: a boundary */
	publish_at(1020 * MS);
	expect("00", NULL, 0);
}

Test(provenance, too_few_are_undecided)
{
	for (int64_t i = 1; i < PROVENANCE_PUBLICATIONS_MIN; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		publish_at((1002 + 40 * i) * MS);
	}
	expect("0000", "too few to tell", 4);
}

Test(provenance, those_in_step_with_a_timer_are_no_take_s)
{
	NEXT(RCL_TIMER_INIT, listener, TIMER, 40 * MS);
	for (int64_t i = 1; i <= 20; i++) {
		take_at(now_ns + 13 * MS - i * i * MS / 40, 1);
		publish_at(1000 * MS + 5 * STEP_NS + 40 * i * MS);
	}
	expect("00000000000000000000", "in step with a timer", 20);
}

Test(provenance, those_of_several_subscriptions_follow_each_closely)
{
	for (int64_t i = 1; i <= 8; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		publish_at((1002 + 40 * i) * MS);
		take_at((1020 + 40 * i) * MS, 2);
		publish_at((1021 + 40 * i) * MS);
	}
	expect("1212121212121212", NULL, 0);
}

/* As after an await: at any distance, after whatever was taken meanwhile. */
Test(provenance, those_at_no_constant_distance_are_undecided)
{
	for (int64_t i = 1; i <= 12; i++) {
		take_at((1000 + 40 * i) * MS, i % 3 ? 1 : 2);
		publish_at((1001 + 40 * i + 7 * i % 35) * MS);
	}
	expect("000000000000", "after takes of several subscriptions, at no constant distance", 12);
}

/* Both are taken before the callbacks run. Once the other one was not. */
Test(provenance, a_batch_is_decided_by_its_exceptions)
{
	for (int64_t i = 1; i <= 12; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		if (i % 4) {
			take_at((1000 + 40 * i) * MS + 5 * STEP_NS, 2);
		}
		publish_at((1002 + 40 * i) * MS);
	}
	expect("111111111111", NULL, 0);
}

Test(provenance, a_batch_without_exceptions_is_undecided)
{
	for (int64_t i = 1; i <= 12; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		take_at((1000 + 40 * i) * MS + 5 * STEP_NS, 2);
		publish_at((1002 + 40 * i) * MS);
	}
	expect("000000000000", "after several takes at once", 12);
}

/* r2r takes all that is ready: which of two messages is the one is not known. */
Test(provenance, two_messages_of_one_subscription_at_once_are_no_candidates)
{
	for (int64_t i = 1; i <= 6; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		take_at((1000 + 40 * i) * MS + 5 * STEP_NS, 1);
		publish_at((1002 + 40 * i) * MS);
	}
	expect("000000", "with no single message to come from", 6);
}

Test(provenance, threads_that_take_nothing)
{
	for (int64_t i = 1; i <= 6; i++) {
		take_at((1000 + 40 * i) * MS, 1);
		now_ns = (1002 + 40 * i) * MS;
		publish_plain(listener_2, 1, next_stamp++);
	}
	expect("000000", "on a thread that takes nothing", 6);
}

Test(provenance, waits_are_no_timers)
{
	for (int64_t i = 1; i <= 40; i++) {
		now_ns = (1000 + 40 * i) * MS - STEP_NS;
		NEXT(RCL_TIMER_INIT, listener, TIMER + (uint64_t)i % 3, 40 * MS);
		take_at((1001 + 40 * i) * MS, 1);
		publish_at((1002 + 40 * i) * MS + i * MS / 10);
	}
	expect("1111111111111111111111111111111111111111", NULL, 0);
}

Test(provenance, a_process_that_takes_nothing_has_nothing_undecided)
{
	define_publisher(talker, 2, "/x");
	for (int64_t i = 1; i <= 6; i++) {
		publish_plain(talker, 2, next_stamp++);
	}
	expect("", NULL, 0);
}
