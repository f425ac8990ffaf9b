/* SPDX-License-Identifier: MIT */
/* ros2-latency points: a first file of points, from the events of a recording. */
#include <stdio.h>
#include <stdlib.h>

#include "command/commands.h"
#include "command/run.h"
#include "command/trace_inputs.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/bt/trace_graph.h"
#include "ros2bt/ctf/record_reader.h"
#include "ros2bt/events/point_proposal.h"

#define NAME "ros2-latency points"

enum {
	OPTION_PROPOSE = COMMAND_LINE_OWN,
};

struct points_options {
	struct command_options command;
	bool is_proposal;
};

static const struct own_option own_options[] = {
	{ .name = "propose",
	  .number = OPTION_PROPOSE,
	  .help = "Propose a file, for you to review. This option is required." },
	{ .name = "reader",
	  .number = COMMAND_LINE_READER,
	  .value = COMMAND_LINE_READERS,
	  .help = "What reads the traces; see ros2-latency --help. Default: auto." },
};

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct points_options *options = data;

	options->is_proposal = true; /* the only option */
	return true;
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct points_options *options = data;

	if (!options->is_proposal) {
		return command_refuse(error, "expected --propose");
	}
	return command_take_paths(&options->command, arguments, "no TRACE given: name a directory that holds one",
				  error);
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

/* False if the reader refuses (*is_open is false then) or stops before the end; *reason says why. */
static bool read_fast(const struct command_options *options, const struct trace_inputs *inputs,
		      struct recording *recording, const struct event_interest *interest,
		      struct point_proposal *proposal, bool *is_open, char **reason)
{
	struct record_reader *reader =
		record_reader_open(trace_inputs_paths(inputs), options->path_count, recording, interest, reason);
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

static void tell(const struct trace_inputs *inputs, const char *line)
{
	g_autofree char *text = trace_inputs_text(inputs, line);

	fprintf(stderr, NAME ": %s\n", text);
}

/* Reads everything that can be read, and names what cannot: false if that is not all. */
static bool read_all(const struct command_options *options, const struct trace_inputs *inputs,
		     const struct event_interest *interest, struct point_proposal *proposal, bool is_silent)
{
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *refusal = NULL, *reason = NULL;
	bool is_open = false;
	bool is_read = options->reader != READER_BABELTRACE2 &&
		       read_fast(options, inputs, recording, interest, proposal, &is_open, &refusal);

	if (!is_open && options->reader != READER_FAST) {
		is_read = trace_graph_run(trace_inputs_paths(inputs), options->path_count, recording, interest,
					  count_points, proposal, left_out, &reason);
	}
	for (guint i = 0; !is_silent && i < left_out->len; i++) {
		tell(inputs, g_ptr_array_index(left_out, i));
	}
	if (!is_silent && !is_read) {
		tell(inputs, reason ? reason : refusal);
	}
	recording_destroy(recording);
	string_pool_destroy(pool);
	return is_read && left_out->len == 0;
}

/* The classes of events first, then the events of those that the proposal is about. The same. */
static bool read_twice(const struct command_options *options, const struct trace_inputs *inputs,
		       struct point_proposal *proposal)
{
	const GPtrArray *left_out = trace_inputs_left_out(inputs);
	struct event_interest interest = { .classes = point_proposal_listener(proposal) };

	for (guint i = 0; i < left_out->len; i++) {
		tell(inputs, g_ptr_array_index(left_out, i));
	}
	(void)read_all(options, inputs, &interest, proposal, true);
	interest = (struct event_interest){ .points = point_proposal_events(proposal) };
	return read_all(options, inputs, &interest, proposal, false) && left_out->len == 0;
}

static bool read_recording(const struct command_options *options, struct point_proposal *proposal, GError **error)
{
	struct trace_inputs *inputs = trace_inputs_open(options->paths, options->path_count, is_interrupted, error);
	bool is_read = inputs && read_twice(options, inputs, proposal);

	trace_inputs_close(inputs);
	return is_read;
}

/* --- writing --- */

static bool print(const char *text, GError **error)
{
	struct output_stream *stream = command_open_output();

	output_stream_text(stream, text);
	return command_close_output(stream, error);
}

static int propose(void *data, GError **error)
{
	const struct command_options *options = data;
	struct point_proposal *proposal = point_proposal_create();
	int status = read_recording(options, proposal, error) ? EXIT_SUCCESS : EXIT_NOT_READ;
	g_autofree char *text = point_proposal_text(proposal, options->paths[0]);

	if (text && !print(text, error)) {
		status = EXIT_NOT_READ;
	} else if (!text && status == EXIT_SUCCESS) {
		fputs(NAME ": found no events of an application that come in pairs of start and end or carry numbers\n",
		      stderr);
		status = EXIT_NOTHING;
	}
	point_proposal_destroy(proposal);
	return status;
}

static const char *const params[] = { NULL };

const struct command points_command = {
	.line = {
		.name = NAME,
	.usage = "Usage: ros2-latency points --propose [OPTION]... TRACE...\n"
		 "\nPrints a first file for --points from the events of a recording: which events of an application "
		 "start and\nend a stage, with which key, and which hold numbers. See docs/points.md.\n\nOptions:\n",
	.closing =
		"\nExit status: 0 a file was printed, 1 the recording could not be read, 2 the command line is wrong, "
		"3 the\nrecording has no events of an application.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.takes_traces = true,
	.options_size = sizeof(struct points_options),
	.take = take_option,
	.read = read_arguments,
	.run = propose,
};
