/* SPDX-License-Identifier: MIT */
#include "core/tables/chosen_names.h"

#include <criterion/criterion.h>

#include "core/tables/row_list.h"

struct row {
	const char *from, *to, *topic, *path, *shown;
};

/* clang-format off */
#define ROW struct row
static const struct table_column columns[] = {
	{ .name = "from", .means = MEANS_NODE, .side = SIDE_SENDER, CELL_OF(from) },
	{ .name = "to", .means = MEANS_NODE, .side = SIDE_RECEIVER, CELL_OF(to) },
	{ .name = "topic", .means = MEANS_TOPIC, CELL_OF(topic) },
	{ .name = "path", .means = MEANS_PATH, CELL_OF(path) },
};
static const struct table_schema schema = { TABLE("pairs", columns) };

static const struct table_column shown_columns[] = {
	{ .name = "node", .means = MEANS_NODE, CELL_OF(shown) },
	{ .name = "topic", .means = MEANS_TOPIC, CELL_OF(topic) },
};
static const struct table_column unwritten[] = { { .name = "known_node", .means = MEANS_NODE, CELL_OF(from) } };
static const struct table_schema shown_schema = { TABLE("shown", shown_columns), UNWRITTEN(unwritten) };
#undef ROW
/* clang-format on */

static struct name_filter *filters[3];

static struct chosen_names choose(const char *nodes, const char *topics, const char *paths)
{
	const char *globs[] = { nodes, topics, paths };

	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		filters[i] = globs[i] ? name_filter_create_remembering((const char *const[]){ globs[i], NULL }) : NULL;
	}
	return (struct chosen_names){ filters[0], filters[1], filters[2] };
}

static void clear(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_clear_pointer(&filters[i], name_filter_destroy);
	}
}

TestSuite(chosen_names, .fini = clear);

static bool is_chosen(const char *nodes, const char *topics, const char *paths, const struct row *row)
{
	struct chosen_names chosen = choose(nodes, topics, paths);
	bool result = row_is_chosen(&chosen, &schema, row);

	clear();
	return result;
}

static const struct row row = { .from = "/lidar", .to = "/map", .topic = "/scan", .path = "/lidar > /scan > /map" };

Test(chosen_names, a_node_on_either_side_is_enough)
{
	cr_expect(is_chosen("/lidar", NULL, NULL, &row));
	cr_expect(is_chosen("/map", NULL, NULL, &row));
	cr_expect_not(is_chosen("/scan", NULL, NULL, &row));
	cr_expect_not(is_chosen("!/map", NULL, NULL, &row));
}

Test(chosen_names, the_names_of_each_kind_are_asked)
{
	cr_expect(is_chosen("/lidar", "/sc*", "*/map", &row));
	cr_expect_not(is_chosen("/lidar", "/map", NULL, &row));
	cr_expect_not(is_chosen("/lidar", NULL, "/map", &row));
}

Test(chosen_names, an_unknown_name_is_none_that_was_asked_for)
{
	cr_expect_not(is_chosen("*", NULL, NULL, &(const struct row){ .topic = "/scan" }));
	cr_expect(is_chosen("*", NULL, NULL, &(const struct row){ .to = "/map" }));
	cr_expect(is_chosen("!/map", NULL, NULL, &(const struct row){ .topic = "/scan" }));
}

Test(chosen_names, an_unwritten_column_stands_for_what_is_shown)
{
	struct chosen_names chosen = choose("*proc*", NULL, NULL);
	const struct row unknown = { .shown = "[proc]", .topic = "/scan" }, known = { .from = "/proc", .shown = "?" };

	cr_expect_not(row_is_chosen(&chosen, &shown_schema, &unknown));
	cr_expect(row_is_chosen(&chosen, &shown_schema, &known));
}

Test(chosen_names, a_table_without_names_of_a_kind_has_all_rows)
{
	struct chosen_names chosen = choose(NULL, NULL, "/nothing");

	cr_expect(row_is_chosen(&chosen, &shown_schema, &row));
}

Test(chosen_names, each_filter_learns_which_names_there_are)
{
	struct chosen_names chosen = choose("/typo", "/wrong", NULL);
	size_t count;
	g_autofree const char **nodes = NULL, **topics = NULL;

	row_is_chosen(&chosen, &schema, &row);
	nodes = name_filter_names(chosen.nodes, &count);
	cr_expect_eq(count, 2);
	topics = name_filter_names(chosen.topics, &count);
	cr_expect_eq(count, 1);
	cr_expect_str_eq(topics[0], "/scan");
}

Test(chosen_names, all_names_are_chosen_without_filters)
{
	struct chosen_names none = choose(NULL, NULL, NULL);

	cr_expect(chosen_names_are_all(&none));
	cr_expect(row_is_chosen(&none, &schema, &(const struct row){ .topic = NULL }));
}

static void count_row(struct table_writer *writer, const struct cell *cells)
{
	writer->hidden++;
	cr_expect_str_eq(cells[2].text, "/scan");
}

Test(chosen_names, a_list_writes_the_chosen_rows)
{
	struct chosen_names chosen = choose(NULL, "/scan", NULL);
	struct row rows[] = { { .topic = "/scan" }, { .topic = "/odom" }, { .topic = "/scan" } };
	struct table_writer writer = { .row = count_row };
	g_autoptr(row_list) list = row_list_create(&schema);

	list->chosen = &chosen;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		row_list_add(list, &rows[i]);
	}
	row_list_write(list, &writer);
	cr_expect_eq(writer.hidden, 2);
}
