/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/output/outputs.h"
#include "core/statistics/duration_statistics.h"
#include "core/tables/table.h"
#include "ros2bt/output/report.h"

static const struct table_column thing_columns[] = {
	{ .name = "thing_id", .id_of = "things", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "name", .format = COLUMN_NAME },
	{ .name = "address" },
	{ .name = "big", .format = COLUMN_DURATION },
	{ .name = "mean", .format = COLUMN_DURATION },
	{ .name = "nothing" },
};
static const struct table_schema things = {
	.name = "things",
	.selection = "things",
	.columns = thing_columns,
	.column_count = G_N_ELEMENTS(thing_columns),
};

static const struct table_column part_columns[] = { { .name = "thing_id", .id_of = "things" }, { .name = "part" } };
static const struct table_schema parts = {
	.name = "parts",
	.selection = "things",
	.kind = KIND_DETAIL,
	.parent = "things",
	.columns = part_columns,
	.column_count = G_N_ELEMENTS(part_columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "thing_id", .id_of = "things" },
	{ .name = "time_ns", .format = COLUMN_TIME },
	{ .name = "duration_ns", .format = COLUMN_DURATION },
};
static const struct table_schema instances = {
	.name = "thing_instances",
	.selection = "things",
	.kind = KIND_INSTANCES,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_schema worst = {
	.name = "worst_parts",
	.selection = "things",
	.parent = "things",
	.kind = KIND_WORST,
	.columns = part_columns,
	.column_count = G_N_ELEMENTS(part_columns),
};

static const struct table_schema rare = {
	.name = "rare_things",
	.selection = "rare",
	.presence = PRESENT_IF_ANY,
	.columns = part_columns,
	.column_count = G_N_ELEMENTS(part_columns),
};

static const struct table_column gap_columns[] = {
	{ .name = "what" },
	{ .name = "detail", .format = COLUMN_NAME, .hints = HINT(.may_be_hidden = true) },
};
static const struct table_schema gaps = {
	.name = "gaps",
	.title = "Gaps",
	.selection = "gaps",
	.presence = PRESENT_IF_ANY_IN_TEXT,
	.columns = gap_columns,
	.column_count = G_N_ELEMENTS(gap_columns),
};

static const char *const hosts[] = { "h\"1", "h2" };
static const struct report_trace trace = {
	.hostnames = hosts,
	.hostname_count = 2,
	.trace_count = 2,
	.process_count = 3,
	.has_runtime_events = true,
	.begin_ns = -5,
	.end_ns = 1700000000000000001,
};

static void write_things(struct report *report, int instance_count)
{
	struct table_output *output = report_tables(report);
	struct table_writer *instance_writer = output->open(output, &instances);
	struct table_writer *thing_writer = output->open(output, &things);
	g_autofree char *long_name = g_strnfill(65536, 'x');
	const char *names[] = { "plain",
				"a \"quoted\", name",
				"two\nlines\r\n",
				"bad \xff\xc3 bytes \xc3\xa4",
				"tab\tand\x01"
				"control",
				"</script><script>alert(1)</script><!--",
				long_name };

	output->open(output, &parts);
	for (int i = 0; i < instance_count; i++) {
		table_row(instance_writer, (struct cell[]){ cell_unsigned(1), cell_integer(i), cell_integer(i) });
	}
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		table_row(thing_writer,
			  (struct cell[]){ cell_unsigned(i), cell_text(names[i]), cell_address(UINT64_MAX),
					   cell_integer(INT64_MIN), cell_real(0.125), CELL_NONE });
	}
}

static char *make_directory(void)
{
	char *directory = g_dir_make_tmp("ros2bt-report-XXXXXX", NULL);

	cr_assert_not_null(directory);
	return directory;
}

static void remove_directory(const char *directory)
{
	GDir *entries = g_dir_open(directory, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(entries))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		g_remove(path);
	}
	g_dir_close(entries);
	cr_assert_eq(g_rmdir(directory), 0);
}

static size_t count_entries(const char *directory)
{
	GDir *entries = g_dir_open(directory, 0, NULL);
	size_t count = 0;

	while (g_dir_read_name(entries)) {
		count++;
	}
	g_dir_close(entries);
	return count;
}

static void write_report(const struct output_class *format, const char *directory)
{
	struct report_options options = { .format = format, .directory = directory, .has_instances = true };
	g_autoptr(GError) error = NULL;
	struct report *report = report_create(&options, &error);

	cr_assert_not_null(report, "%s", error ? error->message : "");
	write_things(report, 20000);
	cr_assert(report_check(report, &error));
	cr_assert(report_finish(report, &trace, &error), "%s", error ? error->message : "");
	report_destroy(report);
}

static char *read_file(const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	char *contents;

	cr_assert(g_file_get_contents(path, &contents, NULL, NULL), "%s", path);
	return contents;
}

Test(report, csv_json_and_html_come_back_through_python)
{
	g_autofree char *directory = make_directory();
	char *arguments[] = { "python3", CHECK_REPORT, directory, NULL };
	int status = -1;

	write_report(&csv_output, directory);
	write_report(&json_output, directory);
	write_report(&html_output, directory);
	cr_assert(g_spawn_sync(NULL, arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
	cr_assert_eq(status, 0);
	remove_directory(directory);
}

Test(report, two_runs_give_the_same_bytes)
{
	static const char *const names[] = { "things.csv", "thing_instances.csv", "report.json", "report.txt",
					     "report.html" };
	g_autofree char *first = make_directory();
	g_autofree char *second = make_directory();

	for (size_t i = 0; outputs[i]; i++) {
		write_report(outputs[i], first);
		write_report(outputs[i], second);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *left = read_file(first, names[i]);
		g_autofree char *right = read_file(second, names[i]);

		cr_assert_str_eq(left, right);
	}
	remove_directory(first);
	remove_directory(second);
}

Test(report, text_has_no_control_characters_of_names)
{
	g_autofree char *directory = make_directory();
	g_autofree char *text = NULL;

	write_report(&text_output, directory);
	text = read_file(directory, "report.txt");
	cr_assert(g_utf8_validate(text, -1, NULL));
	for (const char *at = text; *at; at++) {
		cr_assert((unsigned char)*at >= ' ' || *at == '\n');
	}
	remove_directory(directory);
}

static const struct table_schema summary = {
	.name = "worst_things",
	.title = "Worst things",
	.selection = "things",
	.kind = KIND_SUMMARY,
	.place = 1,
	.columns = thing_columns,
	.column_count = G_N_ELEMENTS(thing_columns),
};

static bool gets_summary(const struct output_class *format, const char *const *tables)
{
	g_autofree char *directory = make_directory();
	struct report_options options = { .format = format, .directory = directory, .tables = tables };
	struct report *report = report_create(&options, NULL);
	bool gets = report_tables(report)->open(report_tables(report), &summary) != NULL;

	report_destroy(report);
	remove_directory(directory);
	return gets;
}

Test(report, a_summary_is_for_people_who_did_not_choose_tables)
{
	static const char *const chosen[] = { "things", NULL };

	cr_assert(gets_summary(&text_output, NULL));
	cr_assert(gets_summary(&html_output, NULL));
	cr_assert_not(gets_summary(&text_output, chosen));
	cr_assert_not(gets_summary(&csv_output, NULL));
	cr_assert_not(gets_summary(&json_output, NULL));
}

Test(report, text_of_many_rows_fits_two_screens_and_begins_with_the_summary)
{
	g_autofree char *directory = make_directory();
	struct report_options options = { .format = &text_output, .directory = directory };
	struct report *report = report_create(&options, NULL);
	struct table_output *output = report_tables(report);
	struct table_writer *writers[] = { output->open(output, &things), output->open(output, &summary) };
	g_autofree char *text = NULL;
	size_t lines = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		struct cell cells[] = {
			cell_unsigned(i), cell_text("/name"), CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE
		};

		table_row(writers[0], cells);
		if (i < 5) {
			table_row(writers[1], cells);
		}
	}
	cr_assert(report_finish(report, &trace, NULL));
	report_destroy(report);
	text = read_file(directory, "report.txt");
	for (const char *at = text; *at; at++) {
		lines += *at == '\n';
	}
	cr_assert_leq(lines, 120);
	cr_assert_geq(lines, 100);
	cr_assert_lt(strstr(text, "Worst things"), strstr(text, "more rows: --top=0 lists all"));
	remove_directory(directory);
}

/* Of a report with a gap of that name, NULL: with none. */
static bool has_gaps(const struct output_class *format, const char *file, const char *const *tables, bool shows_hidden,
		     const char *name)
{
	g_autofree char *directory = make_directory();
	struct report_options options = {
		.format = format, .directory = directory, .tables = tables, .choice.shows_hidden = shows_hidden
	};
	struct report *report = report_create(&options, NULL);
	struct table_writer *writer = report_tables(report)->open(report_tables(report), &gaps);
	g_autofree char *text = NULL;

	if (name) {
		table_row(writer, (struct cell[]){ cell_text("lost"), cell_text(name) });
	}
	cr_assert(report_finish(report, &trace, NULL));
	report_destroy(report);
	text = read_file(directory, file);
	remove_directory(directory);
	return strstr(text, "Gaps") != NULL;
}

Test(report, text_leaves_out_a_table_with_no_row_to_list_unless_it_was_chosen)
{
	static const struct {
		const struct output_class *class;
		const char *file;
	} formats[] = { { &text_output, "report.txt" }, { &markdown_output, "report.md" } };
	static const char *const chosen[] = { "gaps", NULL };

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		cr_assert(has_gaps(formats[i].class, formats[i].file, NULL, false, "/chatter"));
		cr_assert_not(has_gaps(formats[i].class, formats[i].file, NULL, false, "/rosout"));
		cr_assert_not(has_gaps(formats[i].class, formats[i].file, NULL, false, NULL));
		cr_assert(has_gaps(formats[i].class, formats[i].file, NULL, true, "/rosout"));
		cr_assert(has_gaps(formats[i].class, formats[i].file, chosen, false, "/rosout"));
		cr_assert(has_gaps(formats[i].class, formats[i].file, chosen, false, NULL));
	}
}

Test(report, files_appear_only_at_the_end_and_nothing_stays_of_an_aborted_report)
{
	for (size_t i = 0; outputs[i]; i++) {
		g_autofree char *directory = make_directory();
		struct report_options options = { .format = outputs[i], .directory = directory, .has_instances = true };
		struct report *report = report_create(&options, NULL);
		GDir *entries;
		const char *name;

		cr_assert_not_null(report);
		write_things(report, 20000);
		entries = g_dir_open(directory, 0, NULL);
		while ((name = g_dir_read_name(entries))) {
			cr_assert_eq(name[0], '.');
		}
		g_dir_close(entries);
		report_destroy(report);
		cr_assert_eq(count_entries(directory), 0);
		remove_directory(directory);
	}
}

Test(report, an_older_file_stays_when_a_report_fails)
{
	g_autofree char *directory = make_directory();
	g_autofree char *path = g_build_filename(directory, "report.json", NULL);
	g_autofree char *contents = NULL;
	struct report_options options = { .format = &json_output, .directory = directory };
	struct report *report;

	g_file_set_contents(path, "old", -1, NULL);
	report = report_create(&options, NULL);
	write_things(report, 0);
	report_destroy(report);
	contents = read_file(directory, "report.json");
	cr_assert_str_eq(contents, "old");
	remove_directory(directory);
}

Test(report, makes_the_directory_and_those_above_it)
{
	g_autofree char *directory = make_directory();
	g_autofree char *above = g_build_filename(directory, "a", NULL);
	g_autofree char *deep = g_build_filename(above, "b", NULL);

	write_report(&json_output, deep);
	cr_assert_eq(count_entries(deep), 1);
	remove_directory(deep);
	remove_directory(above);
	remove_directory(directory);
}

Test(report, output_that_cannot_be_a_directory_is_known_at_once)
{
	g_autofree char *directory = make_directory();
	g_autofree char *file = g_build_filename(directory, "file", NULL);
	g_autofree char *below = g_build_filename(file, "below", NULL);
	const char *const places[] = { file, below, "/proc/nowhere" };

	g_file_set_contents(file, "", 0, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		for (size_t j = 0; outputs[j]; j++) {
			struct report_options options = { .format = outputs[j], .directory = places[i] };
			g_autoptr(GError) error = NULL;

			cr_assert_null(report_create(&options, &error));
			cr_assert_not_null(strstr(error->message, places[i]), "%s", error->message);
		}
	}
	remove_directory(directory);
}

Test(report, a_table_that_cannot_be_opened_is_told_with_its_path)
{
	g_autofree char *directory = make_directory();
	struct report_options options = { .format = &csv_output, .directory = directory, .has_instances = true };
	struct report *report = report_create(&options, NULL);
	g_autoptr(GError) error = NULL, at_end = NULL;

	cr_assert_eq(g_rmdir(directory), 0);
	write_things(report, 10);
	cr_assert_not(report_check(report, &error));
	cr_assert_not_null(strstr(error->message, "thing_instances.csv: No such file"), "%s", error->message);
	cr_assert_not(report_finish(report, &trace, &at_end));
	report_destroy(report);
}

Test(report, csv_to_standard_output_needs_one_table_and_no_instances)
{
	static const char *const two[] = { "a", "b", NULL }, *const one[] = { "a", NULL };
	struct report_options options = { .format = &csv_output };
	g_autoptr(GError) no_table = NULL, two_tables = NULL, has_instances = NULL;

	cr_assert_null(report_create(&options, &no_table));
	options.tables = two;
	cr_assert_null(report_create(&options, &two_tables));
	options.tables = one;
	options.has_instances = true;
	cr_assert_null(report_create(&options, &has_instances));
	cr_assert_not_null(strstr(no_table->message, "--table"));
	cr_assert_not_null(strstr(two_tables->message, "output"));
	cr_assert_not_null(strstr(has_instances->message, "output"));
}

Test(report, histograms_need_a_directory_or_one_file_and_an_output_that_takes_them)
{
	static const char *const one[] = { "a", NULL };
	struct report_options options = { .format = &csv_output, .tables = one, .histograms = 32 };
	g_autoptr(GError) on_standard_output = NULL, as_text = NULL;

	cr_assert_null(report_create(&options, &on_standard_output));
	cr_assert_not_null(strstr(on_standard_output->message, "without its histograms: name a directory"));
	options.format = &text_output;
	cr_assert_null(report_create(&options, &as_text));
	cr_assert_not_null(strstr(as_text->message, "choose another one"));
}

static const struct table_column series_columns[] = { { .name = "series_id", .id_of = "series" },
						      { .name = "delay", .format = COLUMN_STATISTIC } };
static const struct table_schema series = {
	.name = "series",
	.selection = "series",
	.columns = series_columns,
	.column_count = G_N_ELEMENTS(series_columns),
};

static void write_series(const char *directory, unsigned int histograms)
{
	struct report_options options = { .format = &csv_output, .directory = directory, .histograms = histograms };
	struct report *report = report_create(&options, NULL);
	struct arena *arena = arena_create();
	struct duration_statistics delay;

	duration_statistics_init(&delay, arena);
	duration_statistics_add(&delay, 5, 0);
	table_row(report_tables(report)->open(report_tables(report), &series),
		  (struct cell[]){ cell_unsigned(1), cell_statistic(&delay) });
	cr_assert(report_finish(report, &trace, NULL));
	report_destroy(report);
	arena_destroy(arena);
}

Test(report, a_report_without_histograms_leaves_none_of_an_older_one)
{
	g_autofree char *directory = make_directory();
	g_autofree char *histograms = NULL;

	write_series(directory, 32);
	histograms = read_file(directory, "serie_histograms.csv");
	cr_assert_str_eq(histograms, "series_id,statistic,low_ns,high_ns,count\n1,delay,5,6,1\n");
	write_series(directory, 0);
	cr_assert_eq(count_entries(directory), 1);
	remove_directory(directory);
}

/* Runs a report into a descriptor as standard output; the error of its end, or NULL. */
static GError *error_of_report_into(int descriptor, const struct output_class *format, int instance_count)
{
	static const char *const tables[] = { "things", NULL };
	struct report_options options = { .format = format, .tables = tables, .has_instances = format->file != NULL };
	GError *error = NULL;
	struct report *report;
	int saved = dup(STDOUT_FILENO);

	cr_assert_eq(dup2(descriptor, STDOUT_FILENO), STDOUT_FILENO);
	report = report_create(&options, &error);
	if (report) {
		write_things(report, instance_count);
		if (report_finish(report, &trace, &error)) {
			cr_assert_null(error);
		}
	}
	report_destroy(report);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	return error;
}

Test(report, a_full_disk_is_an_error_that_says_so)
{
	int full = open("/dev/full", O_WRONLY);

	for (size_t i = 0; outputs[i]; i++) {
		g_autoptr(GError) error = error_of_report_into(full, outputs[i], 0);

		cr_assert(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC));
		cr_assert_str_eq(error->message, "cannot write standard output: No space left on device");
	}
	close(full);
}

Test(report, a_closed_pipe_is_an_error_of_its_own_and_no_signal)
{
	int ends[2];

	signal(SIGPIPE, SIG_DFL);
	cr_assert_eq(pipe(ends), 0);
	close(ends[0]);
	for (size_t i = 0; outputs[i]; i++) {
		g_autoptr(GError) error = error_of_report_into(ends[1], outputs[i], 20000);

		cr_assert(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PIPE));
	}
	close(ends[1]);
}

Test(report, standard_output_that_is_not_open_for_writing_is_known_at_once)
{
	int null = open("/dev/null", O_RDONLY);
	g_autoptr(GError) error = error_of_report_into(null, &text_output, 0);

	cr_assert(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_BADF));
	close(null);
}

Test(report, a_full_directory_leaves_no_file)
{
	/* A limit of the file size simulates the full disk: writes fail in the middle. */
	g_autofree char *directory = make_directory();
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct report_options options = { .format = &csv_output,
						  .directory = directory,
						  .has_instances = true };
		struct report *report = report_create(&options, NULL);
		g_autoptr(GError) error = NULL;
		struct rlimit limit = { 32768, 32768 };

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		write_things(report, 20000);
		if (report_finish(report, &trace, &error)) {
			_exit(1);
		}
		report_destroy(report);
		_exit(strstr(error->message, "thing_instances.csv") ? 0 : 2);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0);
	cr_assert_eq(count_entries(directory), 0);
	remove_directory(directory);
}

Test(report, tables_of_the_worst_are_only_made_if_they_are_asked_for)
{
	g_autofree char *directory = make_directory();

	for (int has_worst = 0; has_worst < 2; has_worst++) {
		struct report_options options = { .format = &csv_output,
						  .directory = directory,
						  .has_worst = has_worst };
		struct report *report = report_create(&options, NULL);
		struct table_output *output = report_tables(report);

		cr_assert_eq(output->open(output, &worst) != NULL, has_worst);
		report_destroy(report);
	}
	remove_directory(directory);
}

/* The file of the table `rare`, NULL if there is none, after a report with so many rows of it. */
static char *read_rare(const char *directory, const char *const *tables, int row_count)
{
	struct report_options options = { .format = &csv_output, .directory = directory, .tables = tables };
	struct report *report = report_create(&options, NULL);
	struct table_writer *writer = report_tables(report)->open(report_tables(report), &rare);
	g_autofree char *path = g_build_filename(directory, "rare_things.csv", NULL);
	char *contents = NULL;

	for (int i = 0; i < row_count; i++) {
		table_row(writer, (struct cell[]){ cell_integer(i), cell_text("part") });
	}
	cr_assert(report_finish(report, &trace, NULL));
	report_destroy(report);
	g_file_get_contents(path, &contents, NULL, NULL);
	return contents;
}

Test(report, an_optional_table_is_there_with_rows_or_if_it_was_chosen)
{
	static const char *const chosen[] = { "rare", NULL };
	g_autofree char *directory = make_directory();
	g_autofree char *with_rows = read_rare(directory, NULL, 2);
	g_autofree char *without_rows = read_rare(directory, NULL, 0);
	g_autofree char *of_choice = read_rare(directory, chosen, 0);

	cr_assert_str_eq(with_rows, "thing_id,part\n0,part\n1,part\n");
	cr_assert_null(without_rows, "the older file stays");
	cr_assert_str_eq(of_choice, "thing_id,part\n");
	remove_directory(directory);
}

Test(report, text_lists_an_optional_table_only_if_it_was_chosen)
{
	static const char *const choices[][2] = { { NULL }, { "rare", NULL } };
	g_autofree char *directory = make_directory();

	for (int is_chosen = 0; is_chosen < 2; is_chosen++) {
		struct report_options options = { .format = &text_output,
						  .directory = directory,
						  .tables = is_chosen ? choices[1] : NULL };
		struct report *report = report_create(&options, NULL);

		cr_assert_eq(report_tables(report)->open(report_tables(report), &rare) != NULL, is_chosen);
		report_destroy(report);
	}
	remove_directory(directory);
}
