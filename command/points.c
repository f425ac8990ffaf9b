/* SPDX-License-Identifier: MIT */
/* ros2-latency points: a first file of points, from the events of a recording. */
#include <stdio.h>
#include <unistd.h>

#include "command_line.h"
#include "core/base/string_pool.h"
#include "core/bt/own.h"
#include "core/bt/graph/trace_graph.h"
#include "core/ctf/record_reader.h"
#include "core/output/output_stream.h"
#include "core/points/point_proposal.h"
#include "options.h"
#include "subcommands.h"

#define NAME "ros2-latency points"

enum {
	OPTION_PROPOSE = COMMAND_LINE_SHORT,
	OPTION_READER,
};

struct points_options {
	bool is_proposal, is_help;
	enum reader_choice reader;
	const char *const *paths;
	size_t path_count;
};

static const struct own_option own_options[] = {
	{ "propose", OPTION_PROPOSE, NULL,
	  "print a first file of points, by the names of the events and their fields, for you to go over" },
	{ "reader", OPTION_READER, READER_CHOICES, "what reads the traces: see ros2-latency --help" },
	{ "help", COMMAND_LINE_HELP, NULL, "show this text and exit" },
};

static bool take_option(int number, const char *value, void *data, GError **error)
{
	struct points_options *options = data;

	switch (number) {
	case OPTION_READER:
		return reader_choice_read(&options->reader, value, error);
	case OPTION_PROPOSE:
		options->is_proposal = true;
		return true;
	default:
		options->is_help = true;
		return true;
	}
}

static const char *const params[] = { NULL };

static const struct command_line line = {
	.usage = "Usage: " NAME " --propose [OPTION]... TRACE...\n"
		 "\nA first file for --points: which events of an application start and end something, with which key, "
		 "and "
		 "which hold\nnumbers. See docs/points.md.\n\nOptions:\n",
	.closing =
		"\nExit status: 0 a file was printed, 1 the recording could not be read, 2 the command line is wrong, "
		"3 no event of\nthe recording is an application's.\n",
	.params = params,
	.options = own_options,
	.option_count = G_N_ELEMENTS(own_options),
	.take = take_option,
};

static bool read_options(struct points_options *options, int argc, char **argv, GError **error)
{
	g_autoptr(bt_value) values = bt_value_map_create();
	int first = command_line_read(&line, argc, argv, values, options, error);
	const char *problem = NULL;

	if (first < 0 || options->is_help) {
		return first >= 0;
	}
	options->paths = (const char *const *)argv + first;
	options->path_count = (size_t)(argc - first);
	if (!options->is_proposal) {
		problem = "expected --propose";
	} else if (options->path_count == 0) {
		problem = "no TRACE given";
	}
	if (problem) {
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, problem);
	}
	return !problem;
}

/* --- reading --- */

static bool count_points(const struct event_record *records, size_t count, void *data)
{
	for (size_t i = 0; i < count; i++) {
		if (records[i].kind == RECORD_POINT) {
			point_proposal_count(data, records[i].word[RECORD__point]);
		}
	}
	return true;
}

/* False: the reader refuses, or stops before the end, and *reason says why. *is_open: it has not refused. */
static bool read_fast(const struct points_options *options, struct recording *recording,
		      const struct event_interest *interest, struct point_proposal *proposal, bool *is_open,
		      char **reason)
{
	struct record_reader *reader =
		record_reader_open(options->paths, options->path_count, recording, interest, reason);
	enum record_reader_status status = RECORD_READER_ERROR;
	const struct event_record *records;
	size_t count;

	*is_open = reader != NULL;
	while (reader && (status = record_reader_next(reader, &records, &count)) == RECORD_READER_OK) {
		count_points(records, count, proposal);
	}
	if (reader && (status == RECORD_READER_ERROR || !record_reader_is_reliable(reader))) {
		*reason = g_strdup(record_reader_error(reader));
		status = RECORD_READER_ERROR;
	}
	record_reader_close(reader);
	return status == RECORD_READER_END;
}

/* What cannot be read is named, and what could be is proposed from: false if that is not all. */
static bool read_all(const struct points_options *options, const struct event_interest *interest,
		     struct point_proposal *proposal, bool is_silent)
{
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *refusal = NULL, *reason = NULL;
	bool is_open = false;
	bool is_read = options->reader != READER_BABELTRACE2 &&
		       read_fast(options, recording, interest, proposal, &is_open, &refusal);

	if (!is_open && options->reader != READER_FAST) {
		is_read = trace_graph_run(options->paths, options->path_count, recording, interest, count_points,
					  proposal, left_out, &reason);
	}
	for (guint i = 0; !is_silent && i < left_out->len; i++) {
		fprintf(stderr, NAME ": %s\n", (const char *)g_ptr_array_index(left_out, i));
	}
	if (!is_silent && !is_read) {
		fprintf(stderr, NAME ": %s\n", reason ? reason : refusal);
	}
	recording_destroy(recording);
	string_pool_destroy(pool);
	return is_read && left_out->len == 0;
}

/* --- writing --- */

/* A reader that has closed the pipe has seen enough. */
static bool print(const char *text)
{
	struct output_stream *stream = output_stream_create(STDOUT_FILENO, "standard output");
	g_autoptr(GError) error = NULL;
	bool is_written;

	output_stream_text(stream, text);
	is_written = output_stream_flush(stream, &error) || g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PIPE);
	if (!is_written) {
		fprintf(stderr, NAME ": %s\n", error->message);
	}
	output_stream_destroy(stream);
	return is_written;
}

static int propose(const struct points_options *options)
{
	struct point_proposal *proposal = point_proposal_create();
	struct event_interest interest = { .classes = point_proposal_listener(proposal) };
	g_autofree char *text = NULL;
	int status = EXIT_SUCCESS;

	(void)read_all(options, &interest, proposal, true);
	interest = (struct event_interest){ .points = point_proposal_events(proposal) };
	if (!read_all(options, &interest, proposal, false)) {
		status = EXIT_NOT_READ;
	}
	text = point_proposal_text(proposal, options->paths[0]);
	if (text && !print(text)) {
		status = EXIT_NOT_READ;
	} else if (!text && status == EXIT_SUCCESS) {
		fputs(NAME ": the trace has no events of an application, or none with names in pairs or with numbers\n",
		      stderr);
		status = EXIT_NOTHING;
	}
	point_proposal_destroy(proposal);
	return status;
}

int points_main(int argc, char **argv)
{
	struct points_options options = { .reader = READER_AUTO };
	g_autoptr(GError) error = NULL;
	g_autofree char *help = NULL;

	if (!read_options(&options, argc, argv, &error)) {
		if (error->message[0] != '\0') {
			fprintf(stderr, NAME ": %s\n", error->message);
		}
		fputs("Try '" NAME " --help'.\n", stderr);
		return EXIT_USAGE;
	}
	if (options.is_help) {
		help = command_line_help(&line);
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	return propose(&options);
}
