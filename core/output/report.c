/* SPDX-License-Identifier: MIT */
#include "ros2bt/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "core/output/json_writer.h"
#include "core/output/output_csv.h"
#include "core/output/output_file.h"
#include "core/output/output_json.h"
#include "core/output/output_stream.h"
#include "core/output/output_text.h"
#include "core/output/statistics_columns.h"

#define JSON_SCHEMA_VERSION 1
#define STANDARD_OUTPUT_NAME "standard output"

/* A table on its way: CSV rows go to its stream, JSON and instance rows into its spool, other rows of text are kept. */
struct report_table {
	struct table_writer writer;
	struct report *report;
	struct statistics_columns *columns; /* owned */
	const struct table_schema *schema;  /* with columns of numbers for statistics */
	struct output_file *file;	    /* owned; NULL: not a file of its own */
	struct output_stream *spool;	    /* owned, or NULL */
	struct output_stream *stream;	    /* the file's, the spool, or that of the report */
	struct json_writer json;	    /* into the spool */
	struct text_table *text;	    /* owned, or NULL */
};

struct report {
	struct table_output output;
	enum report_format format;
	bool has_instances;
	char *directory;	 /* owned; NULL: standard output */
	char **selections;	 /* owned; NULL: all */
	const double *quantiles; /* borrowed */
	size_t quantile_count;
	GPtrArray *tables;	      /* struct report_table, owned, in the order of opening */
	struct output_file *file;     /* owned; report.txt or report.json */
	struct output_stream *stream; /* the file's, or that of standard output (then owned); NULL: CSV files */
	GError *error;		      /* of opening a table */
};

static void report_table_destroy(gpointer data)
{
	struct report_table *table = data;

	output_file_destroy(table->file);
	output_stream_destroy(table->spool);
	text_table_destroy(table->text);
	statistics_columns_destroy(table->columns);
	g_free(table);
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct report_table *table = (struct report_table *)writer;

	cells = statistics_columns_cells(table->columns, cells);
	switch (table->report->format) {
	case REPORT_CSV:
		output_csv_row(table->stream, table->schema, cells);
		break;
	case REPORT_JSON:
		output_json_row(&table->json, table->schema, cells);
		break;
	case REPORT_TEXT:
		if (table->text) {
			text_table_add(table->text, cells);
		} else {
			text_stream_row(table->stream, table->schema, cells);
		}
		break;
	}
}

static bool is_wanted(const struct report *report, const struct table_schema *schema)
{
	if (schema->is_instances && !report->has_instances) {
		return false;
	}
	if (report->format == REPORT_CSV && !report->directory && schema->parent) {
		return false;
	}
	return !report->selections || g_strv_contains((const char *const *)report->selections, schema->selection);
}

static void open_csv(struct report *report, struct report_table *table)
{
	if (report->directory) {
		g_autofree char *name = g_strconcat(table->schema->name, ".csv", NULL);

		table->file = output_file_create(report->directory, name, report->error ? NULL : &report->error);
		table->stream = table->file ? output_file_stream(table->file) : NULL;
	} else {
		table->stream = report->stream;
	}
	if (table->stream) {
		output_csv_header(table->stream, table->schema);
	}
}

static void open_spool(struct report *report, struct report_table *table)
{
	table->spool = output_stream_create_spool(report->directory ? report->directory : g_get_tmp_dir());
	table->stream = table->spool;
}

static struct table_writer *open_table(struct table_output *output, const struct table_schema *schema)
{
	struct report *report = (struct report *)output;
	struct report_table *table;

	if (!is_wanted(report, schema)) {
		return NULL;
	}
	table = g_new0(struct report_table, 1);
	table->writer.row = write_row;
	table->report = report;
	table->columns = statistics_columns_create(schema, report->quantiles, report->quantile_count);
	table->schema = statistics_columns_schema(table->columns);
	g_ptr_array_add(report->tables, table);
	if (report->format == REPORT_CSV) {
		open_csv(report, table);
		return table->stream ? &table->writer : NULL;
	}
	if (report->format == REPORT_JSON) {
		open_spool(report, table);
		json_writer_init(&table->json, table->spool);
	} else if (schema->is_instances) {
		open_spool(report, table);
		text_stream_header(table->spool, table->schema);
	} else {
		table->text = text_table_create(table->schema);
	}
	return &table->writer;
}

static bool check_options(const struct report_options *options, GError **error)
{
	if (options->format != REPORT_CSV || options->directory) {
		return true;
	}
	if (!options->tables || !options->tables[0] || options->tables[1]) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "format csv without output needs exactly one name in tables; several tables need a "
			    "directory in output");
		return false;
	}
	if (options->has_instances) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "format csv with instances needs a directory in output");
		return false;
	}
	return true;
}

static bool open_directory(struct report *report, GError **error)
{
	const char *name = report->format == REPORT_JSON   ? "report.json"
			   : report->format == REPORT_TEXT ? "report.txt"
							   : "report.csv";

	if (g_mkdir_with_parents(report->directory, 0777) != 0) {
		int error_number = errno;

		g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(error_number),
			    "cannot make the directory %s: %s", report->directory, g_strerror(error_number));
		return false;
	}
	report->file = output_file_create(report->directory, name, error);
	if (!report->file) {
		return false;
	}
	if (report->format == REPORT_CSV) {
		/* It was only to see that files can be made there: each table has its own. */
		g_clear_pointer(&report->file, output_file_destroy);
	} else {
		report->stream = output_file_stream(report->file);
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
	fflush(stdout);
	report->stream = output_stream_create(STDOUT_FILENO, STANDARD_OUTPUT_NAME);
	return true;
}

struct report *report_create(const struct report_options *options, GError **error)
{
	struct report *report;

	if (!check_options(options, error)) {
		return NULL;
	}
	report = g_new0(struct report, 1);
	report->output.open = open_table;
	report->format = options->format;
	report->has_instances = options->has_instances;
	report->directory = g_strdup(options->directory);
	report->quantiles = options->quantiles;
	report->quantile_count = options->quantile_count;
	report->selections = g_strdupv((char **)options->tables);
	report->tables = g_ptr_array_new_with_free_func(report_table_destroy);
	if (!(report->directory ? open_directory(report, error) : open_standard_output(report, error))) {
		report_destroy(report);
		return NULL;
	}
	return report;
}

void report_destroy(struct report *report)
{
	if (!report) {
		return;
	}
	g_ptr_array_unref(report->tables);
	if (report->file) {
		output_file_destroy(report->file);
	} else {
		output_stream_destroy(report->stream);
	}
	g_clear_error(&report->error);
	g_strfreev(report->selections);
	g_free(report->directory);
	g_free(report);
}

struct table_output *report_tables(struct report *report)
{
	return &report->output;
}

static struct report_table *report_table(const struct report *report, size_t index)
{
	return g_ptr_array_index(report->tables, index);
}

static bool check_stream(const struct output_stream *stream, GError **error)
{
	if (stream && output_stream_error_number(stream)) {
		output_stream_set_error(stream, error);
		return false;
	}
	return true;
}

bool report_check(const struct report *report, GError **error)
{
	if (report->error) {
		g_propagate_error(error, g_error_copy(report->error));
		return false;
	}
	for (size_t i = 0; i < report->tables->len; i++) {
		if (!check_stream(report_table(report, i)->stream, error)) {
			return false;
		}
	}
	return check_stream(report->stream, error);
}

static void write_json_trace(struct json_writer *json, const struct report_trace *trace)
{
	json_writer_key(json, "trace");
	json_writer_begin_object(json);
	json_writer_key(json, "hosts");
	json_writer_begin_array(json);
	for (size_t i = 0; i < trace->hostname_count; i++) {
		json_writer_text(json, trace->hostnames[i]);
	}
	json_writer_end_array(json);
	json_writer_key(json, "traces");
	json_writer_unsigned(json, trace->trace_count);
	json_writer_key(json, "processes");
	json_writer_unsigned(json, trace->process_count);
	json_writer_key(json, "begin_ns");
	if (trace->has_runtime_events) {
		json_writer_integer(json, trace->begin_ns);
	} else {
		json_writer_null(json);
	}
	json_writer_key(json, "end_ns");
	if (trace->has_runtime_events) {
		json_writer_integer(json, trace->end_ns);
	} else {
		json_writer_null(json);
	}
	json_writer_end_object(json);
}

/* The order of tables in JSON and text: main tables, tables of detail, instances, each as they were opened. */
static int table_rank(const struct table_schema *schema)
{
	return schema->is_instances ? 2 : schema->parent ? 1 : 0;
}

static void write_json(struct report *report, const struct report_trace *trace)
{
	struct json_writer json;

	json_writer_init(&json, report->stream);
	json_writer_begin_object(&json);
	json_writer_line_break(&json);
	json_writer_key(&json, "schema_version");
	json_writer_unsigned(&json, JSON_SCHEMA_VERSION);
	json_writer_line_break(&json);
	write_json_trace(&json, trace);
	for (int rank = 0; rank <= 2; rank++) {
		for (size_t i = 0; i < report->tables->len; i++) {
			struct report_table *table = report_table(report, i);

			if (table_rank(table->schema) != rank) {
				continue;
			}
			json_writer_line_break(&json);
			json_writer_key(&json, table->schema->name);
			json_writer_begin_array(&json);
			json_writer_splice(&json, table->spool);
			json_writer_end_array(&json);
		}
	}
	output_stream_byte(report->stream, '\n');
	json_writer_end_object(&json);
	output_stream_byte(report->stream, '\n');
}

static void write_text_table(struct report *report, const struct report_table *table, const struct text_style *style)
{
	g_autoptr(GPtrArray) children = g_ptr_array_new();

	for (size_t i = 0; i < report->tables->len; i++) {
		struct report_table *child = report_table(report, i);

		if (child->text && g_strcmp0(child->schema->parent, table->schema->name) == 0) {
			g_ptr_array_add(children, child->text);
		}
	}
	g_ptr_array_add(children, NULL);
	text_table_write(table->text, (const struct text_table *const *)children->pdata, style, report->stream);
}

static void write_text(struct report *report, const struct report_trace *trace)
{
	struct text_style style = report->directory ? text_style_plain() : text_style_of_standard_output();

	text_headline(report->stream, trace, &style);
	for (size_t i = 0; i < report->tables->len; i++) {
		const struct report_table *table = report_table(report, i);

		if (table->text && !table->schema->parent) {
			write_text_table(report, table, &style);
		}
	}
	for (size_t i = 0; i < report->tables->len; i++) {
		if (report_table(report, i)->spool) {
			output_stream_splice(report->stream, report_table(report, i)->spool);
		}
	}
}

static bool finish_csv_files(struct report *report, GError **error)
{
	for (size_t i = 0; i < report->tables->len; i++) {
		if (!output_file_close(report_table(report, i)->file, error)) {
			return false;
		}
	}
	for (size_t i = 0; i < report->tables->len; i++) {
		if (!output_file_commit(report_table(report, i)->file, error)) {
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
	if (report->format == REPORT_JSON) {
		write_json(report, trace);
	} else if (report->format == REPORT_TEXT) {
		write_text(report, trace);
	}
	/* Spools may have failed last when they were read back. */
	if (!report_check(report, error)) {
		return false;
	}
	if (!report->stream) {
		return finish_csv_files(report, error);
	}
	if (!report->file) {
		return output_stream_flush(report->stream, error);
	}
	return output_file_close(report->file, error) && output_file_commit(report->file, error);
}
