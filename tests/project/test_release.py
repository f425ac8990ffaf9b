#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_release.py: scripts/release makes the same bytes twice, and refuses what is no release. Skipped (77) without git."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
IDENTITY = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]


class Project:
    """A copy of what matters here of the source, committed in a repository of its own."""

    def __init__(self, directory):
        self.directory = directory
        shutil.copytree(ROOT / "packaging", directory / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
        for name in "CHANGELOG.md", "package.xml", "core/CMakeLists.txt", "scripts/release":
            (directory / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, directory / name)
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments):
        subprocess.run(["git", *IDENTITY, *arguments], cwd=self.directory, check=True, stdout=subprocess.DEVNULL)

    def commit(self):
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message=test")

    def change(self, name, pattern, replacement):
        path = self.directory / name
        text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), count=1)
        assert count == 1, f"{name} has no {pattern}"
        path.write_text(text, encoding="utf-8")

    def release(self, *arguments, umask=0o022, **environment):
        return subprocess.run([str(self.directory / "scripts/release"), *map(str, arguments)], cwd="/", check=False, umask=umask,
                              capture_output=True, text=True, env={**os.environ, **environment})


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def main():
    if not shutil.which("git"):
        print("skipped: no git")
        return 77
    with tempfile.TemporaryDirectory(prefix="ros2bt-release-") as scratch:
        return check(Project(pathlib.Path(scratch, "project")), pathlib.Path(scratch))


def check(project, scratch):
    failures = []

    def expect_refusal(message, *arguments):
        done = project.release(*arguments, scratch / "refused")
        if done.returncode != 1 or message not in done.stderr or list((scratch / "refused").glob("*.tar.gz")):
            failures.append(f"not refused with {message!r}: {done}")

    version = re.search("<version>(.*)</version>", (project.directory / "package.xml").read_text(encoding="utf-8")).group(1)
    name = f"babeltrace2-ros2-{version}"
    expect_refusal(f"no tag v{version}")
    project.git("tag", f"v{version}")
    (project.directory / "new").touch()
    expect_refusal("not committed")
    project.change("CHANGELOG.md", rf"## {version}.*", f"## {version} (not released)")
    project.commit()
    project.git("tag", "--force", f"v{version}")
    expect_refusal(f"{version} is not released")
    project.change("CHANGELOG.md", rf"## {version}.*\n", f"## {version}\n\nSee [this](docs/ci.md), [that](https://example.org/).\n\n## 0.0.1\n")
    project.commit()
    project.git("tag", "--force", f"v{version}")

    first = project.release("--url=https://example.org/at/", scratch / "first")
    again = project.release("--url=https://example.org/at/", scratch / "again", umask=0o077, TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
    if first.returncode or again.returncode or contents(scratch / "first") != contents(scratch / "again"):
        failures.append(f"twice, not the same bytes: {first} {again}")
    notes = (scratch / "first" / f"{name}.md").read_text(encoding="utf-8")
    if notes != "See [this](https://example.org/at/docs/ci.md), [that](https://example.org/).\n":
        failures.append(f"notes: {notes}")
    with tarfile.open(scratch / "first" / f"{name}.tar.gz") as archive:
        names = archive.getnames()
    if {member.split("/")[0] for member in names} != {name} or f"{name}/core/CMakeLists.txt" not in names:
        failures.append(f"archive: {names[:10]}")
    if shutil.which("dpkg-source") and not list((scratch / "first").glob(f"babeltrace2-ros2_{version}-*.dsc")):
        failures.append("no Debian source package")

    # one file is forgotten
    project.change("package.xml", "<version>.*</version>", "<version>99.0.0</version>")
    project.commit()
    expect_refusal("several versions", "--draft")
    print(*failures, sep="\n")
    return len(failures) != 0


if __name__ == "__main__":
    sys.exit(main())
