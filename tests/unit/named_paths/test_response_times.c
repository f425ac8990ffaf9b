/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "core/named_paths/response_times.h"

#define NONE RESPONSE_NO_TIME

/* "start:duration" of each, as in the expected texts. */
static char *text_of(const GArray *times)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < times->len; i++) {
		const struct response_time *time = &g_array_index(times, struct response_time, i);

		g_string_append_printf(text, "%s%" PRId64 ":%" PRId64, i ? " " : "", time->start_ns, time->duration_ns);
	}
	return g_string_free(text, FALSE);
}

static void expect(const GArray *inputs, enum response_case which, const char *expected)
{
	g_autoptr(GArray) times = response_times(inputs, which);
	g_autofree char *text = text_of(times);

	cr_expect_str_eq(text, expected, "%s: %s, not %s", response_case_name(which), text, expected);
}

/* Ten flows, with the figures of caret_analyze: a lost one is charged to the next output, the first output and its
 * inputs are left out, the flow that was overtaken (70) has its own end. */
Test(response_times, are_those_of_caret)
{
	struct response_flow flows[] = {
		{ .start_ns = 0, .end_ns = 5 },	  { .start_ns = 10, .end_ns = NONE },
		{ .start_ns = 20, .end_ns = 28 }, { .start_ns = 30, .end_ns = 39 },
		{ .start_ns = 30, .end_ns = 45 }, { .start_ns = 40, .end_ns = NONE },
		{ .start_ns = 50, .end_ns = 62 }, { .start_ns = 60, .end_ns = 62 },
		{ .start_ns = 70, .end_ns = 90 }, { .start_ns = 80, .end_ns = 85 },
	};
	g_autoptr(GArray) inputs = response_inputs(flows, G_N_ELEMENTS(flows), true);

	expect(inputs, RESPONSE_ALL, "10:18 20:8 30:9 40:22 50:12 60:2 70:20 80:5");
	expect(inputs, RESPONSE_BEST, "20:8 30:9 60:2 70:20 80:5");
	expect(inputs, RESPONSE_WORST, "10:18 30:9 40:22 70:20 80:5");
	expect(inputs, RESPONSE_EXTERNAL, "10:18 20:19 30:32 60:30 70:15");
	/* 28 is made from 20, and replaced at 39; 62 from 60, until 85; 85 from 80, until 90 by an older sample */
	expect(inputs, RESPONSE_AGE, "20:19 30:32 60:25 80:10");
}

Test(response_times, keep_the_first_output_where_its_inputs_are_known)
{
	struct response_flow flows[] = { { .start_ns = 0, .end_ns = 5 }, { .start_ns = 10, .end_ns = 12 } };
	g_autoptr(GArray) inputs = response_inputs(flows, G_N_ELEMENTS(flows), false);

	expect(inputs, RESPONSE_ALL, "0:5 10:2");
}

Test(response_times, of_a_lost_input_are_not_charged_across_a_break)
{
	struct response_flow flows[] = {
		{ .start_ns = 0, .end_ns = 5 },
		{ .start_ns = 10, .end_ns = NONE },
		{ .start_ns = 100, .end_ns = 108, .part = 1, .end_part = 1 },
		{ .start_ns = 90, .end_ns = NONE, .part = 1 },
	};
	g_autoptr(GArray) inputs = response_inputs(flows, G_N_ELEMENTS(flows), false);

	expect(inputs, RESPONSE_ALL, "0:5 90:18 100:8");
	expect(inputs, RESPONSE_WORST, "0:5 90:18");
	expect(inputs, RESPONSE_EXTERNAL, "90:18"); /* counted from 90, not from 0 */
	expect(inputs, RESPONSE_AGE, "");	    /* what replaced 5 may not be recorded */
}

/* Its own end is certain, but it may not be the first one after 5. */
Test(response_times, of_a_flow_that_outlasts_a_break_are_its_own)
{
	struct response_flow flows[] = {
		{ .start_ns = 5, .end_ns = NONE },
		{ .start_ns = 10, .end_ns = 105, .end_part = 1 },
		{ .start_ns = 20, .end_ns = NONE },
		{ .start_ns = 100, .end_ns = 103, .part = 1, .end_part = 1 },
	};
	g_autoptr(GArray) inputs = response_inputs(flows, G_N_ELEMENTS(flows), false);

	expect(inputs, RESPONSE_ALL, "10:95 100:3");
}

/* It may have come through: it is not charged, but the wait for the next output begins with it. */
Test(response_times, of_an_unknown_flow_are_none)
{
	struct response_flow flows[] = {
		{ .start_ns = 0, .end_ns = 5 },	  { .start_ns = 10, .end_ns = NONE, .is_unknown = true },
		{ .start_ns = 20, .end_ns = 25 }, { .start_ns = 30, .end_ns = NONE, .is_unknown = true },
		{ .start_ns = 30, .end_ns = 37 },
	};
	g_autoptr(GArray) inputs = response_inputs(flows, G_N_ELEMENTS(flows), false);

	expect(inputs, RESPONSE_ALL, "0:5 20:5 30:7");
	expect(inputs, RESPONSE_EXTERNAL, "10:15 20:17");
	expect(inputs, RESPONSE_AGE, "20:17"); /* the output of 0 may have been replaced by one of 10 */
}

Test(response_times, unknown_inputs_of_the_first_output_are_left_out_with_it)
{
	struct response_flow flows[] = {
		{ .start_ns = 0, .end_ns = NONE, .is_unknown = true },
		{ .start_ns = 10, .end_ns = 15 },
		{ .start_ns = 20, .end_ns = 25 },
		{ .start_ns = 30, .end_ns = NONE, .is_unknown = true },
		{ .start_ns = 40, .end_ns = 45 },
	};
	g_autoptr(GArray) inputs = response_inputs(flows, G_N_ELEMENTS(flows), true);

	expect(inputs, RESPONSE_EXTERNAL, "30:15");
}

Test(response_times, leave_out_flows_that_run_backwards)
{
	struct response_flow flows[] = {
		{ .start_ns = 0, .end_ns = NONE },
		{ .start_ns = 10, .end_ns = 9 },
		{ .start_ns = NONE, .end_ns = 3 },
		{ .start_ns = 20, .end_ns = 21 },
	};
	g_autoptr(GArray) inputs = response_inputs(flows, G_N_ELEMENTS(flows), false);

	expect(inputs, RESPONSE_ALL, "0:21 20:1");
}

Test(response_times, of_nothing_are_none)
{
	g_autoptr(GArray) inputs = response_inputs(NULL, 0, true);

	for (int which = 0; which < RESPONSE_CASE_COUNT; which++) {
		expect(inputs, which, "");
	}
}

/* --- against the definition, word by word and in O(n²) --- */

static const struct response_input *naive_at(const GArray *inputs, guint index)
{
	return &g_array_index(inputs, struct response_input, index);
}

static guint naive_find(const GArray *inputs, int64_t start_ns)
{
	guint index = 0;

	while (index < inputs->len && naive_at(inputs, index)->start_ns != start_ns) {
		index++;
	}
	return index;
}

static int64_t naive_least_output(const GArray *inputs)
{
	int64_t least = INT64_MAX;

	for (guint i = 0; i < inputs->len; i++) {
		least = MIN(least, naive_at(inputs, i)->output_ns);
	}
	return least;
}

/* `flows` are in order of their starts. */
static GArray *naive_inputs(const struct response_flow *flows, size_t count)
{
	GArray *inputs = g_array_new(FALSE, FALSE, sizeof(struct response_input));
	int64_t least;

	for (size_t i = count; i-- > 0;) {
		struct response_input input = { .start_ns = flows[i].start_ns, .output_ns = flows[i].end_ns };
		guint index;

		if (input.output_ns == NONE) {
			if (inputs->len == 0) {
				continue;
			}
			input.output_ns = naive_least_output(inputs);
		}
		if (input.output_ns < input.start_ns) {
			continue;
		}
		index = naive_find(inputs, input.start_ns);
		if (index == inputs->len) {
			g_array_prepend_val(inputs, input);
		} else if (input.output_ns < naive_at(inputs, index)->output_ns) {
			g_array_index(inputs, struct response_input, index) = input;
		}
	}
	least = naive_least_output(inputs);
	for (guint i = inputs->len; i-- > 0;) {
		if (naive_at(inputs, i)->output_ns == least) {
			g_array_remove_index(inputs, i);
		}
	}
	return inputs;
}

/* The latest input of each output, until the earliest of all later outputs. */
static void naive_add_ages(const GArray *inputs, GArray *times)
{
	for (guint i = 0; i < inputs->len; i++) {
		const struct response_input *input = naive_at(inputs, i);
		int64_t next_ns = INT64_MAX;
		bool is_latest = true;

		for (guint j = 0; j < inputs->len; j++) {
			const struct response_input *other = naive_at(inputs, j);

			is_latest = is_latest && (other->output_ns != input->output_ns || j <= i);
			next_ns = other->output_ns > input->output_ns ? MIN(next_ns, other->output_ns) : next_ns;
		}
		if (is_latest && next_ns < INT64_MAX) {
			struct response_time time = { input->start_ns, next_ns - input->start_ns };

			g_array_append_val(times, time);
		}
	}
}

/* The input that a case takes for an output: the first or the last one, by start. */
static GArray *naive_times(const GArray *inputs, enum response_case which)
{
	GArray *times = g_array_new(FALSE, FALSE, sizeof(struct response_time));

	if (which == RESPONSE_AGE) {
		naive_add_ages(inputs, times);
		return times;
	}
	for (guint i = which == RESPONSE_EXTERNAL; i < inputs->len; i++) {
		const struct response_input *input = naive_at(inputs, i);
		int64_t start_ns = which == RESPONSE_EXTERNAL ? naive_at(inputs, i - 1)->start_ns : input->start_ns;
		struct response_time time = { start_ns, input->output_ns - start_ns };
		bool is_chosen = true;

		for (guint j = which == RESPONSE_EXTERNAL; j < inputs->len && which != RESPONSE_ALL; j++) {
			if (naive_at(inputs, j)->output_ns == input->output_ns) {
				is_chosen = is_chosen && (which == RESPONSE_BEST ? j <= i : j >= i);
			}
		}
		if (is_chosen) {
			g_array_append_val(times, time);
		}
	}
	return times;
}

Test(response_times, are_as_defined_for_any_flows)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	for (int round = 0; round < 2000; round++) {
		struct response_flow flows[40];
		size_t count = (size_t)g_rand_int_range(random, 0, G_N_ELEMENTS(flows) + 1);
		int64_t start_ns = 0;
		g_autoptr(GArray) expected = NULL;
		g_autoptr(GArray) inputs = NULL;

		for (size_t i = 0; i < count; i++) {
			start_ns += g_rand_int_range(random, 0, 4);
			flows[i] = (struct response_flow){
				.start_ns = start_ns,
				.end_ns = g_rand_int_range(random, 0, 3) == 0
						  ? NONE
						  : start_ns + g_rand_int_range(random, -1, 12),
			};
		}
		expected = naive_inputs(flows, count);
		for (size_t i = count; i > 1; i--) {
			size_t other = (size_t)g_rand_int_range(random, 0, (gint)i);
			struct response_flow kept = flows[i - 1];

			flows[i - 1] = flows[other];
			flows[other] = kept;
		}
		inputs = response_inputs(flows, count, true);
		for (int which = 0; which < RESPONSE_CASE_COUNT; which++) {
			g_autoptr(GArray) times = naive_times(expected, which);
			g_autofree char *text = text_of(times);

			expect(inputs, which, text);
		}
	}
}

/* --- the equivalence of ECRTS 2023 --- */

/*
 * A chain of tasks that read the latest value of the one before, each with its own period and offset: what reaches its
 * end, sample by sample. Values between two reads are replaced (over-sampling), others are read twice (under-sampling).
 */
static GArray *chain_of_tasks(GRand *random, int64_t until_ns)
{
	GArray *flows = g_array_new(FALSE, FALSE, sizeof(struct response_flow));
	g_autoptr(GArray) written =
		g_array_new(FALSE, FALSE, sizeof(struct response_flow)); /* sample, when it was written */
	int tasks = g_rand_int_range(random, 1, 5);

	for (int64_t at_ns = g_rand_int_range(random, 0, 20), period_ns = g_rand_int_range(random, 5, 40);
	     at_ns < until_ns; at_ns += period_ns) {
		struct response_flow sample = { .start_ns = at_ns, .end_ns = at_ns };

		g_array_append_val(written, sample);
	}
	for (int task = 0; task < tasks; task++) {
		GArray *next = g_array_new(FALSE, FALSE, sizeof(struct response_flow));
		int64_t period_ns = g_rand_int_range(random, 5, 40), cost_ns = g_rand_int_range(random, 0, 5);
		guint read = 0;

		for (int64_t at_ns = g_rand_int_range(random, 0, 20); at_ns < until_ns; at_ns += period_ns) {
			while (read < written->len &&
			       g_array_index(written, struct response_flow, read).end_ns <= at_ns) {
				read++;
			}
			if (read > 0) {
				struct response_flow value = g_array_index(written, struct response_flow, read - 1);

				value.end_ns = at_ns + cost_ns;
				g_array_append_val(next, value);
			}
		}
		g_array_set_size(written, 0);
		g_array_append_vals(written, next->data, next->len);
		g_array_unref(next);
	}
	for (guint i = 0; i < written->len; i++) {
		const struct response_flow *value = &g_array_index(written, struct response_flow, i);

		/* only the first output that is made from a sample is a flow's end: the others repeat it */
		if (i == 0 || g_array_index(written, struct response_flow, i - 1).start_ns != value->start_ns) {
			g_array_append_val(flows, *value);
		}
	}
	return flows;
}

/* Samples that no output is made of are flows without end. */
static void add_replaced(GArray *flows, GRand *random)
{
	guint count = flows->len;

	for (guint i = 0; i + 1 < count; i++) {
		const struct response_flow *here = &g_array_index(flows, struct response_flow, i);
		int64_t between_ns = g_array_index(flows, struct response_flow, i + 1).start_ns - here->start_ns;

		if (between_ns > 1 && g_rand_int_range(random, 0, 3) == 0) {
			struct response_flow lost = {
				.start_ns = here->start_ns + g_rand_int_range(random, 1, (gint)between_ns),
				.end_ns = NONE,
			};

			g_array_append_val(flows, lost);
		}
	}
}

/* The first output has replaced none: its response, if any, begins with the first input, whatever was before. */
static void drop_responses_of_first_output(const GArray *inputs, GArray *responses)
{
	int64_t first_ns = naive_least_output(inputs);

	for (guint i = responses->len; i-- > 0;) {
		const struct response_time *response = &g_array_index(responses, struct response_time, i);

		if (response->start_ns + response->duration_ns == first_ns) {
			g_array_remove_index(responses, i);
		}
	}
}

Test(response_times, age_and_external_response_are_the_same_where_nothing_overtakes)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(2023);
	guint compared = 0;

	for (int round = 0; round < 2000; round++) {
		g_autoptr(GArray) flows = chain_of_tasks(random, g_rand_int_range(random, 0, 600));
		g_autoptr(GArray) inputs = NULL, ages = NULL, responses = NULL;
		g_autofree char *age_text = NULL, *response_text = NULL;

		add_replaced(flows, random);
		inputs = response_inputs((struct response_flow *)(void *)flows->data, flows->len, round % 2);
		ages = response_times(inputs, RESPONSE_AGE);
		responses = response_times(inputs, RESPONSE_EXTERNAL);
		drop_responses_of_first_output(inputs, responses);
		age_text = text_of(ages);
		response_text = text_of(responses);
		cr_assert_str_eq(age_text, response_text, "age %s, external %s", age_text, response_text);
		compared += ages->len;
	}
	cr_assert_gt(compared, 10000);
}
