/* SPDX-License-Identifier: MIT */
#include "command/command_line.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "core/bt/own.h"
#include "core/params/session_params.h"

static const struct param params[] = { SESSION_PARAMS(PARAM_ROW) };

#define PARAM_COUNT G_N_ELEMENTS(params)
#define OPTION_PARAM COMMAND_LINE_NUMBERS /* numbers of parameters begin here */

static const struct own_option common_options[] = {
	{ "help", COMMAND_LINE_HELP, NULL, "show this text and exit" },
	{ "version", COMMAND_LINE_VERSION, NULL, "show the version and exit" },
};

/* The command's own options, then the common ones it has; NULL: there are no more. */
static const struct own_option *own_option_at(const struct command_line *line, size_t index)
{
	size_t common = line->has_version ? 2 : 1;

	if (index < line->option_count) {
		return &line->options[index];
	}
	return index - line->option_count < common ? &common_options[index - line->option_count] : NULL;
}

static bool is_array(const struct param *param)
{
	return param->type == PARAM_STRINGS || param->type == PARAM_REALS;
}

static bool is_taken(const struct command_line *line, const struct param *param)
{
	return !line->params || g_strv_contains(line->params, param->key);
}

static struct option *long_options(const struct command_line *line, GPtrArray *names)
{
	struct option *options =
		g_new0(struct option, PARAM_COUNT + line->option_count + G_N_ELEMENTS(common_options) + 1);
	const struct own_option *own;
	size_t count = 0;

	for (size_t i = 0; i < PARAM_COUNT; i++) {
		char *name = param_option_name(&params[i]);

		g_ptr_array_add(names, name);
		if (is_taken(line, &params[i])) {
			options[count++] = (struct option){
				.name = name,
				.has_arg = params[i].type == PARAM_BOOL ? no_argument : required_argument,
				.val = OPTION_PARAM + (int)i,
			};
		}
	}
	for (size_t i = 0; (own = own_option_at(line, i)); i++) {
		options[count++] = (struct option){
			.name = own->name,
			.has_arg = own->value ? required_argument : no_argument,
			.val = own->number,
		};
	}
	return options;
}

bool command_line_refuse(GError **error, const char *option, const char *value, const char *allowed)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s cannot be \"%s\": expected %s", option,
		    value, allowed);
	return false;
}

static bool is_integer_text(const char *text)
{
	const char *digits = text[0] == '-' ? text + 1 : text;

	return digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

/* As on the command line of babeltrace2: 5 is an integer, everything else is text. */
static bool add_string_or_integer(bt_value *values, const struct param *param, const char *text, GError **error)
{
	gint64 integer;

	if (!is_integer_text(text)) {
		bt_value_map_insert_string_entry(values, param->key, text);
		return true;
	}
	if (!g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &integer, NULL)) {
		return command_line_refuse(error, param->key, text, "ns since the Unix epoch");
	}
	bt_value_map_insert_signed_integer_entry(values, param->key, integer);
	return true;
}

static bool add_integer(bt_value *values, const struct param *param, const char *text, GError **error)
{
	gint64 integer;

	if (!g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &integer, NULL)) {
		return command_line_refuse(error, param->key, text, param->allowed);
	}
	bt_value_map_insert_signed_integer_entry(values, param->key, integer);
	return true;
}

static bt_value *array_of(bt_value *values, const struct param *param)
{
	bt_value *array = bt_value_map_borrow_entry_value(values, param->key);

	if (!array) {
		bt_value_map_insert_empty_array_entry(values, param->key, &array);
	}
	return array;
}

static bool add_real(bt_value *values, const struct param *param, const char *text, GError **error)
{
	char *end = NULL;
	double real = g_ascii_strtod(text, &end);

	if (end == text || *end != '\0') {
		g_autofree char *name = param_option_name(param);

		return command_line_refuse(error, name, text, "a number");
	}
	bt_value_array_append_real_element(array_of(values, param), real);
	return true;
}

/* One value of an array, or several separated by commas if values have none. */
static bool add_items(bt_value *values, const struct param *param, const char *text, GError **error)
{
	bool may_have_commas = strcmp(param->allowed, "any") == 0;
	g_auto(GStrv) items = g_strsplit(text, ",", may_have_commas ? 1 : 0);

	if (!items[0]) {
		g_autofree char *name = param_option_name(param);

		return command_line_refuse(error, name, text, param->allowed);
	}

	for (size_t i = 0; items[i]; i++) {
		if (param->type == PARAM_STRINGS) {
			bt_value_array_append_string_element(array_of(values, param), items[i]);
		} else if (!add_real(values, param, items[i], error)) {
			return false;
		}
	}
	return true;
}

static bool add_param(bt_value *values, const struct param *param, const char *text, GError **error)
{
	if (is_array(param)) {
		return add_items(values, param, text, error);
	}
	if (param->type == PARAM_BOOL) {
		bt_value_map_insert_bool_entry(values, param->key, BT_TRUE);
		return true;
	}
	if (param->type == PARAM_STRING_OR_INTEGER) {
		return add_string_or_integer(values, param, text, error);
	}
	if (param->type == PARAM_INTEGER) {
		return add_integer(values, param, text, error);
	}
	bt_value_map_insert_string_entry(values, param->key, text);
	return true;
}

/* The letters of options with a short name. */
static char *short_options(const struct command_line *line)
{
	GString *text = g_string_new(NULL);
	const struct own_option *own;

	for (size_t i = 0; (own = own_option_at(line, i)); i++) {
		if (own->number <= CHAR_MAX) {
			g_string_append_c(text, (char)own->number);
		}
	}
	return g_string_free(text, FALSE);
}

int command_line_read(const struct command_line *line, int argc, char **argv, bt_value *values, command_line_taker take,
		      void *data, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree struct option *table = long_options(line, names);
	g_autofree char *letters = short_options(line);
	int number;

	while ((number = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		bool is_accepted = false;

		if (number == '?') { /* getopt has printed what is wrong */
			g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "");
		} else if (number >= OPTION_PARAM) {
			is_accepted = add_param(values, &params[number - OPTION_PARAM], optarg, error);
		} else {
			is_accepted = take(data, number, optarg, error);
		}
		if (!is_accepted) {
			return -1;
		}
		if (number == COMMAND_LINE_HELP || number == COMMAND_LINE_VERSION) {
			break;
		}
	}
	return optind;
}

/* An option's help: its text in lines of at most 80 characters. */
static void append_help(GString *help, const char *option, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", 0);
	size_t column = 0;

	g_string_append_printf(help, "  %s\n", option);
	for (size_t i = 0; words[i]; i++) {
		size_t length = strlen(words[i]);

		if (column > 0 && column + 1 + length > 80) {
			g_string_append_c(help, '\n');
			column = 0;
		}
		g_string_append_printf(help, "%s%s", column == 0 ? "        " : " ", words[i]);
		column += (column == 0 ? 8 : 1) + length;
	}
	g_string_append_c(help, '\n');
}

static const char *value_name(const struct param *param)
{
	switch (param->type) {
	case PARAM_REALS:
	case PARAM_REAL:
	case PARAM_INTEGER:
		return "NUMBER";
	case PARAM_STRING_OR_INTEGER:
		return "TIME";
	default:
		return strcmp(param->allowed, "any") == 0 ? "TEXT" : param->allowed;
	}
}

static void append_param_help(GString *help, const struct param *param)
{
	g_autofree char *name = param_option_name(param);
	g_autofree char *option = param->type == PARAM_BOOL ? g_strdup_printf("--%s", name)
							    : g_strdup_printf("--%s=%s", name, value_name(param));
	g_autofree char *text =
		g_strdup_printf("%s%s; default: %s", param->help,
				is_array(param) ? "; may be given more than once" : "", param->default_text);

	append_help(help, option, text);
}

char *command_line_help(const struct command_line *line)
{
	GString *help = g_string_new(line->usage);
	const struct own_option *own;

	for (size_t i = 0; i < PARAM_COUNT; i++) {
		if (is_taken(line, &params[i])) {
			append_param_help(help, &params[i]);
		}
	}
	for (size_t i = 0; (own = own_option_at(line, i)); i++) {
		g_autofree char *name =
			g_strdup_printf("--%s%s%s", own->name, own->value ? "=" : "", own->value ? own->value : "");

		append_help(help, name, own->help);
	}
	g_string_append(help, line->closing);
	return g_string_free(help, FALSE);
}
