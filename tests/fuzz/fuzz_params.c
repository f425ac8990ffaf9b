/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: the parameters of sink.ros2.latency and of a made-up component with a parameter of each type, from maps of
 * any values; and the options of the command. Accepted values must be within what the tables allow.
 */
#include <getopt.h>
#include <math.h>
#include <unistd.h>

#include "command/commands.h"
#include "fuzz_input.h"
#include "ros2bt/bt/given_params.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/flow/link_rules.h"
#include "ros2bt/session/session_params.h"

#define EVERY_PARAMS(PARAM)                                                                                            \
	PARAM(bool, BOOL, "yes", "any", "")                                                                            \
	PARAM(integer, INTEGER, "7", "-5..100", "")                                                                    \
	PARAM(real, REAL, "0.5", "-1..1", "")                                                                          \
	PARAM(string, STRING, "b", "a|b|c", "")                                                                        \
	PARAM(duration, DURATION, "2s", "any", "")                                                                     \
	PARAM(either, STRING_OR_INTEGER, "none", "any", "")                                                            \
	PARAM(strings, STRINGS, "a,c", "a|b|c", "")                                                                    \
	PARAM(reals, REALS, "0,1", "0..1", "")

static const struct param every_rows[] = { EVERY_PARAMS(PARAM_ROW) };

static const char *const keys[] = {
	"format", "output",  "tables", "instances", "quantiles", "begin",  "end",     "links", "worst",
	"bool",	  "integer", "real",   "string",    "duration",	 "either", "strings", "reals",
};

static const char *const texts[] = {
	"text",	       "csv", "json", "callbacks", "communications",	   "paths",
	"diagnostics", "a",   "b",    "1ms",	   "2024-02-29 12:00:00Z", "/a: /b -> /c: partial_sync",
};

#define DEPTH_MAX 4
#define ITEMS_MAX 6

static char *choose_text(struct fuzz_input *input)
{
	uint8_t choice = fuzz_input_byte(input);

	return choice < G_N_ELEMENTS(texts) ? g_strdup(texts[choice]) : fuzz_input_text(input);
}

/* Not any text: libbabeltrace2 never frees the keys of maps. */
static char *choose_key(struct fuzz_input *input)
{
	uint8_t choice = fuzz_input_byte(input);

	return choice < 250 ? g_strdup(keys[choice % G_N_ELEMENTS(keys)]) : g_strdup_printf("k\xff%u", choice);
}

static double any_real(struct fuzz_input *input)
{
	uint64_t word = fuzz_input_word(input);
	double real;

	memcpy(&real, &word, sizeof(real));
	return real;
}

static bt_value *any_map(struct fuzz_input *input, unsigned int depth);

static bt_value *any_value(struct fuzz_input *input, unsigned int depth);

static bt_value *any_array(struct fuzz_input *input, unsigned int depth)
{
	bt_value *array = bt_value_array_create();

	for (unsigned int count = fuzz_input_byte(input) % ITEMS_MAX; count > 0; count--) {
		g_autoptr(bt_value) item = any_value(input, depth + 1);

		bt_value_array_append_element(array, item);
	}
	return array;
}

static bt_value *any_value(struct fuzz_input *input, unsigned int depth)
{
	g_autofree char *text = NULL;

	switch (fuzz_input_byte(input) % (depth < DEPTH_MAX ? 9 : 7)) {
	case 0:
		return bt_value_bool_create_init(fuzz_input_byte(input) & 1);
	case 1:
		return bt_value_integer_signed_create_init((int8_t)fuzz_input_byte(input));
	case 2:
		return bt_value_integer_signed_create_init((int64_t)fuzz_input_word(input));
	case 3:
		return bt_value_integer_unsigned_create_init(fuzz_input_word(input));
	case 4:
		return bt_value_real_create_init(any_real(input));
	case 5:
		bt_value_get_ref(bt_value_null);
		return bt_value_null;
	case 6:
		text = choose_text(input);
		return bt_value_string_create_init(text);
	case 7:
		return any_array(input, depth);
	default:
		return any_map(input, depth);
	}
}

static bt_value *any_map(struct fuzz_input *input, unsigned int depth)
{
	bt_value *map = bt_value_map_create();

	for (unsigned int count = fuzz_input_byte(input) % ITEMS_MAX; count > 0; count--) {
		g_autofree char *key = choose_key(input);
		g_autoptr(bt_value) value = any_value(input, depth + 1);

		bt_value_map_insert_entry(map, key, value);
	}
	return map;
}

static void check_selections(const char *const *selections)
{
	static const char *const allowed[] = { "callbacks", "communications", "paths", "diagnostics", NULL };

	for (size_t i = 0; selections && selections[i]; i++) {
		FUZZ_MUST(g_strv_contains(allowed, selections[i]), "%s", selections[i]);
	}
}

static void check_latency(const struct session_params *params)
{
	const struct analysis_options *options = &params->options;

	FUZZ_MUST(params->report.format, "no format");
	check_selections(params->report.tables);
	for (size_t i = 0; i < params->report.quantile_count; i++) {
		FUZZ_MUST(params->report.quantiles[i] >= 0 && params->report.quantiles[i] <= 1, "%f",
			  params->report.quantiles[i]);
	}
	FUZZ_MUST(!options->range.has_begin || !options->range.has_end ||
			  options->range.begin.origin != MOMENT_FROM_EPOCH ||
			  options->range.end.origin != MOMENT_FROM_EPOCH ||
			  options->range.begin.ns <= options->range.end.ns,
		  "begin after end");
	FUZZ_MUST(options->worst <= 1000 && params->report.has_worst == (options->worst > 0), "%u", options->worst);
	for (size_t i = 0; i < options->link_count; i++) {
		FUZZ_MUST(options->links[i].node[0] == '/', "%s", options->links[i].text);
	}
}

static void check_sink(const bt_value *map)
{
	g_autoptr(param_values) values = given_params(map);
	struct session_params params;
	g_autoptr(GError) error = NULL;

	if (session_params_read(&params, values, false, &error)) {
		FUZZ_MUST(!error, "%s", error->message);
		check_latency(&params);
	} else {
		FUZZ_MUST(error, "refused without a reason");
	}
	session_params_clear(&params);
}

static bool is_choice(const char *text)
{
	return strlen(text) == 1 && strchr("abc", text[0]);
}

static void check_every(const bt_value *map)
{
	g_autoptr(param_values) values = given_params(map);
	const struct params params = { every_rows, G_N_ELEMENTS(every_rows), values, false };
	g_autofree char *problem = params_check(&params);
	g_auto(GStrv) strings = NULL;
	g_autofree double *reals = NULL;
	size_t count;
	double real;

	if (problem) {
		return;
	}
	(void)params_bool(&params, "bool");
	FUZZ_MUST(params_integer(&params, "integer") >= -5 && params_integer(&params, "integer") <= 100, " ");
	real = params_real(&params, "real");
	FUZZ_MUST(real >= -1 && real <= 1, "%f", real);
	FUZZ_MUST(is_choice(params_string(&params, "string")), " ");
	FUZZ_MUST(params_duration_ns(&params, "duration") >= 0, " ");
	strings = params_strings(&params, "strings");
	for (size_t i = 0; strings[i]; i++) {
		FUZZ_MUST(is_choice(strings[i]), "%s", strings[i]);
	}
	reals = params_reals(&params, "reals", &count);
	for (size_t i = 0; i < count; i++) {
		FUZZ_MUST(reals[i] >= 0 && reals[i] <= 1, "%f", reals[i]);
	}
}

/* A word of the command line: an option, an option with its value in the same word, or anything. */
static char *any_argument(struct fuzz_input *input)
{
	static const char *const options[] = {
		"--format",  "--output", "--table", "--instances", "--quantile", "--begin",
		"--end",     "--link",	 "--worst", "--reader",	   "--verbose",	 "--help",
		"--version", "-v",	 "-h",	    "--",	   "--q",
	};
	uint8_t choice = fuzz_input_byte(input);
	const char *option = options[choice % G_N_ELEMENTS(options)];
	g_autofree char *text = NULL;

	if (choice < 64) {
		return g_strdup(option);
	}
	text = choose_text(input);
	return choice < 160 ? g_strconcat(option, "=", text, NULL) : g_steal_pointer(&text);
}

static void check_command_line(struct fuzz_input *input)
{
	g_autofree struct command_options *options = g_malloc0(report_command.options_size);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
	g_autofree char **moved = NULL;

	g_ptr_array_add(arguments, g_strdup("ros2-latency"));
	while (input->size > 0) {
		g_ptr_array_add(arguments, any_argument(input));
	}
	/* getopt_long() puts the words into another order */
	moved = g_memdup2(arguments->pdata, arguments->len * sizeof(gpointer));
	moved = g_realloc_n(moved, arguments->len + 1, sizeof(gpointer));
	moved[arguments->len] = NULL;
	optind = 0;
	opterr = 0;
	if (!command_read(&report_command, options, (int)arguments->len, moved, &error)) {
		FUZZ_MUST(error, "refused without a reason");
	} else if (!options->is_help && !options->is_version) {
		FUZZ_MUST(options->path_count > 0 && options->path_count < arguments->len, "%zu", options->path_count);
		check_latency(&options->params);
	}
	command_clear(&report_command, options);
}

/* The first byte: what is checked. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz_input input = { bytes, size };
	bool is_command = fuzz_input_byte(&input) & 1;

	if (is_command) {
		check_command_line(&input);
	} else {
		g_autoptr(bt_value) map = any_map(&input, 0);

		check_sink(map);
		check_every(map);
	}
	return 0;
}
