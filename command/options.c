/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <getopt.h>
#include <string.h>

#include "core/bt/own.h"

#define USAGE "Usage: ros2-latency [OPTION]... TRACE...\n"

static const struct param params[] = { SESSION_PARAMS(PARAM_ROW) };

/* Short names and numbers of the command's own options; those of parameters are numbered from OPTION_PARAM. */
enum {
	OPTION_READER = 256,
	OPTION_PARAM,
};

static const struct own_option {
	const char *name;
	int number;
	const char *value; /* NULL: takes none */
	const char *help;
} own_options[] = {
	{ "reader", OPTION_READER, "auto|fast|babeltrace2",
	  "what reads the traces: `fast` reads the files of LTTng-UST itself and refuses what it does not know "
	  "exactly, "
	  "`auto` (the default) is `fast`, or `babeltrace2` for what `fast` refuses" },
	{ "verbose", 'v', NULL, "report on standard error which reader is used and why" },
	{ "help", 'h', NULL, "show this text and exit" },
	{ "version", 'V', NULL, "show the version and exit" },
};

#define OPTION_COUNT (G_N_ELEMENTS(params) + G_N_ELEMENTS(own_options))

static bool is_array(const struct param *param)
{
	return param->type == PARAM_STRINGS || param->type == PARAM_REALS;
}

static struct option *long_options(GPtrArray *names)
{
	struct option *options = g_new0(struct option, OPTION_COUNT + 1);
	size_t count = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(params); i++) {
		char *name = param_option_name(&params[i]);

		g_ptr_array_add(names, name);
		options[count++] = (struct option){
			.name = name,
			.has_arg = params[i].type == PARAM_BOOL ? no_argument : required_argument,
			.val = OPTION_PARAM + (int)i,
		};
	}
	for (size_t i = 0; i < G_N_ELEMENTS(own_options); i++) {
		options[count++] = (struct option){
			.name = own_options[i].name,
			.has_arg = own_options[i].value ? required_argument : no_argument,
			.val = own_options[i].number,
		};
	}
	return options;
}

static bool refuse_value(GError **error, const char *option, const char *value, const char *allowed)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s cannot be \"%s\": expected %s", option,
		    value, allowed);
	return false;
}

static bool read_reader(enum reader_choice *reader, const char *value, GError **error)
{
	static const char *const names[] = {
		[READER_AUTO] = "auto", [READER_FAST] = "fast", [READER_BABELTRACE2] = "babeltrace2"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(value, names[i]) == 0) {
			*reader = (enum reader_choice)i;
			return true;
		}
	}
	return refuse_value(error, "reader", value, own_options[0].value);
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
		return refuse_value(error, param->key, text, "ns since the Unix epoch");
	}
	bt_value_map_insert_signed_integer_entry(values, param->key, integer);
	return true;
}

static bool add_integer(bt_value *values, const struct param *param, const char *text, GError **error)
{
	gint64 integer;

	if (!g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &integer, NULL)) {
		return refuse_value(error, param->key, text, param->allowed);
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

		return refuse_value(error, name, text, "a number");
	}
	bt_value_array_append_real_element(array_of(values, param), real);
	return true;
}

/* One value of an array, or several separated by commas where an item has none. */
static bool add_items(bt_value *values, const struct param *param, const char *text, GError **error)
{
	bool may_have_commas = strcmp(param->allowed, "any") == 0;
	g_auto(GStrv) items = g_strsplit(text, ",", may_have_commas ? 1 : 0);

	if (!items[0]) {
		g_autofree char *name = param_option_name(param);

		return refuse_value(error, name, text, param->allowed);
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

static bool read_option(struct command_options *options, bt_value *values, int number, GError **error)
{
	switch (number) {
	case OPTION_READER:
		return read_reader(&options->reader, optarg, error);
	case 'v':
		options->is_verbose = true;
		return true;
	case 'h':
		options->is_help = true;
		return true;
	case 'V':
		options->is_version = true;
		return true;
	default:
		if (number >= OPTION_PARAM) {
			return add_param(values, &params[number - OPTION_PARAM], optarg, error);
		}
		/* getopt has printed what is wrong */
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "");
		return false;
	}
}

bool command_options_read(struct command_options *options, int argc, char **argv, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree struct option *table = long_options(names);
	g_autoptr(bt_value) values = bt_value_map_create();
	int number;

	*options = (struct command_options){ .reader = READER_AUTO };
	while ((number = getopt_long(argc, argv, "vhV", table, NULL)) != -1) {
		if (!read_option(options, values, number, error)) {
			return false;
		}
		if (options->is_help || options->is_version) {
			return true;
		}
	}
	options->paths = (const char *const *)argv + optind;
	options->path_count = (size_t)(argc - optind);
	if (options->path_count == 0) {
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
				    "no TRACE given: name a directory that holds one");
		return false;
	}
	return session_params_read(&options->latency, values, true, error);
}

void command_options_clear(struct command_options *options)
{
	session_params_clear(&options->latency);
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

char *command_options_help(void)
{
	GString *help = g_string_new(
		USAGE
		"\nReports the latencies of callbacks, communications and paths of the ROS 2 systems in LTTng traces.\n"
		"TRACE is a directory with traces somewhere below it; several are read as one "
		"recording.\n\nOptions:\n");

	for (size_t i = 0; i < G_N_ELEMENTS(params); i++) {
		append_param_help(help, &params[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(own_options); i++) {
		g_autofree char *option =
			g_strdup_printf("--%s%s%s", own_options[i].name, own_options[i].value ? "=" : "",
					own_options[i].value ? own_options[i].value : "");

		append_help(help, option, own_options[i].help);
	}
	g_string_append(help,
			"\nExit status: 0 everything was read and reported, 1 something could not be read or "
			"written, 2 the command\nline is wrong, 3 there is nothing to report: no ROS 2 events, or "
			"none in the range.\n");
	return g_string_free(help, FALSE);
}
