# SPDX-License-Identifier: MIT
"""Chromium without a window, driven over a pipe (Chrome DevTools Protocol): nothing but Python is needed besides it.

What goes wrong in a page is kept: exceptions, messages of the console, dialogs, and requests for anything but the page.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage", "--mute-audio",
           "--force-device-scale-factor=1", "--hide-scrollbars", "--remote-debugging-pipe")
PATIENCE_S = 120  # a loaded machine needs long for everything
# How much slower than this machine's the CPU of pages is: what a busy machine brings about by chance comes for certain.
SLOWDOWN = float(os.environ.get("ROS2BT_BROWSER_SLOWDOWN", 1))

# Work of a page that takes REFERENCE_S of CPU time where the limits of CPU time were set.
REFERENCE = """(() => {
    let seed = 1, kept = 0;
    for (let round = 0; round < 8; round++) {
        const rows = Array.from({ length: 30000 }, (_, i) => ({ name: `/node_${i % 977}`, value: seed = seed * 48271 % 2147483647 }));
        kept += JSON.parse(JSON.stringify(rows.sort((a, b) => a.value - b.value))).length;
    }
    return kept;
})()"""
REFERENCE_S = 0.2


def find():
    """The program, or None."""
    return os.environ.get("ROS2BT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def find_or_skip():
    """The program; without one, the test ends as skipped."""
    program = find()
    if not program:
        print("skipped: no Chromium here (ROS2BT_CHROMIUM names one)")
        sys.exit(77)
    return program


def _above(descriptor):
    """The same file under a number that the browser does not use: it reads from 3 and writes to 4."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Browser:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="ros2bt-browser-", ignore_cleanup_errors=True)
        commands, self.write_end = map(_above, os.pipe())
        self.read_end, answers = map(_above, os.pipe())
        # so that nothing of Popen itself has one of the two numbers
        placeholders = []
        while not placeholders or placeholders[-1] < 5:
            placeholders.append(os.open(os.devnull, os.O_RDONLY))

        def connect():
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.messages = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program, *OPTIONS, "--user-data-dir=" + self.folder.name], close_fds=False,
                                        preexec_fn=connect, start_new_session=True, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=self.messages)
        for descriptor in (*placeholders, commands, answers):
            os.close(descriptor)
        self.pending = b""
        self.number = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, EOFError, TimeoutError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.messages.close()
        self.folder.cleanup()

    def _message(self, end):
        while b"\0" not in self.pending:
            if not select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.read_end, 1 << 16)
            if not part:
                self.messages.seek(0)
                raise EOFError(f"the browser has ended: {self.messages.read()[-2000:].decode(errors='replace')}")
            self.pending += part
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        os.write(self.write_end, json.dumps(command).encode() + b"\0")
        end = time.monotonic() + PATIENCE_S
        while True:
            message = self._message(end)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def page(self, path, width=1440, height=900, scheme="light", watch=None):
        """A page that our output has written. `watch`: a script that is run before its own."""
        return Page(self, "file://" + os.path.abspath(path), "document.documentElement?.dataset.ready", width, height, scheme, watch)


class Page:
    """`ready`: an expression that is true once the page at the URL can be used."""

    def __init__(self, browser, url, ready, width, height, scheme, watch=None):
        self.browser = browser
        self.url = url
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)  # as if its window were the one in use
        self.call("Emulation.setCPUThrottlingRate", rate=SLOWDOWN)
        self._set_size(width, height)
        self.set_scheme(scheme)
        if watch:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=watch)
        start = time.monotonic()
        self.call("Page.navigate", url=self.url)
        self.wait(ready)
        self.ready_s = time.monotonic() - start
        # a browser leaves out keys and clicks before it has shown the page, which may be later than the page knows
        self.run("addEventListener('keyup', () => { window.takesKeys = true; }, { once: true })")
        self.wait("window.takesKeys", lambda: self.key("Shift"))
        self.draw()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.check()
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def _set_size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def resize(self, width, height=900):
        self._set_size(width, height)
        self.wait(f"innerWidth === {width} && innerHeight === {height}")
        self.draw()

    def draw(self):
        """Until a change is drawn: a frame tells of a new width, tables are fitted in the next one, which may move other things."""
        self.run("""new Promise(resolve => {
            const draw = left => requestAnimationFrame(() => left > 1 ? draw(left - 1) : setTimeout(resolve, 0));
            draw(3);
        })""")

    def settle(self):
        """Until all that a key or a click has begun is drawn: a search begins 120 ms after the last letter."""
        self.run("new Promise(resolve => setTimeout(resolve, 150))")
        self.draw()

    def set_scheme(self, scheme, media=""):
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def run(self, script):
        """The value of an expression, or of a promise."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def wait(self, script, act=lambda: None):
        """Until an expression is true. `act`: what is done again and again for it."""
        end = time.monotonic() + PATIENCE_S
        act()
        while not self.run(script):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.02)
            act()

    def key(self, key, **more):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "Shift": 16, " ": 32}
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0])), **more}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        """Puts a text where the focus is."""
        self.run("document.addEventListener('input', () => { window.isTyped = true; }, { capture: true, once: true }), window.isTyped = false")
        self.call("Input.insertText", text=text)
        self.wait("window.isTyped")

    def place_of(self, selector):
        """The middle of an element on the screen."""
        self.draw()
        place, above = self.run(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
            const box = element.getBoundingClientRect(), place = [box.x + box.width / 2, box.y + box.height / 2], there = document.elementFromPoint(...place);
            return [place, element.contains(there) ? null : there?.outerHTML.slice(0, 120) ?? 'the window ends'];
        }})()""")
        assert above is None, f"{selector} cannot be clicked: {above}"
        return place

    def click(self, selector):
        """A click with the mouse. If the page has moved before it, it is meant for where the element is now."""
        end = time.monotonic() + PATIENCE_S
        arrived, lost = [], 0
        while "click" not in arrived:
            # once may be the page's own end of drawing, which comes late beside load
            lost += "mousedown" in arrived
            assert lost < 3, f"{selector} was pressed, but not clicked: the page moves under the mouse again and again"
            if time.monotonic() > end:
                raise TimeoutError("it does not stand still: " + selector)
            x, y = self.place_of(selector)
            self.run(f"""window.arrived = [], ['mousedown', 'click'].forEach(type => document.querySelector({json.dumps(selector)})
                .addEventListener(type, () => window.arrived.push(type), {{ capture: true, once: true }}))""")
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
            arrived = self.run("window.arrived")

    def cpu_s(self):
        """The time of the page's process on a CPU so far: a busy machine does not lengthen it, and a slow one is made up for."""
        used = self._process_time()
        self.run(REFERENCE)
        reference = self._process_time() - used
        return used / max(1, reference / REFERENCE_S)

    def _process_time(self):
        self.call("Performance.enable")
        return next(metric["value"] for metric in self.call("Performance.getMetrics")["metrics"] if metric["name"] == "ProcessTime")

    def screenshot(self, path, full=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def problems(self):
        """What went wrong so far."""
        found = []
        self.run("new Promise(resolve => setTimeout(resolve, 0))")
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method == "Runtime.consoleAPICalled":
                found.append("console: " + " ".join(str(argument.get("value")) for argument in parameters["args"]))
            elif method == "Log.entryAdded":
                found.append("log: " + parameters["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                found.append("dialog: " + parameters["message"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if url.split("#")[0] != self.url and not url.startswith("data:"):
                    found.append("request: " + url)
        return found

    def check(self):
        problems = self.problems()
        assert not problems, problems
