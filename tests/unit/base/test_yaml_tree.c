/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/yaml/yaml_tree.h"

static char *path;

static void setup(void)
{
	close(g_file_open_tmp("ros2bt-yaml-XXXXXX", &path, NULL));
}

static void teardown(void)
{
	g_remove(path);
	g_free(path);
}

TestSuite(yaml_tree, .init = setup, .fini = teardown);

static struct yaml_tree *read_text(const char *text, GError **error)
{
	cr_assert(g_file_set_contents(path, text, -1, NULL));
	return yaml_tree_read(path, error);
}

static void check_refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_strdup_printf("%s:%s", path, message);

	cr_assert_null(read_text(text, &error), "%s", text);
	cr_assert_str_eq(error->message, expected);
}

Test(yaml_tree, keys_elements_and_lines_are_found)
{
	struct yaml_tree *tree = read_text("# comment\n"
					   "budgets:\n"
					   "- path: \"/a > /b\"\n"
					   "  latency: {p99: 20 ms}\n"
					   "- nothing: ~\n"
					   "  text: '~'\n",
					   NULL);
	const struct yaml_node *root = yaml_tree_root(tree), *budgets = yaml_node_find(tree, root, "budgets");
	const struct yaml_node *first = yaml_node_at(tree, budgets, 0), *second = yaml_node_at(tree, budgets, 1);

	cr_assert_eq(yaml_node_kind(root), YAML_MAPPING);
	cr_assert_eq(yaml_node_kind(budgets), YAML_SEQUENCE);
	cr_assert_eq(yaml_node_count(budgets), 2);
	cr_assert_str_eq(yaml_node_text(yaml_node_find(tree, first, "path")), "/a > /b");
	cr_assert_str_eq(yaml_node_text(yaml_node_find(tree, yaml_node_find(tree, first, "latency"), "p99")), "20 ms");
	cr_assert_str_eq(yaml_node_text(yaml_node_key(tree, first, 1)), "latency");
	cr_assert_eq(yaml_node_line(yaml_node_find(tree, first, "latency")), 4);
	cr_assert_null(yaml_node_find(tree, first, "lost"));
	cr_assert_null(yaml_node_find(tree, budgets, "path"));
	cr_assert_null(yaml_node_text(budgets));
	cr_assert(yaml_node_is_null(yaml_node_find(tree, second, "nothing")));
	cr_assert_not(yaml_node_is_null(yaml_node_find(tree, second, "text")));
	yaml_tree_destroy(tree);
}

Test(yaml_tree, an_empty_file_has_no_root)
{
	struct yaml_tree *tree = read_text("# nothing\n", NULL);

	cr_assert_not_null(tree);
	cr_assert_null(yaml_tree_root(tree));
	yaml_tree_destroy(tree);
}

Test(yaml_tree, aliases_are_followed)
{
	struct yaml_tree *tree = read_text("a: &x {p: 1}\nb: *x\n", NULL);
	const struct yaml_node *b = yaml_node_find(tree, yaml_tree_root(tree), "b");

	cr_assert_str_eq(yaml_node_text(yaml_node_find(tree, b, "p")), "1");
	yaml_tree_destroy(tree);
}

Test(yaml_tree, errors_name_the_line)
{
	check_refused("a: 1\nb: [1, 2\nc: 3\n", "3: did not find expected ',' or ']' while parsing a flow sequence");
	check_refused("a: 1\na: 2\n", "2: `a` is there twice");
	check_refused("? [1, 2]\n: 3\n", "1: a key is no text");
	check_refused("a: 1\n---\nb: 2\n", "2: a second document begins; expected one");
	check_refused("a: \"x\\0y\"\n", "1: a text has a zero byte in it");
}

Test(yaml_tree, what_is_nested_too_deep_or_in_itself_is_refused)
{
	g_autoptr(GString) deep = g_string_new(NULL);
	g_autoptr(GString) bomb = g_string_new("a0: &a0 [x, x]\n");
	g_autoptr(GError) error = NULL;
	struct yaml_tree *tree;

	for (int i = 0; i < 1000; i++) {
		g_string_append_c(deep, '[');
	}
	cr_assert_null(read_text(deep->str, NULL));
	cr_assert_null(read_text("a: &x [*x]\n", &error));
	cr_assert(strstr(error->message, "contains itself"));
	/* 2^60 nodes, if it were unfolded */
	for (int i = 1; i < 60; i++) {
		g_string_append_printf(bomb, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
	}
	tree = read_text(bomb->str, NULL);
	cr_assert_not_null(tree);
	yaml_tree_destroy(tree);
}

Test(yaml_tree, a_file_that_is_not_there_is_an_error_with_its_name)
{
	g_autoptr(GError) error = NULL;

	cr_assert_null(yaml_tree_read("/none/such.yaml", &error));
	cr_assert(strstr(error->message, "/none/such.yaml"));
}
