/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/figure_parts.h"

#include <math.h>

#include "core/statistics/duration_bucket.h"

struct side_row side_row_find(GPtrArray *const *recordings, const char *key, bool as_blocks)
{
	struct side_row side = { .recordings = recordings, .rows = g_ptr_array_new(), .as_blocks = as_blocks };

	for (guint i = 0; i < (*recordings)->len; i++) {
		GHashTable *rows = block_series_rows(g_ptr_array_index(*recordings, i));

		g_ptr_array_add(side.rows, key ? g_hash_table_lookup(rows, key) : NULL);
	}
	return side;
}

void side_row_clear(struct side_row *side)
{
	g_ptr_array_unref(side->rows);
}

const struct block_row *side_row_first(const struct side_row *side)
{
	for (guint i = 0; i < side->rows->len; i++) {
		if (g_ptr_array_index(side->rows, i)) {
			return g_ptr_array_index(side->rows, i);
		}
	}
	return NULL;
}

/* --- figures --- */

bool figure_kind_of_rate(const struct table_schema *schema, struct figure_kind *kind)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].merge == COLUMN_MERGE_SUM) {
			*kind = (struct figure_kind){ .kind = FIGURE_RATE, .column = i, .usual_silence = 1 };
			return true;
		}
	}
	return false;
}

bool figure_kind_of_losses(const struct table_schema *schema, struct figure_kind *kind)
{
	int lost = table_find_meaning(schema, MEANS_LOST, SIDE_NONE);
	int sent = table_find_meaning(schema, MEANS_SENT, SIDE_NONE);
	int count = table_find_meaning(schema, MEANS_COUNT, SIDE_NONE);

	*kind = (struct figure_kind){ .kind = FIGURE_LOST,
				      .column = (size_t)lost,
				      .of_column = (size_t)(sent >= 0 ? sent : count),
				      .adds_lost = sent < 0 };
	return lost >= 0 && (sent >= 0 || count >= 0);
}

/* --- parts: what each block has --- */

static const struct block_mark *mark_at(const GArray *marks, guint block)
{
	/* one mark per block from the row's first block on */
	for (guint i = 0; i < marks->len; i++) {
		const struct block_mark *mark = &g_array_index(marks, struct block_mark, i);

		if (mark->block == block) {
			return mark;
		}
	}
	return NULL;
}

static const struct block_mark none = { .block = 0 };

/* The number of samples up to a value. */
static double count_up_to(const struct block_mark *mark, int64_t value_ns)
{
	double count = 0;

	for (guint i = 0; mark->buckets && i < mark->buckets->len; i++) {
		const struct duration_bucket *bucket = &g_array_index(mark->buckets, struct duration_bucket, i);

		if (bucket->low_ns > value_ns) {
			break;
		}
		count += (double)bucket->count;
	}
	return count;
}

/* The quotient that is a figure, at the end of a block, counted from the beginning. */
struct fraction {
	double dividend, divisor;
};

static struct fraction fraction_of(const struct figure_kind *kind, const struct block_row *row, guint block,
				   double seconds)
{
	const struct block_mark *mark = mark_at(row->marks[kind->column], block);
	const struct block_mark *other = kind->kind == FIGURE_LOST ? mark_at(row->marks[kind->of_column], block) : NULL;

	mark = mark ? mark : &none;
	other = other ? other : &none;
	switch (kind->kind) {
	case FIGURE_MEAN:
		return (struct fraction){ mark->sum, mark->count };
	case FIGURE_SHARE_UP_TO:
		return (struct fraction){ count_up_to(mark, kind->value_ns), mark->count };
	case FIGURE_RATE:
		return (struct fraction){ mark->count, seconds };
	case FIGURE_LOST:
		return (struct fraction){ 100 * mark->count, other->count + (kind->adds_lost ? mark->count : 0) };
	}
	return (struct fraction){ 0, 0 };
}

/* Processes do not end at the same time: what is silent for so much longer than usual has stopped. */
#define LAST_MOMENTS (1.0 / 16)
#define LAST_MOMENTS_S 1.0

static double seconds_from(const GArray *parts, guint begin)
{
	double seconds = 0;

	for (guint i = begin; i < parts->len; i++) {
		seconds += g_array_index(parts, struct estimate_part, i).divisor;
	}
	return seconds;
}

/*
 * A rate counts from the first block in which something happened to the last one, without both, which are only partly
 * filled. Where the row has stopped, it counts until the usual silence begins.
 */
static void trim(GArray *parts, guint first, double usual_silence)
{
	guint begin = first, end = parts->len, count = parts->len - first;
	double silent_s, usual_s = usual_silence * seconds_from(parts, first);

	while (begin < end && g_array_index(parts, struct estimate_part, begin).dividend == 0) {
		begin++;
	}
	while (end > begin && g_array_index(parts, struct estimate_part, end - 1).dividend == 0) {
		end--;
	}
	silent_s = seconds_from(parts, end) - usual_s;
	if (silent_s > fmax(LAST_MOMENTS * seconds_from(parts, first), LAST_MOMENTS_S)) {
		end = MAX(end, parts->len - (guint)(usual_silence * count));
	} else if (end > begin) {
		end--;
	}
	g_array_set_size(parts, end);
	g_array_remove_range(parts, first, MIN(begin + 1, parts->len) - first);
	if (parts->len > first) {
		g_array_index(parts, struct estimate_part, first).follows = false;
	}
}

static void add_parts(GArray *parts, const struct figure_kind *kind, const struct block_series *series,
		      const struct block_row *row, bool as_block)
{
	guint count = block_series_count(series), first = parts->len;
	struct fraction before = { 0, 0 };

	for (guint block = as_block ? count : 1; block <= count; block++) {
		struct fraction now = fraction_of(kind, row, block, block_series_seconds(series, block));
		struct estimate_part part = { now.dividend - before.dividend, now.divisor - before.divisor,
					      !as_block && block > 1 };

		g_array_append_val(parts, part);
		before = now;
	}
	if (kind->kind == FIGURE_RATE && !as_block) {
		trim(parts, first, kind->usual_silence);
	}
}

/* The last block in which the count of a row rose, from 1; 0: none. */
static guint last_block(const GArray *marks)
{
	guint last = 0;
	double before = 0;

	for (guint i = 0; i < marks->len; i++) {
		const struct block_mark *mark = &g_array_index(marks, struct block_mark, i);

		last = mark->count > before ? mark->block : last;
		before = mark->count;
	}
	return last;
}

double figure_parts_silence(const struct figure_kind *kind, const struct side_row *side)
{
	double least = 1;

	for (guint i = 0; i < side->rows->len; i++) {
		const struct block_row *row = g_ptr_array_index(side->rows, i);
		guint count = block_series_count(g_ptr_array_index(*side->recordings, i));

		if (row && count > 0) {
			least = MIN(least, 1 - (double)last_block(row->marks[kind->column]) / count);
		}
	}
	return least;
}

static void add_recording(GArray *parts, const struct figure_kind *kind, const struct side_row *side, guint recording)
{
	const struct block_row *row = g_ptr_array_index(side->rows, recording);

	if (row) {
		add_parts(parts, kind, g_ptr_array_index(*side->recordings, recording), row, side->as_blocks);
	}
}

struct estimate figure_parts_estimate(const struct figure_kind *kind, const struct side_row *side)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct estimate_part));

	for (guint i = 0; i < side->rows->len; i++) {
		add_recording(parts, kind, side, i);
	}
	return estimate_ratio((const struct estimate_part *)(const void *)parts->data, parts->len);
}

struct interval figure_parts_range(const struct figure_kind *kind, const struct side_row *side)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct estimate_part));
	struct interval range = { NAN, NAN };

	for (guint i = 0; i < side->rows->len; i++) {
		struct fraction all = { 0, 0 };

		g_array_set_size(parts, 0);
		add_recording(parts, kind, side, i);
		for (guint part = 0; part < parts->len; part++) {
			all.dividend += g_array_index(parts, struct estimate_part, part).dividend;
			all.divisor += g_array_index(parts, struct estimate_part, part).divisor;
		}
		if (all.dividend > 0 && all.divisor > 0) {
			range.low = fmin(range.low, all.dividend / all.divisor);
			range.high = fmax(range.high, all.dividend / all.divisor);
		}
	}
	return range;
}

/* --- samples of all recordings of a side together --- */

static const struct block_mark *last_mark(const struct block_row *row, size_t column)
{
	const GArray *marks = row ? row->marks[column] : NULL;

	return marks && marks->len > 0 ? &g_array_index(marks, struct block_mark, marks->len - 1) : &none;
}

static bool has_happened(const struct block_row *row)
{
	for (size_t i = 0; row && i < row->schema->column_count; i++) {
		if (row->schema->columns[i].merge == COLUMN_MERGE_SUM && last_mark(row, i)->count > 0) {
			return true;
		}
	}
	return false;
}

guint figure_parts_recordings(const struct side_row *side)
{
	guint count = 0;

	for (guint i = 0; i < side->rows->len; i++) {
		count += has_happened(g_ptr_array_index(side->rows, i));
	}
	return count;
}

double figure_parts_samples(const struct side_row *side, size_t column)
{
	double count = 0;

	for (guint i = 0; i < side->rows->len; i++) {
		count += last_mark(g_ptr_array_index(side->rows, i), column)->count;
	}
	return count;
}

GArray *figure_parts_buckets(const struct side_row *side, size_t column)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));

	for (guint i = 0; i < side->rows->len; i++) {
		const GArray *buckets = last_mark(g_ptr_array_index(side->rows, i), column)->buckets;

		if (buckets && buckets->len > 0) {
			g_array_append_vals(all, buckets->data, buckets->len);
		}
	}
	g_array_sort(all, duration_bucket_compare);
	return all;
}
