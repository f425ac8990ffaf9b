/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_file.h"

#include <string.h>

#include "core/reports/budget/budget_limits.h"

const struct budget_key budget_keys[] = {
	{ "path", "paths", { "path" } },
	{ "topic", "communications", { "topic" } },
	{ "publication", "publications", { "topic" } },
	{ "callback", "callbacks", { "node", "source", "symbol" } },
	{ "timer", "timers", { "node" } },
	{ "service", "services", { "service" } },
	{ "action", "actions", { "action" } },
	{ "named_path", "named_paths", { "name" } },
	{ "stage", "points", { "stage" } },
	{ NULL, NULL, { NULL } },
};

static const struct budget_key *find_key(const struct table_schema *schema, const char *key)
{
	for (size_t i = 0; budget_keys[i].key; i++) {
		if (strcmp(budget_keys[i].key, key) == 0 && strcmp(budget_keys[i].table, schema->name) == 0) {
			return &budget_keys[i];
		}
	}
	return NULL;
}

GArray *budget_key_columns(const struct table_schema *schema, const char *key)
{
	const struct budget_key *listed = find_key(schema, key);
	const char *const by_name[] = { key, NULL };
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(size_t));

	for (const char *const *name = listed ? listed->columns : by_name; *name; name++) {
		int column = budget_limits_find_column(schema, *name);

		if (column >= 0) {
			g_array_append_vals(columns, &(size_t){ (size_t)column }, 1);
		}
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
	budget_selection_add(budget->selectors, budget->schema, columns, (const char *const *)globs->pdata);
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

static bool choose_by_key(const struct reader *reader, struct budget *budget, const struct budget_key *key,
			  const struct yaml_node *globs, GError **error)
{
	budget->schema = find_schema(reader, key->table);
	if (!budget->schema) {
		yaml_refuse(reader->tree, globs, error, "there is no table `%s` in this version", key->table);
		return false;
	}
	return add_selector(reader, budget, budget_key_columns(budget->schema, key->key), globs, error);
}

static void refuse_table(const struct reader *reader, const struct yaml_node *table, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (size_t i = 0; reader->schemas[i]; i++) {
		if (table_can_be_merged(reader->schemas[i])) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", reader->schemas[i]->name);
		}
	}
	yaml_refuse(reader->tree, table, error, "`%s` is no table: expected one such as %s",
		    yaml_node_text(table) ? yaml_node_text(table) : "…", names->str);
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
	for (size_t i = 0; budget_keys[i].key; i++) {
		const struct yaml_node *globs = yaml_node_find(reader->tree, node, budget_keys[i].key);

		if (globs) {
			*used = budget_keys[i].key;
			return choose_by_key(reader, budget, &budget_keys[i], globs, error);
		}
	}
	yaml_refuse(reader->tree, node, error,
		    "the budget does not name what it limits: expected path, topic, callback, timer, service, action, "
		    "named_path, stage, or table");
	return false;
}

/* --- budgets --- */

static bool read_key(const struct reader *reader, struct budget *budget, const struct yaml_node *key,
		     const struct yaml_node *value, GError **error)
{
	const char *name = yaml_node_text(key);
	int column = budget_limits_find_column(budget->schema, name);

	if (column >= 0 && budget->schema->columns[column].merge == COLUMN_MERGE_KEY) {
		return add_selector(reader, budget, budget_key_columns(budget->schema, name), value, error);
	}
	if (column < 0) {
		g_autofree char *allowed = budget_limits_columns(budget->schema);

		return yaml_refuse(reader->tree, key, error,
				   "`%s` is no column of the table `%s`; limits may be set on %s", name,
				   budget->schema->name, allowed);
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
	name = strcmp(used, "named_path") == 0 ? NULL : yaml_node_find(reader->tree, node, "name");
	budget->name = name && yaml_node_text(name) ? g_strdup(yaml_node_text(name)) : name_of(budget);
	return budget->limits->len > 0 ||
	       yaml_refuse(reader->tree, node, error, "`%s` has no limit, such as latency: {p99: 20 ms}", budget->name);
}

static bool read_lost_events(struct reader *reader, const struct yaml_node *node, GError **error)
{
	const char *text = yaml_node_text(node);

	reader->file->ignores_lost_events = g_strcmp0(text, "ignore") == 0;
	return reader->file->ignores_lost_events || g_strcmp0(text, "undecided") == 0 ||
	       yaml_refuse(reader->tree, node, error, "lost_events: expected undecided or ignore");
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

static bool read_root(struct reader *reader, GError **error)
{
	const struct yaml_node *root = yaml_tree_root(reader->tree);

	if (!root || yaml_node_kind(root) != YAML_MAPPING || !yaml_node_find(reader->tree, root, "budgets")) {
		g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
			    "%s: no budgets: expected the key `budgets` with a list of them", reader->file->path);
		return false;
	}
	for (size_t i = 0; i < yaml_node_count(root); i++) {
		const struct yaml_node *key = yaml_node_key(reader->tree, root, i);
		const struct yaml_node *value = yaml_node_at(reader->tree, root, i);
		const char *name = yaml_node_text(key);
		bool is_read = strcmp(name, "budgets") == 0	  ? read_budgets(reader, value, error)
			       : strcmp(name, "lost_events") == 0 ? read_lost_events(reader, value, error)
								  : yaml_refuse(reader->tree, key, error,
										"`%s` is unknown: expected budgets or "
										"lost_events",
										name);

		if (!is_read) {
			return false;
		}
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
