/* SPDX-License-Identifier: MIT */
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/trace_sessions.h"
#include "ros2bt/output/output_file.h"

static const char *const reader_names[] = {
	[READER_AUTO] = "auto", [READER_FAST] = "fast", [READER_BABELTRACE2] = "babeltrace2"
};

static bool take_reader(struct command_options *options, const char *value, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(reader_names); i++) {
		if (strcmp(value, reader_names[i]) == 0) {
			options->reader = (enum reader_choice)i;
			return true;
		}
	}
	return command_line_refuse(error, "reader", value, COMMAND_LINE_READERS);
}

struct reading {
	const struct command *command;
	struct command_options *options;
};

static bool take_option(void *data, int number, const char *value, GError **error)
{
	const struct reading *reading = data;

	switch (number) {
	case COMMAND_LINE_READER:
		return take_reader(reading->options, value, error);
	case COMMAND_LINE_VERBOSE:
		reading->options->is_verbose = true;
		return true;
	case COMMAND_LINE_HELP:
		reading->options->is_help = true;
		return true;
	case COMMAND_LINE_BRIEF:
		reading->options->is_help = true;
		reading->options->is_brief = true;
		return true;
	case COMMAND_LINE_VERSION:
		reading->options->is_version = true;
		return true;
	default:
		return reading->command->take(reading->options, number, value, error);
	}
}

/* The index of the first "--"; argc if there is none. Before getopt, which moves arguments. */
static int find_separator(int argc, char **argv)
{
	int index = 1;

	while (index < argc && strcmp(argv[index], "--") != 0) {
		index++;
	}
	return index;
}

static void find_sessions(char **argv, int first, int argc)
{
	for (int i = first; i < argc; i++) {
		argv[i] = (char *)trace_session_path(argv[i]);
	}
}

bool command_read(const struct command *command, struct command_options *options, int argc, char **argv, GError **error)
{
	g_autoptr(param_values) values = param_values_create();
	struct reading reading = { command, options };
	int end = command->has_two_sides ? find_separator(argc, argv) : argc;
	struct arguments arguments;
	int first;

	options->name = command->line.name;
	if (command->initialize) {
		command->initialize(options);
	}
	first = command_line_read(&command->line, end, argv, values, take_option, &reading, error);
	if (first < 0 || options->is_help || options->is_version) {
		return first >= 0;
	}
	if (command->takes_traces) {
		find_sessions(argv, first, argc);
	}
	arguments = (struct arguments){
		.items = (const char *const *)argv + first,
		.count = (size_t)(end - first),
		.items_after = (const char *const *)argv + MIN(end + 1, argc),
		.count_after = (size_t)(argc - MIN(end + 1, argc)),
	};
	return session_params_read(&options->params, values, true, error) && command->read(options, &arguments, error);
}

void command_clear(const struct command *command, struct command_options *options)
{
	session_params_clear(&options->params);
	if (command->clear) {
		command->clear(options);
	}
}

static int run(const struct command *command, struct command_options *options, GError **error)
{
	g_autofree char *help = NULL;

	if (options->is_help) {
		help = options->is_brief ? command_line_brief(&command->line) : command_line_help(&command->line);
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	if (options->is_version) {
		puts("ros2-latency " ROS2BT_VERSION);
		return EXIT_SUCCESS;
	}
	return command->run(options, error);
}

int command_main(const struct command *command, int argc, char **argv)
{
	g_autofree struct command_options *options = g_malloc0(command->options_size);
	g_autoptr(GError) error = NULL;
	int status = EXIT_USAGE;

	if (command_read(command, options, argc, argv, &error)) {
		status = run(command, options, &error);
	}
	if (error) {
		fprintf(stderr, "%s: %s\n", command->line.name, error->message);
	}
	if (error && error->domain == G_OPTION_ERROR) {
		fprintf(stderr, "Try '%s --help'.\n", command->line.name);
		status = EXIT_USAGE;
	}
	command_clear(command, options);
	return status;
}

bool command_refuse(GError **error, const char *text)
{
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, text);
	return false;
}

bool command_take_paths(struct command_options *options, const struct arguments *arguments, const char *if_none,
			GError **error)
{
	options->paths = arguments->items;
	options->path_count = arguments->count;
	options->params.report.recordings = options->paths;
	options->params.report.recording_count = options->path_count;
	return options->path_count > 0 || command_refuse(error, if_none);
}

bool command_shows_several(const struct output_class *format)
{
	return !format->is_of_one_recording;
}

bool command_refuse_format(const struct output_class *format, bool (*can_show)(const struct output_class *format),
			   const char *what, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (size_t i = 0; outputs[i]; i++) {
		if (can_show(outputs[i])) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", outputs[i]->name);
		}
	}
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--format=%s cannot show %s: choose one of %s",
		    format->name, what, names->str);
	return false;
}

/* A reader that has closed the pipe is no error. */
static bool is_written_or_closed(bool is_written, GError *problem, GError **error)
{
	if (!is_written && !g_error_matches(problem, G_FILE_ERROR, G_FILE_ERROR_PIPE)) {
		g_propagate_error(error, problem);
		return false;
	}
	g_clear_error(&problem);
	return true;
}

bool command_finish_report(struct report *report, const struct report_trace *trace, GError **error)
{
	GError *problem = NULL;
	bool is_written = report_finish(report, trace, &problem);

	return is_written_or_closed(is_written, problem, error);
}

struct output_stream *command_open_output(void)
{
	return output_stream_create(STDOUT_FILENO, "standard output");
}

bool command_close_output(struct output_stream *stream, GError **error)
{
	GError *problem = NULL;
	bool is_written = output_stream_flush(stream, &problem);

	output_stream_destroy(stream);
	return is_written_or_closed(is_written, problem, error);
}

bool command_check_page(const struct report_options *options, GError **error)
{
	if (options->directory) {
		return output_directory_create(options->directory, error);
	}
	return !isatty(STDOUT_FILENO) ||
	       command_refuse(error,
			      "a page is not for a terminal: name a directory with --output, or redirect standard "
			      "output");
}

static bool write_page_file(const struct report_options *options,
			    bool (*write)(struct output_stream *stream, const void *data, GError **error),
			    const void *data, GError **error)
{
	struct output_file *file = output_file_create(options->directory, options->format->file, error);
	bool is_written;

	if (!file) {
		return false;
	}
	is_written = write(output_file_stream(file), data, error) && output_file_close(file, error) &&
		     output_file_commit(file, error);
	output_file_destroy(file);
	return is_written;
}

bool command_write_page(const struct report_options *options,
			bool (*write)(struct output_stream *stream, const void *data, GError **error), const void *data,
			GError **error)
{
	struct output_stream *stream;

	if (options->directory) {
		return write_page_file(options, write, data, error);
	}
	stream = command_open_output();
	if (!write(stream, data, error)) {
		output_stream_destroy(stream);
		return false;
	}
	return command_close_output(stream, error);
}
