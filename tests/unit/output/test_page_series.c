/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "core/output/json_writer.h"
#include "core/output/page/page_bucket.h"
#include "core/output/page/page_rows.h"
#include "core/output/page/page_series.h"
#include "ros2bt/output/output_stream.h"

static const struct table_column columns[] = {
	{ .name = "thing_id", .id_of = "things" },	   { .name = "start_ns", .format = COLUMN_TIME },
	{ .name = "end_ns", .format = COLUMN_TIME },	   { .name = "duration_ns", .format = COLUMN_DURATION },
	{ .name = "other_ns", .format = COLUMN_DURATION },
};
static const struct table_schema schema = {
	.name = "thing_instances",
	.selection = "things",
	.kind = KIND_INSTANCES,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static void keep(const char *bytes, size_t size, void *data)
{
	g_string_append_len(data, bytes, (gssize)size);
}

static bool has_row(const void *lacking, const struct table_schema *instances, uint64_t id)
{
	return !lacking || *(const uint64_t *)lacking != id;
}

static char *written_without(struct page_series *series, const uint64_t *lacking)
{
	GString *text = g_string_new(NULL);
	struct output_stream *stream = output_stream_create_into(keep, text);
	struct json_writer json;

	json_writer_init(&json, stream);
	page_series_write(series, &json, &(const struct page_choice){ has_row, lacking });
	cr_assert(output_stream_flush(stream, NULL));
	output_stream_destroy(stream);
	return g_string_free(text, FALSE);
}

static char *written(struct page_series *series)
{
	return written_without(series, NULL);
}

static void add(struct table_writer *writer, uint64_t id, int64_t at_ns, int64_t duration_ns)
{
	table_row(writer, (struct cell[]){ cell_unsigned(id), cell_integer(at_ns), CELL_NONE, cell_integer(duration_ns),
					   CELL_NONE });
}

/* The numbers up to the end of the array. */
static GArray *numbers_at(const char *at)
{
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (; *at && *at != ']' && *at != '}'; at++) {
		if (*at == '-' || g_ascii_isdigit(*at)) {
			char *end;
			int64_t number = g_ascii_strtoll(at, &end, 10);

			g_array_append_val(numbers, number);
			at = end - 1;
		}
	}
	return numbers;
}

/* The numbers behind a key. */
static GArray *numbers_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	cr_assert_not_null(at, "%s", key);
	return numbers_at(at + strlen(key));
}

static int64_t number_of(const char *text, const char *key)
{
	g_autoptr(GArray) numbers = numbers_of(text, key);

	return g_array_index(numbers, int64_t, 0);
}

struct sample {
	int64_t at_ns, duration_ns;
};

/* Each piece against the samples in it. */
static void check_against_brute_force(const struct sample *samples, size_t count)
{
	struct page_series *series = page_series_create();
	struct table_writer *writer = page_series_open(series, &schema);
	g_autofree char *text = NULL;
	g_autoptr(GArray) pieces = NULL;
	int64_t first, shift;
	uint64_t piece_count = 0, total = 0;

	for (size_t i = 0; i < count; i++) {
		add(writer, 7, samples[i].at_ns, samples[i].duration_ns);
	}
	text = written(series);
	pieces = numbers_of(text, "\"pieces\": [");
	first = number_of(text, "\"first\": ");
	shift = number_of(text, "\"shift\": ");
	for (guint i = 0; i < pieces->len; piece_count++) {
		const int64_t *numbers = &g_array_index(pieces, int64_t, i);
		int64_t begin_ns = (int64_t)((uint64_t)(first + (int64_t)piece_count) << shift);
		int64_t least = INT64_MAX, greatest = INT64_MIN, inside = 0;

		for (size_t j = 0; j < count; j++) {
			if (samples[j].at_ns >> shift == begin_ns >> shift) {
				inside++;
				least = MIN(least, samples[j].duration_ns);
				greatest = MAX(greatest, samples[j].duration_ns);
			}
		}
		cr_assert_eq(numbers[0], inside);
		i++;
		if (inside > 0) {
			cr_assert_eq(numbers[1], page_bucket(least, PAGE_SERIES_BITS));
			cr_assert_eq(numbers[1] + numbers[2] + numbers[3], page_bucket(greatest, PAGE_SERIES_BITS));
			cr_assert_geq(numbers[2], 0);
			cr_assert_geq(numbers[3], 0);
			i += 3;
		}
		total += (uint64_t)inside;
	}
	cr_assert_eq(total, count);
	cr_assert_leq(piece_count, PAGE_SERIES_PIECES);
	page_series_destroy(series);
}

Test(page_series, each_piece_has_the_count_and_the_extremes_of_its_instances)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(3);
	struct sample samples[3000];

	for (int round = 0; round < 40; round++) {
		int64_t at_ns = G_GINT64_CONSTANT(1700000000000000000);
		int64_t step_ns = INT64_C(1) << (round % 34);
		size_t count = (size_t)g_rand_int_range(random, 1, G_N_ELEMENTS(samples));

		for (size_t i = 0; i < count; i++) {
			/* mostly forwards */
			at_ns += (int64_t)((g_rand_double(random) - (round % 4 ? 0.1 : 0.5)) * (double)step_ns);
			samples[i].at_ns = at_ns;
			samples[i].duration_ns = (int64_t)((g_rand_double(random) - (round % 3 ? 0 : 0.5)) *
							   (double)(INT64_C(1) << (round % 60)));
		}
		check_against_brute_force(samples, count);
	}
}

Test(page_series, any_time_and_duration_of_64_bits_may_come)
{
	const struct sample samples[] = {
		{ INT64_MAX, INT64_MIN }, { INT64_MIN, INT64_MAX }, { 0, 0 },	       { -1, -1 }, { 1, INT64_MAX },
		{ INT64_MIN, INT64_MIN }, { INT64_MAX, INT64_MAX }, { -1, INT64_MIN },
	};

	check_against_brute_force(samples, G_N_ELEMENTS(samples));
}

Test(page_series, the_worst_are_exact_and_the_earliest_of_equal_ones_comes_first)
{
	struct page_series *series = page_series_create();
	struct table_writer *writer = page_series_open(series, &schema);
	const int64_t durations[] = { 5, 1000003, 7, 1000003, 2, 1000001, 9, 1000002, 3 };
	const int64_t expected[] = { 1, 1000003, 3, 1000003, 7, 1000002, 5, 1000001, 6, 9 };
	g_autofree char *text = NULL;
	const char *worst;

	for (size_t i = G_N_ELEMENTS(durations); i-- > 0;) {
		add(writer, 1, (int64_t)i, durations[i]);
	}
	text = written(series);
	worst = strstr(text, "\"worst\": [") + strlen("\"worst\": [");
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		worst += strcspn(worst, "0123456789");
		cr_assert_eq(g_ascii_strtoll(worst, (char **)&worst, 10), expected[i], "number %zu", i);
	}
	page_series_destroy(series);
}

Test(page_series, memory_is_bounded_by_the_rows_and_nothing_is_lost)
{
	enum { ROWS = 20000, ROUNDS = 120 };
	struct page_series *series = page_series_create();
	struct table_writer *writer = page_series_open(series, &schema);
	g_autofree char *text = NULL;
	const char *end;
	size_t piece_count = 0, total = 0;

	for (int64_t round = 0; round < ROUNDS; round++) {
		for (uint64_t id = 0; id < ROWS; id++) {
			add(writer, id, round * 100000000, 1000 + round);
		}
	}
	text = written(series);
	end = text + strlen(text);
	/* not strstr(), which takes the length of the rest under AddressSanitizer */
	for (const char *at = text; (at = g_strstr_len(at, end - at, "\"pieces\": [")); at++) {
		g_autoptr(GArray) numbers = numbers_at(at + strlen("\"pieces\": ["));

		for (guint i = 0; i < numbers->len; piece_count++) {
			int64_t count = g_array_index(numbers, int64_t, i);

			total += (size_t)count;
			i += count > 0 ? 4 : 1;
		}
	}
	cr_assert_eq(total, (size_t)ROWS * ROUNDS);
	cr_assert_leq(piece_count, PAGE_PIECES);
	cr_assert_geq(piece_count, PAGE_PIECES / 8);
	page_series_destroy(series);
}

Test(page_series, without_durations_the_time_from_the_first_moment_to_the_last_is_drawn)
{
	struct page_series *series = page_series_create();
	struct table_schema times = schema;
	struct table_writer *writer;
	g_autofree char *text = NULL;

	times.column_count = 3;
	writer = page_series_open(series, &times);
	table_row(writer, (struct cell[]){ cell_unsigned(1), cell_integer(1000), cell_integer(1500) });
	table_row(writer, (struct cell[]){ cell_unsigned(1), cell_integer(2000), CELL_NONE });
	table_row(writer, (struct cell[]){ cell_unsigned(1), CELL_NONE, cell_integer(3000) });
	table_row(writer, (struct cell[]){ cell_unsigned(1), cell_integer(INT64_MIN), cell_integer(INT64_MAX) });
	text = written(series);
	cr_assert_not_null(strstr(text, "\"label\": \"start to end\""), "%s", text);
	cr_assert_not_null(strstr(text, "\"worst\": [[1000, 500]]"), "%s", text);
	page_series_destroy(series);
}

Test(page_series, parts_of_instances_are_not_drawn)
{
	static const struct table_column parts[] = {
		{ .name = "thing_id", .id_of = "things" },
		{ .name = "instance", .means = MEANS_INSTANCE },
		{ .name = "start_ns", .format = COLUMN_TIME },
		{ .name = "end_ns", .format = COLUMN_TIME },
	};
	struct page_series *series = page_series_create();
	struct table_schema other = schema;

	other.columns = parts;
	other.column_count = G_N_ELEMENTS(parts);
	cr_assert_null(page_series_open(series, &other));
	page_series_destroy(series);
}

Test(page_series, tables_without_ids_moments_or_durations_are_not_drawn)
{
	struct page_series *series = page_series_create();
	struct table_schema other = schema;

	other.columns = columns + 1;
	other.column_count = G_N_ELEMENTS(columns) - 1;
	cr_assert_null(page_series_open(series, &other));
	other.columns = columns;
	other.column_count = 2;
	cr_assert_null(page_series_open(series, &other));
	other.column_count = 1;
	cr_assert_null(page_series_open(series, &other));
	page_series_destroy(series);
}
