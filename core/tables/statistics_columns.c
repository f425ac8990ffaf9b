/* SPDX-License-Identifier: MIT */
#include "core/tables/statistics_columns.h"

#include <string.h>

#include "core/statistics/duration_statistics.h"

/* The columns other than quantiles: sum, min, mean and stddev before them, max and its moment after them. */
#define COLUMNS_BESIDE_QUANTILES 6

struct statistics_columns {
	const struct table_schema *source; /* borrowed */
	const double *quantiles;	   /* borrowed */
	size_t quantile_count;
	struct table_schema schema;   /* .columns owned */
	struct table_column *columns; /* of the schema */
	struct text_hints *hints;     /* of the columns, by their index */
	GStringChunk *texts;	      /* names, labels and headings of the columns */
	size_t *first;		      /* by column of the source: where its cells are */
	struct cell *cells;
};

char *statistics_quantile_name(double quantile)
{
	char fraction[64];
	char *digits, *end;

	g_ascii_formatd(fraction, sizeof(fraction), "%.12f", CLAMP(quantile, 0, 1));
	if (fraction[0] == '1') {
		return g_strdup("p100");
	}
	digits = fraction + strlen("0.");
	end = digits + strlen(digits);
	while (end > digits + 2 && end[-1] == '0') {
		*--end = '\0';
	}
	if (end == digits + 2 && digits[0] == '0') {
		digits++;
	}
	return g_strdup_printf("p%s", digits);
}

/* Text shows the lowest quantile and the highest up to 0.99; the others only if there is room. */
static enum column_role quantile_role(const double *quantiles, size_t quantile_count, size_t index)
{
	bool is_lowest = true, is_tail = quantiles[index] <= 0.99 || quantile_count <= 2;

	for (size_t i = 0; i < quantile_count; i++) {
		is_lowest &= quantiles[index] <= quantiles[i];
		is_tail &= !(quantiles[i] <= 0.99 && quantiles[i] > quantiles[index]);
	}
	return is_lowest || is_tail ? COLUMN_ROLE_VALUE : COLUMN_ROLE_DETAIL;
}

static struct table_column *add_column(struct statistics_columns *columns, const struct table_column *statistic,
				       const char *function, enum column_role role)
{
	g_autofree char *name = g_strdup_printf("%s_%s_ns", statistic->name, function);
	size_t index = columns->schema.column_count++;
	struct table_column *column = &columns->columns[index];

	columns->hints[index].heading = statistic->name;
	columns->hints[index].only_if_any = statistic->hints && statistic->hints->only_if_any;
	columns->hints[index].is_brief = statistic->hints && statistic->hints->is_brief;
	*column = (struct table_column){
		.name = g_string_chunk_insert(columns->texts, name),
		.label = g_string_chunk_insert_const(columns->texts, function),
		.format = COLUMN_DURATION,
		.means = statistic->means,
		.role = statistic->role == COLUMN_ROLE_HIDDEN ? COLUMN_ROLE_HIDDEN : role,
		.hints = &columns->hints[index],
	};
	return column;
}

static void add_statistic(struct statistics_columns *columns, const struct table_column *statistic)
{
	bool is_brief = statistic->hints && statistic->hints->is_brief;

	add_column(columns, statistic, "sum", COLUMN_ROLE_HIDDEN);
	add_column(columns, statistic, "min", COLUMN_ROLE_DETAIL);
	add_column(columns, statistic, "mean", COLUMN_ROLE_VALUE)->cells = CELL_REAL;
	add_column(columns, statistic, "stddev", COLUMN_ROLE_DETAIL)->cells = CELL_REAL;
	for (size_t i = 0; i < columns->quantile_count; i++) {
		g_autofree char *function = statistics_quantile_name(columns->quantiles[i]);

		add_column(columns, statistic, function,
			   is_brief ? COLUMN_ROLE_DETAIL
				    : quantile_role(columns->quantiles, columns->quantile_count, i));
	}
	columns->hints[columns->schema.column_count].marks_largest = !is_brief;
	add_column(columns, statistic, "max", COLUMN_ROLE_VALUE);
	add_column(columns, statistic, "max_at", COLUMN_ROLE_HIDDEN)->format = COLUMN_TIME;
}

static size_t count_statistics(const struct table_schema *schema)
{
	size_t count = 0;

	for (size_t i = 0; i < schema->column_count; i++) {
		count += schema->columns[i].format == COLUMN_STATISTIC;
	}
	return count;
}

static void expand(struct statistics_columns *columns, size_t statistic_count)
{
	const struct table_schema *source = columns->source;
	size_t count =
		source->column_count + statistic_count * (columns->quantile_count + COLUMNS_BESIDE_QUANTILES - 1);

	columns->columns = g_new0(struct table_column, count);
	columns->hints = g_new0(struct text_hints, count);
	columns->texts = g_string_chunk_new(256);
	columns->schema.columns = columns->columns;
	columns->schema.column_count = 0;
	for (size_t i = 0; i < source->column_count; i++) {
		columns->first[i] = columns->schema.column_count;
		if (source->columns[i].format == COLUMN_STATISTIC) {
			add_statistic(columns, &source->columns[i]);
		} else {
			columns->columns[columns->schema.column_count++] = source->columns[i];
		}
	}
}

struct statistics_columns *statistics_columns_create(const struct table_schema *schema, const double *quantiles,
						     size_t quantile_count)
{
	struct statistics_columns *columns = g_new0(struct statistics_columns, 1);
	size_t statistic_count = count_statistics(schema);

	columns->source = schema;
	columns->schema = *schema;
	columns->quantiles = quantiles;
	columns->quantile_count = quantile_count;
	columns->first = g_new(size_t, schema->column_count);
	for (size_t i = 0; i < schema->column_count; i++) {
		columns->first[i] = i;
	}
	if (statistic_count > 0) {
		expand(columns, statistic_count);
	}
	columns->cells = g_new0(struct cell, columns->schema.column_count);
	return columns;
}

void statistics_columns_destroy(struct statistics_columns *columns)
{
	if (!columns) {
		return;
	}
	g_clear_pointer(&columns->texts, g_string_chunk_free);
	g_free(columns->columns);
	g_free(columns->hints);
	g_free(columns->first);
	g_free(columns->cells);
	g_free(columns);
}

const struct table_schema *statistics_columns_schema(const struct statistics_columns *columns)
{
	return columns->columns ? &columns->schema : columns->source;
}

/* The columns of a statistic, in their order; the quantiles are in place of one, and move those behind it. */
enum part { PART_SUM, PART_MIN, PART_MEAN, PART_STDDEV, PART_QUANTILES };

static struct cell part_cell(const struct statistics_columns *columns, const struct duration_statistics *statistic,
			     const struct duration_totals *totals, size_t part)
{
	bool is_brief = duration_statistics_is_brief(statistic);
	size_t quantile = part - PART_QUANTILES;

	switch (part) {
	case PART_SUM:
		return totals->sum_ns == (int64_t)totals->sum_ns ? cell_integer((int64_t)totals->sum_ns) : CELL_NONE;
	case PART_MIN:
		return is_brief ? CELL_NONE : cell_integer(totals->min_ns);
	case PART_MEAN:
		return cell_real(duration_totals_mean(totals));
	case PART_STDDEV:
		return totals->count < 2 || is_brief
			       ? CELL_NONE
			       : cell_real(duration_statistics_standard_deviation_of(statistic, totals));
	default:
		break;
	}
	if (quantile < columns->quantile_count) {
		return is_brief ? CELL_NONE
				: cell_integer(duration_statistics_quantile_of(statistic, totals,
									       columns->quantiles[quantile]));
	}
	if (quantile == columns->quantile_count) {
		return cell_integer(statistic->longest_ns);
	}
	return statistic->longest_at_ns == DURATION_TIME_UNKNOWN ? CELL_NONE : cell_integer(statistic->longest_at_ns);
}

static bool is_column_of(const struct statistics_columns *columns, size_t first, size_t column)
{
	return column - first < columns->quantile_count + COLUMNS_BESIDE_QUANTILES;
}

static void fill_cells(const struct statistics_columns *columns, const struct duration_statistics *statistic,
		       size_t first)
{
	struct duration_totals totals = duration_statistics_totals(statistic);

	for (size_t column = first; is_column_of(columns, first, column); column++) {
		columns->cells[column] = part_cell(columns, statistic, &totals, column - first);
	}
}

/* The maximum, by which most tables are ranked, is known without the totals. */
static void fill_wanted(const struct statistics_columns *columns, const struct duration_statistics *statistic,
			size_t first, const size_t *wanted)
{
	for (; *wanted != SIZE_MAX; wanted++) {
		if (*wanted - first == PART_QUANTILES + columns->quantile_count) {
			columns->cells[*wanted] = cell_integer(statistic->longest_ns);
		} else if (is_column_of(columns, first, *wanted)) {
			struct duration_totals totals = duration_statistics_totals(statistic);

			columns->cells[*wanted] = part_cell(columns, statistic, &totals, *wanted - first);
		}
	}
}

bool statistics_columns_needs(const struct statistics_columns *columns, size_t column, const size_t *wanted)
{
	while (*wanted != SIZE_MAX && !is_column_of(columns, columns->first[column], *wanted)) {
		wanted++;
	}
	return columns->source->columns[column].format != COLUMN_STATISTIC || *wanted != SIZE_MAX;
}

const struct cell *statistics_columns_put(struct statistics_columns *columns, size_t column, const struct cell *cell,
					  const size_t *wanted)
{
	size_t first = columns->first[column];

	if (columns->source->columns[column].format != COLUMN_STATISTIC) {
		columns->cells[first] = *cell;
	} else if (cell->type != CELL_STATISTIC || duration_statistics_is_empty(cell->statistic)) {
		memset(&columns->cells[first], 0,
		       (columns->quantile_count + COLUMNS_BESIDE_QUANTILES) * sizeof(struct cell));
	} else if (wanted) {
		fill_wanted(columns, cell->statistic, first, wanted);
	} else {
		fill_cells(columns, cell->statistic, first);
	}
	return columns->cells;
}

const struct cell *statistics_columns_cells(struct statistics_columns *columns, const struct cell *cells)
{
	if (!columns->columns) {
		return cells;
	}
	for (size_t i = 0; i < columns->source->column_count; i++) {
		statistics_columns_put(columns, i, &cells[i], NULL);
	}
	return columns->cells;
}
