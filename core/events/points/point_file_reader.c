/* SPDX-License-Identifier: MIT */
#include "core/events/points/point_file_reader.h"

#include <string.h>

#include "core/base/yaml/yaml_tree.h"
#include "ros2bt/base/nearest_name.h"

struct reader {
	const struct yaml_tree *tree;
	struct point_file *file;
};

/* --- pieces --- */

/* A text that is not empty. NULL with an error. */
static const char *read_text(const struct reader *reader, const struct yaml_node *node, const char *what,
			     GError **error)
{
	const char *text = yaml_node_is_null(node) ? NULL : yaml_node_text(node);

	if (!text || text[0] == '\0') {
		yaml_refuse(reader->tree, node, error, "%s: expected a name", what);
		return NULL;
	}
	return text;
}

/* The names of a scalar or a sequence (char *, borrowed); NULL with an error. */
static GPtrArray *read_texts(const struct reader *reader, const struct yaml_node *node, const char *what,
			     GError **error)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	bool is_one = yaml_node_kind(node) == YAML_SCALAR;
	size_t count = is_one ? 1 : yaml_node_count(node);

	if (yaml_node_kind(node) == YAML_MAPPING || count == 0) {
		yaml_refuse(reader->tree, node, error, "%s: expected a name, or a list of names", what);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		const char *text = read_text(reader, is_one ? node : yaml_node_at(reader->tree, node, i), what, error);

		if (!text) {
			return NULL;
		}
		g_ptr_array_add(texts, (gpointer)text);
	}
	return g_steal_pointer(&texts);
}

static bool read_scope(const struct reader *reader, const struct yaml_node *node, enum point_scope *scope,
		       GError **error)
{
	return point_scope_parse(yaml_node_text(node), scope) ||
	       yaml_refuse(reader->tree, node, error, "scope: expected thread, process, host or all");
}

/* Whether a mapping has only these keys (separated by spaces). */
static bool check_keys(const struct reader *reader, const struct yaml_node *node, const char *what, const char *allowed,
		       GError **error)
{
	g_auto(GStrv) names = g_strsplit(allowed, " ", -1);

	if (yaml_node_kind(node) != YAML_MAPPING) {
		return yaml_refuse(reader->tree, node, error, "%s: expected keys and values", what);
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		const struct yaml_node *key = yaml_node_key(reader->tree, node, i);

		if (!g_strv_contains((const char *const *)names, yaml_node_text(key))) {
			g_autofree char *list = g_strjoinv(", ", names);
			g_autofree char *hint = nearest_choice_hint(yaml_node_text(key), allowed, " ");

			return yaml_refuse(reader->tree, key, error, "%s: `%s` is unknown%s: expected %s", what,
					   yaml_node_text(key), hint, list);
		}
	}
	return true;
}

static bool check_event_name(const struct reader *reader, const struct yaml_node *node, const char *what,
			     const char *name, GError **error)
{
	return strchr(name, ' ') == NULL ||
	       yaml_refuse(reader->tree, node, error, "%s: `%s` is not the name of an event, such as my_app:start",
			   what, name);
}

/* --- conditions --- */

static bool read_when(struct reader *reader, const struct yaml_node *node, struct point_match *match, GError **error)
{
	if (yaml_node_kind(node) != YAML_MAPPING) {
		return yaml_refuse(reader->tree, node, error, "when: expected {FIELD: VALUE}");
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		const char *field = yaml_node_text(yaml_node_key(reader->tree, node, i));
		g_autoptr(GPtrArray) texts = read_texts(reader, yaml_node_at(reader->tree, node, i), field, error);

		if (!texts) {
			return false;
		}
		point_match_add_condition(match, point_file_value(reader->file, match->event, field), texts);
	}
	return true;
}

/* --- stages --- */

static bool read_keys(struct reader *reader, const struct yaml_node *node, struct point_match *match, GError **error)
{
	g_autoptr(GPtrArray) fields = read_texts(reader, node, "key", error);

	if (!fields) {
		return false;
	}
	if (fields->len > POINT_KEYS_MAX) {
		return yaml_refuse(reader->tree, node, error, "key: at most %d fields", POINT_KEYS_MAX);
	}
	match->key_count = fields->len;
	for (guint i = 0; i < fields->len; i++) {
		match->keys[i] = point_file_value(reader->file, match->event, g_ptr_array_index(fields, i));
	}
	return true;
}

/* The value of a key in `node`, or else in the stage. NULL: neither has it. */
static const struct yaml_node *find_own(const struct reader *reader, const struct yaml_node *node,
					const struct yaml_node *stage, const char *key)
{
	const struct yaml_node *own = yaml_node_find(reader->tree, node, key);

	return own ? own : yaml_node_find(reader->tree, stage, key);
}

/* An event by its name, or {event: …, …}. */
static bool read_match(struct reader *reader, const struct yaml_node *stage, const char *what,
		       struct point_match *match, GError **error)
{
	const struct yaml_node *node = yaml_node_find(reader->tree, stage, what);
	bool is_long = node && yaml_node_kind(node) == YAML_MAPPING;
	const struct yaml_node *event = is_long ? yaml_node_find(reader->tree, node, "event") : node;
	const struct yaml_node *part;
	const char *name;

	if (is_long && !check_keys(reader, node, what, "event key name_field when", error)) {
		return false;
	}
	if (!event) {
		return yaml_refuse(reader->tree, node ? node : stage, error,
				   "%s: expected the name of an event, such as my_app:start", what);
	}
	name = read_text(reader, event, what, error);
	if (!name || !check_event_name(reader, event, what, name, error)) {
		return false;
	}
	match->event = point_file_event(reader->file, name);
	part = find_own(reader, node, stage, "key");
	if (part && !read_keys(reader, part, match, error)) {
		return false;
	}
	part = find_own(reader, node, stage, "name_field");
	if (part) {
		name = read_text(reader, part, "name_field", error);
		if (!name) {
			return false;
		}
		match->name = point_file_value(reader->file, match->event, name);
	}
	part = is_long ? yaml_node_find(reader->tree, node, "when") : NULL;
	return !part || read_when(reader, part, match, error);
}

static bool check_stage(const struct reader *reader, const struct yaml_node *node, const struct point_stage *stage,
			GError **error)
{
	bool has_names = stage->start.name != POINT_NO_VALUE && stage->end.name != POINT_NO_VALUE;
	bool has_name = stage->start.name != POINT_NO_VALUE || stage->end.name != POINT_NO_VALUE;

	if (stage->name ? has_name : !has_names) {
		return yaml_refuse(reader->tree, node, error,
				   "stages: expected either name, or name_field for both events");
	}
	if (stage->start.key_count != stage->end.key_count) {
		return yaml_refuse(reader->tree, node, error, "key: start and end must have the same number of fields");
	}
	return true;
}

static bool read_stage(struct reader *reader, const struct yaml_node *node, GError **error)
{
	struct point_stage *stage;
	const struct yaml_node *part;

	if (!check_keys(reader, node, "stages", "name name_field start end key scope", error)) {
		return false;
	}
	stage = point_file_add_stage(reader->file);
	part = yaml_node_find(reader->tree, node, "name");
	if (part) {
		stage->name = g_strdup(read_text(reader, part, "name", error));
		if (!stage->name) {
			return false;
		}
	}
	if (!read_match(reader, node, "start", &stage->start, error) ||
	    !read_match(reader, node, "end", &stage->end, error)) {
		return false;
	}
	/* without a key, only the thread shows which start and end belong together */
	stage->scope = stage->start.key_count > 0 ? POINT_SCOPE_PROCESS : POINT_SCOPE_THREAD;
	part = yaml_node_find(reader->tree, node, "scope");
	return (!part || read_scope(reader, part, &stage->scope, error)) && check_stage(reader, node, stage, error);
}

/* --- series --- */

static void add_series(struct reader *reader, const struct yaml_node *node, size_t event, const char *field,
		       const char *name)
{
	const struct yaml_node *by = yaml_node_find(reader->tree, node, "by");
	struct point_series *series = point_file_add_series(reader->file);

	series->match.event = event;
	series->value = point_file_value(reader->file, event, field);
	if (by) {
		series->by = point_file_value(reader->file, event, yaml_node_text(by));
	}
	series->name = name ? g_strdup(name)
			    : g_strdup_printf("%s.%s",
					      (const char *)g_ptr_array_index(reader->file->event_names, event), field);
}

static bool read_series_parts(struct reader *reader, const struct yaml_node *node, const struct yaml_node *event,
			      const struct yaml_node *fields, GError **error)
{
	const struct yaml_node *name = yaml_node_find(reader->tree, node, "name");
	const struct yaml_node *by = yaml_node_find(reader->tree, node, "by");
	const struct yaml_node *when = yaml_node_find(reader->tree, node, "when");
	const char *event_name = read_text(reader, event, "event", error);
	g_autoptr(GPtrArray) texts = event_name ? read_texts(reader, fields, "field", error) : NULL;
	guint first = reader->file->series->len;

	if (!texts || !check_event_name(reader, event, "event", event_name, error) ||
	    (name && !read_text(reader, name, "name", error)) || (by && !read_text(reader, by, "by", error))) {
		return false;
	}
	if (name && texts->len > 1) {
		return yaml_refuse(reader->tree, name, error, "name: several fields cannot have one name");
	}
	for (guint i = 0; i < texts->len; i++) {
		add_series(reader, node, point_file_event(reader->file, event_name), g_ptr_array_index(texts, i),
			   name ? yaml_node_text(name) : NULL);
	}
	for (guint i = first; when && i < reader->file->series->len; i++) {
		if (!read_when(reader, when, &g_array_index(reader->file->series, struct point_series, i).match,
			       error)) {
			return false;
		}
	}
	return true;
}

static bool read_series(struct reader *reader, const struct yaml_node *node, GError **error)
{
	const struct yaml_node *event, *field, *fields;

	if (!check_keys(reader, node, "series", "name event field fields by when", error)) {
		return false;
	}
	event = yaml_node_find(reader->tree, node, "event");
	field = yaml_node_find(reader->tree, node, "field");
	fields = yaml_node_find(reader->tree, node, "fields");
	if (!event) {
		return yaml_refuse(reader->tree, node, error,
				   "event: expected the name of an event, such as my_app:start");
	}
	if (!field == !fields) {
		return yaml_refuse(reader->tree, node, error,
				   "series: expected either field, or fields with a list of fields");
	}
	return read_series_parts(reader, node, event, field ? field : fields, error);
}

/* --- paths --- */

static bool read_path(struct reader *reader, const struct yaml_node *node, GError **error)
{
	const struct yaml_node *name, *stages, *scope;
	g_autoptr(GPtrArray) texts = NULL;
	struct point_path *path;

	if (!check_keys(reader, node, "paths", "name stages scope", error)) {
		return false;
	}
	name = yaml_node_find(reader->tree, node, "name");
	stages = yaml_node_find(reader->tree, node, "stages");
	scope = yaml_node_find(reader->tree, node, "scope");
	if (!stages) {
		return yaml_refuse(reader->tree, node, error, "stages: expected a list of names of stages");
	}
	texts = read_texts(reader, stages, "stages", error);
	if (!texts || (name && !read_text(reader, name, "name", error))) {
		return false;
	}
	path = point_file_add_path(reader->file);
	for (guint i = 0; i < texts->len; i++) {
		g_ptr_array_add(path->stages, g_strdup(g_ptr_array_index(texts, i)));
	}
	g_ptr_array_add(texts, NULL);
	path->name = name ? g_strdup(yaml_node_text(name)) : g_strjoinv(" > ", (char **)texts->pdata);
	return !scope || read_scope(reader, scope, &path->scope, error);
}

/* Refuses stages that no entry defines. Where an entry takes names from a field, any name may be right. */
static bool check_path(const struct reader *reader, const struct yaml_node *node, const struct point_path *path,
		       GError **error)
{
	for (guint i = 0; i < path->stages->len; i++) {
		const char *name = g_ptr_array_index(path->stages, i);
		bool is_known = false;

		for (guint j = 0; j < reader->file->stages->len; j++) {
			const struct point_stage *stage = point_file_stage(reader->file, j);

			is_known = is_known || !stage->name || strcmp(stage->name, name) == 0;
		}
		if (!is_known) {
			return yaml_refuse(reader->tree, node, error,
					   "stages: no stage is named `%s`: expected names of entries under stages",
					   name);
		}
	}
	return true;
}

/* --- the file --- */

static bool read_list(struct reader *reader, const struct yaml_node *root, const char *key,
		      bool (*read)(struct reader *reader, const struct yaml_node *node, GError **error), GError **error)
{
	const struct yaml_node *node = yaml_node_find(reader->tree, root, key);

	if (!node || yaml_node_is_null(node)) {
		return true;
	}
	if (yaml_node_kind(node) != YAML_SEQUENCE) {
		return yaml_refuse(reader->tree, node, error, "%s: expected a list", key);
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		if (!read(reader, yaml_node_at(reader->tree, node, i), error)) {
			return false;
		}
	}
	return true;
}

static bool check_paths(const struct reader *reader, const struct yaml_node *root, GError **error)
{
	const struct yaml_node *node = yaml_node_find(reader->tree, root, "paths");

	for (guint i = 0; i < reader->file->paths->len; i++) {
		if (!check_path(reader, yaml_node_at(reader->tree, node, i), point_file_path(reader->file, i), error)) {
			return false;
		}
	}
	return true;
}

static bool read_root(struct reader *reader, GError **error)
{
	const struct yaml_node *root = yaml_tree_root(reader->tree);

	if (!root) {
		g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
			    "%s: the file is empty: expected stages or series", reader->file->path);
		return false;
	}
	if (!check_keys(reader, root, "points", "stages series paths", error) ||
	    !read_list(reader, root, "stages", read_stage, error) ||
	    !read_list(reader, root, "series", read_series, error) ||
	    !read_list(reader, root, "paths", read_path, error) || !check_paths(reader, root, error)) {
		return false;
	}
	return reader->file->stages->len + reader->file->series->len > 0 ||
	       yaml_refuse(reader->tree, root, error, "nothing to measure: expected stages or series");
}

struct point_file *point_file_read(const char *path, GError **error)
{
	struct yaml_tree *tree = yaml_tree_read(path, error);
	struct point_file *file;
	bool is_read;

	if (!tree) {
		return NULL;
	}
	file = point_file_create(path);
	is_read = read_root(&(struct reader){ tree, file }, error);
	yaml_tree_destroy(tree);
	if (!is_read) {
		point_file_destroy(file);
		return NULL;
	}
	point_file_list_events(file);
	return file;
}
