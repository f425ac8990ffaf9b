/* SPDX-License-Identifier: MIT */
#include "core/named_paths/response_times.h"

#include <stdlib.h>

#include "core/base/compare_numbers.h"

const char *response_case_name(enum response_case which)
{
	static const char *const names[RESPONSE_CASE_COUNT] = { "best", "worst", "all", "external", "age" };

	return names[which];
}

/* --- inputs --- */

_Static_assert(offsetof(struct response_flow, start_ns) == 0, "compare_times() orders flows by their start");

static const struct response_input *input_at(const GArray *inputs, guint index)
{
	return &g_array_index(inputs, struct response_input, index);
}

static void reverse(GArray *inputs)
{
	for (guint i = 0; i < inputs->len / 2; i++) {
		struct response_input *first = &g_array_index(inputs, struct response_input, i);
		struct response_input *last = &g_array_index(inputs, struct response_input, inputs->len - 1 - i);
		struct response_input kept = *first;

		*first = *last;
		*last = kept;
	}
}

/* Adds the input of a flow, or improves the one before if it is of the same start. */
static void add_input(GArray *inputs, const struct response_flow *flow, int64_t output_ns)
{
	bool is_own = flow->end_ns != RESPONSE_NO_TIME;
	struct response_input input = { flow->start_ns, output_ns, flow->part, is_own ? flow->end_part : flow->part };

	if (inputs->len > 0) {
		struct response_input *last = &g_array_index(inputs, struct response_input, inputs->len - 1);

		if (last->start_ns == input.start_ns && last->part == input.part) {
			bool is_better = last->output_ns == RESPONSE_NO_TIME ||
					 (output_ns != RESPONSE_NO_TIME && output_ns < last->output_ns);

			if (is_better) {
				*last = input;
			}
			return;
		}
	}
	g_array_append_val(inputs, input);
}

/* With its inputs, and with all unknown ones before the last of these. */
static void drop_first_output(GArray *inputs)
{
	int64_t first_ns = INT64_MAX;
	guint end = 0, kept = 0;

	for (guint i = 0; i < inputs->len; i++) {
		int64_t output_ns = input_at(inputs, i)->output_ns;

		if (output_ns != RESPONSE_NO_TIME && output_ns <= first_ns) {
			first_ns = output_ns;
			end = i;
		}
	}
	for (guint i = 0; i < inputs->len; i++) {
		int64_t output_ns = input_at(inputs, i)->output_ns;

		if (output_ns != first_ns && (output_ns != RESPONSE_NO_TIME || i > end)) {
			g_array_index(inputs, struct response_input, kept++) = *input_at(inputs, i);
		}
	}
	g_array_set_size(inputs, kept);
}

GArray *response_inputs(struct response_flow *flows, size_t count, bool drops_first_output)
{
	GArray *inputs = g_array_new(FALSE, FALSE, sizeof(struct response_input));
	struct response_input first = { .output_ns = RESPONSE_NO_TIME }; /* output of a part, of the flows so far */

	if (count > 0) {
		qsort(flows, count, sizeof(*flows), compare_times);
	}
	for (size_t i = count; i-- > 0 && flows[i].start_ns != RESPONSE_NO_TIME;) {
		const struct response_flow *flow = &flows[i];
		bool has_end = flow->end_ns != RESPONSE_NO_TIME;
		int64_t output_ns = has_end ? flow->end_ns : first.output_ns;

		if (first.part != flow->part) {
			first = (struct response_input){ .output_ns = RESPONSE_NO_TIME, .part = flow->part };
			output_ns = flow->end_ns;
		}
		if (flow->is_unknown) {
			output_ns = RESPONSE_NO_TIME;
		} else if (output_ns == RESPONSE_NO_TIME || output_ns < flow->start_ns) {
			continue;
		}
		add_input(inputs, flow, output_ns);
		if (has_end && flow->end_part == flow->part &&
		    (first.output_ns == RESPONSE_NO_TIME || output_ns < first.output_ns)) {
			first.output_ns = output_ns;
		}
	}
	reverse(inputs);
	if (drops_first_output) {
		drop_first_output(inputs);
	}
	return inputs;
}

/* --- series --- */

/* An input, and where its response time is counted from. */
struct candidate {
	int64_t output_ns, input_ns, start_ns;
	uint32_t output_part;
	guint unknown; /* inputs before it whose output is unknown */
};

_Static_assert(offsetof(struct candidate, input_ns) == sizeof(int64_t), "by output, then by input");
_Static_assert(offsetof(struct response_time, duration_ns) == sizeof(int64_t), "by start, then by duration");

/* By the first two numbers of a struct. Not as text: there may be one for each message. */
static int compare_two_times(const void *a, const void *b)
{
	const int64_t *first = a, *second = b;
	int order = compare_integers(first[0], second[0]);

	return order ? order : compare_integers(first[1], second[1]);
}

static GArray *candidates_of(const GArray *inputs, enum response_case which)
{
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	guint unknown = 0;

	for (guint i = 0; i < inputs->len; i++) {
		const struct response_input *input = input_at(inputs, i);
		struct candidate candidate = {
			input->output_ns, input->start_ns, input->start_ns, input->output_part, unknown,
		};

		if (input->output_ns == RESPONSE_NO_TIME) {
			unknown++;
			continue;
		}
		if (which == RESPONSE_EXTERNAL) {
			if (i == 0 || input_at(inputs, i - 1)->part != input->part) {
				continue;
			}
			candidate.start_ns = input_at(inputs, i - 1)->start_ns;
		}
		g_array_append_val(candidates, candidate);
	}
	return candidates;
}

/* Whether a candidate, sorted by output and input, is the one of its output. */
static bool is_chosen(const GArray *candidates, guint index, enum response_case which)
{
	const struct candidate *candidate = &g_array_index(candidates, struct candidate, index);
	guint neighbour = which == RESPONSE_BEST ? index + 1 : index - 1; /* wraps before the first */

	return which == RESPONSE_ALL || neighbour >= candidates->len ||
	       g_array_index(candidates, struct candidate, neighbour).output_ns != candidate->output_ns;
}

/* The last candidate of the output that the candidate at `first` has. */
static guint last_of_output(const GArray *candidates, guint first)
{
	int64_t output_ns = g_array_index(candidates, struct candidate, first).output_ns;
	guint last = first;

	while (last + 1 < candidates->len &&
	       g_array_index(candidates, struct candidate, last + 1).output_ns == output_ns) {
		last++;
	}
	return last;
}

/* From the latest input of each output to the next output. The candidates are sorted by output and input. */
static void add_ages(const GArray *candidates, GArray *times)
{
	for (guint i = 0, next; i < candidates->len; i = next) {
		const struct candidate *sample, *replacing;

		next = last_of_output(candidates, i) + 1;
		if (next == candidates->len) {
			return;
		}
		sample = &g_array_index(candidates, struct candidate, next - 1);
		replacing = &g_array_index(candidates, struct candidate, last_of_output(candidates, next));
		if (sample->output_part == replacing->output_part && replacing->unknown <= sample->unknown) {
			struct response_time time = { sample->input_ns, replacing->output_ns - sample->input_ns };

			g_array_append_val(times, time);
		}
	}
}

GArray *response_times(const GArray *inputs, enum response_case which)
{
	g_autoptr(GArray) candidates = candidates_of(inputs, which);
	GArray *times = g_array_new(FALSE, FALSE, sizeof(struct response_time));

	g_array_sort(candidates, compare_two_times);
	if (which == RESPONSE_AGE) {
		add_ages(candidates, times);
	}
	for (guint i = 0; i < candidates->len && which != RESPONSE_AGE; i++) {
		const struct candidate *candidate = &g_array_index(candidates, struct candidate, i);

		if (is_chosen(candidates, i, which)) {
			struct response_time time = { candidate->start_ns, candidate->output_ns - candidate->start_ns };

			g_array_append_val(times, time);
		}
	}
	g_array_sort(times, compare_two_times);
	return times;
}
