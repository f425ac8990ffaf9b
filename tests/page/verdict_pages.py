# SPDX-License-Identifier: MIT
"""The pages of `check` and `compare` of what tests need: recordings of the repository, and one whose names are markup."""
import pathlib
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "faults")]

from ros_trace import RosTrace, Thread  # noqa: E402

MARKUP = "<img/src=x/onerror=alert(1)>&lt;</script>"
BUDGETS = """budgets:
- name: sensor to actuator
  path: "/source > ** > /sink"
  latency: {p99: 20 ms, max: 50 ms}
- topic: /nowhere
  lost: 0
- callback: /echo
  duration: {max: 30 ms, p99: {min: 1 us, max: 25 ms}}
- topic: ["/a", "/b", "/c"]
  rate: {min: 18 Hz}
  latency: {p50: 1 s}
"""
# The first is exceeded, the second cannot be decided.
LIMITS = ("callbacks.rate < -5 %", "paths.latency_p50 > +10 %")


def budgets_page(command, data, folder):
    """The page, and the object of the JSON output."""
    return check(command, BUDGETS, data / "jazzy/twohosts/trace", folder)


def check(command, budgets, recording, folder):
    (folder / "budgets.yaml").write_text(budgets, encoding="utf-8")
    outputs = [subprocess.run([command, "check", "--format=" + form, folder / "budgets.yaml", recording], check=False, stdout=subprocess.PIPE)
               for form in ("html", "json")]
    assert outputs[0].returncode == outputs[1].returncode, [output.returncode for output in outputs]
    (folder / "check.html").write_bytes(outputs[0].stdout)
    return folder / "check.html", outputs[1].stdout, outputs[0].returncode


def comparison_page(command, before, after, folder, limits=()):
    """The page, the object of the JSON output, and the exit status, of both the same."""
    options = [f"--fail-on={limit}" for limit in limits]
    outputs = [subprocess.run([command, "compare", *options, *more, before, "--", after], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
               for more in (("--format=html", f"--output={folder / 'compare'}"), ("--format=json",), ("--format=html",))]
    assert len({(output.returncode, output.stderr) for output in outputs}) == 1, outputs
    page = folder / "compare/report.html"
    assert outputs[2].stdout == page.read_bytes(), "the same on standard output"
    return page, outputs[1].stdout, outputs[0].returncode


def write_hostile(folder):
    """A recording with a node whose name is markup, and a timer of it."""
    return write_timers(folder, {MARKUP: 400})


def write_stopped(folder):
    """A recording with the timers of two nodes, of which one ends half-way."""
    return write_timers(folder, {"long": 800, "short": 400})


def write_timers(folder, counts):
    """A recording with nodes, each of which has a timer of 10 ms that is due so many times."""
    trace, thread, events = RosTrace(), Thread(10, 10), []
    for number, (name, count) in enumerate(counts.items()):
        callback, begin = 0x1000 + 0x1000 * number, number * 5_000_000
        events += trace.node(begin, thread, callback + 0x100, name)
        events += trace.timer(begin + 5, thread, callback + 0x100, callback, 10_000_000, name)
        for i in range(count):
            events += trace.execution(begin + 1000 + i * 10_000_000, thread, callback, 1_000_000 + i % 7 * 100_000)
    events.sort(key=lambda event: event[1])
    trace.write(folder, {"stream_0": [trace.packet(events, 0, events[-1][1])]})
    return folder
