/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_path_times.h"

#include "core/base/compare_numbers.h"
#include "core/base/int128.h"
#include "ros2bt/base/time_units.h"

_Static_assert(offsetof(struct named_row, start_ns) == 0, "compare_times() orders rows by their start");

/* The times at which parts of the recording begin, in order. */
static GArray *part_begins(const struct named_results *results, const struct named_path *path, const GArray *rows)
{
	GArray *begins = g_array_new(FALSE, FALSE, sizeof(int64_t));

	if (path->breaks->len > 0) {
		g_array_append_vals(begins, path->breaks->data, path->breaks->len);
	}
	/* an unknown flow may have produced the first output; CARET ignores that */
	for (guint i = 0; i < rows->len && !results->asked->follows_caret; i++) {
		const struct named_row *row = &g_array_index(rows, struct named_row, i);

		if (row->outcome == NAMED_UNKNOWN) {
			g_array_append_vals(begins, &row->start_ns, 1);
		}
	}
	g_array_sort(begins, compare_times);
	return begins;
}

/* How many parts begin at or before a time. */
static uint32_t part_of(const GArray *begins, int64_t time_ns)
{
	guint low = 0, high = begins->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (g_array_index(begins, int64_t, middle) <= time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static GArray *inputs_of(const struct named_results *results, const GArray *rows, const GArray *begins)
{
	g_autofree struct response_flow *flows = g_new0(struct response_flow, MAX(rows->len, 1));
	size_t count = 0;

	for (guint i = 0; i < rows->len; i++) {
		const struct named_row *row = &g_array_index(rows, struct named_row, i);

		flows[count++] = (struct response_flow){
			.start_ns = row->start_ns,
			.end_ns = row->end_ns,
			.part = part_of(begins, row->start_ns),
			.end_part = row->end_ns == NAMED_NO_TIME ? 0 : part_of(begins, row->end_ns),
			.is_unknown = row->outcome == NAMED_UNKNOWN,
		};
	}
	return response_inputs(flows, count, results->asked->follows_caret);
}

static void add_responses(struct named_path_times *times, enum response_case which)
{
	g_autoptr(GArray) responses = response_times(times->inputs, which);

	for (guint i = 0; i < responses->len; i++) {
		const struct response_time *response = &g_array_index(responses, struct response_time, i);

		duration_statistics_add(&times->responses[which], response->duration_ns, response->start_ns);
	}
}

/* Periods between starts, unless a break lies between them. The start of an unknown flow counts. */
static void add_periods(struct named_path_times *times, const struct named_path *path, const GArray *rows)
{
	g_autoptr(GArray) breaks = g_array_copy(path->breaks);
	int128 sum_ns = 0;
	uint64_t count = 0;

	g_array_sort(breaks, compare_times);
	for (guint i = 0; i < rows->len; i++) {
		int64_t start_ns = g_array_index(rows, struct named_row, i).start_ns;
		int64_t before_ns;

		if (times->starts->len == 0) {
			g_array_append_vals(times->starts, &start_ns, 1);
			continue;
		}
		before_ns = g_array_index(times->starts, int64_t, times->starts->len - 1);
		if (start_ns == before_ns) {
			continue;
		}
		g_array_append_vals(times->starts, &start_ns, 1);
		if (part_of(breaks, start_ns) == part_of(breaks, before_ns)) {
			duration_statistics_add(&times->period, start_ns - before_ns, before_ns);
			sum_ns += start_ns - before_ns;
			count++;
		}
	}
	times->rate_hz = sum_ns > 0 ? (double)count * (double)NS_PER_S / int128_to_double(sum_ns) : 0;
}

static void evaluate(struct named_path_times *times, const struct named_results *results, const struct named_path *path,
		     struct arena *arena)
{
	g_autoptr(GArray) rows = g_array_copy(path->rows);
	g_autoptr(GArray) begins = NULL;

	g_array_sort(rows, compare_times);
	begins = part_begins(results, path, rows);
	times->path = path;
	times->inputs = inputs_of(results, rows, begins);
	times->starts = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (int which = 0; which < RESPONSE_CASE_COUNT; which++) {
		duration_statistics_init(&times->responses[which], arena);
		add_responses(times, (enum response_case)which);
	}
	duration_statistics_init(&times->period, arena);
	add_periods(times, path, rows);
}

static void times_clear(gpointer data)
{
	struct named_path_times *times = data;

	g_array_unref(times->inputs);
	g_array_unref(times->starts);
}

GArray *named_path_times_of(const struct named_results *results, struct arena *arena)
{
	GArray *all = g_array_new(FALSE, TRUE, sizeof(struct named_path_times));

	g_array_set_clear_func(all, times_clear);
	g_array_set_size(all, results->paths->len);
	for (guint i = 0; i < results->paths->len; i++) {
		evaluate(&g_array_index(all, struct named_path_times, i), results, g_ptr_array_index(results->paths, i),
			 arena);
	}
	return all;
}
