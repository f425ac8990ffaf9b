/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_one_way.h"

#include <stdlib.h>

#include "core/clocks/clock_pieces.h"
#include "core/clocks/clock_bound.h"
#include "core/base/compare_numbers.h"

/* Messages among which one is taken to be fast, and how much less it may be so, in multiples of their scatter. */
#define WINDOW_COUNT 16
#define SCATTERS 3

/* The other side of where the clock may be, by the fastest message from `begin` on. */
static struct clock_bound opposite(const struct clock_bound *bounds, size_t begin)
{
	const struct clock_bound *fastest = &bounds[begin];
	const int64_t sign = fastest->is_upper ? 1 : -1;
	int64_t offsets[WINDOW_COUNT], scatter_ns;

	for (size_t i = 0; i < WINDOW_COUNT; i++) {
		offsets[i] = sign * bounds[begin + i].offset_ns;
		fastest = offsets[i] < sign * fastest->offset_ns ? &bounds[begin + i] : fastest;
	}
	qsort(offsets, WINDOW_COUNT, sizeof(*offsets), compare_times);
	scatter_ns = offsets[WINDOW_COUNT / 2] - offsets[0];
	return (struct clock_bound){ .at_ns = fastest->at_ns,
				     .offset_ns = fastest->offset_ns - sign * (SCATTERS * scatter_ns + 1),
				     .is_upper = !fastest->is_upper };
}

GArray *clock_one_way_find(const struct clock_bounds *bounds, size_t count)
{
	g_autoptr(GArray) both = g_array_sized_new(FALSE, FALSE, sizeof(struct clock_bound), (guint)count);
	g_autofree size_t *indexes = g_new(size_t, 2 * count + 1); /* of `bounds`, by index of `both` */
	g_autofree bool *is_left_out = g_new0(bool, 2 * count + 1);
	struct clock_bounds search = { .is_left_out = is_left_out, .reach_ns = (1 + SCATTERS) * bounds->reach_ns };
	struct clock_bound other = { 0 };
	bool has_other = false;
	GArray *boundaries;

	for (size_t i = 0; i < count; i++) {
		if (i % WINDOW_COUNT == 0) {
			has_other = count - i >= WINDOW_COUNT;
			other = has_other ? opposite(bounds->at, i) : other;
		}
		indexes[both->len] = i;
		g_array_append_val(both, bounds->at[i]);
		if (has_other && other.at_ns == bounds->at[i].at_ns) {
			indexes[both->len] = i + 1;
			g_array_append_val(both, other);
			has_other = false;
		}
	}
	search.at = (const struct clock_bound *)(const void *)both->data;
	boundaries = clock_pieces_find(&search, both->len);
	indexes[both->len] = count;
	for (guint i = 0; i < boundaries->len; i++) {
		size_t *at = &g_array_index(boundaries, size_t, i);

		*at = indexes[*at];
	}
	for (guint i = boundaries->len - 1; i > 0; i--) {
		if (g_array_index(boundaries, size_t, i) == g_array_index(boundaries, size_t, i - 1)) {
			g_array_remove_index(boundaries, i);
		}
	}
	return boundaries;
}
