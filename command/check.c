/* SPDX-License-Identifier: MIT */
/* ros2-latency check: whether a recording keeps its budgets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/live.h"
#include "command/on_break.h"
#include "command/run.h"
#include "ros2bt/base/duration_text.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/reports/budget_check.h"
#include "ros2bt/reports/budget_proposal.h"
#include "ros2bt/reports/budget_text.h"

#define NAME "ros2-latency check"
#define FORMATS "text|json|junit|markdown|html"

enum {
	OPTION_FORMAT = COMMAND_LINE_OWN,
	OPTION_PROPOSE,
	OPTION_LIVE,
	OPTION_FOLLOW,
	OPTION_WINDOW,
	OPTION_ON_BREAK,
};

#define WINDOW_NS (5 * NS_PER_S)
#define WINDOW_MIN_NS (NS_PER_S / 100)

struct check_options {
	struct command_options command; /* what is read, and how */
	enum budget_format format;
	bool is_proposal;
	const char *file;     /* of the budgets */
	int64_t window_ns;    /* 0: the whole recording only */
	const char *on_break; /* NULL: none */
};

static const struct own_option own_options[] = {
	{ .name = "format",
	  .number = OPTION_FORMAT,
	  .value = FORMATS,
	  .help = "The format of the result: text for people, JSON for programs, JUnit XML, in which each budget is "
		  "a test case, Markdown for a pull request, or a page for a browser. Default: text." },
	{ .name = "propose",
	  .number = OPTION_PROPOSE,
	  .help = "Print a first file of budgets from a recording of a healthy system: its figures plus a margin, for "
		  "you to review." },
	{ .name = "live",
	  .number = OPTION_LIVE,
	  .value = "URL",
	  .help = "Check a live session of LTTng through its relay daemon, such as net://localhost/host/HOSTNAME/SESSION, "
		  "window by window, until it ends or until Ctrl+C." },
	{ .name = "follow",
	  .number = OPTION_FOLLOW,
	  .value = FOLLOW_VALUE,
	  .help = "The same of " FOLLOW_HELP ", until Ctrl+C." },
	{ .name = "window",
	  .number = OPTION_WINDOW,
	  .value = "DURATION",
	  .help = "Also check each window of this length, and print a line for each budget that breaks in it. Default with "
		  "--live and --follow: 5s." },
	{ .name = "on-break",
	  .number = OPTION_ON_BREAK,
	  .value = "COMMAND",
	  .help = "Run this command in the shell when budgets break in a window, at most once a window, such as \"lttng "
		  "snapshot record\"." },
};

static bool take_format(struct check_options *options, const char *value, GError **error)
{
	static const char *const formats[] = { "text", "json", "junit", "markdown", "html" };

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		if (strcmp(value, formats[i]) == 0) {
			options->format = (enum budget_format)i;
			return true;
		}
	}
	return command_line_refuse(error, "format", value, FORMATS);
}

static bool take_window(struct check_options *options, const char *value, GError **error)
{
	if (!duration_text_parse(value, &options->window_ns) || options->window_ns < WINDOW_MIN_NS) {
		return command_line_refuse(error, "window", value, "10 ms or more, as " DURATION_TEXT_ALLOWED);
	}
	return true;
}

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct check_options *options = data;

	switch (number) {
	case OPTION_FORMAT:
		return take_format(options, value, error);
	case OPTION_WINDOW:
		return take_window(options, value, error);
	case OPTION_LIVE:
		options->command.live = value;
		break;
	case OPTION_FOLLOW:
		options->command.follow = value;
		break;
	case OPTION_ON_BREAK:
		options->on_break = value;
		break;
	default:
		options->is_proposal = true;
		break;
	}
	return true;
}

/* What belongs to windows. */
static bool check_windows(struct check_options *options, const struct arguments *traces, GError **error)
{
	const char *subject = live_subject(&options->command);

	if (options->is_proposal && (subject || options->window_ns > 0 || options->on_break)) {
		return command_refuse(error,
				      "--propose cannot be combined with --live, --follow, --window or --on-break");
	}
	if (subject && options->window_ns == 0) {
		options->window_ns = WINDOW_NS;
	}
	if (options->on_break && options->window_ns == 0) {
		return command_refuse(error, "--on-break needs --live, --follow or --window: budgets break in windows");
	}
	return !subject || live_check(&options->command, traces, error);
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct check_options *options = data;
	struct arguments traces = *arguments;

	if (!options->is_proposal && traces.count > 0) {
		options->file = *traces.items++;
		traces.count--;
		if (g_file_test(options->file, G_FILE_TEST_IS_DIR)) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
				    "%s is a directory: expected the file of budgets first, then a TRACE",
				    options->file);
			return false;
		}
		if (options->format == BUDGET_FORMAT_HTML && isatty(STDOUT_FILENO)) {
			return command_refuse(error,
					      "a page is not for a terminal: redirect standard output into a file");
		}
	}
	if (!check_windows(options, &traces, error)) {
		return false;
	}
	if (live_subject(&options->command)) {
		return options->file || command_refuse(error, "expected a file of budgets");
	}
	return command_take_paths(&options->command, &traces,
				  options->is_proposal ? "no TRACE given: name a directory that holds one"
						       : "expected a file of budgets and a TRACE",
				  error);
}

/* A proposal that gets the tables at the end of each block. */
struct watched {
	struct session *session;
	struct budget_proposal *proposal;
};

static int64_t reached(void *data, int64_t time_ns)
{
	const struct watched *watched = data;
	struct block_series *series = budget_proposal_series(watched->proposal);

	while (block_series_is_due(series, time_ns)) {
		block_series_end_block(series);
		session_write(watched->session);
	}
	return block_series_due_ns(series);
}

static void ends(void *data)
{
	const struct watched *watched = data;

	budget_proposal_finish(watched->proposal, session_describe(watched->session).end_ns);
}

/* A check of windows. */
struct windowed {
	struct budget_check *check;
	struct on_break *on_break;
};

static void window_ended(void *data, const struct session_window *window)
{
	const struct windowed *windowed = data;
	g_autofree char *lines = NULL;

	if (window->length_ns == 0) {
		return; /* nothing was read that could break a budget */
	}
	budget_check_finish(windowed->check);
	lines = budget_text_broken(windowed->check, window->as_of_ns);
	if (lines[0] != '\0') {
		fputs(lines, stderr);
		on_break_run(windowed->on_break, lines);
	}
	budget_check_reset(windowed->check);
}

static bool may_lack(const void *data, const char *hostname, int64_t vpid)
{
	return session_may_lack(data, hostname, vpid);
}

/* Reads the recording into tables. Returns the exit status; *begin_ns is when the recording begins. `watched`: may be
 * NULL, as may `check`, which asks the session what was lost. */
static int read_recording(const struct check_options *options, struct table_output *tables, struct watched *watched,
			  struct budget_check *check, int64_t *begin_ns)
{
	const struct analysis_options *analysis_options = &options->command.params.options;
	struct windowed windowed = { .check = check };
	const struct session_windows windows = { options->window_ns, window_ended, &windowed };
	struct session *session = options->window_ns > 0
					  ? session_create_for_windows(analysis_options, tables, &windows)
					  : session_create_for_tables(NULL, analysis_options, tables);
	struct run_watcher watcher = { INT64_MIN, reached, ends, watched };
	int status;

	if (watched) {
		watched->session = session;
	}
	if (check) {
		budget_check_ask(check, may_lack, session);
	}
	if (live_subject(&options->command)) {
		budget_check_end_at_interruption(check);
	}
	windowed.on_break = on_break_create(NAME, options->on_break);
	catch_signals();
	status = run_recording_watched(&options->command, session, watched ? &watcher : NULL, NULL);
	*begin_ns = session_describe(session).begin_ns;
	on_break_destroy(windowed.on_break);
	session_destroy(session);
	return status;
}

static int propose(const struct check_options *options, GError **error)
{
	struct budget_proposal *proposal = budget_proposal_create(options->command.paths[0]);
	struct output_stream *stream = command_open_output();
	int64_t begin_ns;
	struct watched watched = { .proposal = proposal };
	int status = read_recording(options, budget_proposal_tables(proposal), &watched, NULL, &begin_ns);

	if (status == EXIT_SUCCESS && !budget_proposal_write(proposal, stream)) {
		fprintf(stderr, NAME ": nothing ran %d times or more; no budget is proposed\n", BUDGET_SAMPLES_MIN);
		status = EXIT_NOTHING;
	}
	if (!command_close_output(stream, error)) {
		status = EXIT_NOT_READ;
	}
	budget_proposal_destroy(proposal);
	return status;
}

static int status_of(const struct budget_check *check)
{
	static const int statuses[] = {
		[BUDGET_KEPT] = EXIT_SUCCESS,
		[BUDGET_UNDECIDED] = EXIT_UNDECIDED,
		[BUDGET_BROKEN] = EXIT_BROKEN,
	};

	return statuses[budget_check_verdict(check)];
}

static int check_budgets(const struct check_options *options, const struct budget_file *file, GError **error)
{
	struct budget_check *check = budget_check_create(file);
	struct budget_subject subject = {
		.recording =
			live_subject(&options->command) ? live_subject(&options->command) : options->command.paths[0],
		.file = options->file,
	};
	int status;

	if (options->format == BUDGET_FORMAT_HTML) {
		budget_check_keep_distributions(check);
	}
	status = read_recording(options, budget_check_tables(check), NULL, check, &subject.begin_ns);
	budget_check_finish(check);
	/* a recording that was read in part decides what it can */
	if (status == EXIT_SUCCESS || (status == EXIT_NOT_READ && budget_check_losses(check))) {
		struct output_stream *stream = command_open_output();

		budget_text_write(check, &subject, options->format, stream);
		status = command_close_output(stream, error) ? status_of(check) : EXIT_NOT_READ;
	}
	budget_check_destroy(check);
	return status;
}

static int run(void *data, GError **error)
{
	const struct check_options *options = data;
	struct budget_file *file;
	int status;

	if (options->is_proposal) {
		return propose(options, error);
	}
	file = budget_file_read(options->file, session_tables(), error);
	if (!file) {
		return EXIT_USAGE;
	}
	status = check_budgets(options, file, error);
	budget_file_destroy(file);
	return status;
}

static const char *const params[] = { "begin",	       "end",	      "clocks",	  "links",
				      "architecture",  "named-paths", "contexts", "first-callback",
				      "last-callback", "points",      NULL };

const struct command check_command = {
	.line = {
		.name = NAME,
	.usage = "Usage: ros2-latency check [OPTION]... BUDGETS TRACE...\n"
		 "       ros2-latency check [OPTION]... --live=URL BUDGETS\n"
		 "       ros2-latency check [OPTION]... --follow=DIRECTORY BUDGETS\n"
		 "       ros2-latency check --propose [OPTION]... TRACE...\n"
		 "\nChecks whether the recording in the traces keeps the budgets in a YAML file: limits on latencies,\n"
		 "durations, rates and losses; with --live, those of a session that is being recorded. See docs/budgets.md.\n\nOptions:\n",
	.closing =
		"\nExit status: 0 all budgets are kept, 1 the recording could not be read, 2 the command line or the "
		"file of\nbudgets is wrong, 3 the recording has nothing to report, 4 a budget is broken, 5 a budget "
		"could not be decided:\nnothing matched it, or events were lost that may have broken it.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.takes_traces = true,
	.options_size = sizeof(struct check_options),
	.take = take_option,
	.read = read_arguments,
	.run = run,
};
