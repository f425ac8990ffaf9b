/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_file.h"

#include <string.h>

#include "core/reports/budget/budget_limits.h"
#include "ros2bt/base/nearest_name.h"

GArray *budget_key_columns(const struct table_schema *schema, const char *key)
{
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(size_t));
	int named;

	for (size_t i = 0; i < schema->column_count; i++) {
		if (g_strcmp0(schema->columns[i].budget, key) == 0) {
			g_array_append_val(columns, i);
		}
	}
	named = columns->len == 0 ? budget_limits_find_column(schema, key) : -1;
	if (named >= 0) {
		g_array_append_vals(columns, &(size_t){ (size_t)named }, 1);
	}
	return columns;
}

/* The state of reading. */
struct reader {
	const struct yaml_tree *tree;
	const struct table_schema *const *schemas;
	struct budget_file *file;
};

static void budget_destroy(gpointer data)
{
	struct budget *budget = data;

	g_free(budget->name);
	g_array_unref(budget->selectors);
	g_array_unref(budget->limits);
	g_free(budget);
}

/* --- selectors --- */

static bool read_globs(const struct reader *reader, const struct yaml_node *node, GPtrArray *globs, GError **error)
{
	if (yaml_node_kind(node) == YAML_SCALAR) {
		g_ptr_array_add(globs, (gpointer)yaml_node_text(node));
	}
	for (size_t i = 0; yaml_node_kind(node) == YAML_SEQUENCE && i < yaml_node_count(node); i++) {
		const struct yaml_node *element = yaml_node_at(reader->tree, node, i);

		if (yaml_node_kind(element) != YAML_SCALAR) {
			return yaml_refuse(reader->tree, element, error, "expected a name, or a pattern of names");
		}
		g_ptr_array_add(globs, (gpointer)yaml_node_text(element));
	}
	return globs->len > 0 || yaml_refuse(reader->tree, node, error, "expected a name, or a pattern of names");
}

static bool add_selector(const struct reader *reader, struct budget *budget, GArray *columns,
			 const struct yaml_node *node, GError **error)
{
	g_autoptr(GPtrArray) globs = g_ptr_array_new();

	if (!read_globs(reader, node, globs, error)) {
		g_array_unref(columns);
		return false;
	}
	g_ptr_array_add(globs, NULL);
	budget_selection_add(budget->selectors, columns, (const char *const *)globs->pdata);
	return true;
}

static const struct table_schema *find_schema(const struct reader *reader, const char *name)
{
	for (size_t i = 0; reader->schemas[i]; i++) {
		if (strcmp(reader->schemas[i]->name, name) == 0) {
			return reader->schemas[i];
		}
	}
	return NULL;
}

static void refuse_table(const struct reader *reader, const struct yaml_node *table, GError **error)
{
	const char *name = yaml_node_text(table) ? yaml_node_text(table) : "…";
	g_autoptr(GString) names = g_string_new(NULL);
	g_autofree char *hint = NULL;

	for (size_t i = 0; reader->schemas[i]; i++) {
		if (table_can_be_merged(reader->schemas[i])) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", reader->schemas[i]->name);
		}
	}
	hint = nearest_choice_hint(name, names->str, ", ");
	yaml_refuse(reader->tree, table, error, "`%s` is no table%s: expected one such as %s", name, hint, names->str);
}

/* The patterns of the key by which a budget chooses this table; NULL: it does not. */
static const struct yaml_node *find_globs(const struct reader *reader, const struct yaml_node *node,
					  const struct table_schema *schema, const char **key)
{
	const struct yaml_node *globs = NULL;

	for (size_t i = 0; i < schema->column_count && !globs; i++) {
		if (schema->columns[i].budget) {
			*key = schema->columns[i].budget;
			globs = yaml_node_find(reader->tree, node, *key);
		}
	}
	return globs;
}

/* Of the first key of a mapping that is similar to one of the allowed keys and is none. */
static char *misspelt_key_hint(const struct reader *reader, const struct yaml_node *node, const char *allowed)
{
	char *hint = g_strdup("");

	for (size_t i = 0; i < yaml_node_count(node) && hint[0] == '\0'; i++) {
		g_free(hint);
		hint = nearest_choice_hint(yaml_node_text(yaml_node_key(reader->tree, node, i)), allowed, ", ");
	}
	return hint;
}

static void refuse_without_table(const struct reader *reader, const struct yaml_node *node, GError **error)
{
	g_autoptr(GString) keys = g_string_new(NULL);
	g_autofree char *hint = NULL;

	for (size_t i = 0; reader->schemas[i]; i++) {
		const char *last = NULL;

		for (size_t j = 0; j < reader->schemas[i]->column_count; j++) {
			const char *key = reader->schemas[i]->columns[j].budget;

			if (key && g_strcmp0(key, last) != 0) {
				g_string_append_printf(keys, "%s, ", key);
				last = key;
			}
		}
	}
	g_string_append(keys, "table");
	hint = misspelt_key_hint(reader, node, keys->str);
	yaml_refuse(reader->tree, node, error, "the budget does not name what it limits%s: expected one of %s", hint,
		    keys->str);
}

/* The table that a budget limits: the table of its selector, or the named one. *used is the key that chose it. */
static bool choose_table(const struct reader *reader, struct budget *budget, const struct yaml_node *node,
			 const char **used, GError **error)
{
	const struct yaml_node *table = yaml_node_find(reader->tree, node, "table");

	*used = "table";
	if (table) {
		budget->schema = yaml_node_text(table) ? find_schema(reader, yaml_node_text(table)) : NULL;
		if (!budget->schema) {
			refuse_table(reader, table, error);
		}
		return budget->schema != NULL;
	}
	for (size_t i = 0; reader->schemas[i]; i++) {
		const struct yaml_node *globs = find_globs(reader, node, reader->schemas[i], used);

		if (globs) {
			budget->schema = reader->schemas[i];
			return add_selector(reader, budget, budget_key_columns(budget->schema, *used), globs, error);
		}
	}
	refuse_without_table(reader, node, error);
	return false;
}

/* --- budgets --- */

static void refuse_key(const struct reader *reader, const struct budget *budget, const struct yaml_node *key,
		       GError **error)
{
	const char *name = yaml_node_text(key);
	g_autofree char *limits = budget_limits_columns(budget->schema), *keys = budget_limits_keys(budget->schema);
	g_autofree char *hint = nearest_choice_hint(name, keys, ", ");

	yaml_refuse(reader->tree, key, error, "`%s` is no column of the table `%s`%s; limits may be set on %s", name,
		    budget->schema->name, hint, limits);
}

static bool read_key(const struct reader *reader, struct budget *budget, const struct yaml_node *key,
		     const struct yaml_node *value, GError **error)
{
	const char *name = yaml_node_text(key);
	int column = budget_limits_find_column(budget->schema, name);

	if (column >= 0 && budget->schema->columns[column].merge == COLUMN_MERGE_KEY) {
		return add_selector(reader, budget, budget_key_columns(budget->schema, name), value, error);
	}
	if (column < 0) {
		refuse_key(reader, budget, key, error);
		return false;
	}
	return budget_limits_read(reader->tree, budget->limits, budget->schema, (size_t)column, value, error);
}

static char *name_of(const struct budget *budget)
{
	return budget->selectors->len > 0 ? budget_selection_text(budget->selectors) : g_strdup(budget->schema->name);
}

static bool read_budget(struct reader *reader, const struct yaml_node *node, GError **error)
{
	struct budget *budget;
	const struct yaml_node *name;
	const char *used;

	if (yaml_node_kind(node) != YAML_MAPPING) {
		return yaml_refuse(reader->tree, node, error,
				   "a budget is keys with values, such as path: /a > /b > /c");
	}
	budget = g_new0(struct budget, 1);
	budget->line = yaml_node_line(node);
	budget->selectors = budget_selection_create();
	budget->limits = budget_limits_create();
	g_ptr_array_add(reader->file->budgets, budget);
	if (!choose_table(reader, budget, node, &used, error)) {
		return false;
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		const struct yaml_node *key = yaml_node_key(reader->tree, node, i);

		if (strcmp(yaml_node_text(key), used) != 0 && strcmp(yaml_node_text(key), "name") != 0 &&
		    !read_key(reader, budget, key, yaml_node_at(reader->tree, node, i), error)) {
			return false;
		}
	}
	name = yaml_node_find(reader->tree, node, "name");
	budget->name = name && yaml_node_text(name) ? g_strdup(yaml_node_text(name)) : name_of(budget);
	return budget->limits->len > 0 ||
	       yaml_refuse(reader->tree, node, error, "`%s` has no limit, such as latency: {p99: 20 ms}", budget->name);
}

static bool read_lost_events(struct reader *reader, const struct yaml_node *node, GError **error)
{
	const char *text = yaml_node_text(node);
	g_autofree char *hint = nearest_choice_hint(text ? text : "", "undecided, ignore", ", ");

	reader->file->ignores_lost_events = g_strcmp0(text, "ignore") == 0;
	return reader->file->ignores_lost_events || g_strcmp0(text, "undecided") == 0 ||
	       yaml_refuse(reader->tree, node, error, "lost_events cannot be `%s`%s: expected undecided or ignore",
			   text ? text : "…", hint);
}

static bool read_budgets(struct reader *reader, const struct yaml_node *node, GError **error)
{
	if (yaml_node_kind(node) != YAML_SEQUENCE || yaml_node_count(node) == 0) {
		return yaml_refuse(reader->tree, node, error, "budgets: expected a list of them");
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		if (!read_budget(reader, yaml_node_at(reader->tree, node, i), error)) {
			return false;
		}
	}
	return true;
}

static bool read_root_key(struct reader *reader, const struct yaml_node *key, const struct yaml_node *value,
			  GError **error)
{
	const char *name = yaml_node_text(key);
	g_autofree char *hint = NULL;

	if (strcmp(name, "budgets") == 0) {
		return read_budgets(reader, value, error);
	}
	if (strcmp(name, "lost_events") == 0) {
		return read_lost_events(reader, value, error);
	}
	hint = nearest_choice_hint(name, "budgets, lost_events", ", ");
	return yaml_refuse(reader->tree, key, error, "`%s` is unknown%s: expected budgets or lost_events", name, hint);
}

static bool read_root(struct reader *reader, GError **error)
{
	const struct yaml_node *root = yaml_tree_root(reader->tree);
	bool is_mapping = root && yaml_node_kind(root) == YAML_MAPPING;

	for (size_t i = 0; is_mapping && i < yaml_node_count(root); i++) {
		if (!read_root_key(reader, yaml_node_key(reader->tree, root, i), yaml_node_at(reader->tree, root, i),
				   error)) {
			return false;
		}
	}
	if (!is_mapping || !yaml_node_find(reader->tree, root, "budgets")) {
		g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
			    "%s: no budgets: expected the key `budgets` with a list of them", reader->file->path);
		return false;
	}
	return true;
}

struct budget_file *budget_file_read(const char *path, const struct table_schema *const *schemas, GError **error)
{
	struct yaml_tree *tree = yaml_tree_read(path, error);
	struct budget_file *file;
	bool is_read;

	if (!tree) {
		return NULL;
	}
	file = g_new0(struct budget_file, 1);
	file->path = g_strdup(path);
	file->budgets = g_ptr_array_new_with_free_func(budget_destroy);
	is_read = read_root(&(struct reader){ tree, schemas, file }, error);
	yaml_tree_destroy(tree);
	if (!is_read) {
		budget_file_destroy(file);
		return NULL;
	}
	return file;
}

void budget_file_destroy(struct budget_file *file)
{
	if (file) {
		g_ptr_array_unref(file->budgets);
		g_free(file->path);
		g_free(file);
	}
}
