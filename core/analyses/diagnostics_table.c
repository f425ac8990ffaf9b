/* SPDX-License-Identifier: MIT */
/*
 * The table `diagnostics`: a row per fault and place, of what the session and all analyses have found so far.
 */
#include <glib.h>

#include "core/analyses/analyses.h"

static const struct table_column columns[] = {
	{ .name = "what" },
	{ .name = "count" },
	{ .name = "detail", .format = COLUMN_NAME },
};

static const struct table_schema schema = {
	.name = "diagnostics",
	.title = "What the trace could not tell",
	.selection = "diagnostics",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	return g_memdup2(context, sizeof(*context));
}

static void write_row(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	table_row(data, (struct cell[]){
				cell_text(diagnostic_name(what)),
				cell_unsigned(count),
				cell_text(*detail ? detail : NULL),
			});
}

static void write_table(const void *analysis, struct table_writer *const *writers)
{
	const struct analysis_context *context = analysis;
	struct diagnostics *all = diagnostics_create();

	diagnostics_add_all(all, context->diagnostics);
	diagnostics_add_all(all, context->findings);
	diagnostics_foreach(all, write_row, writers[0]);
	diagnostics_destroy(all);
}

const struct analysis_class diagnostics_analysis = {
	.name = "diagnostics",
	.tables = (const struct table_schema *const[]){ &schema, NULL },
	.needs = ANALYSIS_NEEDS_EXECUTIONS | ANALYSIS_NEEDS_FLOWS | ANALYSIS_NEEDS_ANALYSES,
	.create = create,
	.write = write_table,
	.destroy = g_free,
};
