#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_changes.py BUILD

tests/changes.txt, as scripts/test-changed reads it: every file of the project has a rule, every rule a file, every word a test.
"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1])
# what CMake leaves out where programs are missing, which the README of the project lists
MAY_BE_MISSING = "trace_compass", "recorder", "live", "packaging", "cli", "faults", "filters", "flow", "ctf2", "recordings"


def load_script():
    loader = importlib.machinery.SourceFileLoader("test_changed", str(ROOT / "scripts/test-changed"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("test_changed", loader))
    loader.exec_module(module)
    return module


SCRIPT = load_script()


class Changes(unittest.TestCase):
    def setUp(self):
        self.rules = SCRIPT.read_rules()
        self.files = SCRIPT.git("ls-files").stdout.splitlines()

    def test_every_file_has_a_rule(self):
        self.assertEqual([file for file in self.files if SCRIPT.words_for(self.rules, file) is None], [])
        self.assertIsNone(SCRIPT.words_for(self.rules, "a_new_folder/a_file.c"))

    def test_every_rule_is_the_first_one_for_some_file(self):
        for rule in self.rules:
            others = [other for other in self.rules if other is not rule]
            self.assertTrue(any(SCRIPT.words_for(self.rules, file) != SCRIPT.words_for(others, file) for file in self.files),
                            rule.pattern)

    def test_every_word_means_a_test(self):
        tests = SCRIPT.read_tests(BUILD)
        words = {word for rule in self.rules for word in rule.words if "{" not in word and word not in MAY_BE_MISSING}
        self.assertEqual([word for word in sorted(words) if not any(SCRIPT.selects(word, test) for test in tests)], [])

    def test_a_header_of_the_contract_is_one_of_its_room(self):
        self.assertIn("+flow", SCRIPT.words_for(self.rules, "include/ros2bt/flow/flow_linker.h"))

    def test_a_room_brings_the_unit_tests_of_those_that_know_it(self):
        def chosen(word):
            labels = ("unit", "unit/flow"), ("unit", "unit/analyses"), ("unit", "unit/stamps"), ("flow",)
            return [SCRIPT.selects(word, {"name": "x", "labels": names}) for names in labels]

        self.assertEqual(chosen("+flow"), [True, True, False, False])
        self.assertEqual(chosen("unit/flow"), [True, False, False, False])
        self.assertEqual(chosen("flow"), [False, False, False, True])

    def test_parts_of_a_path_become_names_of_tests(self):
        words = SCRIPT.words_for(self.rules, "tests/unit/flow/test_intra.c")
        self.assertEqual([SCRIPT.selects(words[0], {"name": name, "labels": []}) for name in ("unit_intra", "unit_intra_use")],
                         [True, False])


if __name__ == "__main__":
    if SCRIPT.git("ls-files").returncode != 0:
        print("skipped: this is no clone")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
