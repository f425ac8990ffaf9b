# SPDX-License-Identifier: MIT
"""`ros2 latency`: the command ros2-latency, with all of its options."""
import argparse
import os

from ros2cli.command import CommandExtension

COMMAND = 'ros2-latency'


class LatencyCommand(CommandExtension):
    """Report callback, communication and end-to-end latency of a session of ros2 trace."""

    def add_arguments(self, parser, cli_name):
        # Nothing is an option of this parser: ros2-latency reads them, and prints its own help.
        parser.prefix_chars = '\0'
        parser.add_argument('arguments', nargs=argparse.REMAINDER)

    def main(self, *, parser, args):
        try:
            os.execvp(COMMAND, [COMMAND, *args.arguments])
        except FileNotFoundError:
            return f'{COMMAND} is not in PATH: install babeltrace2_ros2, or source the workspace that contains it'
