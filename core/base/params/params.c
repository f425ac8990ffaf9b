/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/params.h"

#include <glib.h>
#include <string.h>

#include "ros2bt/base/duration_text.h"
#include "ros2bt/base/nearest_name.h"

const char *param_type_text(enum param_type type)
{
	static const char *const texts[] = {
		[PARAM_BOOL] = PARAM_TEXT_BOOL,		[PARAM_INTEGER] = PARAM_TEXT_INTEGER,
		[PARAM_REAL] = PARAM_TEXT_REAL,		[PARAM_STRING] = PARAM_TEXT_STRING,
		[PARAM_DURATION] = PARAM_TEXT_DURATION, [PARAM_STRING_OR_INTEGER] = PARAM_TEXT_STRING_OR_INTEGER,
		[PARAM_STRINGS] = PARAM_TEXT_STRINGS,	[PARAM_REALS] = PARAM_TEXT_REALS,
	};

	return texts[type];
}

static bool is_number(const struct param_item *item)
{
	return item->kind == PARAM_ITEM_INTEGER || item->kind == PARAM_ITEM_REAL;
}

static double number_of(const struct param_item *item)
{
	return item->kind == PARAM_ITEM_INTEGER ? (double)item->integer : item->real;
}

static bool is_string(const struct param_item *item)
{
	return item->kind == PARAM_ITEM_STRING;
}

static bool is_array_type(enum param_type type)
{
	return type == PARAM_STRINGS || type == PARAM_REALS;
}

bool param_is_any(const struct param *row)
{
	return g_ascii_isupper(row->allowed[0]);
}

static bool is_allowed_string(const struct param *row, const char *text)
{
	g_auto(GStrv) choices = NULL;

	if (param_is_any(row)) {
		return true;
	}
	choices = g_strsplit(row->allowed, "|", -1);
	return g_strv_contains((const char *const *)choices, text);
}

static bool is_allowed_number(const struct param *row, double number)
{
	g_auto(GStrv) bounds = NULL;

	if (param_is_any(row)) {
		return true;
	}
	bounds = g_strsplit(row->allowed, "..", 2);
	return g_ascii_strtod(bounds[0], NULL) <= number && number <= g_ascii_strtod(bounds[1], NULL);
}

static bool is_item_of(enum param_type type, const struct param_item *item)
{
	switch (type) {
	case PARAM_BOOL:
		return item->kind == PARAM_ITEM_BOOL;
	case PARAM_INTEGER:
		return item->kind == PARAM_ITEM_INTEGER;
	case PARAM_REAL:
	case PARAM_REALS:
		return is_number(item);
	case PARAM_STRING:
	case PARAM_DURATION:
	case PARAM_STRINGS:
		return is_string(item);
	case PARAM_STRING_OR_INTEGER:
		return is_string(item) || item->kind == PARAM_ITEM_INTEGER;
	}
	return false;
}

static bool has_type(const struct param *row, const struct param_value *value)
{
	for (guint i = 0; i < value->items->len; i++) {
		if (!is_item_of(row->type, param_value_item(value, i))) {
			return false;
		}
	}
	return value->is_array == is_array_type(row->type);
}

static bool is_allowed(const struct param *row, const struct param_item *item)
{
	int64_t duration_ns;

	switch (row->type) {
	case PARAM_INTEGER:
	case PARAM_REAL:
	case PARAM_REALS:
		return is_allowed_number(row, number_of(item));
	case PARAM_STRING:
	case PARAM_STRINGS:
		return is_allowed_string(row, item->string);
	case PARAM_DURATION:
		return duration_text_parse(item->string, &duration_ns);
	case PARAM_BOOL:
	case PARAM_STRING_OR_INTEGER:
		return true;
	}
	return false;
}

/* The first item that is not allowed; NULL if all are. */
static const struct param_item *find_disallowed(const struct param *row, const struct param_value *value)
{
	for (guint i = 0; i < value->items->len; i++) {
		const struct param_item *item = param_value_item(value, i);

		if (!is_allowed(row, item)) {
			return item;
		}
	}
	return NULL;
}

/* An array that would select nothing, where not giving it selects the default. */
static bool is_empty_selection(const struct param *row, const struct param_value *value)
{
	return strcmp(row->default_text, "none") != 0 && value->items->len == 0;
}

static char *expectation(const struct params *params, const struct param *row)
{
	if (row->type == PARAM_DURATION) {
		return g_strdup(DURATION_TEXT_ALLOWED);
	}
	if (param_is_any(row)) {
		return g_strdup(param_type_text(row->type));
	}
	/* every value on a command line is text */
	if (params->are_options) {
		return g_strdup(row->allowed);
	}
	return g_strdup_printf("%s, %s%s", param_type_text(row->type), is_array_type(row->type) ? "each " : "",
			       row->allowed);
}

static const struct param *find_row(const struct params *params, const char *key)
{
	for (size_t i = 0; i < params->row_count; i++) {
		if (strcmp(params->rows[i].key, key) == 0) {
			return &params->rows[i];
		}
	}
	return NULL;
}

char *param_option_name(const struct param *row)
{
	size_t length = strlen(row->key);

	return g_strndup(row->key, is_array_type(row->type) ? length - 1 : length);
}

char *params_name(const struct params *params, const char *key)
{
	g_autofree char *option = params->are_options ? param_option_name(find_row(params, key)) : NULL;

	return option ? g_strdup_printf("--%s", option) : g_strdup_printf("parameter \"%s\"", key);
}

/* The key most similar to `key`; NULL if none is similar. */
static const char *nearest_key(const struct params *params, const char *key)
{
	g_autofree const char **keys = g_new(const char *, params->row_count);

	for (size_t i = 0; i < params->row_count; i++) {
		keys[i] = params->rows[i].key;
	}
	return nearest_name(key, keys, params->row_count);
}

static char *unknown_key_problem(const struct params *params, const char *key)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *nearest = nearest_key(params, key);

	g_string_printf(text, "unknown parameter \"%s\"", key);
	if (nearest) {
		g_string_append_printf(text, ", did you mean \"%s\"?", nearest);
	}
	g_string_append(text, params->row_count == 0 ? " (there are no parameters)" : " (allowed:");
	for (size_t i = 0; i < params->row_count; i++) {
		g_string_append_printf(text, "%s %s%s", i > 0 ? "," : "", params->rows[i].key,
				       i + 1 == params->row_count ? ")" : "");
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *item_text(const struct param_item *item)
{
	return is_string(item) ? g_strdup_printf("\"%s\"", item->string) : g_strdup_printf("%g", number_of(item));
}

/* " (did you mean …?)" for a text that is similar to one of the choices, else "". */
static char *suggestion(const struct param *row, const struct param_item *item)
{
	bool has_choices = is_string(item) && strchr(row->allowed, '|');

	return has_choices ? nearest_choice_hint(item->string, row->allowed, "|") : g_strdup("");
}

/* NULL if there is none. */
static char *find_problem(const struct params *params, const struct param_value *value)
{
	const struct param *row = find_row(params, value->key);
	g_autofree char *expected = NULL, *name = NULL, *text = NULL, *meant = NULL;
	const struct param_item *disallowed;

	if (!row) {
		return unknown_key_problem(params, value->key);
	}
	expected = expectation(params, row);
	name = params_name(params, value->key);
	if (!has_type(row, value)) {
		return g_strdup_printf("%s has the wrong type: expected %s", name, expected);
	}
	if (is_empty_selection(row, value)) {
		return g_strdup_printf("%s is empty: expected at least one of %s, or leave it out", name, row->allowed);
	}
	disallowed = find_disallowed(row, value);
	if (!disallowed) {
		return NULL;
	}
	text = item_text(disallowed);
	meant = suggestion(row, disallowed);
	return g_strdup_printf("%s cannot %s %s%s: expected %s", name,
			       !value->is_array || params->are_options ? "be" : "hold", text, meant, expected);
}

char *params_check(const struct params *params)
{
	char *problem = NULL;

	for (size_t i = 0; !problem && i < param_values_count(params->values); i++) {
		problem = find_problem(params, param_values_at(params->values, i));
	}
	return problem;
}

const struct param_value *params_value(const struct params *params, const char *key)
{
	g_assert(find_row(params, key));
	return param_values_find(params->values, key);
}

/* The item of a value that is none of an array; NULL: not given. */
static const struct param_item *item_given(const struct params *params, const char *key)
{
	const struct param_value *value = params_value(params, key);

	return value ? param_value_item(value, 0) : NULL;
}

/* "" if there is none. */
static const char *default_text(const struct params *params, const char *key)
{
	const char *text = find_row(params, key)->default_text;

	return strcmp(text, "none") == 0 ? "" : text;
}

bool params_bool(const struct params *params, const char *key)
{
	const struct param_item *item = item_given(params, key);

	return item ? item->boolean : strcmp(default_text(params, key), "yes") == 0;
}

int64_t params_integer(const struct params *params, const char *key)
{
	const struct param_item *item = item_given(params, key);

	return item ? item->integer : g_ascii_strtoll(default_text(params, key), NULL, 10);
}

double params_real(const struct params *params, const char *key)
{
	const struct param_item *item = item_given(params, key);

	return item ? number_of(item) : g_ascii_strtod(default_text(params, key), NULL);
}

const char *params_string(const struct params *params, const char *key)
{
	const struct param_item *item = item_given(params, key);
	const char *text = item ? item->string : default_text(params, key);

	return !item && text[0] == '\0' ? NULL : text;
}

int64_t params_duration_ns(const struct params *params, const char *key)
{
	int64_t duration_ns = 0;
	bool is_duration = duration_text_parse(params_string(params, key), &duration_ns);

	g_assert(is_duration);
	return duration_ns;
}

char **params_strings(const struct params *params, const char *key)
{
	const struct param_value *value = params_value(params, key);
	char **strings;

	if (!value) {
		return g_strsplit(default_text(params, key), ",", -1);
	}
	strings = g_new0(char *, value->items->len + 1);
	for (guint i = 0; i < value->items->len; i++) {
		strings[i] = g_strdup(param_value_item(value, i)->string);
	}
	return strings;
}

double *params_reals(const struct params *params, const char *key, size_t *count)
{
	const struct param_value *value = params_value(params, key);
	g_auto(GStrv) texts = value ? NULL : g_strsplit(default_text(params, key), ",", -1);
	double *reals;

	*count = value ? value->items->len : g_strv_length(texts);
	reals = g_new(double, *count);
	for (size_t i = 0; i < *count; i++) {
		reals[i] = value ? number_of(param_value_item(value, i)) : g_ascii_strtod(texts[i], NULL);
	}
	return reals;
}
