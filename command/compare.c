/* SPDX-License-Identifier: MIT */
/* ros2-latency compare: what changed from some recordings to others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/run.h"
#include "ros2bt/output/report.h"
#include "ros2bt/reports/change_limit.h"
#include "ros2bt/reports/comparison_page.h"
#include "ros2bt/reports/comparison_tables.h"

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
	GArray *limits;	    /* struct change_limit */
	GPtrArray *sources; /* char *, owned: the tables to compare; those that every recording has, if none is given */
	GPtrArray *tables;  /* char *, owned: the tables to write; empty: all */
	const char *const *compared;			 /* the sources, ended by NULL */
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
	  .help = "Compare this table, and those that --fail-on names. May be given more than once. Default: callbacks, "
		  "communications and paths. Tables with statistics are:",
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
	g_autofree char *expected = NULL;
	struct change_limit limit;

	if (!change_limit_parse(value, session_tables(), &limit, &expected)) {
		return command_line_refuse(error, "fail-on", value, expected);
	}
	g_array_append_val(options->limits, limit);
	return true;
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

/* The tables to compare: those given, else those that every recording has; and those that limits name. */
static const char *const *choose_sources(struct compare_options *options)
{
	const struct table_schema *const *schemas = session_tables();
	bool are_given = options->sources->len > 0;

	for (size_t i = 0; schemas[i] && !are_given; i++) {
		if (block_series_takes(schemas[i]) && schemas[i]->presence != PRESENT_IF_ANY) {
			g_ptr_array_add(options->sources, g_strdup(schemas[i]->name));
		}
	}
	for (guint i = 0; i < options->limits->len; i++) {
		g_ptr_array_add(options->sources,
				g_strdup(g_array_index(options->limits, struct change_limit, i).table));
	}
	return values_of(options->sources);
}

static void add_all_tables(const struct compare_options *options)
{
	for (size_t i = 0; comparison_tables[i]; i++) {
		g_ptr_array_add(options->tables, g_strdup(comparison_tables[i]->name));
	}
}

/* The page for a browser, which is not an output of tables. */
static bool is_page(const struct output_class *format)
{
	return format->has_page_of_comparison;
}

static bool can_show(const struct output_class *format)
{
	return command_shows_several(format) || is_page(format);
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
	if (!can_show(report->format)) {
		return command_refuse_format(report->format, can_show, "a comparison", error);
	}
	if (is_page(report->format) && options->tables->len > 0) {
		return command_refuse(error, "a page shows all tables: leave out --table, or choose another --format");
	}
	if (is_page(report->format) && !command_check_page(report, error)) {
		return false;
	}
	if (!report->format->file && !report->directory && options->tables->len != 1) {
		return command_refuse(error,
				      "a comparison in csv is several tables: choose one with --table, or name a "
				      "directory with --output");
	}
	options->compared = choose_sources(options);
	if (options->tables->len == 0 && !report->format->leaves_out_optional) {
		add_all_tables(options); /* programs find each of them, even without rows */
	}
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

/* What is known of all recordings together. */
struct subjects {
	GPtrArray *hostnames, *missing; /* char *, owned */
	uint64_t trace_count, process_count;
};

static void add_subject(struct subjects *subjects, const char *path, const struct report_trace *trace)
{
	for (size_t i = 0; i < trace->hostname_count; i++) {
		if (!g_ptr_array_find_with_equal_func(subjects->hostnames, trace->hostnames[i], g_str_equal, NULL)) {
			g_ptr_array_add(subjects->hostnames, g_strdup(trace->hostnames[i]));
		}
	}
	for (size_t i = 0; i < trace->missing_count; i++) {
		const char *reason = trace->missing[i];

		g_ptr_array_add(subjects->missing,
				strstr(reason, path) ? g_strdup(reason) : g_strdup_printf("%s: %s", path, reason));
	}
	subjects->trace_count += trace->trace_count;
	subjects->process_count += trace->process_count;
}

/* *is_usable: something was read that can be compared, though maybe not all. Returns the exit status. */
static int read_recording(const struct compare_options *options, const char *path, struct block_series *series,
			  struct subjects *subjects, bool *is_usable)
{
	struct command_options command = options->command;
	struct session *session = session_create_for_tables(NULL, &options->command.params.options,
							    block_series_tables(series, options->compared));
	struct watched watched = { session, series };
	struct run_watcher watcher = { INT64_MIN, reached, ends, &watched };
	struct report_trace trace;
	int status;

	command.paths = &path;
	command.path_count = 1;
	status = run_recording_watched(&command, session, &watcher, NULL);
	trace = session_describe(session);
	*is_usable = status == EXIT_SUCCESS ||
		     (status == EXIT_NOT_READ && !is_interrupted() && session_has_finished(session) &&
		      trace.missing_count > 0 && trace.has_runtime_events);
	add_subject(subjects, path, &trace);
	session_destroy(session);
	return status;
}

/* Returns the first status other than success; reading goes on if the recording was read in part. */
static int read_side(const struct compare_options *options, enum comparison_side side, GPtrArray *all,
		     struct subjects *subjects, bool *is_usable)
{
	int first = EXIT_SUCCESS;

	for (size_t i = 0; i < options->recording_counts[side] && *is_usable; i++) {
		struct block_series *series = block_series_create();
		int status = read_recording(options, options->recordings[side][i], series, subjects, is_usable);

		g_ptr_array_add(all, series);
		first = first == EXIT_SUCCESS || !*is_usable ? status : first;
	}
	return first;
}

/* --- writing --- */

/* A limit below it asks for smaller changes. */
static double least_percent(const struct compare_options *options)
{
	double least = options->least_percent;

	for (guint i = 0; i < options->limits->len; i++) {
		least = MIN(least, fabs(g_array_index(options->limits, struct change_limit, i).percent));
	}
	return least;
}

static void append_verdicts(GString *text, const struct comparison *comparison)
{
	const guint *verdicts = comparison->verdicts;

	g_string_append_printf(text, "of %u figures %u changed, %u did not, %u have too few samples",
			       comparison->figures->len, verdicts[COMPARISON_CHANGED], verdicts[COMPARISON_UNCHANGED],
			       verdicts[COMPARISON_TOO_FEW]);
	if (verdicts[COMPARISON_DEPENDENT] > 0) {
		g_string_append_printf(text, ", %u too few independent ones", verdicts[COMPARISON_DEPENDENT]);
	}
}

static char *subject_of(const struct compare_options *options, const struct comparison *comparison)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%zu recording%s before, %zu after: ", options->recording_counts[COMPARISON_BASE],
			       options->recording_counts[COMPARISON_BASE] == 1 ? "" : "s",
			       options->recording_counts[COMPARISON_NEW]);
	if (comparison->figures->len > 0) {
		append_verdicts(text, comparison);
	} else {
		g_string_append(text, "nothing in common, no row is on both sides");
	}
	return g_string_free(text, FALSE);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct page {
	const struct comparison *comparison;
	const struct comparison_subject *subject;
};

static bool write_page(struct output_stream *stream, const void *data, GError **error)
{
	const struct page *page = data;

	return comparison_page_write(page->comparison, page->subject, stream, error);
}

static bool write_as_page(const struct compare_options *options, const struct comparison *comparison,
			  const struct report_trace *trace, GError **error)
{
	struct comparison_subject subject = { .trace = trace,
					      .limits = options->limits,
					      .least_percent = least_percent(options) };
	const struct page page = { comparison, &subject };

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		subject.recordings[side] = options->recordings[side];
		subject.recording_counts[side] = options->recording_counts[side];
	}
	return command_write_page(&options->command.params.report, write_page, &page, error);
}

static bool write_tables(const struct compare_options *options, const struct comparison *comparison,
			 const struct report_trace *trace, GError **error)
{
	struct report *report = report_create(&options->command.params.report, error);
	bool is_written;

	if (!report) {
		return false;
	}
	comparison_write(comparison, report_tables(report));
	is_written = command_finish_report(report, trace, error);
	report_destroy(report);
	return is_written;
}

static bool write_report(const struct compare_options *options, const struct comparison *comparison,
			 const struct subjects *subjects, GError **error)
{
	g_autofree char *subject = subject_of(options, comparison);
	const struct report_trace trace = {
		.subject = subject,
		.hostnames = (const char *const *)subjects->hostnames->pdata,
		.hostname_count = subjects->hostnames->len,
		.trace_count = subjects->trace_count,
		.process_count = subjects->process_count,
		.is_in_range = true,
		.missing = (const char *const *)subjects->missing->pdata,
		.missing_count = subjects->missing->len,
	};

	g_ptr_array_sort(subjects->hostnames, compare_names);
	return is_page(options->command.params.report.format) ? write_as_page(options, comparison, &trace, error)
							      : write_tables(options, comparison, &trace, error);
}

static int check_limit(const struct change_limit *limit, const struct comparison *comparison)
{
	static const int statuses[] = {
		[CHANGE_KEPT] = EXIT_SUCCESS,
		[CHANGE_UNDECIDED] = EXIT_UNDECIDED,
		[CHANGE_EXCEEDED] = EXIT_BROKEN,
	};
	struct change_outcome outcome = change_limit_check(limit, comparison);
	g_autofree char *reason = change_outcome_reason(&outcome, limit);

	if (reason) {
		fprintf(stderr, NAME ": %s\n", reason);
	}
	return statuses[change_outcome_verdict(&outcome)];
}

/* A broken limit is worse than one that is undecided. */
static int check_limits(const struct compare_options *options, const struct comparison *comparison)
{
	int worst = EXIT_SUCCESS;

	for (guint i = 0; i < options->limits->len; i++) {
		int status = check_limit(&g_array_index(options->limits, struct change_limit, i), comparison);

		worst = worst == EXIT_BROKEN || status == EXIT_SUCCESS ? worst : status;
	}
	return worst;
}

static int compare_sides(const struct compare_options *options, GPtrArray *const sides[COMPARISON_SIDES],
			 const struct subjects *subjects, GError **error)
{
	struct comparison *comparison =
		comparison_create(sides, least_percent(options), is_page(options->command.params.report.format));
	int status =
		write_report(options, comparison, subjects, error) ? check_limits(options, comparison) : EXIT_NOT_READ;

	comparison_destroy(comparison);
	return status;
}

static int compare(void *data, GError **error)
{
	const struct compare_options *options = data;
	g_autoptr(GPtrArray) base = g_ptr_array_new_with_free_func((GDestroyNotify)block_series_destroy);
	g_autoptr(GPtrArray) new = g_ptr_array_new_with_free_func((GDestroyNotify)block_series_destroy);
	g_autoptr(GPtrArray) hostnames = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) missing = g_ptr_array_new_with_free_func(g_free);
	struct subjects subjects = { .hostnames = hostnames, .missing = missing };
	GPtrArray *const sides[] = { base, new };
	int statuses[COMPARISON_SIDES] = { EXIT_SUCCESS, EXIT_SUCCESS }, status;
	bool is_usable = true;

	catch_signals();
	for (int side = 0; side < COMPARISON_SIDES && is_usable; side++) {
		statuses[side] = read_side(options, (enum comparison_side)side, sides[side], &subjects, &is_usable);
	}
	status = statuses[COMPARISON_NEW] != EXIT_SUCCESS ? statuses[COMPARISON_NEW] : statuses[COMPARISON_BASE];
	if (is_usable) {
		int compared = compare_sides(options, sides, &subjects, error);

		/* what was read in part passes no limit */
		status = status == EXIT_SUCCESS ? compared : status;
	}
	return status;
}

static void initialize(void *data)
{
	struct compare_options *options = data;

	options->least_percent = LEAST_PERCENT;
	options->limits = g_array_new(FALSE, FALSE, sizeof(struct change_limit));
	g_array_set_clear_func(options->limits, (GDestroyNotify)change_limit_clear);
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
		   "Exit status: 0 compared, 1 a recording could not be read, or only in part, 2 the command line is "
		   "wrong,\n"
		   "3 a recording has nothing to report, 4 a change exceeds --fail-on, 5 --fail-on cannot be decided: a "
		   "row is\n"
		   "on one side only, or too few samples are independent.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.takes_traces = true,
	.options_size = sizeof(struct compare_options),
	.has_two_sides = true,
	.initialize = initialize,
	.take = take_option,
	.read = read_arguments,
	.run = compare,
	.clear = clear,
};
