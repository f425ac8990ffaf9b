#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plugin exports what babeltrace2 looks up in it, and nothing else.

exported_symbols.py PLUGIN_FILE
"""

import subprocess
import sys

SECTIONS = ["plugin_descriptors", "plugin_descriptor_attributes", "component_class_descriptors",
            "component_class_descriptor_attributes"]

expected = {f"__bt_get_{edge}_section_{section}" for edge in ("begin", "end") for section in SECTIONS}
lines = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]], check=True, capture_output=True,
                       text=True).stdout.splitlines()
exported = {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] != "A"}
print("too many:", sorted(exported - expected), "missing:", sorted(expected - exported))
sys.exit(exported != expected)
