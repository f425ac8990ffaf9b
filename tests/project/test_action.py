#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_action.py ROS2_LATENCY: the steps of action.yml on recordings, run as GitHub runs them: with its inputs, with files
for the summary and outputs, one step after the other until one fails; and the script of the job for GitLab. Skipped (77)
without PyYAML."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: no PyYAML")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("faults", "support")]
from latency import PATIENCE_S  # noqa: E402
from ros_trace import RosTrace, Thread  # noqa: E402

DATA = ROOT / "tests/data"
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
KEPT = "budgets:\n- topic: /a\n  rate: {min: 1 Hz}\n"
BROKEN = "budgets:\n- name: \"</pre>`<b>\"\n  topic: /a\n  rate: {min: 1000 Hz}\n"
UNDECIDED = "budgets:\n- topic: /nowhere\n  lost: 0\n"


def write_timer(folder, duration_ns):
    """A recording of a minute of a timer with callbacks of this duration."""
    trace, thread = RosTrace(), Thread(10, 10)
    events = trace.node(0, thread, 0x100, "control") + trace.timer(5, thread, 0x100, 0x200, 20_000_000, "step")
    for i in range(3000):
        events += trace.execution(1000 + i * 20_000_000, thread, 0x200, duration_ns)
    trace.write(folder, {"stream_0": [trace.packet(events, 0, events[-1][1])]})


def run_action(action, command, directory, given):
    """The status of the step that failed or 0, the verdict, and the summary of the job."""
    unknown = set(given) - set(action["inputs"])
    assert not unknown, unknown
    inputs = {}
    for name, declaration in action["inputs"].items():
        assert name in given or not declaration.get("required"), name
        inputs[name] = given.get(name, declaration.get("default"))
    steps = {}

    def value_of(match):
        expression = match.group(1)
        if expression == "github.action_path":
            return str(ROOT)
        kind, _, rest = expression.partition(".")
        if kind == "inputs":
            return inputs[rest]
        step, _, name = rest.partition(".outputs.")
        assert kind == "steps", expression
        return steps[step].get(name, "")

    binaries = directory / "bin"
    binaries.mkdir()
    (binaries / "ros2-latency").symlink_to(command)
    summary, status = "", 0
    for number, step in enumerate(action["runs"]["steps"]):
        assert step["shell"] == "bash" and not EXPRESSION.search(step["run"]), "an input would become a part of a script"
        script, output, part = (directory / f"{name}-{number}" for name in ("script", "output", "summary"))
        script.write_text(step["run"], encoding="utf-8")
        output.touch()
        part.touch()
        environment = {name: EXPRESSION.sub(value_of, value) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], check=False, cwd=directory, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, encoding="utf-8", timeout=PATIENCE_S,
            env={**os.environ, **environment, "PATH": f"{binaries}:{os.environ['PATH']}", "GITHUB_OUTPUT": str(output),
                 "GITHUB_STEP_SUMMARY": str(part)})
        print(done.stdout)
        steps[step.get("id")] = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
        summary += part.read_text(encoding="utf-8")
        if done.returncode != 0:
            status = done.returncode
            break
    return status, EXPRESSION.sub(value_of, action["outputs"]["verdict"]["value"]), summary


def installed_with(package, command, directory):
    """The arguments of apt-get, which is a stand-in, when the action installs a package."""
    for name, text in ("apt-get", 'echo "$@" >>calls'), ("sudo", 'exec "$@"'):
        (directory / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (directory / name).chmod(0o755)
    subprocess.run([ROOT / "packaging/ci/install"], cwd=directory, check=True, timeout=PATIENCE_S,
                   env={**os.environ, "PACKAGE": package, "PATH": f"{directory}:{command.parent}:{os.environ['PATH']}"})
    return (directory / "calls").read_text(encoding="utf-8").split()


def run_gitlab(command, directory, **variables):
    """The status of the script, and whether JUnit XML was written."""
    job = yaml.safe_load((ROOT / "packaging/ci/gitlab.yml").read_text(encoding="utf-8"))[".ros2-latency"]
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(job["script"])], cwd=directory, check=False, timeout=PATIENCE_S,
                          env={**os.environ, **job["variables"], **variables, "PATH": f"{command.parent}:{os.environ['PATH']}"})
    report = directory / job["artifacts"]["reports"]["junit"]
    return done.returncode, report.exists() and "<testcase" in report.read_text(encoding="utf-8")


def main():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    command = pathlib.Path(sys.argv[1]).resolve()
    recording, other = str(DATA / "jazzy/twohosts/trace"), str(DATA / "jazzy/pubsub/trace")
    failures = 0

    def expect(what, budgets, given, status, verdict, *texts):
        nonlocal failures
        with tempfile.TemporaryDirectory(prefix="ros2bt-action-") as scratch:
            directory = pathlib.Path(scratch)
            if budgets is not None:
                (directory / "my budgets.yaml").write_text(budgets, encoding="utf-8")
                given = {"budgets": "my budgets.yaml", **given}
            got = run_action(action, command, directory, given)
        wrong = [text for text in texts if text not in got[2]]
        if got[:2] != (status, verdict) or wrong or got[2].count("<pre>") != got[2].count("</pre>"):
            print(f"FAILED: {what}: {got[:2]}, not {(status, verdict)}; summary without {wrong}:\n{got[2]}")
            failures += 1

    expect("kept", KEPT, {"recording": recording}, 0, "good", "## Budgets: good", "| kept |")
    expect("broken", BROKEN, {"recording": recording}, 4, "broken", "## Budgets: broken", "| **broken** |", "&#60;/pre&#62;")
    expect("many broken", "budgets:\n" + BROKEN.removeprefix("budgets:\n") * 5000, {"recording": recording}, 4, "broken",
           "|\n\n… cut here: the log has all\n")
    expect("undecided", UNDECIDED, {"recording": recording}, 5, "undecided", "## Budgets: undecided")
    expect("undecided may pass", UNDECIDED, {"recording": recording, "undecided": "pass"}, 0, "undecided")
    expect("wrong budgets", "budgets: 3\n", {"recording": recording}, 1, "error", "## Budgets: error")
    expect("no recording", KEPT, {"recording": "nowhere"}, 1, "error")
    expect("no work", None, {"recording": recording}, 1, "")
    expect("a misspelt choice", KEPT, {"recording": recording, "undecided": "ignore"}, 1, "")
    expect("unchanged", None, {"recording": recording, "base": f"{recording}\n"}, 0, "good", "## Comparison: good")
    expect("rows of one side", KEPT, {"recording": recording, "base": other, "fail-on": "callbacks.rate < -5 %\n"}, 5, "undecided",
           "## Budgets: good", "## Comparison: undecided")
    expect("a limit that is none", None, {"recording": recording, "base": recording, "fail-on": "</pre><b>"}, 1, "error", "&lt;/pre&gt;&lt;b&gt;")
    expect("options for both", KEPT, {"recording": recording, "base": recording, "options": "\n--begin=+99999s\n"}, 1, "error",
           "## Budgets: error", "## Comparison: error")
    with tempfile.TemporaryDirectory(prefix="ros2bt-action-") as scratch:
        before, after = pathlib.Path(scratch, "before"), pathlib.Path(scratch, "after one")
        write_timer(before, 1_000_000)
        write_timer(after, 1_500_000)
        for limit, status, verdict in ("20", 4, "broken"), ("80", 0, "good"):
            expect(f"limit of {limit} %", None, {"recording": str(after), "base": str(before),
                                                "fail-on": f"callbacks.duration_mean > +{limit} %"}, status, verdict,
                   f"## Comparison: {verdict}", "+50.0 %")
    for what, budgets, variables, expected in (("kept", KEPT, {}, (0, True)), ("broken", BROKEN, {"BASE": recording}, (4, True)),
                                               ("compared", None, {"BASE": recording, "FAIL_ON": "timers.rate < -5 %"}, (0, False)),
                                               ("wrong budgets, and an undecided comparison", "budgets: 3\n",
                                                {"BASE": other, "FAIL_ON": "callbacks.rate < -5 %"}, (2, False)),
                                               ("broken, and a base that is none", BROKEN, {"BASE": "nowhere"}, (1, True))):
        with tempfile.TemporaryDirectory(prefix="ros2bt-gitlab-") as scratch:
            if budgets is not None:
                pathlib.Path(scratch, "budgets.yaml").write_text(budgets, encoding="utf-8")
                variables["BUDGETS"] = "budgets.yaml"
            got = run_gitlab(command, pathlib.Path(scratch), RECORDING=recording, **variables)
        if got != expected:
            print(f"FAILED: GitLab, {what}: {got}, not {expected}")
            failures += 1
    with tempfile.TemporaryDirectory(prefix="ros2bt-install-") as scratch:
        words = installed_with("ros2-latency.deb", command, pathlib.Path(scratch).resolve())
        # what packages only recommend is left out, but recordings may be archives
        if not {"install", f"{pathlib.Path(scratch).resolve()}/ros2-latency.deb", "libarchive13"} <= set(words):
            print(f"FAILED: what is installed with a package: {words}")
            failures += 1
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
