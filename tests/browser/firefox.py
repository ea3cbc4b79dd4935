"""A real Firefox, controlled without a driver: by WebDriver BiDi over a WebSocket that Firefox opens."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

__all__ = ["ARROW_LEFT", "ARROW_RIGHT", "TAB", "Firefox", "firefox", "opened_firefox"]

ARROW_LEFT, ARROW_RIGHT, TAB = "\ue012", "\ue014", "\ue004"
QUIET = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}
"""Preferences that stop Firefox from contacting other servers on its own."""


class Firefox:
    """A running Firefox with one page at a time, which records the errors that the page reports."""

    def __init__(self, socket: ClientConnection) -> None:
        self.complaints: list[str] = []
        self._socket = socket
        self._asked = 0
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = ""

    def open(self, address: str, *, width: int, height: int) -> None:
        """Open an address in a new page of this width and height in pixels."""
        before, self._page = self._page, self._ask("browsingContext.create", type="tab")["context"]
        if before:
            self._ask("browsingContext.close", context=before)
        self.complaints.clear()
        viewport = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._page, viewport=viewport)
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, passed as JSON."""
        said = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            target={"context": self._page},
            awaitPromise=True,
        )
        if said["type"] != "success":
            raise RuntimeError(said["exceptionDetails"]["text"])
        return json.loads(said["result"]["value"])

    def wait_for(self, expression: str, seconds: float) -> None:
        """Wait until a JavaScript expression is true.

        Raises
        ------
        TimeoutError
            When it is not true within ``seconds``.
        """
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"not true within {seconds:g} s: {expression}")
            time.sleep(0.1)

    def press(self, key: str, times: int = 1) -> None:
        """Press a key ``times`` times."""
        stroke = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        keys = {"type": "key", "id": "keyboard", "actions": times * stroke}
        self._ask("input.performActions", context=self._page, actions=[keys])

    def _ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            said = json.loads(self._socket.recv(timeout=120))
            if said["type"] == "event":
                self._hear(said["params"])
            elif said["id"] == self._asked:
                if said["type"] == "error":
                    raise RuntimeError(f"{method}: {said['message']}")
                return said["result"]

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry["level"] == "error" and entry["source"].get("context") == self._page:
            self.complaints.append(str(entry["text"]))


def firefox() -> str | None:
    """Return the path of the system's Firefox, or None."""
    return next((path for path in map(shutil.which, ("firefox-esr", "firefox")) if path), None)


@contextmanager
def opened_firefox(path: str, profile: Path) -> Iterator[Firefox]:
    """Run a Firefox with a new profile in an empty folder; end it by its own process id."""
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(set_to)});" for name, set_to in QUIET.items()
    ]
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    whole = [
        path,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--remote-debugging-port=0",
    ]
    process = subprocess.Popen(whole, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = _port(profile / "WebDriverBiDiServer.json", process)
        url = f"ws://127.0.0.1:{port}/session"
        with connect(url, max_size=None, open_timeout=60) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(30)


def _port(told: Path, process: subprocess.Popen[bytes]) -> int:
    """Wait until Firefox states the port on which it listens; return the port."""
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"Firefox ended by itself with code {process.returncode}")
        if told.exists() and (text := told.read_text("utf-8")):
            return int(json.loads(text)["ws_port"])
        time.sleep(0.2)
    raise RuntimeError("Firefox did not say within two minutes where it listens")
