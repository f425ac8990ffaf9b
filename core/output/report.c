/* SPDX-License-Identifier: MIT */
#include "ros2bt/output/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "ros2bt/output/output_file.h"
#include "core/tables/histogram_table.h"
#include "ros2bt/output/output_stream.h"

#define STANDARD_OUTPUT_NAME "standard output"

struct report {
	struct table_output tables;
	const struct output_class *class;
	struct output *output; /* owned */
	struct output_place place;
	unsigned int kinds;	 /* bits (1 << enum table_kind): of the tables that it has */
	unsigned int histograms; /* buckets an octave; 0: none */
	char *directory;	 /* owned; NULL: standard output */
	char **selections;	 /* owned; NULL: all */
	GPtrArray *older_files;	 /* char *: of tables that are not in this report but may have been in an earlier one */
	GPtrArray *table_files;	 /* struct output_file, owned: of outputs with a file for each table */
	GPtrArray *late_tables;	 /* struct late_table, owned */
	GPtrArray *histogram_tables;  /* struct histogram_table, owned */
	struct output_file *file;     /* owned; of outputs with one file */
	struct output_stream *stream; /* owned; of standard output */
	GError *error;		      /* of opening a table */
};

/* A table that nobody chose and that may be left out. The output gets it with its first row, so that it never sees an
 * empty one. */
struct late_table {
	struct table_writer writer;
	struct report *report;		   /* borrowed */
	const struct table_schema *schema; /* borrowed */
	bool is_open;
	struct table_writer *rows; /* borrowed from the output; NULL: not open, or the output has no use for it */
};

static bool is_chosen(const struct report *report, const struct table_schema *schema)
{
	return !report->selections || g_strv_contains((const char *const *)report->selections, schema->selection);
}

static bool is_wanted(const struct report *report, const struct table_schema *schema)
{
	bool is_left_out = schema->presence == PRESENT_IF_ANY && report->class->leaves_out_optional;

	return (report->kinds & (1U << schema->kind)) && (!is_left_out || report->selections) &&
	       is_chosen(report, schema);
}

/* The stream of a table; NULL if its file cannot be created. */
static struct output_stream *open_stream(struct report *report, const struct table_schema *schema)
{
	g_autofree char *name = NULL;
	struct output_file *file;

	if (report->place.stream) {
		return report->place.stream;
	}
	name = g_strconcat(schema->name, report->class->extension, NULL);
	file = output_file_create(report->directory, name, report->error ? NULL : &report->error);
	if (!file) {
		return NULL;
	}
	g_ptr_array_add(report->table_files, file);
	return output_file_stream(file);
}

static struct table_writer *open_in_output(struct report *report, const struct table_schema *schema)
{
	struct output_stream *stream = open_stream(report, schema);

	return stream ? report->class->open(report->output, schema, stream) : NULL;
}

static void write_late_row(struct table_writer *writer, const struct cell *cells)
{
	struct late_table *table = (struct late_table *)writer;

	if (!table->is_open) {
		table->is_open = true;
		table->rows = open_in_output(table->report, table->schema);
	}
	table_row(table->rows, cells);
}

static struct table_writer *open_late(struct report *report, const struct table_schema *schema)
{
	struct late_table *table = g_new0(struct late_table, 1);

	table->writer.row = write_late_row;
	table->writer.is_late = true;
	table->report = report;
	table->schema = schema;
	g_ptr_array_add(report->late_tables, table);
	return &table->writer;
}

static void add_older_file(struct report *report, const char *table)
{
	if (report->class->extension) {
		g_ptr_array_add(report->older_files, g_strconcat(table, report->class->extension, NULL));
	}
}

static bool opens_late(const struct report *report, const struct table_schema *schema)
{
	return schema->presence == PRESENT_IF_ANY && !report->selections;
}

static struct table_writer *open_wanted(struct report *report, const struct table_schema *schema)
{
	struct table_writer *writer;

	if (!is_wanted(report, schema)) {
		add_older_file(report, schema->name);
		return NULL;
	}
	if (opens_late(report, schema)) {
		return open_late(report, schema);
	}
	writer = open_in_output(report, schema);
	if (writer) {
		writer->may_be_left_out = schema->presence == PRESENT_IF_ANY_IN_TEXT && !report->selections;
	}
	return writer;
}

static struct table_writer *add_histograms(struct report *report, const struct table_schema *schema,
					   struct table_writer *writer)
{
	struct histogram_table *table;

	if (!writer || report->histograms == 0) {
		g_autofree char *name = histogram_table_name(schema);

		add_older_file(report, name);
		return writer;
	}
	table = histogram_table_create(schema, report->histograms);
	g_ptr_array_add(report->histogram_tables, table);
	return histogram_table_insert(table, writer, open_wanted(report, histogram_table_schema(table)));
}

static struct table_writer *open_table(struct table_output *tables, const struct table_schema *schema)
{
	struct report *report = (struct report *)tables;
	struct table_writer *writer = open_wanted(report, schema);

	return table_has_histograms(schema) ? add_histograms(report, schema, writer) : writer;
}

/* How messages name what sets the directory. */
static const char *output_option(const struct row_choice *choice)
{
	return choice->are_parameters ? "the parameter \"output\"" : "--output";
}

/* `what`: what does not fit on standard output. False. */
static bool refuse_standard_output(const struct report_options *options, const char *what, GError **error)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "%s on standard output holds one table, %s: name a directory with %s", options->format->name, what,
		    output_option(&options->choice));
	return false;
}

static bool check_histograms(const struct report_options *options, GError **error)
{
	if (options->histograms == 0) {
		return true;
	}
	if (!options->format->takes_histograms) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "format %s cannot contain histograms: choose another one, such as csv",
			    options->format->name);
		return false;
	}
	return options->format->file || options->directory ||
	       refuse_standard_output(options, "without its histograms", error);
}

static bool check_options(const struct report_options *options, GError **error)
{
	const struct output_class *class = options->format;

	if (class->file || options->directory) {
		return true;
	}
	if (!options->tables || !options->tables[0] || options->tables[1]) {
		return refuse_standard_output(options,
					      options->choice.are_parameters ? "which the parameter \"tables\" chooses"
									     : "which --table chooses",
					      error);
	}
	return !options->has_instances || refuse_standard_output(options, "without its instances", error);
}

static bool open_directory(struct report *report, GError **error)
{
	const char *name = report->class->file;

	if (!output_directory_create(report->directory, error)) {
		return false;
	}
	if (name) {
		report->file = output_file_create(report->directory, name, error);
		report->place.stream = report->file ? output_file_stream(report->file) : NULL;
		return report->file != NULL;
	}
	return true;
}

static bool open_standard_output(struct report *report, GError **error)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_BADF, "cannot write " STANDARD_OUTPUT_NAME ": %s",
			    g_strerror(EBADF));
		return false;
	}
	if (report->class->is_binary && isatty(STDOUT_FILENO)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "%s is not for a terminal: name a directory with %s, or redirect " STANDARD_OUTPUT_NAME,
			    report->class->name, output_option(&report->place.choice));
		return false;
	}
	fflush(stdout);
	report->stream = output_stream_create(STDOUT_FILENO, STANDARD_OUTPUT_NAME);
	report->place.stream = report->stream;
	return true;
}

/* The kinds of tables that a report has, if they are chosen. */
static unsigned int kinds_of(const struct report_options *options)
{
	const struct output_class *class = options->format;
	bool has_instances = options->has_instances || class->takes_instances;
	bool has_many = class->file || options->directory; /* more than one table */
	bool draws = class->draws_timeline;
	bool has_timeline = draws || class->takes_threads || options->tables;
	const bool has[] = {
		[KIND_MAIN] = !draws,
		[KIND_DETAIL] = !draws && has_many,
		[KIND_WORST] = !draws && has_many && options->has_worst,
		[KIND_INSTANCES] = !draws && has_instances,
		[KIND_SUMMARY] = class->takes_summary && !options->tables,
		[KIND_TIMELINE_TRACKS] = has_timeline,
		[KIND_TIMELINE_LABELS] = has_timeline,
		[KIND_TIMELINE_EVENTS] = has_timeline && has_instances,
	};
	unsigned int kinds = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(has); i++) {
		kinds |= (unsigned int)has[i] << i;
	}
	return kinds;
}

struct report *report_create(const struct report_options *options, GError **error)
{
	struct report *report;

	if (!check_options(options, error) || !check_histograms(options, error)) {
		return NULL;
	}
	report = g_new0(struct report, 1);
	report->tables.open = open_table;
	report->class = options->format;
	report->kinds = kinds_of(options);
	report->histograms = options->histograms;
	report->directory = g_strdup(options->directory);
	report->selections = g_strdupv((char **)options->tables);
	report->histogram_tables = g_ptr_array_new_with_free_func((GDestroyNotify)histogram_table_destroy);
	report->table_files = g_ptr_array_new_with_free_func((GDestroyNotify)output_file_destroy);
	report->older_files = g_ptr_array_new_with_free_func(g_free);
	report->late_tables = g_ptr_array_new_with_free_func(g_free);
	report->place = (struct output_place){
		.is_standard_output = !report->directory,
		.is_repeated = options->period_ns > 0,
		.spool_directory = report->directory ? report->directory : g_get_tmp_dir(),
		.quantiles = options->quantiles,
		.quantile_count = options->quantile_count,
		.recordings = options->recordings,
		.recording_count = options->recording_count,
		.choice = options->choice,
	};
	if (!(report->directory ? open_directory(report, error) : open_standard_output(report, error))) {
		report_destroy(report);
		return NULL;
	}
	report->output = report->class->create(&report->place);
	return report;
}

void report_destroy(struct report *report)
{
	if (!report) {
		return;
	}
	if (report->output) {
		report->class->destroy(report->output);
	}
	g_ptr_array_unref(report->table_files);
	g_ptr_array_unref(report->older_files);
	g_ptr_array_unref(report->histogram_tables);
	g_ptr_array_unref(report->late_tables);
	output_file_destroy(report->file);
	g_clear_pointer(&report->stream, output_stream_destroy);
	g_clear_error(&report->error);
	g_strfreev(report->selections);
	g_free(report->directory);
	g_free(report);
}

struct table_output *report_tables(struct report *report)
{
	return &report->tables;
}

static struct output_file *table_file(const struct report *report, guint index)
{
	return g_ptr_array_index(report->table_files, index);
}

bool report_check(const struct report *report, GError **error)
{
	if (report->error) {
		g_propagate_error(error, g_error_copy(report->error));
		return false;
	}
	for (guint i = 0; i < report->table_files->len; i++) {
		if (!output_stream_check(output_file_stream(table_file(report, i)), error)) {
			return false;
		}
	}
	if (report->class->check && !report->class->check(report->output, error)) {
		return false;
	}
	return !report->place.stream || output_stream_check(report->place.stream, error);
}

/*
 * All files are written out before the first one gets its name. Tables of an older report that are not in this one are
 * removed before that, since their ids would be taken for those of the new rows.
 */
static bool finish_table_files(struct report *report, GError **error)
{
	for (guint i = 0; i < report->table_files->len; i++) {
		if (!output_file_close(table_file(report, i), error)) {
			return false;
		}
	}
	for (guint i = 0; i < report->late_tables->len; i++) {
		const struct late_table *table = g_ptr_array_index(report->late_tables, i);

		if (!table->is_open) {
			add_older_file(report, table->schema->name);
		}
	}
	if (!output_files_remove(report->directory, report->older_files, error)) {
		return false;
	}
	for (guint i = 0; i < report->table_files->len; i++) {
		if (!output_file_commit(table_file(report, i), error)) {
			return false;
		}
	}
	return true;
}

bool report_finish(struct report *report, const struct report_trace *trace, GError **error)
{
	if (!report_check(report, error)) {
		return false;
	}
	if (report->class->finish && !report->class->finish(report->output, trace, error)) {
		return false;
	}
	/* Reading spools back may have failed. */
	if (!report_check(report, error)) {
		return false;
	}
	if (report->stream) {
		return output_stream_flush(report->stream, error);
	}
	if (report->file) {
		return output_file_close(report->file, error) && output_file_commit(report->file, error);
	}
	return finish_table_files(report, error);
}
