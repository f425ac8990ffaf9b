#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/check-layers on a copy of the sources: clean as they are, and failing with each kind of violation added."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = "include", "core", "filters", "sinks", "command", "plugin", "tools", "docs"


class CheckLayers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="ros2bt-layers-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        for name in FOLDERS:
            shutil.copytree(ROOT / name, cls.root / name)
        shutil.copy(ROOT / "DESIGN.md", cls.root)
        (cls.root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/check-layers", cls.root / "scripts")

    def change(self, name, make_text):
        """Changes a file of the copy for this test."""
        file = self.root / name
        before = file.read_bytes() if file.exists() else None
        self.addCleanup(file.unlink if before is None else lambda: file.write_bytes(before))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(make_text((before or b"").decode()), encoding="utf-8")

    def add(self, name, text):
        self.change(name, lambda before: before + text)

    def add_reason(self, file):
        """A row in the list of long files."""
        self.change("DESIGN.md", lambda text: text.replace("\n\n## Data flow", f"\n- `{file}`: one concept.\n\n## Data flow"))

    def check(self, *arguments):
        result = subprocess.run([self.root / "scripts/check-layers", *arguments], stdout=subprocess.PIPE, text=True, check=False)
        return result.returncode, result.stdout.splitlines()

    def assert_finds(self, *lines, arguments=()):
        status, output = self.check(*arguments)
        self.assertEqual(status, 1)
        for line in lines:
            self.assertTrue(any(found.startswith(line) for found in output), f"{line} is not in {output}")

    def test_the_sources_as_they_are(self):
        status, output = self.check()
        self.assertEqual((status, len(output)), (0, 1), output)

    def test_babeltrace2_in_core(self):
        self.add("core/base/arena.c", "#include <babeltrace2/babeltrace.h>\n")
        self.assert_finds("core/base/arena.c -> <babeltrace2/babeltrace.h>")

    def test_arrow_back_up(self):
        self.add("core/base/arena.c", '#include "ros2bt/model/object_model.h"\n')
        self.assert_finds("core/base/arena.c -> include/ros2bt/model/object_model.h")

    def test_arrow_back_up_from_a_header_of_the_contract(self):
        self.add("include/ros2bt/events/recording.h", '#include "core/model/executions.h"\n')
        self.assert_finds("include/ros2bt/events/recording.h -> core/model/executions.h: events may not know model")

    def test_include_by_dots(self):
        self.add("core/output/text/text_line.c", '#include "../../analyses/timers/timer_clock.h"\n')
        self.assert_finds("core/output/text/text_line.c -> ../../analyses/timers/timer_clock.h: `..` in an include")

    def test_include_in_angle_brackets(self):
        self.add("core/events/event_schema.c", "#include <ros2bt/session/session.h>\n")
        self.add("core/output/text/text_line.c", "#include <core/analyses/analyses.h>\n")
        self.assert_finds("core/events/event_schema.c -> include/ros2bt/session/session.h: events may not know session",
                          "core/output/text/text_line.c -> core/analyses/analyses.h: output may not know analyses")

    def test_include_of_a_macro(self):
        self.add("core/base/arena.c", '#define HEADER "ros2bt/session/session.h"\n#include HEADER\n')
        self.assert_finds("core/base/arena.c -> HEADER: name a file")

    def test_core_that_knows_what_decodes_for_it(self):
        self.add("core/model/definitions.c", '#include "ros2bt/bt/mirror.h"\n')
        self.assert_finds("core/model/definitions.c -> include/ros2bt/bt/mirror.h")

    def test_analysis_in_an_output_a_filter_and_the_command(self):
        self.add("core/analyses/new.h", "")
        for name in "core/output/json_writer.c", "filters/dedup/dedup.c", "command/progress.c":
            self.add(name, '#include "core/analyses/new.h"\n')
        self.assert_finds("core/output/json_writer.c -> core/analyses/new.h", "filters/dedup/dedup.c -> core/analyses/new.h",
                          "command/progress.c -> core/analyses/new.h")

    def test_filter_that_knows_another(self):
        self.add("filters/dedup/dedup.c", '#include "filters/flow/flow.h"\n')
        self.assert_finds("filters/dedup/dedup.c -> filters/flow/flow.h")

    def test_circle_of_two_headers(self):
        self.add("core/base/text/one.h", '#include "core/base/text/other.h"\n')
        self.add("core/base/text/other.h", '#include "core/base/text/one.h"\n')
        self.assert_finds("core/base/text/one.h -> core/base/text/other.h", "core/base/text/other.h -> core/base/text/one.h")

    def test_circle_through_source_files(self):
        self.add("core/base/arena.c", '#include "ros2bt/base/u64_map.h"\n')
        self.add("core/base/u64_map.c", '#include "core/base/arena.h"\n')
        self.assert_finds("core/base/arena.c -> include/ros2bt/base/u64_map.h", "core/base/u64_map.c -> core/base/arena.h")

    def test_circle_through_a_header_of_the_contract(self):
        self.add("core/events/recording.c", '#include "ros2bt/events/diagnostics.h"\n')
        self.add("core/events/diagnostics.c", '#include "ros2bt/events/recording.h"\n')
        self.assert_finds("core/events/recording.c -> include/ros2bt/events/diagnostics.h",
                          "core/events/diagnostics.c -> include/ros2bt/events/recording.h")

    def test_circle_of_functions_that_others_declare(self):
        build = self.root / "build"
        self.addCleanup(shutil.rmtree, build)
        objects = build / "core/CMakeFiles/ros2bt-core.dir/base/text"
        objects.mkdir(parents=True)
        for name, other in ("one", "other"), ("other", "one"):
            self.add(f"core/base/text/{name}.c", f"void {other}(void);\nvoid {name}(void);\nvoid {name}(void) {{ {other}(); }}\n")
            subprocess.run(["gcc", "-c", self.root / f"core/base/text/{name}.c", "-o", objects / f"{name}.c.o"], check=True)
        self.assert_finds("core/base/text/one.c -> core/base/text/other.c (other): part of a circle",
                          "core/base/text/other.c -> core/base/text/one.c (one): part of a circle", arguments=[build])

    def test_analysis_that_knows_another(self):
        self.add("core/analyses/timers/timers.c", '#include "core/analyses/memory/memory_blocks.h"\n')
        self.add("core/analyses/hosts.c", '#include "core/analyses/memory/memory_blocks.h"\n')
        self.assert_finds("core/analyses/timers/timers.c -> core/analyses/memory/memory_blocks.h: core/analyses/timers may not",
                          "core/analyses/hosts.c -> core/analyses/memory/memory_blocks.h: core/analyses may not")

    def test_file_that_is_too_long(self):
        self.add("core/base/text/long.c", "\n" * 501)
        self.assert_finds("core/base/text/long.c: 501 lines, more than 500")

    def test_file_whose_length_has_a_reason(self):
        self.add("core/base/text/long.h", "\n" * 501)
        self.add_reason("base/text/long.h")
        status, output = self.check()
        self.assertEqual(status, 0, output)

    def test_reason_that_no_file_needs(self):
        self.add_reason("base/text/gone.c")
        self.add_reason("base/text/utf8.c")
        self.assert_finds("DESIGN.md, Long files: there is no core/base/text/gone.c", "DESIGN.md, Long files: core/base/text/utf8.c has ")

    def test_number_of_violations(self):
        self.add("core/base/text/long.c", "\n" * 501)
        self.assertTrue(self.check()[1][-1].endswith("files, 1 violation"))
        self.add("core/base/text/longer.c", "\n" * 501)
        self.assertTrue(self.check()[1][-1].endswith("files, 2 violations"))

    def test_header_of_the_contract_that_no_other_folder_includes(self):
        self.add("include/ros2bt/base/utf8.h", "")
        for name in "core/base/text/utf8.c", "core/model/definitions.c":
            self.add(name, '#include "ros2bt/base/utf8.h"\n')
        self.assert_finds("include/ros2bt/base/utf8.h: included by none of")

    def test_header_beside_its_source_that_another_folder_includes(self):
        for name in "core/base/text/utf8.h", "core/base/arena.h":
            self.add("tools/dump_records.c", f'#include "{name}"\n')
        self.add("tests/unit/records.h", '#include "core/base/slots.h"\n')
        status, output = self.check()
        self.assertEqual((status, len(output)), (1, 3), output)
        self.assert_finds("core/base/text/utf8.h: included by tools/dump_records.c; it belongs in include/ros2bt/base",
                          "core/base/arena.h: included by tools/dump_records.c; it belongs in include/ros2bt/base")

    def test_file_of_no_room(self):
        self.add("core/attic/old.c", "")
        self.assert_finds("core/attic/old.c: belongs to no room; move it to one, or give core/attic a row")

    def test_header_of_the_contract_of_no_room(self):
        self.add("include/ros2bt/new.h", "")
        self.add("include/ros2bt/attic/new.h", "")
        for name in "new.h", "attic/new.h":
            self.add("tools/dump_records.c", f'#include "ros2bt/{name}"\n')
        status, output = self.check()
        self.assertEqual((status, len(output)), (1, 3), output)
        self.assert_finds("include/ros2bt/new.h: belongs to no room", "include/ros2bt/attic/new.h: belongs to no room")

    def test_arrow_back_up_in_the_table_itself(self):
        self.change("DESIGN.md", lambda text: text.replace("| `events` | `base` |", "| `events` | `base`, `session` |"))
        self.assert_finds("events -> session: no room above it in the table")

    def test_the_table_is_that_of_the_design(self):
        self.change("DESIGN.md", lambda text: text.replace("| `output` | `base`, `statistics`, `tables` |", "| `output` | `base`, `statistics` |"))
        self.assert_finds("core/output/output.h -> core/tables/table.h: output may not know tables")

    def test_room_that_does_not_exist(self):
        self.change("DESIGN.md", lambda text: text.replace("| `events` | `base`", "| `events`, `loft` | `base`"))
        self.assert_finds("DESIGN.md: there is no room core/loft")

    def test_folder_that_may_include_from_what_does_not_exist(self):
        self.change("DESIGN.md", lambda text: text.replace("| `plugin` | `filters`", "| `plugin` | `attic`, `filters`"))
        self.assert_finds("plugin -> attic: neither a room nor a folder")


if __name__ == "__main__":
    unittest.main()
