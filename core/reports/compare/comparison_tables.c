/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/comparison_tables.h"

#include <math.h>
#include <string.h>

#include "core/base/text/human_text.h"

static const char *const verdicts[] = {
	[COMPARISON_TOO_FEW] = "too few samples",
	[COMPARISON_DEPENDENT] = "too few independent samples",
	[COMPARISON_UNCHANGED] = "unchanged",
	[COMPARISON_CHANGED] = "changed",
};

static const struct table_column change_columns[] = {
	{ .name = "table" },
	{ .name = "row", .format = COLUMN_NAME },
	{ .name = "figure" },
	{ .name = "before" },
	{ .name = "after" },
	{ .name = "change" },
	{ .name = "interval", .label = "95 % interval", .role = COLUMN_ROLE_DETAIL },
};

static const struct table_schema changes_schema = {
	.name = "changes",
	.title = "What changed, beyond chance",
	.selection = "changes",
	.columns = change_columns,
	.column_count = G_N_ELEMENTS(change_columns),
};

static const struct table_column alone_columns[] = {
	{ .name = "table" },
	{ .name = "row", .format = COLUMN_NAME },
	{ .name = "side" },
	{ .name = "count" },
};

static const struct table_schema rows_of_one_side_schema = {
	.name = "rows_of_one_side",
	.title = "Missing on one side",
	.selection = "rows_of_one_side",
	.columns = alone_columns,
	.column_count = G_N_ELEMENTS(alone_columns),
};

static const struct table_column figure_columns[] = {
	{ .name = "table" },	      { .name = "row", .format = COLUMN_NAME },
	{ .name = "figure" },	      { .name = "unit" },
	{ .name = "base" },	      { .name = "new" },
	{ .name = "change_percent" }, { .name = "low_percent" },
	{ .name = "high_percent" },   { .name = "base_samples" },
	{ .name = "new_samples" },    { .name = "verdict" },
};

static const struct table_schema figures_schema = {
	.name = "figures",
	.title = "All figures",
	.selection = "figures",
	.presence = PRESENT_IF_ANY,
	.columns = figure_columns,
	.column_count = G_N_ELEMENTS(figure_columns),
};

#define TABLE_SCHEMA(name, text) &name##_schema,

const struct table_schema *const comparison_tables[] = { COMPARISON_TABLES(TABLE_SCHEMA, ) NULL };

/* --- cells --- */

static struct cell real(double value)
{
	return isfinite(value) ? cell_real(value) : CELL_NONE;
}

static char *value_text(const struct compared_figure *figure, double value)
{
	char buffer[HUMAN_TEXT_SIZE];

	if (strcmp(figure->unit, "ns") == 0) {
		return g_strdup(human_text_real_duration(buffer, value));
	}
	return g_strdup_printf("%.3g %s", value, figure->unit);
}

static char *percent_text(double percent)
{
	return isfinite(percent) ? g_strdup_printf("%+.1f %%", percent) : NULL;
}

/* "+3.0 … +4.5 %"; where chance has no limit, "+3.0 … %". */
static char *interval_text(const struct change *change)
{
	char low[32] = "", high[32] = "";

	if (isfinite(change->low_percent)) {
		g_snprintf(low, sizeof(low), "%+.1f ", change->low_percent);
	}
	if (isfinite(change->high_percent)) {
		g_snprintf(high, sizeof(high), " %+.1f", change->high_percent);
	}
	return low[0] || high[0] ? g_strdup_printf("%s…%s %%", low, high) : NULL;
}

/* --- rows --- */

static void write_change(const struct compared_figure *figure, struct table_writer *writer)
{
	g_autofree char *before = value_text(figure, figure->values[COMPARISON_BASE]);
	g_autofree char *after = value_text(figure, figure->values[COMPARISON_NEW]);
	g_autofree char *change = percent_text(figure->change.percent);
	g_autofree char *interval = interval_text(&figure->change);

	TABLE_ROW(writer, change_columns,
		  (struct cell[]){
			  cell_text(figure->schema->name),
			  cell_text(figure->row),
			  cell_text(figure->name),
			  cell_text(before),
			  cell_text(after),
			  cell_text(change),
			  cell_text(interval),
		  });
}

static void write_figure(const struct compared_figure *figure, struct table_writer *writer)
{
	TABLE_ROW(writer, figure_columns,
		  (struct cell[]){
			  cell_text(figure->schema->name),
			  cell_text(figure->row),
			  cell_text(figure->name),
			  cell_text(figure->unit),
			  real(figure->values[COMPARISON_BASE]),
			  real(figure->values[COMPARISON_NEW]),
			  real(figure->change.percent),
			  real(figure->change.low_percent),
			  real(figure->change.high_percent),
			  cell_unsigned((uint64_t)figure->samples[COMPARISON_BASE]),
			  cell_unsigned((uint64_t)figure->samples[COMPARISON_NEW]),
			  cell_text(verdicts[figure->verdict]),
		  });
}

void comparison_write(const struct comparison *comparison, struct table_output *tables)
{
	struct table_writer *changes = tables->open(tables, &changes_schema);
	struct table_writer *alone = tables->open(tables, &rows_of_one_side_schema);
	struct table_writer *figures = tables->open(tables, &figures_schema);

	for (guint i = 0; i < comparison->figures->len; i++) {
		const struct compared_figure *figure = &g_array_index(comparison->figures, struct compared_figure, i);

		if (figure->verdict == COMPARISON_CHANGED) {
			write_change(figure, changes);
		}
		write_figure(figure, figures);
	}
	for (guint i = 0; i < comparison->alone->len; i++) {
		const struct compared_row *row = &g_array_index(comparison->alone, struct compared_row, i);
		g_autofree char *where = compared_row_is_on_both(row) ? compared_row_where(row) : NULL;
		const char *only = row->side == COMPARISON_BASE ? "base only" : "new only";

		TABLE_ROW(alone, alone_columns,
			  (struct cell[]){
				  cell_text(row->row->schema->name),
				  cell_text(row->row->name),
				  cell_text(where ? where : only),
				  cell_unsigned((uint64_t)row->count),
			  });
	}
}
