/* SPDX-License-Identifier: MIT */
/* ros2-latency compare: what changed from some recordings to others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/run.h"
#include "core/compare/comparison_tables.h"
#include "ros2bt/report.h"

#define NAME "ros2-latency compare"
#define LEAST_PERCENT 5.0

enum {
	OPTION_LEAST = COMMAND_LINE_OWN,
	OPTION_FAIL_ON,
	OPTION_OF,
	OPTION_TABLE,
};

struct compare_options {
	struct command_options command;
	double least_percent;
	GArray *limits;		     /* struct change_limit */
	GPtrArray *sources;	     /* char *, owned: the tables to compare; empty: those that every recording has */
	GPtrArray *tables;	     /* char *, owned: the tables to write; empty: all */
	const char *const *compared; /* the sources, ended by NULL; NULL: none given */
	const char *const *recordings[COMPARISON_SIDES]; /* borrowed from argv */
	size_t recording_counts[COMPARISON_SIDES];
};

/* The tables with statistics, separated by `|`; to be freed. */
static char *comparable_tables(void)
{
	const struct table_schema *const *schemas = session_tables();
	g_autoptr(GString) names = g_string_new(NULL);

	for (size_t i = 0; schemas[i]; i++) {
		if (block_series_takes(schemas[i])) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? "|" : "", schemas[i]->name);
		}
	}
	return g_string_free(g_steal_pointer(&names), FALSE);
}

static const struct own_option own_options[] = {
	{ .name = "least",
	  .number = OPTION_LEAST,
	  .value = "PERCENT",
	  .help = "Ignore changes that are smaller. Default: 5." },
	{ .name = "of",
	  .number = OPTION_OF,
	  .value = "TABLE",
	  .help = "Compare this table. May be given more than once. Default: callbacks, communications and paths. "
		  "Tables with statistics are:",
	  .choices = comparable_tables },
	{ .name = "fail-on",
	  .number = OPTION_FAIL_ON,
	  .value = "CHANGE",
	  .help = "Exit with 4 if a figure changed by more than this, such as 'paths.latency_p99 > +10 %' or "
		  "'callbacks.rate < -5 %'. May be given more than once." },
	{ .name = "table",
	  .number = OPTION_TABLE,
	  .value = COMPARISON_TABLES(COMPARISON_TABLE_NAME, "|"),
	  .help = "Write only these tables: " COMPARISON_TABLES(
		  COMPARISON_TABLE_HELP,
		  ", ") ". May be given more than "
			"once, or with several values separated by commas. Default: all, in text all except figures." },
};

/* Whether the value of an option names one of the choices. False with an error that lists them. */
static bool check_choice(const char *option, const char *value, const char *name, const char *choices, GError **error)
{
	g_auto(GStrv) names = g_strsplit(choices, "|", -1);

	return g_strv_contains((const char *const *)names, name) || command_line_refuse(error, option, value, choices);
}

/* The same for a table that can be compared. */
static bool check_source(const char *option, const char *value, const char *name, GError **error)
{
	g_autofree char *choices = comparable_tables();

	return check_choice(option, value, name, choices, error);
}

static bool take_percent(struct compare_options *options, const char *value, GError **error)
{
	char *end;

	options->least_percent = g_ascii_strtod(value, &end);
	return (end != value && *end == '\0' && options->least_percent >= 0 && isfinite(options->least_percent)) ||
	       command_line_refuse(error, "least", value, "a percentage, 0 or more");
}

static bool take_limit(struct compare_options *options, const char *value, GError **error)
{
	struct change_limit limit;

	if (!change_limit_parse(value, &limit)) {
		return command_line_refuse(error, "fail-on", value,
					   "TABLE.COLUMN > +PERCENT %, such as 'paths.latency_p99 > +10 %'");
	}
	g_array_append_val(options->limits, limit);
	return check_source("fail-on", value, limit.table, error);
}

static bool take_tables(const struct compare_options *options, const char *value, GError **error)
{
	g_auto(GStrv) names = g_strsplit(value, ",", 0);

	for (size_t i = 0; names[i]; i++) {
		if (!check_choice("table", names[i], names[i], COMPARISON_TABLES(COMPARISON_TABLE_NAME, "|"), error)) {
			return false;
		}
		g_ptr_array_add(options->tables, g_strdup(names[i]));
	}
	return true;
}

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct compare_options *options = data;

	switch (number) {
	case OPTION_LEAST:
		return take_percent(options, value, error);
	case OPTION_FAIL_ON:
		return take_limit(options, value, error);
	case OPTION_TABLE:
		return take_tables(options, value, error);
	default: /* OPTION_OF */
		g_ptr_array_add(options->sources, g_strdup(value));
		return check_source("of", value, value, error);
	}
}

/* The values of an option that may be given more than once; NULL: none. */
static const char *const *values_of(GPtrArray *values)
{
	if (values->len == 0) {
		return NULL;
	}
	g_ptr_array_add(values, NULL);
	return (const char *const *)values->pdata;
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct compare_options *options = data;
	struct report_options *report = &options->command.params.report;

	options->recordings[COMPARISON_BASE] = arguments->items;
	options->recording_counts[COMPARISON_BASE] = arguments->count;
	options->recordings[COMPARISON_NEW] = arguments->items_after;
	options->recording_counts[COMPARISON_NEW] = arguments->count_after;
	if (arguments->count == 0 || arguments->count_after == 0) {
		return command_refuse(error, "expected recordings on both sides of --: BASE... -- NEW...");
	}
	if (!command_shows_several(report->format)) {
		return command_refuse_format(report->format, command_shows_several, "a comparison", error);
	}
	if (!report->format->file && !report->directory && options->tables->len != 1) {
		return command_refuse(error,
				      "a comparison in csv is several tables: choose one with --table, or name a "
				      "directory with --output");
	}
	options->compared = values_of(options->sources);
	report->tables = values_of(options->tables);
	return true;
}

/* --- reading --- */

struct watched {
	struct session *session;
	struct block_series *series;
};

static int64_t reached(void *data, int64_t time_ns)
{
	const struct watched *watched = data;

	while (block_series_is_due(watched->series, time_ns)) {
		block_series_end_block(watched->series);
		session_write(watched->session);
	}
	return block_series_due_ns(watched->series);
}

static void ends(void *data)
{
	const struct watched *watched = data;

	block_series_finish(watched->series, session_describe(watched->session).end_ns);
}

static int read_recording(const struct compare_options *options, const char *path, struct block_series *series)
{
	struct command_options command = options->command;
	struct session *session = session_create_for_tables(NULL, &options->command.params.options,
							    block_series_tables(series, options->compared));
	struct watched watched = { session, series };
	struct run_watcher watcher = { INT64_MIN, reached, ends, &watched };
	int status;

	command.paths = &path;
	command.path_count = 1;
	status = run_recording_watched(&command, session, &watcher, NULL);
	session_destroy(session);
	return status;
}

static void series_destroy(gpointer series)
{
	block_series_destroy(series);
}

/* Returns the first status other than success. */
static int read_side(const struct compare_options *options, enum comparison_side side, GPtrArray *all)
{
	for (size_t i = 0; i < options->recording_counts[side]; i++) {
		struct block_series *series = block_series_create();
		int status = read_recording(options, options->recordings[side][i], series);

		g_ptr_array_add(all, series);
		if (status != EXIT_SUCCESS) {
			return status;
		}
	}
	return EXIT_SUCCESS;
}

/* --- writing --- */

static char *subject_of(const struct compare_options *options, const struct comparison *comparison)
{
	guint figures = comparison->changed + comparison->unchanged + comparison->unknown;
	g_autofree char *result =
		figures > 0 ? g_strdup_printf("of %u figures %u changed, %u did not, %u have too few samples", figures,
					      comparison->changed, comparison->unchanged, comparison->unknown)
			    : g_strdup("nothing in common, no row is on both sides");

	return g_strdup_printf("%zu recording%s before, %zu after: %s", options->recording_counts[COMPARISON_BASE],
			       options->recording_counts[COMPARISON_BASE] == 1 ? "" : "s",
			       options->recording_counts[COMPARISON_NEW], result);
}

static bool write_report(const struct compare_options *options, const struct comparison *comparison, GError **error)
{
	struct report *report = report_create(&options->command.params.report, error);
	g_autofree char *subject = subject_of(options, comparison);
	const struct report_trace trace = { .subject = subject, .is_in_range = true };
	bool is_written;

	if (!report) {
		return false;
	}
	comparison_write(comparison, report_tables(report));
	is_written = command_finish_report(report, &trace, error);
	report_destroy(report);
	return is_written;
}

static int check_limits(const struct compare_options *options, const struct comparison *comparison)
{
	int status = EXIT_SUCCESS;

	for (guint i = 0; i < options->limits->len; i++) {
		const struct change_limit *limit = &g_array_index(options->limits, struct change_limit, i);
		guint matched, exceeded = change_limit_count(limit, comparison, &matched);

		if (exceeded > 0) {
			fprintf(stderr, NAME ": %u of %u figures changed by more than %s.%s %c %+g %%\n", exceeded,
				matched, limit->table, limit->figure, limit->is_decrease ? '<' : '>', limit->percent);
			status = EXIT_BROKEN;
		} else if (matched == 0 && status != EXIT_BROKEN) {
			fprintf(stderr, NAME ": no figure with enough samples for %s.%s\n", limit->table,
				limit->figure);
			status = EXIT_UNDECIDED;
		}
	}
	return status;
}

static int compare(void *data, GError **error)
{
	const struct compare_options *options = data;
	g_autoptr(GPtrArray) base = g_ptr_array_new_with_free_func(series_destroy);
	g_autoptr(GPtrArray) new = g_ptr_array_new_with_free_func(series_destroy);
	GPtrArray *const sides[] = { base, new };
	struct comparison *comparison;
	int status;

	catch_signals();
	status = read_side(options, COMPARISON_BASE, base);
	status = status == EXIT_SUCCESS ? read_side(options, COMPARISON_NEW, new) : status;
	if (status != EXIT_SUCCESS) {
		return status;
	}
	comparison = comparison_create(sides, options->least_percent);
	status = write_report(options, comparison, error) ? check_limits(options, comparison) : EXIT_NOT_READ;
	comparison_destroy(comparison);
	return status;
}

static void limit_clear(gpointer limit)
{
	change_limit_clear(limit);
}

static void initialize(void *data)
{
	struct compare_options *options = data;

	options->least_percent = LEAST_PERCENT;
	options->limits = g_array_new(FALSE, FALSE, sizeof(struct change_limit));
	g_array_set_clear_func(options->limits, limit_clear);
	options->sources = g_ptr_array_new_with_free_func(g_free);
	options->tables = g_ptr_array_new_with_free_func(g_free);
}

static void clear(void *data)
{
	const struct compare_options *options = data;

	g_array_unref(options->limits);
	g_ptr_array_unref(options->sources);
	g_ptr_array_unref(options->tables);
}

static const char *const params[] = { "format",	       "output",       "begin",	      "end",	  "clocks",
				      "links",	       "architecture", "named-paths", "contexts", "first-callback",
				      "last-callback", "points",       "top",	      NULL };

const struct command compare_command = {
	.line = {
		.name = NAME,
	.usage = "Usage: ros2-latency compare [OPTION]... BASE... -- NEW...\n"
		 "\nReports what changed from the recordings BASE to the recordings NEW: the means, medians and p99s, the "
		 "rates\nand the losses of rows with the same names. See docs/compare.md.\n\nOptions:\n",
	.closing = "\n"
		   "Exit status: 0 compared, 1 a recording could not be read, 2 the command line is wrong, 3 a "
		   "recording has\n"
		   "nothing to report, 4 a change exceeds --fail-on, 5 there is nothing that --fail-on could be "
		   "decided on.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.options_size = sizeof(struct compare_options),
	.has_two_sides = true,
	.initialize = initialize,
	.take = take_option,
	.read = read_arguments,
	.run = compare,
	.clear = clear,
};
