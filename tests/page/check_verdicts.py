#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The data in the pages of `check` and `compare` are those of the JSON output, and their distributions those that the
figures are figures of.

usage: check_verdicts.py COMMAND DATA
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import page as pages
import verdict_pages

OF_PAGE = {"file", "begin_ns", "left_out", "allowed", "format", "has_fallen_silent", "distribution"}


def without(value, names):
    if isinstance(value, dict):
        return {name: without(item, names) for name, item in value.items() if name not in names}
    return [without(item, names) for item in value] if isinstance(value, list) else value


def in_order(value):
    """With the rows of budgets in one order: a page has the worst first."""
    for budget in value["budgets"]:
        budget["rows"].sort(key=json.dumps)
    return value


def buckets_of(numbers):
    bucket, buckets = 0, []
    for distance, count in zip(numbers[::2], numbers[1::2], strict=True):
        assert count > 0 and (distance > 0 or not buckets)
        bucket += distance
        buckets.append((bucket, count))
    return buckets


def bucket_at(buckets, share):
    rank, below = max(1, math.ceil(share * sum(count for _, count in buckets) - 1e-9)), 0
    for bucket, count in buckets:
        below += count
        if below >= rank:
            return bucket
    raise AssertionError(share)


def share_of(figure):
    return {"max": 1.0, "min": 0.0, "p50": 0.5, "p99": 0.99}.get(figure)


def check_budgets(command, data, folder):
    path, output, status = verdict_pages.budgets_page(command, data, folder)
    assert status == 4, status
    check = pages.read(path, ())["check"]
    assert in_order(without(check, OF_PAGE)) == in_order(json.loads(output))
    drawn = 0
    for limit in (limit for budget in check["budgets"] for row in budget["rows"] for limit in row["limits"]):
        assert (limit["distribution"] is not None) == (limit["format"] == "duration"), limit
        share = share_of(limit["limit"].split()[-1])
        if limit["distribution"] and share is not None:
            buckets = buckets_of(limit["distribution"])
            # the value is the middle of a finer bucket, which may begin in the bucket before
            assert abs(bucket_at(buckets, share) - pages.bucket(int(limit["value"]), pages.HISTOGRAM_BITS)) <= (0 if share in (0, 1) else 1), limit
            drawn += 1
    assert drawn >= 6, drawn
    assert [budget["verdict"] for budget in check["budgets"]] == ["broken", "undecided", "kept", "kept"]


def check_worst_first(command, data, folder):
    """Of a budget of many rows, the page has the worst, and says how many others there are."""
    path, output, _ = verdict_pages.check(command, 'budgets:\n- callback: "**"\n  duration: {max: 1 ms}\n', data / "jazzy/twohosts/trace", folder)
    verdicts = [max((limit["verdict"] == "broken", limit["verdict"]) for limit in row["limits"])[1] for row in pages.read(path, ())["check"]["budgets"][0]["rows"]]
    assert verdicts == sorted(verdicts, key=["broken", "undecided", "kept"].index) and verdicts[0] == "broken" and verdicts[-1] == "kept", verdicts
    assert len(json.loads(output)["budgets"][0]["rows"]) == len(verdicts) + pages.read(path, ())["check"]["budgets"][0]["left_out"]


def check_figures(page, report, base):
    tables = pages.tables(page)
    figures = pages.rows(tables["figures"])
    for name in ("figures", "changes", "rows_of_one_side"):
        assert pages.rows(tables[name]) == report[name], name
    intervals = 0
    for figure, (base_low, base_high, new_low, new_high) in zip(figures, page["comparison"]["intervals"], strict=True):
        for value, low, high in ((figure["base"], base_low, base_high), (figure["new"], new_low, new_high)):
            is_decided = figure["verdict"] in ("changed", "unchanged")
            assert is_decided or (low is None and high is None), figure
            assert low is None or low <= value + 1e-3, figure
            assert high is None or value <= high + 1e-3, figure
            intervals += low is not None
    assert intervals >= base, intervals
    by_name = {(figure["table"], figure["row"], figure["figure"]): figure for figure in figures}
    for one in page["comparison"]["distributions"]:
        for side, samples, value in (("before", "base_samples", "base"), ("after", "new_samples", "new")):
            buckets = buckets_of(one[side])
            of = {name: by_name[one["table"], one["row"], f"{one['statistic']} {name}"] for name in ("mean", "p50", "p99")}
            assert sum(count for _, count in buckets) == of["mean"][samples], one
            for name, share in (("p50", 0.5), ("p99", 0.99)):
                if of[name][value] is not None:
                    assert bucket_at(buckets, share) == pages.bucket(int(of[name][value]), pages.HISTOGRAM_BITS), (one, name)
    assert len(page["comparison"]["distributions"]) == len({(f["table"], f["row"], f["figure"].rsplit(" ", 1)[0]) for f in figures if f["unit"] == "ns"})


def check_comparisons(command, data, folder):
    before, after = data / "jazzy/edge-nocontext/trace", data / "jazzy/twohosts/trace"
    path, output, status = verdict_pages.comparison_page(command, before, after, folder, verdict_pages.LIMITS)
    page, report = pages.read(path, ()), json.loads(output)
    assert status == 4 and page["trace"] == report["trace"]
    assert [limit["verdict"] for limit in page["comparison"]["limits"]] == ["exceeded", "undecided"]
    assert page["comparison"]["before"] == [str(before)] and page["comparison"]["after"] == [str(after)]
    check_figures(page, report, 8)
    path, output, status = verdict_pages.comparison_page(command, data / "humble/pubsub/trace", data / "jazzy/pubsub/trace", folder,
                                                         ["callbacks.rate < -5 %"])
    page = pages.read(path, ())
    assert status == 0 and [(limit["verdict"], limit["reason"]) for limit in page["comparison"]["limits"]] == [("kept", None)]
    check_figures(page, json.loads(output), 20)


def check_refusals(command, data, folder):
    trace = data / "jazzy/pubsub/trace"
    for arguments, text in ((["compare", "--format=html", "--table=figures", trace, "--", trace], "a page shows all tables"),
                            (["compare", "--format=perfetto", trace, "--", trace], "choose one of text, markdown, csv, json, html, sqlite"),
                            (["compare", "--format=html", f"--output={folder / 'budgets.yaml'}", trace, "--", trace], "cannot create the directory")):
        got = subprocess.run([command, *arguments], check=False, capture_output=True, text=True)
        assert got.returncode != 0 and text in got.stderr and not got.stdout, got


def check_full_disk(command, data, folder):
    """A page that would lack rows, since there is no room for temporary files, is not written."""
    trace, page = verdict_pages.write_timers(folder / "many", {f"node_{i}": 40 for i in range(200)}), folder / "lacking"
    for output in ([], [f"--output={page}"]):
        got = subprocess.run([command, "compare", "--format=html", *output, trace, "--", trace], check=False, capture_output=True, text=True,
                             env=dict(os.environ, TMPDIR=str(folder / "nothing")))
        assert got.returncode not in (0, 4) and "nothing" in got.stderr and not got.stdout, (got.returncode, got.stderr)
    assert not list(page.iterdir()), list(page.iterdir())


def main():
    command, data = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        for check in (check_budgets, check_worst_first, check_comparisons, check_refusals, check_full_disk):
            check(command, data, pathlib.Path(name))


main()
