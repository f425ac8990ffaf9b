# SPDX-License-Identifier: MIT
"""For `ros2 doctor`: whether latencies can be recorded and reported here."""
import shutil
import subprocess

from ros2doctor.api import DoctorCheck, DoctorReport, Report, Result
from ros2doctor.api.format import doctor_error, doctor_warn

TIMEOUT_S = 10


def output_of(*command):
    """The first line that a command prints; None if it is not installed or fails."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter(result.stdout.decode(errors='replace').splitlines()), '')


def finds_plugin():
    """Whether babeltrace2 finds sink.ros2.latency."""
    return output_of('babeltrace2', 'help', 'sink.ros2.latency') is not None


class LatencyCheck(DoctorCheck):
    """An error if traces cannot be reported on, a warning if none can be recorded here."""

    def category(self):
        return 'latency'

    def check(self):
        result = Result()
        if output_of('ros2-latency', '--version') is None:
            doctor_error('ros2-latency does not run: install babeltrace2_ros2, or source the workspace that contains it.')
            result.add_error()
        if not shutil.which('babeltrace2'):
            doctor_warn('babeltrace2 is not installed: sink.ros2.latency and filter.ros2.* are for it.')
            result.add_warning()
        elif not finds_plugin():
            doctor_error('babeltrace2 does not find sink.ros2.latency: BABELTRACE_PLUGIN_PATH must name its directory.')
            result.add_error()
        if not shutil.which('lttng'):
            doctor_warn('lttng is not installed (lttng-tools): nothing can be recorded here.')
            result.add_warning()
        return result


class LatencyReport(DoctorReport):
    """Versions of what records and reports."""

    def category(self):
        return 'latency'

    def report(self):
        report = Report('LATENCY')
        for name in 'ros2-latency', 'babeltrace2', 'lttng':
            report.add_to_report(name, output_of(name, '--version') or 'not found')
        report.add_to_report('sink.ros2.latency', 'found by babeltrace2' if finds_plugin() else 'not found by babeltrace2')
        return report
