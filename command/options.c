/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <string.h>

#include "command_line.h"
#include "core/bt/own.h"
#include "subcommands.h"

enum {
	OPTION_READER = COMMAND_LINE_SHORT,
	OPTION_EACH,
};

static const struct own_option own_options[] = {
	{ "reader", OPTION_READER, READER_CHOICES,
	  "what reads the traces: `fast` reads the files of LTTng-UST itself and refuses what it does not know "
	  "exactly, "
	  "`auto` (the default) is `fast`, or `babeltrace2` for what `fast` refuses" },
	{ "each", OPTION_EACH, NULL,
	  "each TRACE is a recording of its own, of one system over time: a row for each, the rows of its tables with "
	  "a "
	  "column `recording`, and how they change" },
	{ "verbose", 'v', NULL, "report on standard error which reader is used and why" },
	{ "help", COMMAND_LINE_HELP, NULL, "show this text and exit" },
	{ "version", COMMAND_LINE_VERSION, NULL, "show the version and exit" },
};

bool reader_choice_read(enum reader_choice *reader, const char *value, GError **error)
{
	static const char *const names[] = {
		[READER_AUTO] = "auto", [READER_FAST] = "fast", [READER_BABELTRACE2] = "babeltrace2"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(value, names[i]) == 0) {
			*reader = (enum reader_choice)i;
			return true;
		}
	}
	return command_line_refuse(error, "reader", value, READER_CHOICES);
}

static bool take_option(int number, const char *value, void *data, GError **error)
{
	struct command_options *options = data;

	switch (number) {
	case OPTION_READER:
		return reader_choice_read(&options->reader, value, error);
	case OPTION_EACH:
		options->is_each = true;
		break;
	case 'v':
		options->is_verbose = true;
		break;
	case COMMAND_LINE_HELP:
		options->is_help = true;
		break;
	case COMMAND_LINE_VERSION:
		options->is_version = true;
		break;
	default:
		break;
	}
	return true;
}

static const struct command_line line = {
	.usage =
		"Usage: ros2-latency [OPTION]... TRACE...\n"
		"       ros2-latency COMMAND [OPTION]...\n"
		"\nReports the latencies of callbacks, communications and paths of the ROS 2 systems in LTTng traces.\n"
		"TRACE is a directory with traces somewhere below it; several are read as one "
		"recording.\n\nCommands, each with its own --help:\n" SUBCOMMANDS(SUBCOMMAND_HELP) "\nOptions:\n",
	.closing = "\nExit status: 0 everything was read and reported, 1 something could not be read or "
		   "written, 2 the command\nline is wrong, 3 there is nothing to report: no ROS 2 events, or "
		   "none in the range.\n",
	.options = own_options,
	.option_count = G_N_ELEMENTS(own_options),
	.take = take_option,
};

static bool check_each(const struct command_options *options, GError **error)
{
	const struct report_options *report = &options->latency.report;
	const char *problem = NULL;

	if (!options->is_each) {
		return true;
	}
	if (report->has_instances || report->has_worst) {
		problem = "there are no rows of instances with --each";
	} else if (!report->format->file && !report->directory) {
		problem = "with --each, csv is several tables: name a directory with --output";
	}
	if (problem) {
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, problem);
	}
	return !problem;
}

bool command_options_read(struct command_options *options, int argc, char **argv, GError **error)
{
	g_autoptr(bt_value) values = bt_value_map_create();
	int first;

	*options = (struct command_options){ .reader = READER_AUTO };
	first = command_line_read(&line, argc, argv, values, options, error);
	if (first < 0) {
		return false;
	}
	if (options->is_help || options->is_version) {
		return true;
	}
	options->paths = (const char *const *)argv + first;
	options->path_count = (size_t)(argc - first);
	if (options->path_count == 0) {
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
				    "no TRACE given: name a directory that holds one");
		return false;
	}
	return session_params_read(&options->latency, values, true, error) && check_each(options, error);
}

void command_options_clear(struct command_options *options)
{
	session_params_clear(&options->latency);
}

char *command_options_help(void)
{
	return command_line_help(&line);
}
