/* SPDX-License-Identifier: MIT */
#include "core/budget/budget_file.h"

#include <math.h>
#include <string.h>

#include "core/base/name_filter.h"
#include "core/text/duration_text.h"
#include "core/yaml/yaml_tree.h"

const struct budget_key budget_keys[] = {
	{ "path", "paths", { "path" } },
	{ "topic", "communications", { "topic" } },
	{ "callback", "callbacks", { "node", "source", "symbol" } },
	{ "timer", "timers", { "node" } },
	{ "service", "services", { "service" } },
	{ "action", "actions", { "action" } },
	{ "named_path", "named_paths", { "name" } },
	{ "stage", "points", { "stage" } },
	{ NULL, NULL, { NULL } },
};

/* What is being read. */
struct reader {
	const struct yaml_tree *tree;
	const struct table_schema *const *schemas;
	struct budget_file *file;
};

static void limit_clear(gpointer data)
{
	struct budget_limit *limit = data;

	g_free(limit->name);
	g_free(limit->allowed_text);
}

static void selector_clear(gpointer data)
{
	struct budget_selector *selector = data;

	g_array_unref(selector->columns);
	name_filter_destroy(selector->filter);
	g_free(selector->text);
}

static void budget_destroy(gpointer data)
{
	struct budget *budget = data;

	g_free(budget->name);
	g_array_unref(budget->selectors);
	g_array_unref(budget->limits);
	g_free(budget);
}

/* --- columns --- */

/* A column by its name, or by that without what follows from its kind: `rate` is rate_hz, `publisher` publisher_node.
 */
static int find_column_of(const struct table_schema *schema, const char *key)
{
	static const char *const endings[] = { "", "_ns", "_hz", "_percent", "_node" };

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		g_autofree char *name = g_strconcat(key, endings[i], NULL);
		int column = table_find_column(schema, name);

		if (column >= 0) {
			return column;
		}
	}
	return -1;
}

static bool is_duration(const struct table_column *column)
{
	return column->format == COLUMN_STATISTIC || g_str_has_suffix(column->name, "_ns");
}

/* Those that can be limited, for messages. */
static char *limited_columns(const struct table_schema *schema)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];

		if (column->merge == COLUMN_MERGE_SUM || column->merge == COLUMN_MERGE_MAX ||
		    column->format == COLUMN_STATISTIC || column->format == COLUMN_RATE ||
		    column->format == COLUMN_PERCENT) {
			g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", column->name);
		}
	}
	return g_string_free(text, FALSE);
}

/* --- values --- */

static bool parse_number(const char *text, const char *unit, double *value)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	if (end == text || !isfinite(number)) {
		return false;
	}
	while (*end == ' ') {
		end++;
	}
	*value = number;
	return *end == '\0' || strcmp(end, unit) == 0;
}

static bool parse_allowed(const struct reader *reader, const struct table_column *column, const struct yaml_node *node,
			  double *allowed, GError **error)
{
	const char *text = yaml_node_text(node);
	int64_t duration_ns;

	if (text && is_duration(column) && duration_text_parse(text, &duration_ns)) {
		*allowed = (double)duration_ns;
		return true;
	}
	if (is_duration(column)) {
		return yaml_refuse(reader->tree, node, error, "`%s` is no duration: expected " DURATION_TEXT_ALLOWED,
				   text ? text : "…");
	}
	if (text && parse_number(text, column->format == COLUMN_RATE ? "Hz" : "%", allowed)) {
		return true;
	}
	return yaml_refuse(reader->tree, node, error, "`%s` is no %s", text ? text : "…",
			   column->format == COLUMN_RATE ? "rate: expected a number of Hz, such as 18 Hz" : "number");
}

static bool parse_figure(const char *text, struct budget_limit *limit)
{
	static const char *const names[] = { "sum", "min", "mean", "stddev", "max" };
	static const enum budget_figure figures[] = { BUDGET_SUM, BUDGET_MIN, BUDGET_MEAN, BUDGET_STDDEV, BUDGET_MAX };
	double percent;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(text, names[i]) == 0) {
			limit->figure = figures[i];
			return true;
		}
	}
	if (text[0] != 'p' || !g_ascii_isdigit(text[1]) || !parse_number(text + 1, "", &percent)) {
		return false;
	}
	/* p999 is what the column of 99.9 % is called */
	while (percent > 100 && !strchr(text, '.')) {
		percent /= 10;
	}
	limit->figure = BUDGET_QUANTILE;
	limit->quantile = percent / 100;
	return percent <= 100;
}

/* --- limits --- */

static bool add_limit(const struct reader *reader, struct budget *budget, const struct budget_limit *kind,
		      const char *name, const struct yaml_node *node, GError **error)
{
	struct budget_limit limit = *kind;
	struct budget_limit *added;

	if (!parse_allowed(reader, &budget->schema->columns[limit.column], node, &limit.allowed, error)) {
		return false;
	}
	g_array_append_vals(budget->limits, &limit, 1);
	added = &g_array_index(budget->limits, struct budget_limit, budget->limits->len - 1);
	added->name = g_strdup(name);
	added->allowed_text = g_strdup(yaml_node_text(node));
	return true;
}

/* A value is the most that is allowed; {min: …, max: …} are both. */
static bool read_bounds(const struct reader *reader, struct budget *budget, struct budget_limit *kind, const char *name,
			const struct yaml_node *node, GError **error)
{
	if (yaml_node_kind(node) == YAML_SCALAR) {
		return add_limit(reader, budget, kind, name, node, error);
	}
	if (yaml_node_kind(node) != YAML_MAPPING || yaml_node_count(node) == 0) {
		return yaml_refuse(reader->tree, node, error, "%s: expected a limit, or {min: …, max: …}", name);
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		const char *bound = yaml_node_text(yaml_node_key(reader->tree, node, i));

		kind->is_least = strcmp(bound, "min") == 0;
		if (!kind->is_least && strcmp(bound, "max") != 0) {
			return yaml_refuse(reader->tree, yaml_node_key(reader->tree, node, i), error,
					   "%s: `%s` is no bound: expected min or max", name, bound);
		}
		if (!add_limit(reader, budget, kind, name, yaml_node_at(reader->tree, node, i), error)) {
			return false;
		}
	}
	return true;
}

/* {p99: 20 ms, max: 50 ms}; a single duration is that of max. */
static bool read_statistic(const struct reader *reader, struct budget *budget, size_t column,
			   const struct yaml_node *node, GError **error)
{
	const char *column_name = budget->schema->columns[column].name;
	struct budget_limit kind = { .column = column, .figure = BUDGET_MAX };

	if (yaml_node_kind(node) == YAML_SCALAR) {
		g_autofree char *name = g_strdup_printf("%s max", column_name);

		return add_limit(reader, budget, &kind, name, node, error);
	}
	if (yaml_node_kind(node) != YAML_MAPPING || yaml_node_count(node) == 0) {
		return yaml_refuse(reader->tree, node, error, "%s: expected limits such as {p99: 20 ms, max: 50 ms}",
				   column_name);
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		const char *figure = yaml_node_text(yaml_node_key(reader->tree, node, i));
		g_autofree char *name = g_strdup_printf("%s %s", column_name, figure);

		kind = (struct budget_limit){ .column = column };
		if (!parse_figure(figure, &kind)) {
			return yaml_refuse(reader->tree, yaml_node_key(reader->tree, node, i), error,
					   "%s: `%s` is none of min, mean, stddev, max, sum, and quantiles such as p50 "
					   "and p99.9",
					   column_name, figure);
		}
		if (!read_bounds(reader, budget, &kind, name, yaml_node_at(reader->tree, node, i), error)) {
			return false;
		}
	}
	return true;
}

static bool read_limit(const struct reader *reader, struct budget *budget, size_t column, const struct yaml_node *node,
		       GError **error)
{
	struct budget_limit kind = { .column = column, .figure = BUDGET_CELL };

	if (budget->schema->columns[column].format == COLUMN_STATISTIC) {
		return read_statistic(reader, budget, column, node, error);
	}
	return read_bounds(reader, budget, &kind, budget->schema->columns[column].name, node, error);
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
	struct budget_selector selector = { .columns = columns };
	struct budget_selector *added;

	if (!read_globs(reader, node, globs, error)) {
		g_array_unref(columns);
		return false;
	}
	g_ptr_array_add(globs, NULL);
	g_array_append_vals(budget->selectors, &selector, 1);
	added = &g_array_index(budget->selectors, struct budget_selector, budget->selectors->len - 1);
	added->filter = name_filter_create((const char *const *)globs->pdata);
	added->text = g_strjoinv(", ", (char **)globs->pdata);
	return true;
}

static GArray *columns_of(const struct table_schema *schema, const char *const *names)
{
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(size_t));

	for (; *names; names++) {
		int column = table_find_column(schema, *names);

		if (column >= 0) {
			g_array_append_vals(columns, &(size_t){ (size_t)column }, 1);
		}
	}
	return columns;
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
	return add_selector(reader, budget, columns_of(budget->schema, key->columns), globs, error);
}

/* The table that a budget is about: by its selector, or named. Its key is left in *used, which is no limit. */
static bool choose_table(const struct reader *reader, struct budget *budget, const struct yaml_node *node,
			 const char **used, GError **error)
{
	const struct yaml_node *table = yaml_node_find(reader->tree, node, "table");

	*used = "table";
	if (table) {
		budget->schema = yaml_node_text(table) ? find_schema(reader, yaml_node_text(table)) : NULL;
		if (!budget->schema) {
			yaml_refuse(reader->tree, table, error, "there is no such table");
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
		    "says nothing of what it is about: expected path, topic, callback, timer, service, action, "
		    "named_path, stage, or table");
	return false;
}

/* --- budgets --- */

static bool read_key(const struct reader *reader, struct budget *budget, const struct yaml_node *key,
		     const struct yaml_node *value, GError **error)
{
	const char *name = yaml_node_text(key);
	int column = find_column_of(budget->schema, name);

	if (column >= 0 && budget->schema->columns[column].merge == COLUMN_MERGE_KEY) {
		GArray *columns = g_array_new(FALSE, FALSE, sizeof(size_t));

		g_array_append_vals(columns, &(size_t){ (size_t)column }, 1);
		return add_selector(reader, budget, columns, value, error);
	}
	if (column < 0) {
		g_autofree char *allowed = limited_columns(budget->schema);

		return yaml_refuse(reader->tree, key, error,
				   "`%s` is no column of the table `%s`; limits may be set on %s", name,
				   budget->schema->name, allowed);
	}
	return read_limit(reader, budget, (size_t)column, value, error);
}

static char *name_of(const struct budget *budget)
{
	GString *name = g_string_new(NULL);

	for (guint i = 0; i < budget->selectors->len; i++) {
		g_string_append_printf(name, "%s%s", i > 0 ? ", " : "",
				       g_array_index(budget->selectors, struct budget_selector, i).text);
	}
	if (name->len == 0) {
		g_string_append(name, budget->schema->name);
	}
	return g_string_free(name, FALSE);
}

static bool read_budget(struct reader *reader, const struct yaml_node *node, GError **error)
{
	struct budget *budget;
	const struct yaml_node *name;
	const char *used;

	if (yaml_node_kind(node) != YAML_MAPPING) {
		return yaml_refuse(reader->tree, node, error, "a budget is a list of keys and values");
	}
	budget = g_new0(struct budget, 1);
	budget->line = yaml_node_line(node);
	budget->selectors = g_array_new(FALSE, FALSE, sizeof(struct budget_selector));
	g_array_set_clear_func(budget->selectors, selector_clear);
	budget->limits = g_array_new(FALSE, FALSE, sizeof(struct budget_limit));
	g_array_set_clear_func(budget->limits, limit_clear);
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
	return budget->limits->len > 0 || yaml_refuse(reader->tree, node, error, "`%s` limits nothing", budget->name);
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
