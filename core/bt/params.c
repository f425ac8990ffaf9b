/* SPDX-License-Identifier: MIT */
#include "core/bt/params.h"

#include <glib.h>
#include <string.h>

#include "core/bt/own.h"
#include "core/text/duration_text.h"
#include "core/text/nearest_name.h"

static const char *type_text(enum param_type type)
{
	static const char *const texts[] = {
		[PARAM_BOOL] = PARAM_TEXT_BOOL,		[PARAM_INTEGER] = PARAM_TEXT_INTEGER,
		[PARAM_REAL] = PARAM_TEXT_REAL,		[PARAM_STRING] = PARAM_TEXT_STRING,
		[PARAM_DURATION] = PARAM_TEXT_DURATION, [PARAM_STRING_OR_INTEGER] = PARAM_TEXT_STRING_OR_INTEGER,
		[PARAM_STRINGS] = PARAM_TEXT_STRINGS,	[PARAM_REALS] = PARAM_TEXT_REALS,
	};

	return texts[type];
}

static bool is_number(const bt_value *value)
{
	return bt_value_is_signed_integer(value) || bt_value_is_unsigned_integer(value) || bt_value_is_real(value);
}

static double number_of(const bt_value *value)
{
	if (bt_value_is_signed_integer(value)) {
		return (double)bt_value_integer_signed_get(value);
	}
	if (bt_value_is_unsigned_integer(value)) {
		return (double)bt_value_integer_unsigned_get(value);
	}
	return bt_value_real_get(value);
}

static bool is_integer(const bt_value *value)
{
	return bt_value_is_signed_integer(value) ||
	       (bt_value_is_unsigned_integer(value) && bt_value_integer_unsigned_get(value) <= INT64_MAX);
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

static bool is_array_of(const bt_value *value, bool (*is_item)(const bt_value *item))
{
	if (!bt_value_is_array(value)) {
		return false;
	}
	for (uint64_t i = 0; i < bt_value_array_get_length(value); i++) {
		if (!is_item(bt_value_array_borrow_element_by_index_const(value, i))) {
			return false;
		}
	}
	return true;
}

static bool is_string(const bt_value *value)
{
	return bt_value_is_string(value);
}

static bool has_type(const struct param *row, const bt_value *value)
{
	switch (row->type) {
	case PARAM_BOOL:
		return bt_value_is_bool(value);
	case PARAM_INTEGER:
		return is_integer(value);
	case PARAM_REAL:
		return is_number(value);
	case PARAM_STRING:
	case PARAM_DURATION:
		return bt_value_is_string(value);
	case PARAM_STRING_OR_INTEGER:
		return bt_value_is_string(value) || is_integer(value);
	case PARAM_STRINGS:
		return is_array_of(value, is_string);
	case PARAM_REALS:
		return is_array_of(value, is_number);
	}
	return false;
}

static bool is_allowed(const struct param *row, const bt_value *value)
{
	int64_t duration_ns;

	switch (row->type) {
	case PARAM_INTEGER:
	case PARAM_REAL:
		return is_allowed_number(row, number_of(value));
	case PARAM_STRING:
		return is_allowed_string(row, bt_value_string_get(value));
	case PARAM_DURATION:
		return duration_text_parse(bt_value_string_get(value), &duration_ns);
	case PARAM_BOOL:
	case PARAM_STRING_OR_INTEGER:
	case PARAM_STRINGS:
	case PARAM_REALS:
		return true;
	}
	return false;
}

static bool is_allowed_item(const struct param *row, const bt_value *item)
{
	return row->type == PARAM_STRINGS ? is_allowed_string(row, bt_value_string_get(item))
					  : is_allowed_number(row, number_of(item));
}

/* What is not allowed: the value, or the first such item of an array; NULL if everything is. */
static const bt_value *find_disallowed(const struct param *row, const bt_value *value)
{
	if (!is_array_type(row->type)) {
		return is_allowed(row, value) ? NULL : value;
	}
	for (uint64_t i = 0; i < bt_value_array_get_length(value); i++) {
		const bt_value *item = bt_value_array_borrow_element_by_index_const(value, i);

		if (!is_allowed_item(row, item)) {
			return item;
		}
	}
	return NULL;
}

/* An array that would select nothing, where not giving it selects the default. */
static bool is_empty_selection(const struct param *row, const bt_value *value)
{
	return is_array_type(row->type) && strcmp(row->default_text, "none") != 0 &&
	       bt_value_array_get_length(value) == 0;
}

static char *expectation(const struct params *params, const struct param *row)
{
	if (row->type == PARAM_DURATION) {
		return g_strdup(DURATION_TEXT_ALLOWED);
	}
	if (param_is_any(row)) {
		return g_strdup(type_text(row->type));
	}
	/* every value on a command line is text */
	if (params->are_options) {
		return g_strdup(row->allowed);
	}
	return g_strdup_printf("%s, %s%s", type_text(row->type), is_array_type(row->type) ? "each " : "", row->allowed);
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

struct check {
	const struct params *params;
	char *problem; /* owned */
};

static char *value_text(const bt_value *value)
{
	return bt_value_is_string(value) ? g_strdup_printf("\"%s\"", bt_value_string_get(value))
					 : g_strdup_printf("%g", number_of(value));
}

/* " (did you mean …?)" for a text that is similar to one of the choices, else "". */
static char *suggestion(const struct param *row, const bt_value *value)
{
	bool has_choices = bt_value_is_string(value) && strchr(row->allowed, '|');
	g_autofree char *nearest = has_choices ? nearest_choice(bt_value_string_get(value), row->allowed) : NULL;

	return nearest ? g_strdup_printf(" (did you mean \"%s\"?)", nearest) : g_strdup("");
}

static bt_value_map_foreach_entry_const_func_status check_entry(const char *key, const bt_value *value, void *data)
{
	struct check *check = data;
	const struct param *row = find_row(check->params, key);
	g_autofree char *expected = NULL, *name = NULL;
	const bt_value *disallowed;

	if (!row) {
		check->problem = unknown_key_problem(check->params, key);
		return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
	}
	expected = expectation(check->params, row);
	name = params_name(check->params, key);
	if (!has_type(row, value)) {
		check->problem = g_strdup_printf("%s has the wrong type: expected %s", name, expected);
	} else if (is_empty_selection(row, value)) {
		check->problem = g_strdup_printf("%s is empty: expected at least one of %s, or leave it out", name,
						 row->allowed);
	} else if ((disallowed = find_disallowed(row, value))) {
		g_autofree char *text = value_text(disallowed), *meant = suggestion(row, disallowed);

		check->problem = g_strdup_printf("%s cannot %s %s%s: expected %s", name,
						 disallowed == value || check->params->are_options ? "be" : "hold",
						 text, meant, expected);
	}
	return check->problem ? BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT
			      : BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
}

char *params_check(const struct params *params)
{
	struct check check = { .params = params };

	(void)bt_value_map_foreach_entry_const(params->values, check_entry, &check);
	return check.problem;
}

const bt_value *params_value(const struct params *params, const char *key)
{
	g_assert(find_row(params, key));
	return bt_value_map_borrow_entry_value_const(params->values, key);
}

/* "" if there is none. */
static const char *default_text(const struct params *params, const char *key)
{
	const char *text = find_row(params, key)->default_text;

	return strcmp(text, "none") == 0 ? "" : text;
}

bool params_bool(const struct params *params, const char *key)
{
	const bt_value *value = params_value(params, key);

	return value ? bt_value_bool_get(value) : strcmp(default_text(params, key), "yes") == 0;
}

int64_t params_integer(const struct params *params, const char *key)
{
	const bt_value *value = params_value(params, key);

	if (!value) {
		return g_ascii_strtoll(default_text(params, key), NULL, 10);
	}
	return bt_value_is_signed_integer(value) ? bt_value_integer_signed_get(value)
						 : (int64_t)bt_value_integer_unsigned_get(value);
}

double params_real(const struct params *params, const char *key)
{
	const bt_value *value = params_value(params, key);

	return value ? number_of(value) : g_ascii_strtod(default_text(params, key), NULL);
}

const char *params_string(const struct params *params, const char *key)
{
	const bt_value *value = params_value(params, key);
	const char *text = value ? bt_value_string_get(value) : default_text(params, key);

	return !value && text[0] == '\0' ? NULL : text;
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
	const bt_value *value = params_value(params, key);
	uint64_t count;
	char **strings;

	if (!value) {
		return g_strsplit(default_text(params, key), ",", -1);
	}
	count = bt_value_array_get_length(value);
	strings = g_new0(char *, count + 1);
	for (uint64_t i = 0; i < count; i++) {
		strings[i] = g_strdup(bt_value_string_get(bt_value_array_borrow_element_by_index_const(value, i)));
	}
	return strings;
}

double *params_reals(const struct params *params, const char *key, size_t *count)
{
	const bt_value *value = params_value(params, key);
	g_auto(GStrv) texts = NULL;
	double *reals;

	if (!value) {
		texts = g_strsplit(default_text(params, key), ",", -1);
	}
	*count = value ? bt_value_array_get_length(value) : g_strv_length(texts);
	reals = g_new(double, *count);
	for (size_t i = 0; i < *count; i++) {
		reals[i] = value ? number_of(bt_value_array_borrow_element_by_index_const(value, i))
				 : g_ascii_strtod(texts[i], NULL);
	}
	return reals;
}

const bt_value *params_describe(const struct param *rows, size_t row_count)
{
	g_autoptr(bt_value) map = bt_value_map_create();

	if (!map) {
		return NULL;
	}
	for (size_t i = 0; i < row_count; i++) {
		bt_value *entry = NULL;

		if (bt_value_map_insert_empty_map_entry(map, rows[i].key, &entry) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "type", type_text(rows[i].type)) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "default", rows[i].default_text) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "allowed", rows[i].allowed) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "help", rows[i].help) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK) {
			return NULL;
		}
	}
	return g_steal_pointer(&map);
}
