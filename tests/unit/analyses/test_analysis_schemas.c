/* SPDX-License-Identifier: MIT */
/* What holds of the tables of all analyses. */
#include <criterion/criterion.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/tables/row_list.h"

static void for_each_table(void (*check)(const struct table_schema *schema))
{
	for (size_t i = 0; analyses[i]; i++) {
		for (size_t j = 0; analyses[i]->tables[j]; j++) {
			check(analyses[i]->tables[j]);
		}
	}
}

static void check_sources(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];
		const struct cell_source *source = &column->source;

		if (schema->row_size == 0) {
			cr_expect_eq(source->type, SOURCE_NONE, "%s.%s", schema->name, column->name);
			continue;
		}
		cr_expect_neq(source->type, SOURCE_NONE, "%s.%s has no source", schema->name, column->name);
		cr_expect_eq(source->type == SOURCE_STATISTIC, column->format == COLUMN_STATISTIC, "%s.%s",
			     schema->name, column->name);
	}
}

Test(analysis_schemas, all_columns_of_a_table_of_structs_have_a_source)
{
	for_each_table(check_sources);
}

static void check_cells(const struct table_schema *schema)
{
	for (size_t i = 0; schema->is_row_of_cells && i < schema->column_count; i++) {
		const struct cell_source *source = &schema->columns[i].source;

		cr_expect(source->type == SOURCE_CELL && !source->is_via && source->offset == i * sizeof(struct cell),
			  "%s.%s is not member %zu of its row", schema->name, schema->columns[i].name, i);
	}
}

Test(analysis_schemas, rows_of_cells_have_the_order_of_the_columns)
{
	for_each_table(check_cells);
}

static void check_kind(const struct table_schema *schema)
{
	cr_expect_eq(schema->parent != NULL, table_is_below(schema), "%s: its parent and its kind", schema->name);
	cr_expect_eq(schema->place != 0, schema->kind == KIND_SUMMARY, "%s: its place and its kind", schema->name);
}

Test(analysis_schemas, tables_below_another_name_it_and_summaries_have_a_place)
{
	for_each_table(check_kind);
}

static void check_order(const struct table_schema *schema)
{
	g_autoptr(row_list) rows = row_list_create(schema);

	cr_expect_leq(schema->column_count, ROW_COLUMNS_MAX);
	if (schema->order) {
		row_list_sort(rows, schema->order); /* ends the program if it names no column */
	}
}

Test(analysis_schemas, orders_name_columns)
{
	for_each_table(check_order);
}

static const struct table_schema *find_table(const char *name)
{
	for (size_t i = 0; analyses[i]; i++) {
		for (size_t j = 0; analyses[i]->tables[j]; j++) {
			if (strcmp(analyses[i]->tables[j]->name, name) == 0) {
				return analyses[i]->tables[j];
			}
		}
	}
	return NULL;
}

static void check_ids(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];
		const struct table_schema *owner = column->id_of ? find_table(column->id_of) : NULL;

		cr_expect_eq(column->id_of != NULL, g_str_has_suffix(column->name, "_id"), "%s.%s", schema->name,
			     column->name);
		cr_expect(!column->id_of || (owner && strcmp(owner->columns[0].name, column->name) == 0 &&
					     strcmp(owner->columns[0].id_of, owner->name) == 0),
			  "%s.%s is the id of no table", schema->name, column->name);
	}
}

Test(analysis_schemas, ids_name_the_table_whose_first_column_they_are)
{
	for_each_table(check_ids);
}

static void check_times(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];

		cr_expect_eq(column->format != COLUMN_STATISTIC && column_is_in_ns(column),
			     g_str_has_suffix(column->name, "_ns"), "%s.%s", schema->name, column->name);
	}
}

Test(analysis_schemas, names_of_times_end_in_their_unit)
{
	for_each_table(check_times);
}

static void check_short_names(const struct table_schema *schema)
{
	static const char *const endings[] = { "_ns", "_hz", "_percent", "_node" };

	for (size_t i = 0; i < schema->column_count; i++) {
		g_autofree char *name = column_short_name(&schema->columns[i]);

		for (size_t j = 0; j < G_N_ELEMENTS(endings); j++) {
			cr_expect_not(g_str_has_suffix(name, endings[j]), "%s.%s", schema->name,
				      schema->columns[i].name);
		}
	}
}

Test(analysis_schemas, short_names_have_no_unit)
{
	for_each_table(check_short_names);
}

/* The first column of a table, other than this one, that declares the key of budgets. */
static const struct table_schema *find_budget(const struct table_schema *except, const char *key)
{
	for (size_t i = 0; analyses[i]; i++) {
		for (size_t j = 0; analyses[i]->tables[j]; j++) {
			const struct table_schema *schema = analyses[i]->tables[j];

			for (size_t k = 0; schema != except && k < schema->column_count; k++) {
				if (g_strcmp0(schema->columns[k].budget, key) == 0) {
					return schema;
				}
			}
		}
	}
	return NULL;
}

static void check_budgets(const struct table_schema *schema)
{
	const char *first = NULL;
	bool has_proposed = false;

	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];

		if (column->budget || column->proposed != PROPOSED_NOT) {
			cr_expect(table_can_be_merged(schema) && column->merge == COLUMN_MERGE_KEY, "%s.%s is no name",
				  schema->name, column->name);
		}
		if (column->budget) {
			cr_expect_null(find_budget(schema, column->budget), "%s has two tables", column->budget);
			cr_expect(!first || strcmp(first, column->budget) == 0, "%s has two keys", schema->name);
			first = column->budget;
		}
		if (column->proposed != PROPOSED_NOT && !has_proposed) {
			has_proposed = true;
			cr_expect(column->budget, "%s: the first name of a proposed budget is its key", schema->name);
			cr_expect_geq(table_find_meaning(schema, MEANS_DURATION, SIDE_NONE), 0, "%s: no limit",
				      schema->name);
		}
	}
}

Test(analysis_schemas, a_key_of_budgets_chooses_one_table_by_its_names)
{
	for_each_table(check_budgets);
}

/* Columns that several tables have mean the same in all of them. */
static void check_meanings(const struct table_schema *schema)
{
	static const struct {
		const char *ending;
		enum column_meaning means;
	} expected[] = { { "vpid", MEANS_PROCESS }, { "hostname", MEANS_HOST }, { "vtid", MEANS_THREAD } };

	for (size_t i = 0; i < schema->column_count; i++) {
		for (size_t j = 0; j < G_N_ELEMENTS(expected); j++) {
			cr_expect_eq(g_str_has_suffix(schema->columns[i].name, expected[j].ending),
				     schema->columns[i].means == expected[j].means, "%s.%s", schema->name,
				     schema->columns[i].name);
		}
	}
}

Test(analysis_schemas, processes_hosts_and_threads_are_declared)
{
	for_each_table(check_meanings);
}

struct meant {
	enum column_meaning means;
	enum column_side side;
};

static const struct table_schema *table_about(enum table_subject subject)
{
	const struct table_schema *found = NULL;

	for (size_t i = 0; analyses[i]; i++) {
		for (size_t j = 0; analyses[i]->tables[j]; j++) {
			const struct table_schema *schema = analyses[i]->tables[j];

			if (schema->subject == subject && schema->kind != KIND_SUMMARY) {
				cr_expect_null(found, "%s and %s are about the same", found->name, schema->name);
				found = schema;
			}
		}
	}
	cr_assert_not_null(found);
	return found;
}

static void expect_columns(enum table_subject subject, const struct meant *meant)
{
	const struct table_schema *schema = table_about(subject);

	for (; meant->means != MEANS_NOTHING; meant++) {
		cr_expect_geq(table_find_meaning(schema, meant->means, meant->side), 0,
			      "%s has no column %d of side %d", schema->name, meant->means, meant->side);
	}
}

Test(analysis_schemas, tables_have_the_columns_that_graphs_and_sums_look_for)
{
	expect_columns(SUBJECT_CALLBACKS, (const struct meant[]){ { MEANS_NODE, SIDE_NONE },
								  { MEANS_HOST, SIDE_NONE },
								  { MEANS_KIND, SIDE_NONE },
								  { MEANS_SOURCE, SIDE_NONE },
								  { MEANS_COUNT, SIDE_NONE },
								  { MEANS_RATE, SIDE_NONE },
								  { MEANS_DURATION, SIDE_NONE },
								  { MEANS_NOTHING, SIDE_NONE } });
	expect_columns(SUBJECT_MESSAGES, (const struct meant[]){ { MEANS_TOPIC, SIDE_NONE },
								 { MEANS_NODE, SIDE_SENDER },
								 { MEANS_NODE, SIDE_RECEIVER },
								 { MEANS_HOST, SIDE_SENDER },
								 { MEANS_HOST, SIDE_RECEIVER },
								 { MEANS_SENT, SIDE_NONE },
								 { MEANS_RECEIVED, SIDE_NONE },
								 { MEANS_LOST, SIDE_NONE },
								 { MEANS_OVERWRITTEN, SIDE_NONE },
								 { MEANS_UNKNOWN, SIDE_NONE },
								 { MEANS_RATE, SIDE_NONE },
								 { MEANS_DURATION, SIDE_NONE },
								 { MEANS_NOTHING, SIDE_NONE } });
	expect_columns(SUBJECT_CALLS, (const struct meant[]){ { MEANS_TOPIC, SIDE_NONE },
							      { MEANS_NODE, SIDE_SENDER },
							      { MEANS_NODE, SIDE_RECEIVER },
							      { MEANS_HOST, SIDE_SENDER },
							      { MEANS_HOST, SIDE_RECEIVER },
							      { MEANS_SENT, SIDE_NONE },
							      { MEANS_RECEIVED, SIDE_NONE },
							      { MEANS_DURATION, SIDE_NONE },
							      { MEANS_NOTHING, SIDE_NONE } });
	expect_columns(SUBJECT_PATHS, (const struct meant[]){ { MEANS_PATH, SIDE_NONE },
							      { MEANS_COUNT, SIDE_NONE },
							      { MEANS_LOST, SIDE_NONE },
							      { MEANS_DURATION, SIDE_NONE },
							      { MEANS_NOTHING, SIDE_NONE } });
	expect_columns(SUBJECT_GAPS, (const struct meant[]){ { MEANS_NOTHING, SIDE_NONE } });
}
