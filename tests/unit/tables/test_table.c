/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/tables/table.h"

static const struct table_column columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "latency", .format = COLUMN_STATISTIC },
};

static struct table_schema schema_of(size_t column_count)
{
	return (struct table_schema){ .name = "table", .columns = columns, .column_count = column_count };
}

Test(table, columns_are_found_by_name)
{
	const struct table_schema schema = schema_of(3);

	cr_expect_eq(table_find_column(&schema, "node"), 0);
	cr_expect_eq(table_find_column(&schema, "latency"), 2);
	cr_expect_eq(table_find_column(&schema, "Node"), -1);
}

Test(table, a_statistic_is_found_by_its_format)
{
	const struct table_schema with = schema_of(3), without = schema_of(2);

	cr_expect(table_has_statistics(&with));
	cr_expect_not(table_has_statistics(&without));
}

/* Of several recordings only tables with names are merged, and no instances, summaries or details. */
Test(table, tables_of_names_can_be_merged)
{
	struct table_schema schema = schema_of(3);

	cr_expect(table_can_be_merged(&schema));
	schema.kind = KIND_INSTANCES;
	cr_expect_not(table_can_be_merged(&schema));
	schema = schema_of(3);
	schema.kind = KIND_WORST;
	cr_expect_not(table_can_be_merged(&schema));
	schema = schema_of(3);
	schema.kind = KIND_SUMMARY;
	cr_expect_not(table_can_be_merged(&schema));
	schema = schema_of(3);
	schema.kind = KIND_DETAIL;
	cr_expect_not(table_can_be_merged(&schema));
	schema = schema_of(3);
	schema.columns = &columns[1];
	schema.column_count = 2;
	cr_expect_not(table_can_be_merged(&schema));
}

/* Which unit a column has says its format, not its name. */
Test(table, a_name_loses_the_unit_that_its_format_adds)
{
	static const struct {
		struct table_column column;
		const char *short_name, *without_ns;
	} cases[] = {
		{ { .name = "latency_ns", .format = COLUMN_DURATION }, "latency", "latency" },
		{ { .name = "at_ns", .format = COLUMN_MOMENT }, "at", "at" },
		{ { .name = "rate_hz", .format = COLUMN_RATE }, "rate", "rate_hz" },
		{ { .name = "wait_percent", .format = COLUMN_PERCENT }, "wait", "wait_percent" },
		{ { .name = "pid_ns" }, "pid_ns", "pid_ns" },
		{ { .name = "source", .format = COLUMN_DURATION, .means = MEANS_SOURCE }, "source", "source" },
		{ { .name = "publisher_node", .means = MEANS_NODE }, "publisher", "publisher_node" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *short_name = column_short_name(&cases[i].column);
		g_autofree char *without_ns = column_name_without_ns(&cases[i].column);

		cr_expect_str_eq(short_name, cases[i].short_name);
		cr_expect_str_eq(without_ns, cases[i].without_ns);
	}
}

Test(table, an_empty_text_is_a_text_and_null_is_none)
{
	cr_expect_eq(cell_text("").type, CELL_TEXT);
	cr_expect_eq(cell_text(NULL).type, CELL_EMPTY);
	cr_expect_eq(cell_none().type, CELL_EMPTY);
	table_row(NULL, NULL); /* a table that was not requested */
}
