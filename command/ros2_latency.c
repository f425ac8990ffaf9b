/* SPDX-License-Identifier: MIT */
/* ros2-latency: the reports of sink.ros2.latency as a command of its own, and its subcommands. */
#include <string.h>

#include "command/commands.h"
#include "ros2bt/ctf/file_views.h"

#define SUBCOMMAND_ROW(name, text) { #name, &name##_command },

static const struct {
	const char *name;
	const struct command *command;
} subcommands[] = { SUBCOMMANDS(SUBCOMMAND_ROW) };

int main(int argc, char **argv)
{
	file_views_allow();
	for (size_t i = 0; argc > 1 && i < G_N_ELEMENTS(subcommands); i++) {
		if (strcmp(argv[1], subcommands[i].name) == 0) {
			argv[1] = (char *)subcommands[i].command->line.name;
			return command_main(subcommands[i].command, argc - 1, argv + 1);
		}
	}
	return command_main(&report_command, argc, argv);
}
