/* SPDX-License-Identifier: MIT */
#include "command/command_line.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "ros2bt/base/nearest_name.h"
#include "ros2bt/session/session_params.h"

static const struct param params[] = { SESSION_PARAMS(PARAM_ROW) };

#define PARAM_COUNT G_N_ELEMENTS(params)
#define OPTION_PARAM COMMAND_LINE_NUMBERS /* numbers of parameters begin here */

static const struct own_option common_options[] = {
	{ NULL, COMMAND_LINE_BRIEF, NULL, "Show the most important options and exit.", NULL },
	{ "help", COMMAND_LINE_HELP, NULL, "Show this text and exit.", NULL },
	{ "version", COMMAND_LINE_VERSION, NULL, "Show the version and exit.", NULL },
};

/* The command's own options, then the common ones it has; NULL: there are no more. */
static const struct own_option *own_option_at(const struct command_line *line, size_t index)
{
	size_t common = line->has_version ? 3 : 2;

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
		if (own->name) {
			options[count++] = (struct option){
				.name = own->name,
				.has_arg = own->value ? required_argument : no_argument,
				.val = own->number,
			};
		}
	}
	return options;
}

bool command_line_refuse(GError **error, const char *option, const char *value, const char *allowed)
{
	g_autofree char *hint = strchr(allowed, '|') ? nearest_choice_hint(value, allowed, "|") : g_strdup("");

	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s cannot be \"%s\"%s: expected %s", option,
		    value, hint, allowed);
	return false;
}

static bool is_integer_text(const char *text)
{
	const char *digits = text[0] == '-' ? text + 1 : text;

	return digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

static bool add_integer(struct param_values *values, const struct param *param, const char *text, const char *allowed,
			GError **error)
{
	gint64 integer;

	if (!g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &integer, NULL)) {
		return command_line_refuse(error, param->key, text, allowed);
	}
	param_values_set(values, param->key, (struct param_item){ PARAM_ITEM_INTEGER, .integer = integer });
	return true;
}

/* As on the command line of babeltrace2: 5 is an integer, everything else is text. */
static bool add_string_or_integer(struct param_values *values, const struct param *param, char *text, GError **error)
{
	if (is_integer_text(text)) {
		return add_integer(values, param, text, "ns since the Unix epoch", error);
	}
	param_values_set(values, param->key, (struct param_item){ PARAM_ITEM_STRING, .string = text });
	return true;
}

static bool add_real(struct param_values *values, const struct param *param, const char *text, GError **error)
{
	char *end = NULL;
	double real = g_ascii_strtod(text, &end);

	if (end == text || *end != '\0') {
		g_autofree char *name = param_option_name(param);

		return command_line_refuse(error, name, text, "a number");
	}
	param_values_append(values, param->key, (struct param_item){ PARAM_ITEM_REAL, .real = real });
	return true;
}

/* One value of an array, or several separated by commas if values have none. */
static bool add_items(struct param_values *values, const struct param *param, const char *text, GError **error)
{
	bool may_have_commas = param_is_any(param);
	g_auto(GStrv) items = g_strsplit(text, ",", may_have_commas ? 1 : 0);

	if (!items[0]) {
		g_autofree char *name = param_option_name(param);

		return command_line_refuse(error, name, text, param->allowed);
	}

	for (size_t i = 0; items[i]; i++) {
		if (param->type == PARAM_STRINGS) {
			param_values_append(values, param->key,
					    (struct param_item){ PARAM_ITEM_STRING, .string = items[i] });
		} else if (!add_real(values, param, items[i], error)) {
			return false;
		}
	}
	return true;
}

static bool add_param(struct param_values *values, const struct param *param, char *text, GError **error)
{
	if (is_array(param)) {
		return add_items(values, param, text, error);
	}
	if (param->type == PARAM_BOOL) {
		param_values_set(values, param->key, (struct param_item){ PARAM_ITEM_BOOL, .boolean = true });
		return true;
	}
	if (param->type == PARAM_STRING_OR_INTEGER) {
		return add_string_or_integer(values, param, text, error);
	}
	if (param->type == PARAM_INTEGER) {
		return add_integer(values, param, text, param->allowed, error);
	}
	param_values_set(values, param->key, (struct param_item){ PARAM_ITEM_STRING, .string = text });
	return true;
}

/* The letters of options with a short name, after a colon, by which getopt distinguishes errors. */
static char *short_options(const struct command_line *line)
{
	GString *text = g_string_new(":");
	const struct own_option *own;

	for (size_t i = 0; (own = own_option_at(line, i)); i++) {
		if (own->number <= CHAR_MAX) {
			g_string_append_c(text, (char)own->number);
		}
	}
	return g_string_free(text, FALSE);
}

static const char *name_of_number(const struct option *table, int number)
{
	while (table->name && table->val != number) {
		table++;
	}
	return table->name;
}

/* The names that begin with `text`, as options, separated by commas; NULL if there are fewer than two. */
static char *ambiguous_names(const struct option *table, const char *text)
{
	g_autoptr(GString) names = g_string_new(NULL);
	size_t count = 0;

	for (; table->name; table++) {
		if (g_str_has_prefix(table->name, text)) {
			g_string_append_printf(names, "%s--%s", count++ > 0 ? ", " : "", table->name);
		}
	}
	return count > 1 ? g_string_free(g_steal_pointer(&names), FALSE) : NULL;
}

/* An option that is not in the table, such as "--nodes=/a". */
static char *unknown_option_problem(const struct option *table, const char *argument)
{
	g_autofree char *name = g_strndup(argument + 2, strcspn(argument + 2, "="));
	g_autofree char *candidates = ambiguous_names(table, name);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *nearest;

	if (candidates) {
		return g_strdup_printf("--%s is ambiguous: %s", name, candidates);
	}
	for (; table->name; table++) {
		g_ptr_array_add(names, (gpointer)table->name);
	}
	nearest = nearest_name(name, (const char *const *)names->pdata, names->len);
	return nearest ? g_strdup_printf("unknown option --%s; did you mean --%s?", name, nearest)
		       : g_strdup_printf("unknown option --%s", name);
}

/* Adds the error for what getopt could not read, when it has returned `number`. */
static void refuse_option(const struct option *table, int number, char **argv, GError **error)
{
	const char *name = optopt != 0 ? name_of_number(table, optopt) : NULL;
	g_autofree char *problem = NULL;

	if (name) {
		problem = g_strdup_printf("--%s %s", name, number == ':' ? "requires a value" : "takes no value");
	} else if (optopt != 0) {
		problem = g_strdup_printf("unknown option -%c", optopt);
	} else {
		problem = unknown_option_problem(table, argv[optind - 1]);
	}
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, problem);
}

int command_line_read(const struct command_line *line, int argc, char **argv, struct param_values *values,
		      command_line_taker take, void *data, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree struct option *table = long_options(line, names);
	g_autofree char *letters = short_options(line);
	int number;

	opterr = 0;
	while ((number = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		bool is_accepted = false;

		if (number == '?' || number == ':') {
			refuse_option(table, number, argv, error);
		} else if (number >= OPTION_PARAM) {
			is_accepted = add_param(values, &params[number - OPTION_PARAM], optarg, error);
		} else {
			is_accepted = take(data, number, optarg, error);
		}
		if (!is_accepted) {
			return -1;
		}
		if (number == COMMAND_LINE_HELP || number == COMMAND_LINE_BRIEF || number == COMMAND_LINE_VERSION) {
			break;
		}
	}
	return optind;
}

#define HELP_WIDTH 80
#define HELP_NAMES 2	 /* of a list of options */
#define HELP_INDENT 8	 /* of the text about an option */
#define CHOICE_INDENT 10 /* of a list of choices, by which completion finds it */

/* Appends words as lines that begin at `indent`; the first one is already filled up to `column`. */
static void append_words(GString *help, const char *text, size_t column, size_t indent)
{
	g_auto(GStrv) words = g_strsplit(text, " ", 0);

	g_string_append_printf(help, "%*s", (int)(column < indent ? indent - column : 0), "");
	column = MAX(column, indent);
	for (size_t i = 0; words[i]; i++) {
		size_t length = (size_t)g_utf8_strlen(words[i], -1);
		bool is_first = i == 0;

		if (!is_first && column + 1 + length > HELP_WIDTH) {
			g_string_append_printf(help, "\n%*s", (int)indent, "");
			column = indent;
			is_first = true;
		}
		g_string_append_printf(help, "%s%s", is_first ? "" : " ", words[i]);
		column += length + (is_first ? 0 : 1);
	}
	g_string_append_c(help, '\n');
}

/* The names of the choices in lines. */
static void append_choices(GString *help, const char *choices)
{
	g_auto(GStrv) names = g_strsplit(choices, "|", -1);
	g_autofree char *text = g_strjoinv(", ", names);

	append_words(help, text, 0, CHOICE_INDENT);
}

/* `lines`: "  NAME: text" (PARAM_CHOICE), ended by NULL. */
static void append_explained_choices(GString *help, char **lines)
{
	size_t width = 0;

	for (size_t i = 0; lines[i]; i++) {
		width = MAX(width, strcspn(g_strstrip(lines[i]), ":"));
	}
	for (size_t i = 0; lines[i]; i++) {
		size_t length = strcspn(lines[i], ":");

		g_string_append_printf(help, "%*s%-*.*s", CHOICE_INDENT, "", (int)width, (int)length, lines[i]);
		append_words(help, lines[i] + length + strlen(": "), CHOICE_INDENT + width, CHOICE_INDENT + width + 2);
	}
}

/* To be freed. */
static char *value_name(const struct param *param)
{
	g_autofree char *name = param_option_name(param);

	switch (param->type) {
	case PARAM_REALS:
	case PARAM_REAL:
	case PARAM_INTEGER:
		return g_strdup("NUMBER");
	case PARAM_STRINGS:
		return param_is_any(param) ? g_strdup(param->allowed) : g_ascii_strup(name, -1);
	default:
		return g_strdup(param->allowed);
	}
}

/* How often the option may be given, and its default. To be freed. */
static char *param_closing(const struct param *param)
{
	GString *text = g_string_new(NULL);

	if (is_array(param)) {
		g_string_append(text, param_is_any(param) ? "May be given more than once."
							  : "May be given more than once, or with several values "
							    "separated by commas.");
	}
	if (param->type != PARAM_BOOL && strcmp(param->default_text, "none") != 0) {
		g_string_append_printf(text, "%sDefault: %s.", text->len > 0 ? " " : "", param->default_text);
	}
	return g_string_free(text, FALSE);
}

/* The help of ros2-latency explains all choices; that of a subcommand only lists those of an array, which are many. */
static void append_param_help(GString *help, const struct command_line *line, const struct param *param)
{
	g_autofree char *name = param_option_name(param), *value = value_name(param), *closing = param_closing(param);
	g_auto(GStrv) lines = g_strsplit(param->help, "\n", -1);
	const char *sentences = lines[0];
	bool has_choices = lines[1] != NULL;

	if (param->type == PARAM_BOOL) {
		g_string_append_printf(help, "  --%s\n", name);
	} else {
		g_string_append_printf(help, "  --%s=%s\n", name, value);
	}
	if (!has_choices) {
		g_autofree char *text = g_strconcat(sentences, closing[0] == '\0' ? "" : " ", closing, NULL);

		append_words(help, text, 0, HELP_INDENT);
		return;
	}
	append_words(help, sentences, 0, HELP_INDENT);
	if (is_array(param) && line->params) {
		append_choices(help, param->allowed);
	} else {
		append_explained_choices(help, lines + 1);
	}
	append_words(help, closing, 0, HELP_INDENT);
}

static void append_own_help(GString *help, const struct own_option *own)
{
	g_autofree char *choices = own->choices ? own->choices() : NULL;
	const char *value = own->value ? own->value : "";

	if (!own->name) {
		g_string_append_printf(help, "  -%c\n", own->number);
	} else if (own->number <= CHAR_MAX) {
		g_string_append_printf(help, "  -%c, --%s\n", own->number, own->name);
	} else {
		g_string_append_printf(help, "  --%s%s%s\n", own->name, own->value ? "=" : "", value);
	}
	append_words(help, own->help, 0, HELP_INDENT);
	if (choices) {
		append_choices(help, choices);
	}
}

char *command_line_help(const struct command_line *line)
{
	GString *help = g_string_new(line->usage);
	const struct own_option *own;

	for (size_t i = 0; i < PARAM_COUNT; i++) {
		if (is_taken(line, &params[i])) {
			append_param_help(help, line, &params[i]);
		}
	}
	for (size_t i = 0; (own = own_option_at(line, i)); i++) {
		append_own_help(help, own);
	}
	g_string_append(help, line->closing);
	return g_string_free(help, FALSE);
}

/* The names of all options, as a list of words. */
static char *all_names(const struct command_line *line)
{
	GString *names = g_string_new(NULL);
	const struct own_option *own;

	for (size_t i = 0; i < PARAM_COUNT; i++) {
		if (is_taken(line, &params[i])) {
			g_autofree char *name = param_option_name(&params[i]);

			g_string_append_printf(names, "--%s ", name);
		}
	}
	for (size_t i = 0; (own = own_option_at(line, i)); i++) {
		if (own->name) {
			g_string_append_printf(names, "--%s ", own->name);
		}
	}
	g_string_truncate(names, names->len - 1);
	return g_string_free(names, FALSE);
}

char *command_line_brief(const struct command_line *line)
{
	GString *text = g_string_new(line->brief ? line->brief : line->usage);
	g_autofree char *names = all_names(line);

	if (!line->brief) {
		append_words(text, names, 0, HELP_NAMES);
		g_string_append_printf(text, "\n%s --help explains them.\n", line->name);
	}
	return g_string_free(text, FALSE);
}
