"""Firefox, driven as it can be without a driver of its own: https://w3c.github.io/webdriver-bidi/"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

SECONDS = 60
"""How long a condition may take, on a machine that is busy."""

KEYS = {
    "ArrowRight": "\ue014",
    "Control": "\ue009",
    "End": "\ue010",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Shift": "\ue008",
}

# Without a screen there is no mouse; else the page is as on a tablet.
PREFERENCES = """
user_pref("ui.primaryPointerCapabilities", 6);
user_pref("ui.allPointerCapabilities", 6);
"""

Event = dict[str, object]


class Connection:
    """Commands to the browser, and its events."""

    def __init__(self, socket: ClientConnection) -> None:
        self.onevent: Callable[[str, Event], None] = lambda method, event: None
        self._socket = socket
        self._last = 0

    def send(self, method: str, **parameters: object) -> dict:
        """Returns the result. Events that come before it are told."""
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=SECONDS))
            if message["type"] == "event":
                self.onevent(message["method"], message["params"])
            elif message["id"] == self._last:
                assert message["type"] == "success", f"{method}: {message['error']}: {message['message']}"
                return message["result"]


class Page:
    """A tab. Places are in CSS pixels, from the view's top left."""

    def __init__(self, connection: Connection, user: str) -> None:
        self._connection = connection
        created = connection.send("browsingContext.create", type="tab", userContext=user)
        self._context = created["context"]

    def resize(self, width: int, height: int) -> None:
        self._send("browsingContext.setViewport", viewport={"width": width, "height": height})

    def goto(self, address: str) -> None:
        self._send("browsingContext.navigate", url=address, wait="complete")

    def evaluate(self, expression: str, *arguments: object) -> object:
        """What an expression gives, or a function with arguments. All of them are JSON."""
        if arguments:
            expression = f"({expression})({', '.join(json.dumps(each) for each in arguments)})"
        answer = self._connection.send(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))",
            target={"context": self._context},
            awaitPromise=True,
            userActivation=True,
        )
        assert answer["type"] == "success", f"{expression}: {answer['exceptionDetails']['text']}"
        return json.loads(answer["result"]["value"])

    def press(self, *keys: str) -> None:
        """Presses keys one after the other; `Control+a` is two at a time, any other text is typed."""
        steps = []
        for key in keys:
            parts = key.split("+")
            held = [KEYS[part] for part in parts[:-1]]
            typed = [KEYS[parts[-1]]] if parts[-1] in KEYS else list(parts[-1])
            steps += [("keyDown", each) for each in held]
            steps += [(kind, each) for each in typed for kind in ("keyDown", "keyUp")]
            steps += [("keyUp", each) for each in reversed(held)]
        self._keys(*steps)

    def drag(self, *places: tuple[float, float]) -> None:
        """Presses the mouse at the first place, and releases it at the last. A single one is clicked."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 50} for x, y in places]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._perform({"type": "pointer", "id": "mouse", "actions": [moves[0], down, *moves[1:], up]})

    def wheel(self, x: float, y: float, by: int) -> None:
        step = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": by}
        self._perform({"type": "wheel", "id": "wheel", "actions": [step]})

    @contextmanager
    def holding(self, key: str) -> Iterator[None]:
        """Keeps a key down."""
        self._keys(("keyDown", KEYS[key]))
        yield
        self._keys(("keyUp", KEYS[key]))

    def screenshot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self._send("browsingContext.captureScreenshot")["data"]))

    def _keys(self, *steps: tuple[str, str]) -> None:
        actions = [{"type": kind, "value": value} for kind, value in steps]
        self._perform({"type": "key", "id": "keys", "actions": actions})

    def _perform(self, actions: dict) -> None:
        self._send("input.performActions", actions=[actions])

    def _send(self, method: str, **parameters: object) -> dict:
        return self._connection.send(method, context=self._context, **parameters)


@contextmanager
def firefox(path: str) -> Iterator[Connection]:
    """A Firefox with a profile of its own, which ends with the block."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [path, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
        log = Path(folder) / "log"
        (Path(folder) / "user.js").write_text(PREFERENCES)
        with log.open("w") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            with connect(f"{address(process, log)}/session", max_size=None, compression=None) as socket:
                connection = Connection(socket)
                connection.send("session.new", capabilities={})
                yield connection
        finally:
            process.terminate()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def address(process: subprocess.Popen, log: Path) -> str:
    """Waits until Firefox listens."""
    end = time.monotonic() + SECONDS
    while not (found := re.search(r"WebDriver BiDi listening on (\S+)\n", log.read_text())):
        starts = process.poll() is None and time.monotonic() < end
        assert starts, f"Firefox has not started: {log.read_text()}"
        time.sleep(0.05)
    return found[1]


@contextmanager
def page(connection: Connection) -> Iterator[Page]:
    """A tab with storage of its own."""
    user = connection.send("browser.createUserContext")["userContext"]
    try:
        yield Page(connection, user)
    finally:
        connection.send("browser.removeUserContext", userContext=user)
