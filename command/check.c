/* SPDX-License-Identifier: MIT */
/* ros2-latency check: whether a recording keeps its budgets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_line.h"
#include "core/base/string_pool.h"
#include "core/bt/own.h"
#include "core/budget/budget_check.h"
#include "core/budget/budget_proposal.h"
#include "core/budget/budget_text.h"
#include "core/output/output_stream.h"
#include "options.h"
#include "run.h"
#include "subcommands.h"

#define NAME "ros2-latency check"

enum {
	OPTION_FORMAT = COMMAND_LINE_SHORT,
	OPTION_PROPOSE,
};

struct check_options {
	struct command_options command; /* what is read, and how */
	enum budget_format format;
	bool is_proposal;
	bool is_help;
	const char *file; /* of the budgets */
};

static const struct own_option own_options[] = {
	{ "format", OPTION_FORMAT, "text|json|junit",
	  "for people (default), for programs, or JUnit XML for what runs tests" },
	{ "propose", OPTION_PROPOSE, NULL,
	  "print a first file of budgets from a recording that is as it should be, for you to go over" },
	{ "help", COMMAND_LINE_HELP, NULL, "show this text and exit" },
};

static bool take_format(struct check_options *options, const char *value, GError **error)
{
	static const char *const formats[] = { "text", "json", "junit" };

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		if (strcmp(value, formats[i]) == 0) {
			options->format = (enum budget_format)i;
			return true;
		}
	}
	return command_line_refuse(error, "format", value, "text, json or junit");
}

static bool take_option(int number, const char *value, void *data, GError **error)
{
	struct check_options *options = data;

	switch (number) {
	case OPTION_FORMAT:
		return take_format(options, value, error);
	case OPTION_PROPOSE:
		options->is_proposal = true;
		return true;
	default:
		options->is_help = true;
		return true;
	}
}

static const char *const params[] = { "begin",	       "end",	      "clocks",	  "links",
				      "architecture",  "named-paths", "contexts", "first-callback",
				      "last-callback", "points",      NULL };

static const struct command_line line = {
	.usage = "Usage: " NAME " [OPTION]... BUDGETS TRACE...\n"
		 "       " NAME " --propose [OPTION]... TRACE...\n"
		 "\nWhether the recording in the traces keeps the budgets in a YAML file: limits on latencies, "
		 "durations, rates\nand losses. See docs/budgets.md.\n\nOptions:\n",
	.closing =
		"\nExit status: 0 all budgets are kept, 1 the recording could not be read, 2 the command line or the "
		"file of\nbudgets is wrong, 3 the recording has nothing to report, 4 a budget is broken, 5 a budget "
		"could not be decided:\nnothing matched it, or events were lost that may have broken it.\n",
	.params = params,
	.options = own_options,
	.option_count = G_N_ELEMENTS(own_options),
	.take = take_option,
};

static bool read_options(struct check_options *options, int argc, char **argv, GError **error)
{
	g_autoptr(bt_value) values = bt_value_map_create();
	int first = command_line_read(&line, argc, argv, values, options, error);

	if (first < 0 || options->is_help) {
		return first >= 0;
	}
	if (!options->is_proposal && first < argc) {
		options->file = argv[first++];
	}
	options->command.paths = (const char *const *)argv + first;
	options->command.path_count = (size_t)(argc - first);
	if (options->command.path_count == 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "%s",
			    options->is_proposal ? "no TRACE given" : "expected a file of budgets, and a TRACE");
		return false;
	}
	return session_params_read(&options->command.latency, values, true, error);
}

/* Reads the recording into tables. Gives the exit status; *begin_ns is when it begins. */
static int read_recording(const struct check_options *options, struct table_output *tables, int64_t *begin_ns)
{
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	struct session *session = session_create_for_tables(recording, &options->command.latency.options, tables);
	int status;

	catch_signals();
	status = run_recording(&options->command, session, NULL);
	*begin_ns = session_describe(session).begin_ns;
	session_destroy(session);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return status;
}

/* A reader that has closed the pipe has seen enough. */
static bool flush(struct output_stream *stream)
{
	g_autoptr(GError) error = NULL;
	bool is_written =
		output_stream_flush(stream, &error) || g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PIPE);

	if (!is_written) {
		fprintf(stderr, NAME ": %s\n", error->message);
	}
	output_stream_destroy(stream);
	return is_written;
}

static int propose(const struct check_options *options)
{
	struct budget_proposal *proposal = budget_proposal_create(options->command.paths[0]);
	struct output_stream *stream = output_stream_create(STDOUT_FILENO, "standard output");
	int64_t begin_ns;
	int status = read_recording(options, budget_proposal_tables(proposal), &begin_ns);

	if (status == EXIT_SUCCESS) {
		budget_proposal_write(proposal, stream);
	}
	if (!flush(stream)) {
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

static int check_budgets(const struct check_options *options, const struct budget_file *file)
{
	struct budget_check *check = budget_check_create(file);
	struct budget_subject subject = { .recording = options->command.paths[0], .file = options->file };
	int status = read_recording(options, budget_check_tables(check), &subject.begin_ns);

	budget_check_finish(check);
	/* what was read in part decides what it can */
	if (status == EXIT_SUCCESS || (status == EXIT_NOT_READ && budget_check_losses(check))) {
		struct output_stream *stream = output_stream_create(STDOUT_FILENO, "standard output");

		budget_text_write(check, &subject, options->format, stream);
		status = flush(stream) ? status_of(check) : EXIT_NOT_READ;
	}
	budget_check_destroy(check);
	return status;
}

static int run(const struct check_options *options, GError **error)
{
	struct budget_file *file;
	int status;

	if (options->is_proposal) {
		return propose(options);
	}
	file = budget_file_read(options->file, session_tables(), error);
	if (!file) {
		return EXIT_USAGE;
	}
	status = check_budgets(options, file);
	budget_file_destroy(file);
	return status;
}

int check_main(int argc, char **argv)
{
	struct check_options options = { .file = NULL };
	g_autoptr(GError) error = NULL;
	g_autofree char *help = NULL;
	int status = EXIT_USAGE;

	if (read_options(&options, argc, argv, &error) && options.is_help) {
		help = command_line_help(&line);
		fputs(help, stdout);
		status = EXIT_SUCCESS;
	} else if (!error) {
		status = run(&options, &error);
	}
	if (error && error->message[0] != '\0') {
		fprintf(stderr, NAME ": %s\n", error->message);
	}
	if (error && error->domain == G_OPTION_ERROR) {
		fputs("Try '" NAME " --help'.\n", stderr);
	}
	session_params_clear(&options.command.latency);
	return status;
}
