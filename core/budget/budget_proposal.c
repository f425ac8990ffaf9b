/* SPDX-License-Identifier: MIT */
#include "core/budget/budget_proposal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/time_units.h"
#include "core/output/output_stream.h"
#include "core/text/hidden_names.h"
#include "ros2bt/duration_statistics.h"

/* The margin beyond the observed values: of a quantile, of the maximum, of a rate. */
#define MARGIN_QUANTILE 1.2
#define MARGIN_MAX 1.5
#define MARGIN_RATE 0.8
#define SAMPLES_MIN 20

/* What is proposed for a table. */
struct proposed {
	const char *table;
	const char *key;	   /* selects the row, as in a file of budgets, */
	const char *name_column;   /* by this cell, */
	const char *other_keys[4]; /* and by these cells, ended by NULL */
	const char *other_columns[4];
	const char *statistic; /* the statistic that gets limits */
	bool limits_losses, limits_rate;
};

static const struct proposed kinds[] = {
	{ .table = "paths", .key = "path", .name_column = "path", .statistic = "latency", .limits_losses = true },
	{ .table = "communications",
	  .key = "topic",
	  .name_column = "topic",
	  .other_keys = { "publisher", "subscription" },
	  .other_columns = { "publisher_node", "subscription_node" },
	  .statistic = "latency",
	  .limits_losses = true,
	  .limits_rate = true },
	{ .table = "callbacks",
	  .key = "callback",
	  .name_column = "node",
	  .other_keys = { "kind", "source" },
	  .other_columns = { "kind", "source" },
	  .statistic = "duration",
	  .limits_rate = true },
};

/* Takes the rows of one table. */
struct proposed_table {
	struct table_writer writer;
	struct budget_proposal *proposal;
	const struct proposed *kind;
	const struct table_schema *schema;
};

struct budget_proposal {
	struct table_output tables;
	const char *recording;
	GPtrArray *opened; /* struct proposed_table */
	GString *text;	   /* the text of the budgets */
};

/* Two digits, rounded up. */
static double round_up(double value)
{
	double unit = value > 0 ? pow(10, floor(log10(value)) - 1) : 1;

	return ceil(value / unit - 1e-9) * unit;
}

static void append_duration(GString *text, double duration_ns)
{
	double rounded = round_up(MAX(duration_ns, 1));

	if (rounded >= (double)NS_PER_S) {
		g_string_append_printf(text, "%g s", rounded / (double)NS_PER_S);
	} else if (rounded >= (double)NS_PER_MS) {
		g_string_append_printf(text, "%g ms", rounded / (double)NS_PER_MS);
	} else {
		g_string_append_printf(text, "%g us", MAX(rounded, 1000) / 1000);
	}
}

/* A double-quoted scalar of YAML; `?` replaces the characters that mean something in patterns. */
static void append_name(GString *text, const char *name)
{
	g_string_append_c(text, '"');
	for (const char *c = name; *c; c++) {
		if (*c == '"' || *c == '\\') {
			g_string_append_printf(text, "\\%c", *c);
		} else if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '*' || (c == name && *c == '!')) {
			g_string_append_c(text, '?');
		} else {
			g_string_append_c(text, *c);
		}
	}
	g_string_append_c(text, '"');
}

static void append_limits(GString *text, const struct proposed_table *table, const struct cell *cells,
			  const struct duration_statistics *statistic)
{
	const struct cell *lost = table_find_cell(table->schema, cells, "lost");
	const struct cell *rate = table_find_cell(table->schema, cells, "rate_hz");
	struct duration_totals totals = duration_statistics_totals(statistic);

	g_string_append_printf(text, "  %s: {p99: ", table->kind->statistic);
	append_duration(text, MARGIN_QUANTILE * (double)duration_statistics_quantile_of(statistic, &totals, 0.99));
	g_string_append(text, ", max: ");
	append_duration(text, MARGIN_MAX * (double)totals.max_ns);
	g_string_append(text, "}\n");
	if (table->kind->limits_losses && lost->type == CELL_UNSIGNED) {
		g_string_append_printf(text, "  lost: %" PRIu64 "\n", lost->unsigned_integer);
	}
	if (table->kind->limits_rate && rate->type == CELL_REAL && rate->real >= 1) {
		g_string_append_printf(text, "  rate: {min: %.2g Hz}\n", MARGIN_RATE * rate->real);
	}
}

static bool is_proposed(const struct cell *name, const struct cell *statistic)
{
	return name->type == CELL_TEXT && name->text[0] != '\0' && !name_is_hidden(name->text) &&
	       statistic->type == CELL_STATISTIC &&
	       duration_statistics_totals(statistic->statistic).count >= SAMPLES_MIN;
}

static void propose_row(struct table_writer *writer, const struct cell *cells)
{
	const struct proposed_table *table = (const struct proposed_table *)writer;
	const struct cell *name = table_find_cell(table->schema, cells, table->kind->name_column);
	const struct cell *statistic = table_find_cell(table->schema, cells, table->kind->statistic);
	GString *text = table->proposal->text;

	if (!is_proposed(name, statistic)) {
		return;
	}
	g_string_append_printf(text, "- %s: ", table->kind->key);
	append_name(text, name->text);
	g_string_append_c(text, '\n');
	for (size_t i = 0; i < G_N_ELEMENTS(table->kind->other_keys) && table->kind->other_keys[i]; i++) {
		const struct cell *other = table_find_cell(table->schema, cells, table->kind->other_columns[i]);

		if (other->type == CELL_TEXT && other->text[0] != '\0') {
			g_string_append_printf(text, "  %s: ", table->kind->other_keys[i]);
			append_name(text, other->text);
			g_string_append_c(text, '\n');
		}
	}
	append_limits(text, table, cells, statistic->statistic);
}

static struct table_writer *open_table(struct table_output *tables, const struct table_schema *schema)
{
	struct budget_proposal *proposal = (struct budget_proposal *)tables;
	struct proposed_table *table;

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(kinds[i].table, schema->name) == 0) {
			table = g_new0(struct proposed_table, 1);
			table->writer.row = propose_row;
			table->proposal = proposal;
			table->kind = &kinds[i];
			table->schema = schema;
			g_ptr_array_add(proposal->opened, table);
			return &table->writer;
		}
	}
	return NULL;
}

struct budget_proposal *budget_proposal_create(const char *recording)
{
	struct budget_proposal *proposal = g_new0(struct budget_proposal, 1);

	proposal->tables.open = open_table;
	proposal->recording = recording;
	proposal->opened = g_ptr_array_new_with_free_func(g_free);
	proposal->text = g_string_new(NULL);
	return proposal;
}

void budget_proposal_destroy(struct budget_proposal *proposal)
{
	if (proposal) {
		g_ptr_array_unref(proposal->opened);
		g_string_free(proposal->text, TRUE);
		g_free(proposal);
	}
}

struct table_output *budget_proposal_tables(struct budget_proposal *proposal)
{
	return &proposal->tables;
}

void budget_proposal_write(const struct budget_proposal *proposal, struct output_stream *stream)
{
	output_stream_text(stream, "# Proposed from ");
	output_stream_text(stream, proposal->recording);
	output_stream_text(stream, ": what it showed, and a margin (p99 +20 %, max +50 %, rate -20 %).\n"
				   "# Go over it: a budget says what the system needs, not what it happened to do.\n");
	output_stream_text(stream, proposal->text->len > 0 ? "budgets:\n" : "budgets: [] # nothing ran often enough\n");
	output_stream_text(stream, proposal->text->str);
}
