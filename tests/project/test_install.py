#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_install.py BUILD: babeltrace2 finds the plugin where the project installs it for a user, and in its own folder,
whichever prefix the build directory was configured for. Links between the installed pages lead to installed files."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = "babeltrace-plugin-ros2.so"
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# manual pages, which are installed where man finds them, and what pages for developers name of the source
NOT_INSTALLED = re.compile(r"docs/ros2-latency[\w-]*\.1|tests/README\.md|core/[\w/]+\.h")


def output(*command, **environment):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False, env={**os.environ, **environment})
    if result.returncode != 0:
        sys.exit(f"exit {result.returncode}: {command}\n{result.stdout}")
    return result.stdout


def expect_found(home, what):
    """babeltrace2 finds the plugin in this home."""
    if f"Path: {home}/.local/" not in output("babeltrace2", "list-plugins", HOME=str(home), BABELTRACE_PLUGIN_PATH=""):
        sys.exit(f"{what}: babeltrace2 does not find {[str(file) for file in home.rglob(PLUGIN)]}")


def check_prefix_of_installation(build, scratch):
    output("cmake", "--install", build, "--prefix", scratch / "given/.local")
    expect_found(scratch / "given", "cmake --install --prefix ~/.local")


def check_second_configuration(build, scratch):
    """A build directory for the default prefix, which babeltrace2 has, too, is configured for another one."""
    again = scratch / "build"
    configure = "cmake", "-S", ROOT, "-B", again, "-DROS2BT_TESTS=OFF"
    system = pathlib.Path(output("pkg-config", "--variable=libdir", "babeltrace2").strip(), "babeltrace2/plugins", PLUGIN)
    install = "cmake", "-P", again / "plugin/cmake_install.cmake"

    output(*configure)
    shutil.copy(build / "plugin" / PLUGIN, again / "plugin")
    output(*install, DESTDIR=str(scratch / "root"))
    if not pathlib.Path(f"{scratch}/root{system}").exists():
        sys.exit(f"default prefix: {list((scratch / 'root').rglob(PLUGIN))}, not {system}")
    output(*configure, f"-DCMAKE_INSTALL_PREFIX={scratch}/configured/.local")
    output(*install)
    expect_found(scratch / "configured", "-DCMAKE_INSTALL_PREFIX=~/.local")


def check_pages(documentation):
    pages, targets = list(documentation.rglob("*.md")), set()
    for page in pages:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        targets |= {os.path.relpath(page.parent / link, documentation) for link in LINK.findall(text) if "://" not in link}
    broken = {target for target in targets if not (documentation / target).exists() and not NOT_INSTALLED.fullmatch(target)}
    if broken or not {"docs/budgets.md", "docs/pictures/page.png"} <= targets or len(pages) < 40:
        sys.exit(f"{len(pages)} pages with links to {len(targets)} files, without {sorted(broken)}")
    if {file.suffix for file in documentation.rglob("*") if file.is_file()} != {".md", ".png", ".json", ""}:  # a dashboard for Grafana
        sys.exit(f"not only pages: {sorted(map(str, documentation.rglob('*')))}")


def main():
    build = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        check_prefix_of_installation(build, pathlib.Path(folder))
        check_pages(pathlib.Path(folder, "given/.local/share/doc/babeltrace2-ros2"))
        check_second_configuration(build, pathlib.Path(folder))


main()
