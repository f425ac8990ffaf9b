#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_manual_pages.py ROS2_LATENCY SOURCE_DIRECTORY

Manual pages of ros2-latency and its subcommands against the commands: each has a page, which lists all options; where a page
lists the values of an option, these are all that the command accepts.
"""
import re
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
import latency  # noqa: E402

COMMAND, SOURCE = sys.argv[1], Path(sys.argv[2])


def run(*arguments):
    return latency.run(COMMAND, *arguments)


def help_of(command):
    return run(*command, "--help").stdout


def commands():
    """ros2-latency itself, and each subcommand, as the first arguments."""
    return [[], *([name] for name in re.findall(r"^  ([a-z]+)$", help_of([]).partition("Options:")[0], re.MULTILINE))]


def page_of(command):
    return SOURCE / "docs" / f"{'-'.join(['ros2-latency', *command])}.1"


def values_in_help(command):
    """By option with a value: its name, such as "NUMBER", or the values that it can have, such as "text|csv"."""
    return dict(re.findall(r"^  (--[a-z-]+)=(.*)$", help_of(command), re.MULTILINE))


def text_of(page):
    return page.read_text(encoding="utf-8").replace("\\", "")


def values_in_page(command):
    """The same, of the heads of options, such as `.BR \\-\\-format = text | json`."""
    heads = re.findall(r"^\.B[RI]? (--[a-z-]+) ?=(.+)$", text_of(page_of(command)), re.MULTILINE)
    return {option: value.replace(" ", "").replace('"', "") for option, value in heads}


class ManualPages(unittest.TestCase):
    def test_there_are_commands(self):
        self.assertIn(["merge"], commands())

    def test_each_command_has_a_page(self):
        for command in commands():
            self.assertTrue(page_of(command).exists(), f"ros2-latency {' '.join(command)}: no {page_of(command)}, see docs/adding.md")

    def test_the_page_of_the_command_names_all_subcommands(self):
        for name in (name for command in commands() for name in command):
            text = text_of(page_of([]))
            self.assertIn(f".B {name}\n", text.partition(".SH COMMANDS")[2].partition(".SH OPTIONS")[0])
            self.assertIn(f".BR ros2-latency-{name} (1)", text.partition(".SH SEE ALSO")[2])

    def test_each_option_is_in_the_page(self):
        for command in commands():
            options = re.findall(r"^  (?:-., )?(--[a-z0-9-]+)", help_of(command), re.MULTILINE)
            self.assertIn("--help", options, command)
            if page_of(command).exists():
                missing = [option for option in options if not re.search(rf"{option}(?![a-z-])", text_of(page_of(command)))]
                self.assertEqual(missing, [], f"{page_of(command).name} lacks these options")

    def test_values_of_options(self):
        for command in filter(lambda command: page_of(command).exists(), commands()):
            expected = values_in_help(command)
            for option, value in values_in_page(command).items():
                self.assertEqual(value, expected.get(option, "").replace(" ", ""), f"{page_of(command).name}: {option}")

    def test_the_page_of_the_command_has_all_values(self):
        self.assertEqual(set(values_in_page([])), set(values_in_help([])))
        self.assertIn("text|markdown|csv|", values_in_page([])["--format"])

    def test_tables(self):
        expected = re.search(r"expected (.*)", run("--table=?", ".").stderr).group(1).split("|")
        listed = text_of(page_of([])).partition("--table= TABLE\n")[2].partition("Default")[0]
        self.assertEqual(re.findall(r"^\.BR (\w+)", listed, re.MULTILINE), expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
