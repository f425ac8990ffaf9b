/* SPDX-License-Identifier: MIT */
/* ros2-latency merge: the reports of many recordings as one. */
#include <stdio.h>
#include <stdlib.h>

#include "command/commands.h"
#include "ros2bt/output/report.h"
#include "ros2bt/reports/fleet.h"
#include "ros2bt/reports/merged_table.h"

#define NAME "ros2-latency merge"
#define MANIFEST_COLUMN "report"
#define SHOWN_PROBLEMS 5 /* in the report; all are in the table of reports */

enum {
	OPTION_MANIFEST = COMMAND_LINE_OWN,
	OPTION_BY,
	OPTION_ROBOT,
	OPTION_COLUMNS,
};

struct merge_options {
	struct command_options command; /* its paths are the reports */
	const char *manifest;
	char **by; /* owned; NULL: all */
	const char *robot;
	bool is_columns;
};

/* The state of a merge. */
struct merge_run {
	GPtrArray *problems; /* char *, owned: a line for each report that is not merged as a whole */
	size_t partial_count;
	bool has_refused;
};

static const struct own_option own_options[] = {
	{ .name = "manifest",
	  .number = OPTION_MANIFEST,
	  .value = "FILE",
	  .help = "A CSV file with a row for each report and a column report: its path, relative to the file. Every "
		  "other column is an attribute, such as robot or version. Without REPORT, all reports of the manifest "
		  "are merged." },
	{ .name = "by",
	  .number = OPTION_BY,
	  .value = "ATTRIBUTE",
	  .help = "Do not merge rows with different values of this attribute; --by= merges all rows. May be given more "
		  "than once, or with several names separated by commas. Default: all attributes of the manifest." },
	{ .name = "robot",
	  .number = OPTION_ROBOT,
	  .value = "ATTRIBUTE",
	  .help = "The attribute that names a robot; robots that are worse than the others are reported as outliers. "
		  "Default: robot, otherwise the first attribute." },
	{ .name = "columns",
	  .number = OPTION_COLUMNS,
	  .help = "List as CSV how the columns of each table are merged (name, sum, max, statistic), for programs that "
		  "merge the tables themselves, and exit." },
};

static void add_attributes(struct merge_options *options, const char *text)
{
	g_auto(GStrv) names = g_strsplit(text, ",", 0);
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (size_t i = 0; options->by && options->by[i]; i++) {
		g_ptr_array_add(all, options->by[i]);
	}
	for (size_t i = 0; names[i]; i++) {
		g_ptr_array_add(all, g_strdup(names[i]));
	}
	g_ptr_array_add(all, NULL);
	g_free(options->by);
	options->by = (char **)g_ptr_array_free(g_steal_pointer(&all), FALSE);
}

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct merge_options *options = data;

	switch (number) {
	case OPTION_MANIFEST:
		options->manifest = value;
		break;
	case OPTION_BY:
		add_attributes(options, value);
		break;
	case OPTION_ROBOT:
		options->robot = value;
		break;
	default: /* OPTION_COLUMNS */
		options->is_columns = true;
		break;
	}
	return true;
}

/* Whether a format needs no single executions. */
static bool can_show_merged(const struct output_class *format)
{
	return !format->takes_instances || format->takes_histograms;
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct merge_options *options = data;
	const struct report_options *report = &options->command.params.report;

	if (options->is_columns) {
		return true;
	}
	options->command.paths = arguments->items;
	options->command.path_count = arguments->count;
	if (arguments->count == 0 && !options->manifest) {
		return command_refuse(error, "no REPORT given: name directories that hold one, or a --manifest");
	}
	if (!can_show_merged(report->format)) {
		return command_refuse_format(report->format, can_show_merged,
					     "merged reports, which have no single executions", error);
	}
	if (!report->format->file && !report->directory) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "merged reports in %s are several tables: name a directory with --output",
			    report->format->name);
		return false;
	}
	return true;
}

static void add_problem(enum fleet_problem kind, const char *problem, void *data)
{
	struct merge_run *run = data;
	bool is_refused = kind == FLEET_NOT_MERGED;

	fprintf(stderr, NAME ": %s%s%s\n", is_refused ? "" : "warning: ", problem,
		is_refused ? "; the report is not merged" : "");
	if (kind != FLEET_TWICE) {
		g_ptr_array_add(run->problems, g_strconcat(is_refused ? "not merged: " : "", problem, NULL));
	}
	run->partial_count += kind == FLEET_PARTIAL;
	run->has_refused |= is_refused;
}

/* Returns the exit status. Nothing is written if no report could be merged. */
static int write_merged(const struct merge_options *options, struct fleet *fleet, size_t report_count,
			struct merge_run *run, GError **error)
{
	struct report *report = report_create(&options->command.params.report, error);
	g_autofree char *subject = NULL;
	struct report_trace trace = { .is_in_range = true };
	size_t merged_count;
	int status = EXIT_NOT_READ;

	if (!report) {
		return status;
	}
	merged_count = fleet_merge(fleet, report_tables(report));
	subject = g_strdup_printf("%zu of %zu reports", merged_count, report_count);
	if (run->partial_count > 0) {
		char *whole = subject;

		subject = g_strdup_printf("%s, %zu of them partial", whole, run->partial_count);
		g_free(whole);
	}
	trace.subject = subject;
	trace.missing = (const char *const *)run->problems->pdata;
	trace.missing_count = MIN(run->problems->len, SHOWN_PROBLEMS);
	if (merged_count > 0 && command_finish_report(report, &trace, error)) {
		status = run->has_refused ? EXIT_NOT_READ : EXIT_SUCCESS;
	}
	report_destroy(report);
	return status;
}

/* NULL with an error if the manifest cannot be read, or names no report. */
static struct manifest *read_manifest(const struct merge_options *options, GError **error)
{
	struct manifest *manifest =
		options->manifest ? manifest_read(options->manifest, MANIFEST_COLUMN, error) : manifest_create_empty();
	size_t unknown;

	if (manifest && options->command.path_count > 0) {
		unknown = manifest_choose(manifest, options->command.paths, options->command.path_count);
		if (unknown > 0 && options->manifest) {
			fprintf(stderr,
				NAME ": warning: %zu reports are not in the manifest; their attributes are empty\n",
				unknown);
		}
	}
	if (manifest && manifest->recordings->len == 0) {
		g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_EMPTY, "%s: names no report", options->manifest);
		g_clear_pointer(&manifest, manifest_destroy);
	}
	return manifest;
}

static int merge(const struct merge_options *options, GError **error)
{
	struct merge_run run = { .problems = NULL };
	struct manifest *manifest = read_manifest(options, error);
	struct fleet *fleet = NULL;
	int status = EXIT_NOT_READ;

	if (!manifest) {
		return EXIT_USAGE;
	}
	run.problems = g_ptr_array_new_with_free_func(g_free);
	fleet = fleet_create(manifest,
			     &(struct fleet_options){
				     .schemas = session_tables(),
				     .by = (const char *const *)options->by,
				     .robot = options->robot,
				     .found = add_problem,
				     .data = &run,
			     },
			     error);
	if (fleet) {
		status = write_merged(options, fleet, manifest->recordings->len, &run, error);
	}
	fleet_destroy(fleet);
	g_ptr_array_unref(run.problems);
	manifest_destroy(manifest);
	return status;
}

static const char *merge_name(const struct table_column *column)
{
	static const char *const names[] = {
		[COLUMN_MERGE_KEY] = "name",
		[COLUMN_MERGE_SUM] = "sum",
		[COLUMN_MERGE_MAX] = "max",
	};

	return column->format == COLUMN_STATISTIC ? "statistic" : names[column->merge];
}

static void print_columns(void)
{
	const struct table_schema *const *schemas = session_tables();

	puts("table,column,merge");
	for (size_t i = 0; schemas[i]; i++) {
		for (size_t j = 0; table_can_be_merged(schemas[i]) && j < schemas[i]->column_count; j++) {
			const struct table_column *column = &schemas[i]->columns[j];

			if (merge_name(column)) {
				printf("%s,%s,%s\n", schemas[i]->name, column->name, merge_name(column));
			}
		}
	}
}

static int merge_or_list(void *data, GError **error)
{
	const struct merge_options *options = data;

	if (options->is_columns) {
		print_columns();
		return EXIT_SUCCESS;
	}
	return merge(options, error);
}

static void clear(void *data)
{
	g_strfreev(((struct merge_options *)data)->by);
}

static const char *const params[] = { "format", "output", "tables", "histograms", "buckets",
				      "sort",	"top",	  "hidden", "quantiles",  NULL };

const struct command merge_command = {
	.line = {
		.name = NAME,
	.usage = "Usage: ros2-latency merge [OPTION]... REPORT...\n"
		 "       ros2-latency merge [OPTION]... --manifest=FILE [REPORT]...\n"
		 "\nMerges the reports of many recordings. REPORT is a directory that ros2-latency --format=csv "
		 "--histograms\n--output=REPORT wrote. Rows with the same names (node, topic, path; not process or "
		 "address) become one. Counts,\nsums, minima, maxima and histograms are exact, in any order of the "
		 "reports.\n\nOptions:\n",
	.closing =
		"\nExit status: 0 all reports were merged, 1 some could not be read or the result could not be "
		"written, 2 the\ncommand line or the manifest is wrong.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.options_size = sizeof(struct merge_options),
	.take = take_option,
	.read = read_arguments,
	.run = merge_or_list,
	.clear = clear,
};
