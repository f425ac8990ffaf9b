/* SPDX-License-Identifier: MIT */
#include "core/points/point_file.h"

#include <inttypes.h>
#include <string.h>

#include "core/yaml/yaml_tree.h"

/* What is being read. */
struct reader {
	const struct yaml_tree *tree;
	struct point_file *file;
};

static const char *const scope_names[] = {
	[POINT_SCOPE_THREAD] = "thread",
	[POINT_SCOPE_PROCESS] = "process",
	[POINT_SCOPE_HOST] = "host",
	[POINT_SCOPE_ALL] = "all",
};

const char *point_scope_name(enum point_scope scope)
{
	return scope_names[scope];
}

/* --- ownership --- */

static void condition_clear(gpointer data)
{
	g_ptr_array_unref(((struct point_condition *)data)->allowed);
}

static void match_init(struct point_match *match)
{
	match->name = POINT_NO_VALUE;
	match->conditions = g_array_new(FALSE, FALSE, sizeof(struct point_condition));
	g_array_set_clear_func(match->conditions, condition_clear);
}

static void stage_clear(gpointer data)
{
	struct point_stage *stage = data;

	g_free(stage->name);
	g_array_unref(stage->start.conditions);
	g_array_unref(stage->end.conditions);
}

static void series_clear(gpointer data)
{
	struct point_series *series = data;

	g_free(series->name);
	g_array_unref(series->match.conditions);
}

static void path_clear(gpointer data)
{
	struct point_path *path = data;

	g_free(path->name);
	g_ptr_array_unref(path->stages);
}

static void fields_free(gpointer data)
{
	g_ptr_array_unref(data);
}

static GArray *new_rows(guint size, GDestroyNotify clear)
{
	GArray *rows = g_array_new(FALSE, TRUE, size);

	g_array_set_clear_func(rows, clear);
	return rows;
}

static struct point_file *file_create(const char *path)
{
	struct point_file *file = g_new0(struct point_file, 1);

	file->path = g_strdup(path);
	file->stages = new_rows(sizeof(struct point_stage), stage_clear);
	file->series = new_rows(sizeof(struct point_series), series_clear);
	file->paths = new_rows(sizeof(struct point_path), path_clear);
	file->event_rows = g_array_new(FALSE, TRUE, sizeof(struct point_event));
	file->event_names = g_ptr_array_new_with_free_func(g_free);
	file->event_fields = g_ptr_array_new_with_free_func(fields_free);
	return file;
}

void point_file_destroy(struct point_file *file)
{
	if (file) {
		g_array_unref(file->stages);
		g_array_unref(file->series);
		g_array_unref(file->paths);
		g_array_unref(file->event_rows);
		g_ptr_array_unref(file->event_names);
		g_ptr_array_unref(file->event_fields);
		g_free(file->path);
		g_free(file);
	}
}

/* --- events and fields --- */

/* The index of a text, which is added if it is new. */
static size_t index_of(GPtrArray *texts, const char *text)
{
	for (guint i = 0; i < texts->len; i++) {
		if (strcmp(g_ptr_array_index(texts, i), text) == 0) {
			return i;
		}
	}
	g_ptr_array_add(texts, g_strdup(text));
	return texts->len - 1;
}

static size_t event_of(struct reader *reader, const char *name)
{
	size_t index = index_of(reader->file->event_names, name);

	if (index == reader->file->event_fields->len) {
		g_ptr_array_add(reader->file->event_fields, g_ptr_array_new_with_free_func(g_free));
	}
	return index;
}

static size_t value_of(struct reader *reader, size_t event, const char *field)
{
	return index_of(g_ptr_array_index(reader->file->event_fields, event), field);
}

/* For readers of recordings, once all is known. */
static void list_events(struct point_file *file)
{
	for (guint i = 0; i < file->event_names->len; i++) {
		GPtrArray *fields = g_ptr_array_index(file->event_fields, i);
		struct point_event event = { .name = g_ptr_array_index(file->event_names, i) };

		event.field_count = fields->len;
		g_ptr_array_add(fields, NULL);
		event.fields = (const char *const *)fields->pdata;
		g_array_append_val(file->event_rows, event);
	}
	file->events.events = (const struct point_event *)(void *)file->event_rows->data;
	file->events.count = file->event_rows->len;
}

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
	const char *text = yaml_node_text(node);

	for (size_t i = 0; text && i < G_N_ELEMENTS(scope_names); i++) {
		if (strcmp(text, scope_names[i]) == 0) {
			*scope = (enum point_scope)i;
			return true;
		}
	}
	return yaml_refuse(reader->tree, node, error, "scope: expected thread, process, host or all");
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

			return yaml_refuse(reader->tree, key, error, "%s: `%s` is unknown: expected %s", what,
					   yaml_node_text(key), list);
		}
	}
	return true;
}

static bool check_event_name(const struct reader *reader, const struct yaml_node *node, const char *what,
			     const char *name, GError **error)
{
	return strchr(name, ' ') == NULL ||
	       yaml_refuse(reader->tree, node, error, "%s: `%s` is no name of an event, such as my_app:start", what,
			   name);
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
		struct point_condition *condition;

		if (!texts) {
			return false;
		}
		g_array_set_size(match->conditions, match->conditions->len + 1);
		condition = &g_array_index(match->conditions, struct point_condition, match->conditions->len - 1);
		condition->value = value_of(reader, match->event, field);
		condition->allowed = g_ptr_array_new_with_free_func(g_free);
		for (guint j = 0; j < texts->len; j++) {
			g_ptr_array_add(condition->allowed, g_strdup(g_ptr_array_index(texts, j)));
		}
	}
	return true;
}

static bool equals(const struct point_values *values, const struct point_value *value, const char *text)
{
	const char *own = point_value_text(values, value);
	char *end;

	if (own && value->type != POINT_VALUE_LIST && strcmp(own, text) == 0) {
		return true;
	}
	switch (value->type) {
	case POINT_VALUE_UNSIGNED:
		return text[0] != '-' && g_ascii_strtoull(text, &end, 0) == value->number && end != text &&
		       *end == '\0';
	case POINT_VALUE_SIGNED:
		return g_ascii_strtoll(text, &end, 0) == (int64_t)value->number && end != text && *end == '\0';
	case POINT_VALUE_REAL:
		return g_ascii_strtod(text, &end) == value->real && end != text && *end == '\0';
	default:
		return false;
	}
}

static bool condition_holds(const struct point_condition *condition, const struct point_values *values)
{
	for (guint i = 0; i < condition->allowed->len; i++) {
		if (equals(values, &values->at[condition->value], g_ptr_array_index(condition->allowed, i))) {
			return true;
		}
	}
	return false;
}

bool point_match_holds(const struct point_match *match, const struct point_values *values)
{
	for (guint i = 0; i < match->conditions->len; i++) {
		if (!condition_holds(&g_array_index(match->conditions, struct point_condition, i), values)) {
			return false;
		}
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
		match->keys[i] = value_of(reader, match->event, g_ptr_array_index(fields, i));
	}
	return true;
}

/* What `node` or else the stage says of a key. NULL: neither. */
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
	match->event = event_of(reader, name);
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
		match->name = value_of(reader, match->event, name);
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
				   "a stage has either a name, or a name_field that both of its events have");
	}
	if (stage->start.key_count != stage->end.key_count) {
		return yaml_refuse(reader->tree, node, error, "key: start and end have keys of as many fields");
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
	g_array_set_size(reader->file->stages, reader->file->stages->len + 1);
	stage = &g_array_index(reader->file->stages, struct point_stage, reader->file->stages->len - 1);
	match_init(&stage->start);
	match_init(&stage->end);
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
	/* without a key nothing but the thread says what belongs together */
	stage->scope = stage->start.key_count > 0 ? POINT_SCOPE_PROCESS : POINT_SCOPE_THREAD;
	part = yaml_node_find(reader->tree, node, "scope");
	return (!part || read_scope(reader, part, &stage->scope, error)) && check_stage(reader, node, stage, error);
}

/* --- series --- */

static void add_series(struct reader *reader, const struct yaml_node *node, size_t event, const char *field,
		       const char *name)
{
	const struct yaml_node *by = yaml_node_find(reader->tree, node, "by");
	struct point_series *series;

	g_array_set_size(reader->file->series, reader->file->series->len + 1);
	series = &g_array_index(reader->file->series, struct point_series, reader->file->series->len - 1);
	match_init(&series->match);
	series->match.event = event;
	series->value = value_of(reader, event, field);
	series->by = by ? value_of(reader, event, yaml_node_text(by)) : POINT_NO_VALUE;
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
		add_series(reader, node, event_of(reader, event_name), g_ptr_array_index(texts, i),
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
		return yaml_refuse(reader->tree, node, error, "event: expected the name of an event");
	}
	if (!field == !fields) {
		return yaml_refuse(reader->tree, node, error, "expected either field, or fields with a list of them");
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
	g_array_set_size(reader->file->paths, reader->file->paths->len + 1);
	path = &g_array_index(reader->file->paths, struct point_path, reader->file->paths->len - 1);
	path->scope = POINT_SCOPE_ALL;
	path->stages = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < texts->len; i++) {
		g_ptr_array_add(path->stages, g_strdup(g_ptr_array_index(texts, i)));
	}
	g_ptr_array_add(texts, NULL);
	path->name = name ? g_strdup(yaml_node_text(name)) : g_strjoinv(" > ", (char **)texts->pdata);
	return !scope || read_scope(reader, scope, &path->scope, error);
}

/* A path over a stage that no entry makes is a slip of the pen; where names are fields, only the recording knows. */
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
			return yaml_refuse(reader->tree, node, error, "stages: there is no stage `%s`", name);
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
	file = file_create(path);
	is_read = read_root(&(struct reader){ tree, file }, error);
	yaml_tree_destroy(tree);
	if (!is_read) {
		point_file_destroy(file);
		return NULL;
	}
	list_events(file);
	return file;
}
