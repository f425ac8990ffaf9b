/* SPDX-License-Identifier: MIT */
#include "core/compare/comparison.h"

#include <math.h>
#include <string.h>

/* The rows of one name on one side: by recording, NULL if a recording has none. */
struct side_row {
	GPtrArray *const *recordings; /* of the side */
	GPtrArray *rows;	      /* const struct block_row * */
	bool as_blocks;		      /* each recording is a block */
};

static void figure_clear(gpointer data)
{
	g_free(((struct compared_figure *)data)->name);
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

struct figure_kind {
	enum { FIGURE_MEAN, FIGURE_SHARE_UP_TO, FIGURE_RATE, FIGURE_LOST } kind;
	size_t column;
	size_t of_column; /* of FIGURE_LOST: the column of what could have been lost, */
	bool adds_lost;	  /* and whether the lost are to be added to it */
	int64_t value_ns; /* of FIGURE_SHARE_UP_TO */
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

/*
 * A rate counts from the first block in which something happened to the last one, without both, which are only partly
 * filled.
 */
static void trim(GArray *parts, guint first)
{
	guint begin = first, end = parts->len;

	while (begin < end && g_array_index(parts, struct estimate_part, begin).dividend == 0) {
		begin++;
	}
	while (end > begin && g_array_index(parts, struct estimate_part, end - 1).dividend == 0) {
		end--;
	}
	g_array_set_size(parts, end > begin ? end - 1 : begin);
	g_array_remove_range(parts, first, MIN(begin + 1, parts->len) - first);
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
		trim(parts, first);
	}
}

static struct estimate estimate(const struct figure_kind *kind, const struct side_row *side)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct estimate_part));

	for (guint i = 0; i < side->rows->len; i++) {
		const struct block_row *row = g_ptr_array_index(side->rows, i);

		if (row) {
			add_parts(parts, kind, g_ptr_array_index(*side->recordings, i), row, side->as_blocks);
		}
	}
	return estimate_ratio((const struct estimate_part *)(const void *)parts->data, parts->len);
}

/* --- samples of all recordings of a side together --- */

static const struct block_mark *last_mark(const struct block_row *row, size_t column)
{
	const GArray *marks = row ? row->marks[column] : NULL;

	return marks && marks->len > 0 ? &g_array_index(marks, struct block_mark, marks->len - 1) : &none;
}

static double samples_of(const struct side_row *side, size_t column)
{
	double count = 0;

	for (guint i = 0; i < side->rows->len; i++) {
		count += last_mark(g_ptr_array_index(side->rows, i), column)->count;
	}
	return count;
}

static GArray *all_buckets(const struct side_row *side, size_t column)
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

/* The middle of the bucket that holds this share of the samples. */
static double value_at(const GArray *buckets, double samples, double share)
{
	double rank = MAX(ceil(share * samples), 1), count = 0;

	for (guint i = 0; i < buckets->len; i++) {
		const struct duration_bucket *bucket = &g_array_index(buckets, struct duration_bucket, i);

		count += (double)bucket->count;
		if (count >= rank || i + 1 == buckets->len) {
			return (double)duration_bucket_middle(bucket);
		}
	}
	return 0;
}

/* The error of the share, turned into one of the value; the width of a bucket is the smallest that can be seen. */
static struct estimate estimate_quantile(size_t column, double quantile, const struct side_row *side)
{
	g_autoptr(GArray) buckets = all_buckets(side, column);
	double samples = samples_of(side, column);
	double value = value_at(buckets, samples, quantile);
	struct figure_kind kind = { .kind = FIGURE_SHARE_UP_TO, .column = column, .value_ns = (int64_t)value };
	struct estimate result = estimate(&kind, side);
	struct duration_bucket bucket = duration_bucket_of((int64_t)value, BLOCK_BUCKETS);
	double low, high, width = (double)(bucket.high_ns - bucket.low_ns);

	if (result.is_known) {
		low = value_at(buckets, samples, MAX(quantile - 2 * result.error, 0));
		high = value_at(buckets, samples, MIN(quantile + 2 * result.error, 1));
		result.error = hypot((high - low) / 4, width / 2);
		result.value = value;
	}
	return result;
}

/* --- the figures of a row --- */

struct comparing {
	struct comparison *comparison;
	GPtrArray *const *sides;
	double least_percent;
};

static bool is_enough(const struct compared_figure *figure, double samples_min)
{
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		if (!figure->estimates[side].is_known || figure->estimates[side].parts < COMPARISON_PARTS_MIN ||
		    figure->samples[side] < samples_min) {
			return false;
		}
	}
	return true;
}

static void add_figure(const struct comparing *comparing, struct compared_figure *figure, double samples_min)
{
	figure->change = change_between(&figure->estimates[COMPARISON_BASE], &figure->estimates[COMPARISON_NEW]);
	figure->verdict = is_enough(figure, samples_min) ? COMPARISON_UNCHANGED : COMPARISON_UNKNOWN;
	g_array_append_val(comparing->comparison->figures, *figure);
}

static void add_ratio(const struct comparing *comparing, const struct block_row *row, const struct figure_kind *kind,
		      const struct side_row sides[COMPARISON_SIDES], const char *name, const char *unit)
{
	struct compared_figure figure = { .row = row, .name = g_strdup(name), .unit = unit };

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		figure.estimates[side] = estimate(kind, &sides[side]);
		figure.samples[side] =
			samples_of(&sides[side], kind->kind == FIGURE_LOST ? kind->of_column : kind->column);
	}
	add_figure(comparing, &figure, COMPARISON_SAMPLES_MIN);
}

static void add_statistic(const struct comparing *comparing, const struct block_row *row, size_t column,
			  const struct side_row sides[COMPARISON_SIDES])
{
	static const struct {
		const char *name;
		double quantile, samples_min;
	} quantiles[] = { { "p50", 0.5, COMPARISON_SAMPLES_MIN }, { "p99", 0.99, COMPARISON_SAMPLES_MIN_P99 } };
	const char *statistic = row->schema->columns[column].name;
	struct figure_kind mean = { .kind = FIGURE_MEAN, .column = column };
	g_autofree char *mean_name = g_strdup_printf("%s mean", statistic);

	add_ratio(comparing, row, &mean, sides, mean_name, "ns");
	for (size_t i = 0; i < G_N_ELEMENTS(quantiles); i++) {
		struct compared_figure figure = { .row = row,
						  .name = g_strdup_printf("%s %s", statistic, quantiles[i].name),
						  .unit = "ns" };

		for (int side = 0; side < COMPARISON_SIDES; side++) {
			figure.estimates[side] = estimate_quantile(column, quantiles[i].quantile, &sides[side]);
			figure.samples[side] = samples_of(&sides[side], column);
		}
		add_figure(comparing, &figure, quantiles[i].samples_min);
	}
}

/* How often the row happened: by the first count of the table. */
static void add_rate(const struct comparing *comparing, const struct block_row *row,
		     const struct side_row sides[COMPARISON_SIDES])
{
	for (size_t i = 0; i < row->schema->column_count; i++) {
		if (row->schema->columns[i].merge == COLUMN_MERGE_SUM) {
			struct figure_kind kind = { .kind = FIGURE_RATE, .column = i };

			add_ratio(comparing, row, &kind, sides, "rate", "Hz");
			return;
		}
	}
}

static void add_losses(const struct comparing *comparing, const struct block_row *row,
		       const struct side_row sides[COMPARISON_SIDES])
{
	int lost = table_find_column(row->schema, "lost"), published = table_find_column(row->schema, "published");
	int count = table_find_column(row->schema, "count");

	if (lost >= 0 && (published >= 0 || count >= 0)) {
		struct figure_kind kind = { .kind = FIGURE_LOST,
					    .column = (size_t)lost,
					    .of_column = (size_t)(published >= 0 ? published : count),
					    .adds_lost = published < 0 };

		add_ratio(comparing, row, &kind, sides, "lost", "%");
	}
}

/* --- rows --- */

static struct side_row find_rows(GPtrArray *const *recordings, const char *key, bool as_blocks)
{
	struct side_row side = { .recordings = recordings, .rows = g_ptr_array_new(), .as_blocks = as_blocks };

	for (guint i = 0; i < (*recordings)->len; i++) {
		g_ptr_array_add(side.rows,
				g_hash_table_lookup(block_series_rows(g_ptr_array_index(*recordings, i)), key));
	}
	return side;
}

static const struct block_row *first_row(const struct side_row *side)
{
	for (guint i = 0; i < side->rows->len; i++) {
		if (g_ptr_array_index(side->rows, i)) {
			return g_ptr_array_index(side->rows, i);
		}
	}
	return NULL;
}

static void add_alone(const struct comparing *comparing, const struct block_row *row, enum comparison_side side,
		      const struct side_row *rows)
{
	struct compared_row alone = { .row = row, .side = side };

	for (size_t i = 0; i < row->schema->column_count && alone.count == 0; i++) {
		alone.count = row->schema->columns[i].merge == COLUMN_MERGE_SUM ? samples_of(rows, i) : 0;
	}
	if (alone.count > 0) {
		g_array_append_val(comparing->comparison->alone, alone);
	}
}

static void compare_rows(const struct comparing *comparing, const char *key)
{
	bool as_blocks = MIN(comparing->sides[COMPARISON_BASE]->len, comparing->sides[COMPARISON_NEW]->len) >=
			 RECORDINGS_AS_BLOCKS;
	struct side_row sides[] = { find_rows(&comparing->sides[COMPARISON_BASE], key, as_blocks),
				    find_rows(&comparing->sides[COMPARISON_NEW], key, as_blocks) };
	const struct block_row *base = first_row(&sides[COMPARISON_BASE]), *new = first_row(&sides[COMPARISON_NEW]);

	if (base && new) {
		add_rate(comparing, base, sides);
		add_losses(comparing, base, sides);
		for (size_t i = 0; i < base->schema->column_count; i++) {
			if (base->schema->columns[i].format == COLUMN_STATISTIC) {
				add_statistic(comparing, base, i, sides);
			}
		}
	} else {
		add_alone(comparing, base ? base : new, base ? COMPARISON_BASE : COMPARISON_NEW,
			  &sides[base ? COMPARISON_BASE : COMPARISON_NEW]);
	}
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		g_ptr_array_unref(sides[side].rows);
	}
}

static gint compare_keys(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The keys of both sides, in an order that depends on nothing else. */
static GPtrArray *all_keys(GPtrArray *const sides[COMPARISON_SIDES])
{
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *keys = g_ptr_array_new();

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		for (guint i = 0; i < sides[side]->len; i++) {
			GHashTableIter iterator;
			gpointer key;

			g_hash_table_iter_init(&iterator, block_series_rows(g_ptr_array_index(sides[side], i)));
			while (g_hash_table_iter_next(&iterator, &key, NULL)) {
				if (g_hash_table_add(known, key)) {
					g_ptr_array_add(keys, key);
				}
			}
		}
	}
	g_ptr_array_sort(keys, compare_keys);
	return keys;
}

/* --- verdicts --- */

static void decide(const struct comparing *comparing)
{
	GArray *figures = comparing->comparison->figures;
	double decidable = 0;

	for (guint i = 0; i < figures->len; i++) {
		decidable += g_array_index(figures, struct compared_figure, i).verdict == COMPARISON_UNCHANGED;
	}
	for (guint i = 0; i < figures->len; i++) {
		struct compared_figure *figure = &g_array_index(figures, struct compared_figure, i);
		bool is_large = !(fabs(figure->change.percent) < comparing->least_percent);

		if (figure->verdict == COMPARISON_UNCHANGED && is_large &&
		    change_is_beyond_chance(&figure->change, COMPARISON_ALPHA / decidable)) {
			figure->verdict = COMPARISON_CHANGED;
		}
		comparing->comparison->changed += figure->verdict == COMPARISON_CHANGED;
		comparing->comparison->unchanged += figure->verdict == COMPARISON_UNCHANGED;
		comparing->comparison->unknown += figure->verdict == COMPARISON_UNKNOWN;
	}
}

static double size_of(const struct compared_figure *figure)
{
	return isnan(figure->change.percent) ? INFINITY : fabs(log1p(MAX(figure->change.percent, -99.999) / 100));
}

static gint compare_figures(gconstpointer a, gconstpointer b)
{
	const struct compared_figure *left = a, *right = b;
	bool is_changed = left->verdict == COMPARISON_CHANGED;

	if (left->verdict != right->verdict) {
		return left->verdict > right->verdict ? -1 : 1;
	}
	if (is_changed && size_of(left) != size_of(right)) {
		return size_of(left) > size_of(right) ? -1 : 1;
	}
	return 0;
}

struct comparison *comparison_create(GPtrArray *const sides[COMPARISON_SIDES], double least_percent)
{
	struct comparison *comparison = g_new0(struct comparison, 1);
	const struct comparing comparing = { comparison, sides, least_percent };
	g_autoptr(GPtrArray) keys = all_keys(sides);

	comparison->figures = g_array_new(FALSE, FALSE, sizeof(struct compared_figure));
	g_array_set_clear_func(comparison->figures, figure_clear);
	comparison->alone = g_array_new(FALSE, FALSE, sizeof(struct compared_row));
	for (guint i = 0; i < keys->len; i++) {
		compare_rows(&comparing, g_ptr_array_index(keys, i));
	}
	decide(&comparing);
	/* stable: equal ones stay in the order of their names */
	g_array_sort(comparison->figures, compare_figures);
	return comparison;
}

void comparison_destroy(struct comparison *comparison)
{
	g_array_unref(comparison->figures);
	g_array_unref(comparison->alone);
	g_free(comparison);
}
