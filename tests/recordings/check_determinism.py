#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every run on a recording gives the same bytes: a second one, and those with filters upstream.

usage: check_determinism.py PLUGINS RECORDING [FILTER[,FILTER]…]…
"""

import sys

import report


def main():
    plugins, recording = sys.argv[1:3]
    first = report.run(plugins, recording)
    complaints = []
    for filters in [[]] + [variant.split(",") for variant in sys.argv[3:]]:
        other = report.run(plugins, recording, filters)
        complaints += [
            "%s differs with %s" % (name, "|".join(filters) or "a second run")
            for name in sorted(set(first.files) | set(other.files))
            if first.files.get(name) != other.files.get(name)
        ]
    report.finish(complaints)


main()
