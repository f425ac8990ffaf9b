/* SPDX-License-Identifier: MIT */
/* ros2-latency check: whether a recording keeps its budgets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/run.h"
#include "ros2bt/reports/budget_check.h"
#include "ros2bt/reports/budget_proposal.h"
#include "ros2bt/reports/budget_text.h"

#define NAME "ros2-latency check"

enum {
	OPTION_FORMAT = COMMAND_LINE_OWN,
	OPTION_PROPOSE,
};

struct check_options {
	struct command_options command; /* what is read, and how */
	enum budget_format format;
	bool is_proposal;
	const char *file; /* of the budgets */
};

static const struct own_option own_options[] = {
	{ .name = "format",
	  .number = OPTION_FORMAT,
	  .value = "text|json|junit|markdown",
	  .help = "The format of the result: text for people, JSON for programs, JUnit XML, in which each budget is "
		  "a test case, or Markdown for a pull request. Default: text." },
	{ .name = "propose",
	  .number = OPTION_PROPOSE,
	  .help = "Print a first file of budgets from a recording of a healthy system: its figures plus a margin, for "
		  "you to review." },
};

static bool take_format(struct check_options *options, const char *value, GError **error)
{
	static const char *const formats[] = { "text", "json", "junit", "markdown" };

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		if (strcmp(value, formats[i]) == 0) {
			options->format = (enum budget_format)i;
			return true;
		}
	}
	return command_line_refuse(error, "format", value, "text|json|junit|markdown");
}

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct check_options *options = data;

	if (number == OPTION_FORMAT) {
		return take_format(options, value, error);
	}
	options->is_proposal = true;
	return true;
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

static bool may_lack(const void *data, const char *hostname, int64_t vpid)
{
	return session_may_lack(data, hostname, vpid);
}

/* Reads the recording into tables. Returns the exit status; *begin_ns is when the recording begins. `watched`: may be
 * NULL, as may `check`, which asks the session what was lost. */
static int read_recording(const struct check_options *options, struct table_output *tables, struct watched *watched,
			  struct budget_check *check, int64_t *begin_ns)
{
	struct session *session = session_create_for_tables(NULL, &options->command.params.options, tables);
	struct run_watcher watcher = { INT64_MIN, reached, ends, watched };
	int status;

	if (watched) {
		watched->session = session;
	}
	if (check) {
		budget_check_ask(check, may_lack, session);
	}
	catch_signals();
	status = run_recording_watched(&options->command, session, watched ? &watcher : NULL, NULL);
	*begin_ns = session_describe(session).begin_ns;
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
	struct budget_subject subject = { .recording = options->command.paths[0], .file = options->file };
	int status = read_recording(options, budget_check_tables(check), NULL, check, &subject.begin_ns);

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
		 "       ros2-latency check --propose [OPTION]... TRACE...\n"
		 "\nChecks whether the recording in the traces keeps the budgets in a YAML file: limits on latencies,\n"
		 "durations, rates and losses. See docs/budgets.md.\n\nOptions:\n",
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
