/* SPDX-License-Identifier: MIT */
/*
 * What ros2-latency does besides reporting a recording: `ros2-latency NAME …`, a row each.
 *
 *   ROW(name, text)   `int name_main(int argc, char **argv)` in command/name.c, and what --help says
 *
 * It gets its arguments as main() does, argv[0] being what messages call it, and gives the exit status. A trace in a
 * directory of the same name is read as ./NAME.
 */
#ifndef ROS2BT_COMMAND_SUBCOMMANDS_H
#define ROS2BT_COMMAND_SUBCOMMANDS_H

/* clang-format off */
#define SUBCOMMANDS(ROW) \
	ROW(architecture, "write an architecture file of CARET, with paths between nodes") \
	ROW(check, "whether a recording keeps its budgets, for CI") \
	ROW(compare, "what changed from some recordings to others") \
	ROW(merge, "merge the reports of many recordings") \
	ROW(points, "propose a file for --points")
/* clang-format on */

#define SUBCOMMAND_DECLARATION(name, text) int name##_main(int argc, char **argv);
#define SUBCOMMAND_HELP(name, text) "  " #name "\n        " text "\n"

SUBCOMMANDS(SUBCOMMAND_DECLARATION)

/* Exit status of all of them. */
enum {
	EXIT_NOT_READ = 1, /* or not written */
	EXIT_USAGE = 2,
	EXIT_NOTHING = 3,   /* nothing to report: not a recording of ROS 2, or nothing in the range */
	EXIT_BROKEN = 4,    /* a budget */
	EXIT_UNDECIDED = 5, /* a budget, and none is broken */
};

#endif
