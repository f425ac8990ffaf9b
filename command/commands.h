/* SPDX-License-Identifier: MIT */
/*
 * The list of subcommands, `ros2-latency NAME …`, a row each, in the order of --help:
 *
 *   ROW(name, text)   the constant `struct command name_command` in command/name.c, and what --help says
 *
 * From this list follow `ros2-latency --help` and completion; a test compares the manual pages,
 * docs/ros2-latency-NAME.1, with the options of each. A trace in a directory of the same name must be given as ./NAME.
 */
#ifndef ROS2BT_COMMANDS_H
#define ROS2BT_COMMANDS_H

#include "command/command.h"

/* clang-format off */
#define SUBCOMMANDS(ROW) \
	ROW(architecture, "write an architecture file of CARET, with paths between nodes") \
	ROW(check, "check whether a recording keeps its budgets, for CI") \
	ROW(compare, "compare recordings, and report what changed") \
	ROW(convert, "write a recording in CTF 2 as CTF 1.8") \
	ROW(merge, "merge the reports of many recordings") \
	ROW(points, "propose a file for --points") \
	ROW(record, "record with LTTng, and report") \
	ROW(top, "show a live session in the terminal, the worst first")
/* clang-format on */

#define SUBCOMMAND_DECLARATION(name, text) extern const struct command name##_command;
#define SUBCOMMAND_WORD(name, text) "  " #name
#define SUBCOMMAND_HELP(name, text) "  " #name "\n        " text "\n"

SUBCOMMANDS(SUBCOMMAND_DECLARATION)

/* ros2-latency without a subcommand: the report of a recording, or with --each of several. */
extern const struct command report_command;

#endif
