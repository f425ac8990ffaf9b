/* SPDX-License-Identifier: MIT */
#include "core/session/report_series.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>

#include "core/output/outputs.h"

static char *folder, *directory;
static struct analysis_set *set;
static struct report_options options;
static struct report_series *series;

static void setup(void)
{
	folder = g_dir_make_tmp("ros2bt-series-XXXXXX", NULL);
	directory = g_build_filename(folder, "report", NULL);
	set = analysis_set_choose(NULL);
	options = (struct report_options){ .format = output_find("json"), .directory = directory };
	series = report_series_create(&options);
}

static void remove_report(void)
{
	g_autofree char *file = g_build_filename(directory, "report.json", NULL);

	(void)g_remove(file);
	(void)g_remove(directory);
}

static void teardown(void)
{
	report_series_destroy(series);
	analysis_set_destroy(set);
	remove_report();
	(void)g_rmdir(folder);
	g_free(directory);
	g_free(folder);
}

TestSuite(report_series, .init = setup, .fini = teardown);

static bool write_one(void)
{
	const struct report_trace trace = { 0 };

	return report_series_open(series, set, 0) && report_series_close(series, &trace);
}

static bool has_news(const char *expected)
{
	g_autofree char *news = report_series_take_news(series);

	return g_strcmp0(news, expected) == 0 || (news && expected && strstr(news, expected));
}

Test(report_series, what_cannot_be_written_is_told_once_and_tried_again)
{
	GError *error = NULL;

	cr_assert(write_one());
	cr_assert(has_news(NULL));
	remove_report();
	cr_assert(g_file_set_contents(directory, "in the way", -1, NULL));
	cr_assert_not(write_one());
	cr_assert(has_news("reading goes on"));
	cr_assert_not(write_one());
	cr_assert(has_news(NULL), "the same problem is told again");
	cr_assert(report_series_check(series, false, &error));
	cr_assert_not(report_series_check(series, true, &error), "the last report has failed");
	cr_assert_not_null(error);
	g_clear_error(&error);
	remove_report();
	cr_assert(write_one());
	cr_assert(has_news("reports are written again"));
	cr_assert(has_news(NULL));
	cr_assert(report_series_check(series, true, &error));
}
