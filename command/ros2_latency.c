/* SPDX-License-Identifier: MIT */
/* ros2-latency: the reports of sink.ros2.latency as a command of its own. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "each.h"
#include "options.h"
#include "ros2bt/session.h"
#include "run.h"
#include "subcommands.h"

static int write_report(const struct command_options *options)
{
	g_autoptr(GError) error = NULL;
	struct session *session = session_create(&options->latency.report, &options->latency.options, &error);
	int status;

	if (!session) {
		fprintf(stderr, "ros2-latency: %s\n", error->message);
		return error->domain == G_OPTION_ERROR ? EXIT_USAGE : EXIT_NOT_READ;
	}
	catch_signals();
	status = run_recording(options, session, NULL);
	session_destroy(session);
	return status;
}

#define SUBCOMMAND_ROW(name, text) { #name, "ros2-latency " #name, name##_main },

/* -1: the first argument names none. */
static int run_subcommand(int argc, char **argv)
{
	static const struct {
		const char *name, *title;
		int (*main)(int argc, char **argv);
	} subcommands[] = { SUBCOMMANDS(SUBCOMMAND_ROW) };

	for (size_t i = 0; argc > 1 && i < G_N_ELEMENTS(subcommands); i++) {
		if (strcmp(argv[1], subcommands[i].name) == 0) {
			argv[1] = (char *)subcommands[i].title;
			return subcommands[i].main(argc - 1, argv + 1);
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	int subcommand_status = run_subcommand(argc, argv);
	struct command_options options;
	g_autoptr(GError) error = NULL;
	g_autofree char *help = NULL;
	int status = EXIT_SUCCESS;

	if (subcommand_status >= 0) {
		return subcommand_status;
	}
	if (!command_options_read(&options, argc, argv, &error)) {
		if (error->message[0] != '\0') {
			fprintf(stderr, "ros2-latency: %s\n", error->message);
		}
		fputs("Try 'ros2-latency --help'.\n", stderr);
		status = EXIT_USAGE;
	} else if (options.is_help) {
		help = command_options_help();
		fputs(help, stdout);
	} else if (options.is_version) {
		puts("ros2-latency " ROS2BT_VERSION);
	} else {
		status = options.is_each ? report_each(&options) : write_report(&options);
	}
	command_options_clear(&options);
	return status;
}
