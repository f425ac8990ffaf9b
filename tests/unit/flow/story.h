/* SPDX-License-Identifier: MIT */
/*
 * A small system and a listener that writes what it hears as a text, the story, for tests of core/flow. Include it in
 * one file of a test only.
 */
#ifndef TESTS_UNIT_FLOW_STORY_H
#define TESTS_UNIT_FLOW_STORY_H

#include "flow_records.h"
#include "ros2bt/flow/link_rules.h"

/*
 * The calls of the listener, publications (P) numbered in order, callbacks of subscriptions (S), timers (T) and
 * services (V), and clients (C): "T1:P1>S2 " published in T1, reached the callback of S2; "P1-S2 " taken without a
 * callback; "P1=>S2 " within the process; "P1~>S2 " inferred; "T1+S3/P1:P2>S2 " with what S3 kept of P1; "P1xS2 " lost,
 * "P1oS2 " overwritten, "P1?S2 " unknown or in flight.
 */
static GString *story;
static uint64_t finished_count, released_count, in_flight_count;
static int64_t first_publish_ns;  /* of the publication that was delivered last */
static unsigned int data_index;	  /* what is kept at executions: flow_linker_reserve() */
static struct link_rule rules[2]; /* the user's, if any */

static inline void append_callback(const struct model_callback *callback)
{
	switch (callback->address & ~UINT64_C(0xff)) {
	case TIMER_CALLBACK:
		g_string_append_c(story, 'T');
		break;
	case SERVICE_CALLBACK:
		g_string_append_c(story, 'V');
		break;
	default:
		g_string_append_c(story, 'S');
		break;
	}
	g_string_append_printf(story, "%d", (int)(callback->address & 0xff));
}

static inline void append_publication(const struct flow_publication *publication)
{
	for (size_t i = 0; i < publication->parent_count; i++) {
		append_callback(publication->parents[i]->callback);
		if (i > 0) {
			g_string_append_printf(story, "/P%d", (int)publication->parents[i]->flow_id);
		}
		g_string_append_c(story, i + 1 < publication->parent_count ? '+' : ':');
	}
	g_string_append_printf(story, "P%d", (int)publication->id);
}

static inline void on_delivered(void *data, const struct flow_delivery *delivery)
{
	first_publish_ns = delivery->publication->first_ns;
	append_publication(delivery->publication);
	g_string_append(story, delivery->is_inferred ? "~" : delivery->is_intra_process ? "=" : "");
	g_string_append_c(story, delivery->execution ? '>' : '-');
	if (delivery->subscription) {
		g_string_append_printf(story, "S%d ", (int)(delivery->subscription->rmw_handle & 0xff));
	} else if (delivery->publication->service) {
		g_string_append_printf(story, "C%d ", (int)(delivery->client->handle & 0xff));
	} else if (delivery->service) {
		g_string_append_printf(story, "V%d ", (int)(delivery->service->handle & 0xff));
	} else {
		g_string_append(story, "V? ");
	}
}

static inline void on_missed(void *data, const struct flow_publication *publication,
			     struct model_subscription *subscription, bool is_intra_process, enum flow_outcome outcome)
{
	static const char *const marks[] = {
		[FLOW_LOST] = "x",
		[FLOW_OVERWRITTEN] = "o",
		[FLOW_UNKNOWN] = "?",
		[FLOW_IN_FLIGHT] = "?",
	};

	in_flight_count += outcome == FLOW_IN_FLIGHT;
	cr_assert_neq(outcome, FLOW_RECEIVED);
	if (outcome != FLOW_NOT_EXPECTED) {
		g_string_append_printf(story, "P%d%sS%d ", (int)publication->id, marks[outcome],
				       (int)(subscription->rmw_handle & 0xff));
	}
}

static inline void on_resolved(void *data, struct flow_execution *execution)
{
	cr_assert_null(execution->data[data_index], "resolved once");
	cr_assert(!execution->cause || execution->cause->execution == execution, "by the message that it handles");
	execution->data[data_index] = execution;
}

static inline void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	cr_assert_eq(execution->data[data_index], execution, "resolved before, not finished yet");
	execution->data[data_index] = story;
	finished_count++;
}

static inline void on_released(void *data, struct flow_execution *execution)
{
	released_count++;
}

static inline void story_setup_analysis(void)
{
	flow_setup_analysis();
	cr_assert_eq(flow_linker_reserve(linker), 0, "of another listener");
	data_index = flow_linker_reserve(linker);
	cr_assert_eq(data_index, 1);
	flow_linker_add_listener(linker, &(struct flow_listener){
						 .delivered = on_delivered,
						 .missed = on_missed,
						 .resolved = on_resolved,
						 .finished = on_finished,
						 .released = on_released,
					 });
	story = g_string_new(NULL);
	finished_count = 0;
	in_flight_count = 0;
	released_count = 0;
}

static inline void story_teardown_analysis(void)
{
	flow_teardown_analysis();
	g_string_free(story, TRUE);
}

static inline void story_setup(void)
{
	flow_setup_recording();
	story_setup_analysis();
}

static inline void story_teardown(void)
{
	story_teardown_analysis();
	recording_teardown();
	link_rule_clear(&rules[0]);
	link_rule_clear(&rules[1]);
}

static inline void expect(const char *expected)
{
	cr_assert_str_eq(story->str, expected);
}

static inline void expect_at_end(const char *expected)
{
	finish();
	expect(expected);
}

static inline void expect_counts(uint64_t takes, uint64_t linked)
{
	struct flow_counts counts;

	flow_linker_counts(linker, &counts);
	cr_assert_eq(counts.takes, takes);
	cr_assert_eq(counts.linked_takes, linked);
}

static inline uint64_t diagnosed(enum diagnostic what, const char *detail)
{
	return diagnostics_count(diagnostics, what, detail);
}

/* Publisher 1 of /a in one process, subscriptions 1 of it and 2 of /b in the other, timer 1 in the first. */
static inline void define_system(void)
{
	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	define_publisher(talker, 2, "/b");
	define_timer(talker, 1);
	define_node(listener, "listener");
	define_subscription(listener, 1, "/a");
	define_subscription(listener, 2, "/b");
}

#endif
