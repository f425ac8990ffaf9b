#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_top.py recording|live|killed|hung COMMAND [TRACE]: ros2-latency top in a terminal of tmux. Exit code 77: there is no tmux.

recording  keys, sizes, q and Ctrl+C on a recording; the terminal is as before
live       a session that is being recorded: rows of windows, freezing, and the whole at its end
killed     kill -9 of the relay daemon: the terminal is as before, with a message and an exit status
hung       the relay daemon does not answer: keys do what they do, and q ends it

test_top.py inside SCENARIO COMMAND URL FILE: the part of live, killed and hung that runs while the session is recorded; writes
problems to the file.
"""
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATIENCE_S = 300


class Terminal:
    def __init__(self, folder, width=90, height=16):
        self.tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self.folder, self.runs = folder, 0
        environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm-256color")
        subprocess.run([*self.tmux, "new-session", "-d", "-x", str(width), "-y", str(height), "sh"], check=True, env=environment)

    def keys(self, *keys):
        subprocess.run([*self.tmux, "send-keys", *keys], check=True)

    def resize(self, width, height):
        subprocess.run([*self.tmux, "resize-window", "-x", str(width), "-y", str(height)], check=True)

    def screen(self):
        return subprocess.run([*self.tmux, "capture-pane", "-p"], check=True, capture_output=True, text=True).stdout

    def flags(self):
        return subprocess.run([*self.tmux, "display-message", "-p", "#{alternate_on} #{cursor_flag} #{wrap_flag}"], check=True,
                              capture_output=True, text=True).stdout.strip()

    def becomes_plain(self):
        """Whether it is the ordinary screen again: tmux may read what the command wrote last after the shell has gone on."""
        deadline = time.monotonic() + PATIENCE_S
        while self.flags() != "0 1 1" and time.monotonic() < deadline:
            time.sleep(0.05)
        return self.flags() == "0 1 1"

    def wait(self, what, problems, or_else=lambda: False):
        """Until the screen shows what the expression matches, or else."""
        deadline = time.monotonic() + PATIENCE_S
        while not re.search(what, self.screen(), re.MULTILINE) and not or_else():
            if time.monotonic() > deadline:
                problems.append(f"never shown: {what}\n{self.screen()}")
                return False
            time.sleep(0.1)
        return True

    def start(self, *command):
        self.runs += 1
        before, after, status = (self.folder / f"{name}{self.runs}" for name in ("before", "after", "status"))
        self.keys("-l", f"clear; stty -g > {before}; {shlex.join(map(str, command))}; echo $? > {status}; stty -g > {after}")
        self.keys("Enter")

    def end(self, expected, problems):
        """The command has ended with the status, and the terminal is as before."""
        before, after, status = (self.folder / f"{name}{self.runs}" for name in ("before", "after", "status"))
        deadline = time.monotonic() + PATIENCE_S
        while not (after.exists() and after.read_text().endswith("\n")) and time.monotonic() < deadline:
            time.sleep(0.05)
        if not after.exists():
            problems.append(f"the command does not end:\n{self.screen()}")
            return
        if int(status.read_text()) != expected:
            problems.append(f"exit status {status.read_text()}:\n{self.screen()}")
        if before.read_text() != after.read_text() or not self.becomes_plain():
            problems.append(f"the terminal is not as before: {self.flags()}")

    def has_aborted(self):
        """Whether an assertion of babeltrace2 failed, whose words the screen has no more."""
        status = self.folder / f"status{self.runs}"
        return status.exists() and status.read_text() == f"{128 + signal.SIGABRT}\n"

    def signal(self, number):
        """To the command."""
        shell = subprocess.run([*self.tmux, "display-message", "-p", "#{pane_pid}"], check=True, capture_output=True,
                               text=True).stdout.strip()
        child, = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        os.kill(int(child), number)

    def close(self):
        subprocess.run([*self.tmux, "kill-server"], check=False)


def is_running(pid):
    """Not so either if nobody has asked how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def check_parent(terminal, command, trace, problems):
    """The shell that has started it is killed: the one before it has the terminal, as it was."""
    before, gone = terminal.folder / "before-parent", terminal.folder / "gone"
    inner = f"echo $$ > {terminal.folder}/inner; {shlex.join([command, 'top', trace])}; :"
    terminal.keys("-l", f"clear; stty -g > {before}; sh -c {shlex.quote(inner)}; touch {gone}")
    terminal.keys("Enter")
    terminal.wait("a recording", problems)
    inner_pid = int((terminal.folder / "inner").read_text())
    child, = Path(f"/proc/{inner_pid}/task/{inner_pid}/children").read_text().split()
    os.kill(inner_pid, signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE_S
    while (not gone.exists() or is_running(child)) and time.monotonic() < deadline:
        time.sleep(0.05)
    if is_running(child):
        problems.append("without its parent, it goes on")
        os.kill(int(child), signal.SIGKILL)
    after = terminal.folder / "after-parent"
    terminal.keys("-l", f"stty -g > {after}")
    terminal.keys("Enter")
    while not (after.exists() and after.read_text().endswith("\n")) and time.monotonic() < deadline:
        time.sleep(0.05)
    if not after.exists() or before.read_text() != after.read_text() or not terminal.becomes_plain():
        problems.append(f"without its parent, the terminal is not as before: {terminal.flags()}")


def check_keys(terminal, command, trace, problems):
    """The keys that check_recording() does not press."""
    terminal.resize(100, 16)
    terminal.start(command, "top", trace)
    for key, shown in (("Tab", r"\[2 Topics"), ("Tab", r"\[3 Paths"), ("4", r"\[4 Services"), ("3", r"\[3 Paths"), ("1", r"\[1 Callbacks"),
                       (">", r" maxv "), ("Right", r" lostv "), ("<", r" maxv "), ("Left", " p99v "), ("Left", " p50v "),
                       ("r", r" p50\^ "), ("r", " p50v "), ("/", "^filter: _$"), ("Escape", "^q quit"),
                       ("Space", "^FROZEN"), ("Space", r"^a recording")):
        terminal.keys(key)
        terminal.wait(shown, problems)
    terminal.keys("/", "s", "i", "n", "k", "x", "BSpace", "Enter")
    terminal.wait("filter: sink$", problems)
    terminal.wait(r"p50v .*\n[^\n]*/sink  subscription  /c$", problems)
    terminal.keys("Enter")
    terminal.wait("^worst since the beginning: thread", problems)
    terminal.keys("-H", "9f", "2f")  # what is no character in UTF-8 takes no key with it
    terminal.wait("^filter: ", problems)
    terminal.keys("Escape")
    terminal.wait("^q quit", problems)
    terminal.keys("-H", "c3", "71")
    terminal.end(0, problems)


def check_recording(terminal, command, trace, problems):
    terminal.start(command, "top", trace)
    terminal.wait(r"a recording .* all of 8\.72 s", problems)
    terminal.wait(r"\A.*\n.*\n.*p99v.*\n +24\.89 +4\.31 ms +16\.0 ms +19\.2 ms +- +12\.59 /echo  subscription  /a$", problems)
    if terminal.flags() != "1 0 0":
        problems.append(f"not the alternate screen without a cursor: {terminal.flags()}")
    terminal.keys("2")
    terminal.wait(r"\[2 Topics 3\]", problems)
    terminal.keys("/", "E", "c", "h", "o", "Enter")
    terminal.wait(r"\A(?=[\s\S]*filter: Echo)(?![\s\S]*/c  /ret  /sink)", problems)
    terminal.keys("Escape")
    terminal.wait(r"/c  /ret  /sink", problems)
    terminal.keys("1")
    terminal.keys("Down")
    terminal.keys("Enter")
    terminal.wait(r"^/source  timer  40\.0 ms\nworst since the beginning: thread 2181  at 2026-11-21 02:09:31", problems)
    terminal.resize(41, 9)
    terminal.wait(r"\A(.{0,41}\n){9}\Z", problems)
    terminal.wait(r"^q quit  1-4", problems)
    terminal.keys("q")
    terminal.end(0, problems)
    terminal.resize(90, 16)
    terminal.start(command, "top", trace)
    terminal.wait("a recording", problems)
    terminal.keys("C-c")
    terminal.end(0, problems)
    for number in signal.SIGABRT, signal.SIGSEGV, signal.SIGHUP:  # crashes; the terminal goes
        terminal.start(command, "top", trace)
        terminal.wait("a recording", problems)
        terminal.signal(number)
        terminal.end(128 + number, problems)
    terminal.start(command, "top", trace)
    terminal.wait("a recording", problems)
    terminal.signal(signal.SIGTERM)
    terminal.end(0, problems)
    check_parent(terminal, command, trace, problems)
    check_keys(terminal, command, trace, problems)
    terminal.start(command, "top", "/nowhere")
    terminal.end(1, problems)
    result = subprocess.run([command, "top", trace], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode != 2 or "must be a terminal" not in result.stderr or result.stdout:
        problems.append(f"without a terminal: {result}")


def signal_relay_daemon(number):
    """That of the script that has started this one."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = re.fullmatch(r"\d+ \((.*)\) (.*)", entry.read_text().strip()).groups()
        except (OSError, AttributeError):
            continue
        if name.startswith("lttng-relayd") and int(rest.split()[1]) == os.getppid():
            os.kill(int(entry.parent.name), number)
            return True
    return False


LIVE = r"^live  as of .*, the last (300|[1-9]00) ms, .* behind"
TOO_EARLY = "No stream class with ID"
TOO_EARLY_ON_SCREEN = r"\s*".join(TOO_EARLY.replace(" ", ""))  # wherever a line ends


def start_live(terminal, command, url, problems):
    """Until it shows rows. Names may have gone by."""
    terminal.start(command, "top", "--window=300ms", url)
    terminal.wait(LIVE + rf"[\s\S]* [µm]s |{TOO_EARLY_ON_SCREEN}", problems, terminal.has_aborted)
    if terminal.has_aborted() or re.search(TOO_EARLY_ON_SCREEN, terminal.screen()):
        terminal.close()
        sys.exit(TOO_EARLY)  # recorder/record begins anew


def check_hung(terminal, command, url, problems):
    start_live(terminal, command, url, problems)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        if not signal_relay_daemon(signal.SIGSTOP):
            problems.append("there is no relay daemon to stop")
        terminal.keys("2")
        terminal.wait(r"\[2 Topics", problems)
        terminal.keys("q")
        terminal.end(0, problems)
    finally:
        signal_relay_daemon(signal.SIGCONT)


def inside(scenario, command, url, file):
    problems = []
    with tempfile.TemporaryDirectory(prefix="ros2bt-top-") as folder:
        terminal = Terminal(Path(folder))
        if scenario != "hung":
            start_live(terminal, command, url, problems)
            terminal.wait(r" [µm]s .*  (timer|\S*ion)  ", problems)
        if scenario == "killed":
            if not signal_relay_daemon(signal.SIGKILL):
                problems.append("there is no relay daemon to kill")
            terminal.end(1, problems)
            terminal.wait("ros2-latency top: ", problems)
        elif scenario == "hung":
            check_hung(terminal, command, url, problems)
        else:
            terminal.keys("Space")
            terminal.wait("^FROZEN", problems)
            terminal.keys("Space")
            Path(os.environ["ROS2BT_ENOUGH"]).touch()
            terminal.wait("the session has ended .* all of", problems)
            terminal.keys("q")
            terminal.end(0, problems)
        terminal.close()
    Path(file).write_text(json.dumps(problems))


def main():
    scenario, command, *more = sys.argv[1:]
    if scenario == "inside":
        inside(*sys.argv[2:])
        return
    if shutil.which("tmux") is None:
        print("skipped: there is no tmux")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="ros2bt-top-") as name:
        folder = Path(name)
        problems = []
        if scenario == "recording":
            terminal = Terminal(folder)
            try:
                check_recording(terminal, command, more[0], problems)
            finally:
                terminal.close()
        else:
            found = folder / "problems.json"
            reader = shlex.join([sys.executable, __file__, "inside", scenario, command, "{url}", str(found)])
            result = subprocess.run([sys.executable, HERE.parent / "recorder/record", "--output", folder / "recording", "--live",
                                     reader, "--until-read", "--", "--layout=jazzy", "--services", "--threads=2", "--nodes=2"],
                                    check=False)
            if result.returncode == 77:
                sys.exit(77)
            problems = json.loads(found.read_text()) if found.exists() else ["nothing ran"]
    print("\n".join(problems))
    print(f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
