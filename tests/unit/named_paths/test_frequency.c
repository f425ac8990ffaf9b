/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <inttypes.h>

#include "core/named_paths/frequency.h"
#include "ros2bt/base/time_units.h"

#define S NS_PER_S

struct bins {
	struct table_writer writer;
	GString *text;
};

static void add_bin(struct table_writer *writer, const struct cell *cells)
{
	GString *text = ((struct bins *)writer)->text;

	cr_expect_eq(cells[0].unsigned_integer, 7, "the path");
	g_string_append_printf(text, "%s%g:%" PRIu64, text->len ? " " : "", (double)cells[1].integer / S,
			       cells[2].unsigned_integer);
}

static char *bins_of(const int64_t *times_ns, size_t count)
{
	struct bins bins = { .writer = { .row = add_bin }, .text = g_string_new(NULL) };
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(int64_t));

	if (count > 0) {
		g_array_append_vals(times, times_ns, (guint)count);
	}
	frequency_write(&bins.writer, 7, CELL_NONE, times);
	return g_string_free(bins.text, FALSE);
}

static void expect_bins(const int64_t *times_ns, size_t count, const char *expected)
{
	g_autofree char *text = bins_of(times_ns, count);

	cr_expect_str_eq(text, expected, "%s, not %s", text, expected);
}

#define expect(expected, ...)                                                                                          \
	expect_bins((const int64_t[]){ __VA_ARGS__ }, sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t),      \
		    expected)

/* As caret_analyze: 10 Hz from 0.0 to 2.3 s, so from 0.05 to 2.05 s. */
Test(frequency, whole_seconds_begin_between_two_events)
{
	int64_t times_ns[24];

	for (int i = 0; i < 24; i++) {
		times_ns[i] = i * (S / 10);
	}
	expect_bins(times_ns, 24, "0.05:10 1.05:10");
	expect("0.5:1 1.5:0 2.5:1", 0, S, 3 * S, 4 * S);
}

Test(frequency, less_than_a_whole_second_has_none)
{
	expect("", 5 * S);
	expect("", 0, S / 2, S);
	expect_bins(NULL, 0, "");
}

/* A clock that jumps by years: no table of a billion zeros. */
Test(frequency, long_silences_are_one_bin)
{
	expect("0:2 1:0 2e+09:2", 0, 0, 2000000000 * S, 2000000000 * S, 2000000001 * S);
}
