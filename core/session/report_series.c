/* SPDX-License-Identifier: MIT */
#include "core/session/report_series.h"

#include "core/tables/window_tables.h"
#include "ros2bt/output/output_file.h"

#define WINDOW_DIRECTORY "window"

struct report_series {
	const struct report_options *options; /* borrowed */
	struct report_options window_options; /* those of windows */
	char *window_directory;		      /* owned; of window_options */
	struct window_tables *window_tables;  /* owned; NULL: no windows */
	bool is_window;			      /* the report that is open, or was last, is of a window */
	struct report *report;		      /* owned; the last one */
	GError *error;			      /* of the last attempt; NULL: it was written */
	char *told[2];			      /* owned; by is_window: the problem that users know; NULL: none */
	GQueue news;			      /* char *, owned */
};

struct report_series *report_series_create(const struct report_options *options)
{
	struct report_series *series = g_new0(struct report_series, 1);

	series->options = options;
	if (options->has_windows) {
		series->window_tables = window_tables_create();
		series->window_directory =
			options->directory ? g_build_filename(options->directory, WINDOW_DIRECTORY, NULL) : NULL;
		series->window_options = *options;
		series->window_options.directory = series->window_directory;
	}
	return series;
}

void report_series_destroy(struct report_series *series)
{
	if (!series) {
		return;
	}
	report_destroy(series->report);
	window_tables_destroy(series->window_tables);
	g_free(series->window_directory);
	g_clear_error(&series->error);
	g_free(series->told[false]);
	g_free(series->told[true]);
	g_queue_clear_full(&series->news, g_free);
	g_free(series);
}

bool report_series_has_windows(const struct report_series *series)
{
	return series->window_tables != NULL;
}

/* A problem is news until a report is written again. */
static void note_news(struct report_series *series)
{
	char **told = &series->told[series->is_window];

	if (series->error && g_strcmp0(*told, series->error->message) != 0) {
		g_free(*told);
		*told = g_strdup(series->error->message);
		g_queue_push_tail(&series->news,
				  g_strdup_printf("%s; reading goes on, and the next report is tried", *told));
	} else if (!series->error && *told) {
		g_clear_pointer(told, g_free);
		g_queue_push_tail(&series->news, g_strdup(series->is_window ? "reports of windows are written again"
									    : "reports are written again"));
	}
}

static struct report *open_report(struct report_series *series)
{
	if (series->options->directory && series->is_window &&
	    !output_directory_create(series->options->directory, &series->error)) {
		return NULL;
	}
	return report_create(series->is_window ? &series->window_options : series->options, &series->error);
}

bool report_series_open(struct report_series *series, struct analysis_set *set, int64_t window_ns)
{
	struct table_output *tables;

	g_clear_pointer(&series->report, report_destroy);
	g_clear_error(&series->error);
	series->is_window = window_ns > 0;
	series->report = open_report(series);
	if (!series->report) {
		note_news(series);
		return false;
	}
	tables = report_tables(series->report);
	if (series->is_window) {
		tables = window_tables_open(series->window_tables, tables);
		window_tables_begin(series->window_tables, window_ns);
	}
	analysis_set_open(set, tables);
	return true;
}

bool report_series_close(struct report_series *series, const struct report_trace *trace)
{
	if (series->is_window) {
		window_tables_end(series->window_tables);
	}
	(void)report_finish(series->report, trace, &series->error);
	note_news(series);
	return !series->error;
}

bool report_series_check(const struct report_series *series, bool is_end, GError **error)
{
	if (series->error && (is_end || !series->options->directory)) {
		g_propagate_error(error, g_error_copy(series->error));
		return false;
	}
	return true;
}

char *report_series_take_news(struct report_series *series)
{
	return g_queue_pop_head(&series->news);
}
