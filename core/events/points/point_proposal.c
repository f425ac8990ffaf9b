/* SPDX-License-Identifier: MIT */
#include "ros2bt/events/point_proposal.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/yaml/yaml_text.h"

struct proposed_field {
	char *name;
	enum point_value_type type;
	bool is_enumeration;
};

struct proposed_class {
	char *name;
	uint64_t count;
	GArray *fields;			    /* struct proposed_field */
	const struct proposed_class *end;   /* of what this one starts */
	const struct proposed_class *start; /* of what this one ends */
};

struct point_proposal {
	struct point_class_listener listener;
	GPtrArray *classes; /* struct proposed_class *, in order of appearance; by name after point_proposal_text() */
	GArray *events;	    /* struct point_event */
	struct point_events list;
};

/* --- classes --- */

static void field_clear(gpointer data)
{
	g_free(((struct proposed_field *)data)->name);
}

static void class_free(gpointer data)
{
	struct proposed_class *class = data;

	g_free(class->name);
	g_array_unref(class->fields);
	g_free(class);
}

/* Whether an event is of an application. Names of a kernel's events have no provider. */
static bool is_of_application(const char *name)
{
	static const char *const others[] = { "ros2:", "ros2_caret:", "ros2_flow:", "r2r:", "lttng_" };

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		if (g_str_has_prefix(name, others[i])) {
			return false;
		}
	}
	return strchr(name, ':') && !strpbrk(name, " \t\r\n") && g_utf8_validate(name, -1, NULL);
}

static struct proposed_class *find_class(const struct point_proposal *proposal, const char *name)
{
	for (guint i = 0; i < proposal->classes->len; i++) {
		struct proposed_class *class = g_ptr_array_index(proposal->classes, i);

		if (strcmp(class->name, name) == 0) {
			return class;
		}
	}
	return NULL;
}

/* Each process has its own class; the first one counts for all. */
static void found(void *data, const char *name, const struct point_field *fields, size_t count)
{
	struct point_proposal *proposal = data;
	struct proposed_class *class;

	if (!is_of_application(name) || find_class(proposal, name)) {
		return;
	}
	class = g_new0(struct proposed_class, 1);
	class->name = g_strdup(name);
	class->fields = g_array_new(FALSE, TRUE, sizeof(struct proposed_field));
	g_array_set_clear_func(class->fields, field_clear);
	g_ptr_array_add(proposal->classes, class);
	for (size_t i = 0; i < count; i++) {
		struct proposed_field *field;

		if (fields[i].type != POINT_VALUE_NONE && g_utf8_validate(fields[i].name, -1, NULL)) {
			g_array_set_size(class->fields, class->fields->len + 1);
			field = &g_array_index(class->fields, struct proposed_field, class->fields->len - 1);
			field->name = g_strdup(fields[i].name);
			field->type = fields[i].type;
			field->is_enumeration = fields[i].is_enumeration;
		}
	}
}

struct point_proposal *point_proposal_create(void)
{
	struct point_proposal *proposal = g_new0(struct point_proposal, 1);

	proposal->listener = (struct point_class_listener){ .data = proposal, .found = found };
	proposal->classes = g_ptr_array_new_with_free_func(class_free);
	proposal->events = g_array_new(FALSE, TRUE, sizeof(struct point_event));
	return proposal;
}

void point_proposal_destroy(struct point_proposal *proposal)
{
	if (proposal) {
		g_ptr_array_unref(proposal->classes);
		g_array_unref(proposal->events);
		g_free(proposal);
	}
}

const struct point_class_listener *point_proposal_listener(struct point_proposal *proposal)
{
	return &proposal->listener;
}

const struct point_events *point_proposal_events(struct point_proposal *proposal)
{
	g_array_set_size(proposal->events, proposal->classes->len);
	for (guint i = 0; i < proposal->classes->len; i++) {
		const struct proposed_class *class = g_ptr_array_index(proposal->classes, i);

		g_array_index(proposal->events, struct point_event, i).name = class->name;
	}
	proposal->list.events = (const struct point_event *)(void *)proposal->events->data;
	proposal->list.count = proposal->events->len;
	return &proposal->list;
}

void point_proposal_count(struct point_proposal *proposal, size_t event)
{
	((struct proposed_class *)g_ptr_array_index(proposal->classes, event))->count++;
}

/* --- pairs --- */

static const struct {
	const char *start, *end;
} words[] = {
	{ "start", "end" },    { "start", "stop" }, { "start", "finish" }, { "start", "done" }, { "begin", "end" },
	{ "begin", "finish" }, { "begin", "stop" }, { "entry", "exit" },   { "enter", "exit" }, { "enter", "leave" },
};

/* The name with one word in the place of another, which is its whole, its beginning or its end, apart by `_`. NULL: no
 * such name. */
static char *exchange_word(const char *full_name, const char *word, const char *other)
{
	size_t provider = (size_t)(strchr(full_name, ':') + 1 - full_name), length = strlen(word);
	const char *name = full_name + provider;
	size_t rest = strlen(name);

	if (strcmp(name, word) == 0) {
		return g_strdup_printf("%.*s%s", (int)provider, full_name, other);
	}
	if (rest > length + 1 && strncmp(name, word, length) == 0 && name[length] == '_') {
		return g_strdup_printf("%.*s%s%s", (int)provider, full_name, other, name + length);
	}
	if (rest > length + 1 && strcmp(name + rest - length, word) == 0 && name[rest - length - 1] == '_') {
		return g_strdup_printf("%.*s%.*s%s", (int)provider, full_name, (int)(rest - length), name, other);
	}
	return NULL;
}

static void find_end(const struct point_proposal *proposal, struct proposed_class *class)
{
	for (size_t i = 0; i < G_N_ELEMENTS(words) && !class->end; i++) {
		g_autofree char *name = exchange_word(class->name, words[i].start, words[i].end);
		struct proposed_class *end = name ? find_class(proposal, name) : NULL;

		if (end && end->count > 0 && !end->start) {
			class->end = end;
			end->start = class;
		}
	}
}

/* What a stage is called that has no field with its name. */
static char *stem_of(const char *full_name)
{
	const char *name = strchr(full_name, ':') + 1;
	g_autofree char *provider = g_strndup(full_name, (gsize)(name - 1 - full_name));

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autofree char *prefix = g_strconcat(words[i].start, "_", NULL);
		g_autofree char *suffix = g_strconcat("_", words[i].start, NULL);

		if (g_str_has_prefix(name, prefix)) {
			return g_strdup(name + strlen(prefix));
		}
		if (g_str_has_suffix(name, suffix)) {
			return g_strndup(name, strlen(name) - strlen(suffix));
		}
	}
	return g_steal_pointer(&provider);
}

/* --- fields --- */

static const struct proposed_field *field_at(const struct proposed_class *class, guint index)
{
	return &g_array_index(class->fields, struct proposed_field, index);
}

static bool is_integer(const struct proposed_field *field)
{
	return (field->type == POINT_VALUE_UNSIGNED || field->type == POINT_VALUE_SIGNED) && !field->is_enumeration;
}

static bool is_text(const struct proposed_field *field)
{
	return field->type == POINT_VALUE_TEXT;
}

static bool is_enumeration(const struct proposed_field *field)
{
	return field->is_enumeration;
}

static bool has_field(const struct proposed_class *class, const char *name,
		      bool (*fits)(const struct proposed_field *field))
{
	for (guint i = 0; i < class->fields->len; i++) {
		if (strcmp(field_at(class, i)->name, name) == 0) {
			return fits(field_at(class, i));
		}
	}
	return false;
}

/* How much a name looks like that of a key: the more the lower. */
static size_t rank_of_key(const char *name)
{
	static const char *const names[] = { "key",   "id",    "seq",	"sequence", "sequence_number",
					     "frame", "index", "number" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *ending = g_strconcat("_", names[i], NULL);

		if (g_ascii_strcasecmp(name, names[i]) == 0 || g_str_has_suffix(name, ending)) {
			return i;
		}
	}
	return G_N_ELEMENTS(names);
}

/* The integer that both have and that looks most like a key. NULL: none. */
static const char *key_of(const struct proposed_class *start, const struct proposed_class *end)
{
	const char *best = NULL;

	for (guint i = 0; i < start->fields->len; i++) {
		const struct proposed_field *field = field_at(start, i);

		if (is_integer(field) && has_field(end, field->name, is_integer) &&
		    (!best || rank_of_key(field->name) < rank_of_key(best))) {
			best = field->name;
		}
	}
	return best;
}

/* The label that both have, else a text that looks like a name. NULL: none. */
static const char *name_field_of(const struct proposed_class *start, const struct proposed_class *end)
{
	static const char *const names[] = { "name", "stage", "task", "label", "what" };

	for (guint i = 0; i < start->fields->len; i++) {
		const struct proposed_field *field = field_at(start, i);

		if (field->is_enumeration && has_field(end, field->name, is_enumeration)) {
			return field->name;
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (has_field(start, names[i], is_text) && has_field(end, names[i], is_text)) {
			return names[i];
		}
	}
	return NULL;
}

/* --- text --- */

/* A name as YAML: plain where no character can mean anything. */
static void append_name(GString *text, const char *name)
{
	bool is_plain = g_ascii_isalpha(name[0]) && strcmp(name, "null") != 0;

	for (const char *c = name; *c && is_plain; c++) {
		is_plain = g_ascii_isalnum(*c) || *c == '_' || (*c == ':' && c[1] != '\0');
	}
	if (is_plain) {
		g_string_append(text, name);
	} else {
		yaml_text_append_quoted(text, name);
	}
}

static void append_line(GString *text, const char *key, const char *name, const char *comment)
{
	g_string_append_printf(text, "%s: ", key);
	append_name(text, name);
	g_string_append_printf(text, "%s%s\n", comment[0] ? " # " : "", comment);
}

static void append_stage(GString *text, const struct proposed_class *start)
{
	const char *key = key_of(start, start->end), *name_field = name_field_of(start, start->end);
	g_autofree char *starts = g_strdup_printf("%" PRIu64 " events", start->count);
	g_autofree char *ends = g_strdup_printf("%" PRIu64 " events", start->end->count);

	if (name_field) {
		append_line(text, "- name_field", name_field, "a row for each of its values");
	} else {
		g_autofree char *stem = stem_of(start->name);

		append_line(text, "- name", stem, "");
	}
	append_line(text, "  start", start->name, starts);
	append_line(text, "  end", start->end->name, ends);
	if (key) {
		append_line(text, "  key", key, "an integer that both have");
		append_line(text, "  scope", "process", "where a key is unique: thread, process, host or all");
	} else {
		append_line(text, "  scope", "thread", "they have no integer in common that could be a key");
	}
}

static bool is_number(const struct proposed_field *field)
{
	return is_integer(field) || field->type == POINT_VALUE_REAL || field->type == POINT_VALUE_LIST;
}

/* The only field with names, to divide the others by. NULL: none, or several. */
static const char *only_name(const struct proposed_class *class)
{
	const char *name = NULL;

	for (guint i = 0; i < class->fields->len; i++) {
		const struct proposed_field *field = field_at(class, i);

		if (is_text(field) || field->is_enumeration) {
			if (name) {
				return NULL;
			}
			name = field->name;
		}
	}
	return name;
}

/* What looks like a key is no number to follow, nor is the field that LTTng adds for the length of a sequence. */
static bool is_series(const struct proposed_field *field)
{
	bool is_length = field->name[0] == '_' && g_str_has_suffix(field->name, "_length");

	return is_number(field) && !is_length && rank_of_key(field->name) > 4;
}

static void append_series(GString *text, const struct proposed_class *class)
{
	g_autofree char *count = g_strdup_printf("%" PRIu64 " events", class->count);
	const char *by = only_name(class);
	guint fields = 0;

	for (guint i = 0; i < class->fields->len; i++) {
		fields += is_series(field_at(class, i));
	}
	if (fields == 0) {
		return;
	}
	append_line(text, "- event", class->name, count);
	g_string_append(text, "  fields: [");
	fields = 0;
	for (guint i = 0; i < class->fields->len; i++) {
		if (is_series(field_at(class, i))) {
			g_string_append(text, fields++ > 0 ? ", " : "");
			append_name(text, field_at(class, i)->name);
		}
	}
	g_string_append(text, "]\n");
	if (by) {
		append_line(text, "  by", by, "a row for each of its values");
	}
}

static gint compare_classes(gconstpointer a, gconstpointer b)
{
	const struct proposed_class *left = *(const struct proposed_class *const *)a;
	const struct proposed_class *right = *(const struct proposed_class *const *)b;

	return strcmp(left->name, right->name);
}

static void append_part(const struct point_proposal *proposal, GString *text, const char *heading,
			void (*append)(GString *text, const struct proposed_class *class), bool is_pairs)
{
	gsize before = text->len, empty;

	g_string_append(text, heading);
	empty = text->len;
	for (guint i = 0; i < proposal->classes->len; i++) {
		const struct proposed_class *class = g_ptr_array_index(proposal->classes, i);

		if (class->count > 0 && (is_pairs ? class->end != NULL : !class->end && !class->start)) {
			append(text, class);
		}
	}
	if (text->len == empty) {
		g_string_truncate(text, before);
	}
}

char *point_proposal_text(struct point_proposal *proposal, const char *recording)
{
	GString *text = g_string_new("# Proposed from ");
	gsize head;

	for (const char *c = recording; *c; c++) {
		g_string_append_c(text, (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
	}
	g_string_append(text,
			", by the names of its events and their fields: go over it.\n"
			"# See docs/points.md for conditions, names, keys of several fields, and paths over stages.\n");
	head = text->len;
	g_ptr_array_sort(proposal->classes, compare_classes);
	for (guint i = 0; i < proposal->classes->len; i++) {
		struct proposed_class *class = g_ptr_array_index(proposal->classes, i);

		if (class->count > 0) {
			find_end(proposal, class);
		}
	}
	append_part(proposal, text, "stages:\n", append_stage, true);
	append_part(proposal, text, "series:\n", append_series, false);
	return g_string_free(text, text->len == head);
}
