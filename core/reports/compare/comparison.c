/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/comparison.h"

#include <math.h>
#include <string.h>

#include "core/reports/compare/figure_parts.h"
#include "core/reports/compare/quantile_estimate.h"
#include "core/reports/compare/row_pairs.h"
#include "core/reports/compare/student_t.h"

static void figure_clear(gpointer data)
{
	g_free(((struct compared_figure *)data)->row);
	g_free(((struct compared_figure *)data)->name);
}

static void distribution_clear(gpointer data)
{
	struct compared_distribution *distribution = data;

	g_free(distribution->row);
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		g_array_unref(distribution->buckets[side]);
	}
}

/* A row on both sides, and what is done with it. */
struct compared_pair {
	struct comparison *comparison;
	double least_percent;
	double alpha; /* of a figure; 0: figures are only counted */
	double alpha_of_row;
	const struct table_schema *schema;
	const char *row;
	struct side_row sides[COMPARISON_SIDES];
	guint decidable; /* the figures with enough samples */
	/* The figures of a statistic from `first` on, and how many of the blocks behind them are independent. */
	guint first;
	double independent;
};

static double samples_on(const struct compared_pair *pair, size_t column, int side)
{
	return figure_parts_samples(&pair->sides[side], column);
}

/* --- figures --- */

/* Whether the figure is to be estimated: counts it if not. */
static bool begin_figure(struct compared_pair *pair, struct compared_figure *figure, const char *name, const char *unit,
			 size_t column, double samples_min)
{
	*figure = (struct compared_figure){
		.schema = pair->schema, .unit = unit, .samples_min = samples_min, .furthest = { NAN, NAN }
	};
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		figure->intervals[side] = (struct interval){ NAN, NAN };
		figure->samples[side] = samples_on(pair, column, side);
	}
	if (MIN(figure->samples[COMPARISON_BASE], figure->samples[COMPARISON_NEW]) >= samples_min) {
		pair->decidable++;
	}
	if (pair->alpha > 0) {
		figure->row = g_strdup(pair->row);
		figure->name = g_strdup(name);
	}
	return pair->alpha > 0;
}

static void note_independence(struct compared_pair *pair, const struct estimate *estimate)
{
	pair->independent = MIN(pair->independent, estimate->independent);
}

static enum comparison_verdict verdict_of(const struct compared_pair *pair, const struct compared_figure *figure,
					  size_t parts)
{
	bool is_large = !(fabs(figure->change.percent) < pair->least_percent);

	if (!figure->change.is_known || parts < COMPARISON_PARTS_MIN ||
	    MIN(figure->samples[COMPARISON_BASE], figure->samples[COMPARISON_NEW]) < figure->samples_min) {
		return COMPARISON_TOO_FEW;
	}
	if (!figure->change.is_decidable) {
		return COMPARISON_DEPENDENT;
	}
	return is_large && figure->change.is_beyond_chance ? COMPARISON_CHANGED : COMPARISON_UNCHANGED;
}

static void end_figure(const struct compared_pair *pair, struct compared_figure *figure, size_t parts)
{
	figure->verdict = verdict_of(pair, figure, parts);
	g_array_append_val(pair->comparison->figures, *figure);
}

/* After the figures of a statistic, or one by itself. */
static void end_statistic(struct compared_pair *pair)
{
	for (guint i = pair->first; i < pair->comparison->figures->len; i++) {
		struct compared_figure *figure = &g_array_index(pair->comparison->figures, struct compared_figure, i);

		if (figure->verdict != COMPARISON_TOO_FEW && pair->independent < COMPARISON_INDEPENDENT_MIN) {
			figure->verdict = COMPARISON_DEPENDENT;
		}
		if (figure->verdict == COMPARISON_TOO_FEW || figure->verdict == COMPARISON_DEPENDENT) {
			figure->intervals[COMPARISON_BASE] = (struct interval){ NAN, NAN };
			figure->intervals[COMPARISON_NEW] = (struct interval){ NAN, NAN };
		}
	}
	pair->first = pair->comparison->figures->len;
	pair->independent = INFINITY;
}

/* The change to a single recording, in percent; NAN: another one of the base may be that far. `error`: of a recording.
 */
static double change_to(double value, const struct estimate *base, double error, double alpha)
{
	double distance = log(value / base->value);
	double reach = student_t(alpha / 2, base->freedom) * hypot(base->error, error) / base->value;

	return fabs(distance) > reach ? 100 * expm1(distance) : NAN;
}

/* What the mean of several recordings hides: a rate that was halved in one of them. `kind`: of the new side. */
static struct interval find_furthest(const struct compared_pair *pair, const struct figure_kind *kind,
				     const struct estimate *base)
{
	const struct side_row *side = &pair->sides[COMPARISON_NEW];
	double alpha = pair->alpha_of_row / MAX(side->rows->len, 1);
	double error = base->error * sqrt(figure_parts_recordings(&pair->sides[COMPARISON_BASE]));
	struct interval range = { NAN, NAN };

	if (side->rows->len > 1 && base->is_known && base->value > 0 && base->parts >= COMPARISON_PARTS_MIN) {
		range = figure_parts_range(kind, side);
	}
	return (struct interval){ change_to(range.low, base, error, alpha), change_to(range.high, base, error, alpha) };
}

static void add_ratio(struct compared_pair *pair, const struct figure_kind *kind, const char *name, const char *unit)
{
	struct estimate estimates[COMPARISON_SIDES];
	struct figure_kind kind_of_new = *kind;
	struct compared_figure figure;

	if (!begin_figure(pair, &figure, name, unit, kind->kind == FIGURE_LOST ? kind->of_column : kind->column,
			  COMPARISON_SAMPLES_MIN)) {
		return;
	}
	if (kind->kind == FIGURE_RATE) {
		kind_of_new.usual_silence = figure_parts_silence(kind, &pair->sides[COMPARISON_BASE]);
	}
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		estimates[side] =
			figure_parts_estimate(side == COMPARISON_NEW ? &kind_of_new : kind, &pair->sides[side]);
		figure.values[side] = estimates[side].is_known ? estimates[side].value : NAN;
		if (pair->comparison->distributions && estimates[side].is_known) {
			figure.intervals[side] = estimate_interval(&estimates[side]);
		}
		note_independence(pair, &estimates[side]);
	}
	figure.change = change_between(&estimates[COMPARISON_BASE], &estimates[COMPARISON_NEW], pair->alpha);
	if (kind->kind == FIGURE_RATE) {
		figure.furthest = find_furthest(pair, &kind_of_new, &estimates[COMPARISON_BASE]);
	}
	end_figure(pair, &figure, MIN(estimates[COMPARISON_BASE].parts, estimates[COMPARISON_NEW].parts));
}

/* The share of the samples of a column up to a value. */
static struct estimate share_up_to(struct compared_pair *pair, size_t column, int64_t value_ns, int side)
{
	const struct figure_kind kind = { .kind = FIGURE_SHARE_UP_TO, .column = column, .value_ns = value_ns };
	struct estimate share = figure_parts_estimate(&kind, &pair->sides[side]);

	note_independence(pair, &share);
	return share;
}

/* *parts: the number of blocks that have samples. */
static struct quantile_estimate estimate_quantile(struct compared_pair *pair, const struct sample_buckets *of,
						  size_t column, double quantile, int side, size_t *parts)
{
	struct duration_bucket bucket = sample_buckets_at(of, quantile);
	struct estimate below = share_up_to(pair, column, bucket.low_ns - 1, side);
	struct estimate up_to = share_up_to(pair, column, bucket.high_ns - 1, side);

	*parts = MIN(*parts, up_to.parts);
	return quantile_estimate_make(of, quantile, &below, &up_to);
}

static void add_quantile(struct compared_pair *pair, size_t column, const struct sample_buckets of[COMPARISON_SIDES],
			 const char *name, double quantile, double samples_min)
{
	struct quantile_estimate estimates[COMPARISON_SIDES] = { { .is_known = false } };
	struct compared_figure figure;
	size_t parts = SIZE_MAX;

	if (!begin_figure(pair, &figure, name, "ns", column, samples_min)) {
		return;
	}
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		if (of[side].buckets->len > 0) {
			estimates[side] = estimate_quantile(pair, &of[side], column, quantile, side, &parts);
		}
		figure.values[side] = estimates[side].is_known ? estimates[side].value : NAN;
		if (pair->comparison->distributions && estimates[side].is_known) {
			figure.intervals[side] = quantile_interval(&estimates[side]);
		}
	}
	figure.change = quantile_change(&estimates[COMPARISON_BASE], &estimates[COMPARISON_NEW], pair->alpha);
	end_figure(pair, &figure, parts);
}

/* Keeps or frees the buckets, once the figures of the statistic are decided. */
static void end_distribution(const struct compared_pair *pair, const char *statistic,
			     const struct sample_buckets of[COMPARISON_SIDES])
{
	struct compared_distribution distribution = {
		.schema = pair->schema,
		.row = g_strdup(pair->row),
		.statistic = statistic,
		.buckets = { (GArray *)of[COMPARISON_BASE].buckets, (GArray *)of[COMPARISON_NEW].buckets },
	};

	if (pair->comparison->distributions && pair->alpha > 0) {
		g_array_append_val(pair->comparison->distributions, distribution);
	} else {
		distribution_clear(&distribution);
	}
}

static void add_statistic(struct compared_pair *pair, size_t column)
{
	const char *statistic = pair->schema->columns[column].name;
	const struct figure_kind mean = { .kind = FIGURE_MEAN, .column = column };
	g_autofree char *mean_name = g_strdup_printf("%s mean", statistic);
	g_autofree char *p50_name = g_strdup_printf("%s p50", statistic);
	g_autofree char *p99_name = g_strdup_printf("%s p99", statistic);
	struct sample_buckets of[COMPARISON_SIDES];

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		of[side].buckets = figure_parts_buckets(&pair->sides[side], column);
		of[side].samples = samples_on(pair, column, side);
	}
	add_ratio(pair, &mean, mean_name, "ns");
	add_quantile(pair, column, of, p50_name, 0.5, COMPARISON_SAMPLES_MIN);
	add_quantile(pair, column, of, p99_name, 0.99, COMPARISON_SAMPLES_MIN_P99);
	end_statistic(pair);
	end_distribution(pair, statistic, of);
}

static void add_rate(struct compared_pair *pair)
{
	struct figure_kind kind;

	if (figure_kind_of_rate(pair->schema, &kind)) {
		add_ratio(pair, &kind, "rate", "Hz");
		end_statistic(pair);
	}
}

static void add_losses(struct compared_pair *pair)
{
	struct figure_kind kind;

	if (figure_kind_of_losses(pair->schema, &kind)) {
		add_ratio(pair, &kind, "lost", "%");
		end_statistic(pair);
	}
}

static void add_figures(struct compared_pair *pair)
{
	pair->first = pair->comparison->figures->len;
	pair->independent = INFINITY;
	add_rate(pair);
	add_losses(pair);
	for (size_t i = 0; i < pair->schema->column_count; i++) {
		if (pair->schema->columns[i].format == COLUMN_STATISTIC) {
			add_statistic(pair, i);
		}
	}
}

/* --- rows --- */

/* The first count of a row that is not 0. */
static double count_of(const struct table_schema *schema, const struct side_row *side)
{
	double count = 0;

	for (size_t i = 0; i < schema->column_count && count == 0; i++) {
		count = schema->columns[i].merge == COLUMN_MERGE_SUM ? figure_parts_samples(side, i) : 0;
	}
	return count;
}

/* Lists a row that happened in a smaller share of the recordings of one side than of the other, or on one side only. */
static void add_alone(struct comparison *comparison, const struct block_row *row,
		      const struct side_row sides[COMPARISON_SIDES])
{
	struct compared_row alone = { .row = row };
	double shares[COMPARISON_SIDES];

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		alone.recordings[side] = figure_parts_recordings(&sides[side]);
		alone.of[side] = sides[side].rows->len;
		shares[side] = (double)alone.recordings[side] / alone.of[side];
	}
	alone.side = shares[COMPARISON_BASE] > shares[COMPARISON_NEW] ? COMPARISON_BASE : COMPARISON_NEW;
	alone.count = count_of(row->schema, &sides[alone.side]);
	if (shares[COMPARISON_BASE] != shares[COMPARISON_NEW] &&
	    (fmin(shares[COMPARISON_BASE], shares[COMPARISON_NEW]) == 0 || alone.count >= COMPARISON_SAMPLES_MIN)) {
		g_array_append_val(comparison->alone, alone);
	}
}

bool compared_row_is_on_both(const struct compared_row *row)
{
	return row->recordings[COMPARISON_BASE] > 0 && row->recordings[COMPARISON_NEW] > 0;
}

char *compared_row_where(const struct compared_row *row)
{
	if (!compared_row_is_on_both(row)) {
		return g_strdup(row->side == COMPARISON_BASE ? "before" : "after");
	}
	return g_strdup_printf("before in %u of %u, after in %u of %u", row->recordings[COMPARISON_BASE],
			       row->of[COMPARISON_BASE], row->recordings[COMPARISON_NEW], row->of[COMPARISON_NEW]);
}

static char *names_of(const struct block_row *base, const struct block_row *new)
{
	return strcmp(base->name, new->name) == 0 ? g_strdup(base->name)
						  : g_strdup_printf("%s → %s", base->name, new->name);
}

/* Adds the figures of a row, or counts those with enough samples if alpha is 0. `all`: what all rows have. */
static guint compare_row(const struct compared_pair *all, GPtrArray *const sides[COMPARISON_SIDES],
			 const struct row_pair *keys)
{
	bool as_blocks = MIN(sides[COMPARISON_BASE]->len, sides[COMPARISON_NEW]->len) >= RECORDINGS_AS_BLOCKS;
	struct compared_pair pair = { .comparison = all->comparison,
				      .least_percent = all->least_percent,
				      .alpha = all->alpha,
				      .alpha_of_row = all->alpha_of_row,
				      .sides = { side_row_find(&sides[COMPARISON_BASE], keys->base, as_blocks),
						 side_row_find(&sides[COMPARISON_NEW], keys->changed, as_blocks) } };
	const struct block_row *base = side_row_first(&pair.sides[COMPARISON_BASE]);
	const struct block_row *new = side_row_first(&pair.sides[COMPARISON_NEW]);

	if (base && new) {
		g_autofree char *names = names_of(base, new);

		pair.schema = base->schema;
		pair.row = names;
		add_figures(&pair);
	}
	if (pair.alpha > 0) {
		add_alone(pair.comparison, base ? base : new, pair.sides);
	}
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		side_row_clear(&pair.sides[side]);
	}
	return pair.decidable;
}

static void compare_rows(struct comparison *comparison, GPtrArray *const sides[COMPARISON_SIDES], double least_percent)
{
	g_autoptr(GArray) pairs = row_pairs_find(sides[COMPARISON_BASE], sides[COMPARISON_NEW]);
	struct compared_pair all = { .comparison = comparison,
				     .least_percent = least_percent,
				     .alpha_of_row = COMPARISON_ALPHA / MAX(pairs->len, 1) };
	guint decidable = 0;

	for (guint i = 0; i < pairs->len; i++) {
		decidable += compare_row(&all, sides, &g_array_index(pairs, struct row_pair, i));
	}
	all.alpha = COMPARISON_ALPHA / MAX(decidable, 1);
	for (guint i = 0; i < pairs->len; i++) {
		compare_row(&all, sides, &g_array_index(pairs, struct row_pair, i));
	}
}

/* --- order --- */

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

static void figure_name_clear(gpointer figure)
{
	g_free(((struct comparison_figure *)figure)->name);
}

static void add_figure_name(GArray *figures, char *name, enum column_format format)
{
	g_array_append_val(figures, ((struct comparison_figure){ name, format }));
}

GArray *comparison_figures(const struct table_schema *schema)
{
	static const char *const of_statistics[] = { "mean", "p50", "p99" };
	GArray *figures = g_array_new(FALSE, FALSE, sizeof(struct comparison_figure));
	struct figure_kind kind;

	g_array_set_clear_func(figures, figure_name_clear);
	if (figure_kind_of_rate(schema, &kind)) {
		add_figure_name(figures, g_strdup("rate"), COLUMN_RATE);
	}
	if (figure_kind_of_losses(schema, &kind)) {
		add_figure_name(figures, g_strdup("lost"), COLUMN_PERCENT);
	}
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];

		for (size_t f = 0; column->format == COLUMN_STATISTIC && f < G_N_ELEMENTS(of_statistics); f++) {
			add_figure_name(figures, g_strdup_printf("%s %s", column->name, of_statistics[f]),
					COLUMN_DURATION);
		}
	}
	return figures;
}

struct comparison *comparison_create(GPtrArray *const sides[COMPARISON_SIDES], double least_percent,
				     bool has_distributions)
{
	struct comparison *comparison = g_new0(struct comparison, 1);

	comparison->figures = g_array_new(FALSE, FALSE, sizeof(struct compared_figure));
	g_array_set_clear_func(comparison->figures, figure_clear);
	comparison->alone = g_array_new(FALSE, FALSE, sizeof(struct compared_row));
	if (has_distributions) {
		comparison->distributions = g_array_new(FALSE, FALSE, sizeof(struct compared_distribution));
		g_array_set_clear_func(comparison->distributions, distribution_clear);
	}
	compare_rows(comparison, sides, least_percent);
	for (guint i = 0; i < comparison->figures->len; i++) {
		comparison->verdicts[g_array_index(comparison->figures, struct compared_figure, i).verdict]++;
	}
	/* stable: equal ones stay in the order of their names */
	g_array_sort(comparison->figures, compare_figures);
	return comparison;
}

void comparison_destroy(struct comparison *comparison)
{
	g_array_unref(comparison->figures);
	g_array_unref(comparison->alone);
	if (comparison->distributions) {
		g_array_unref(comparison->distributions);
	}
	g_free(comparison);
}
