"""Drives Firefox by Marionette, the protocol that it speaks itself: playwright drives only a Firefox of its own."""

import json
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Self

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 60.0
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Firefox:
    """A context manager around a headless Firefox with one window."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        (folder / "user.js").write_text(f'user_pref("marionette.port", {self._port});\n', "utf-8")
        self._folder = folder

    def __enter__(self) -> Self:
        """Start it, and a session."""
        options = ("--headless", "--marionette", "--remote-allow-system-access", "--profile")
        command = [str(FIREFOX), *options, str(self._folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
                break
            except OSError:
                assert time.monotonic() < end, "Firefox does not listen"
                time.sleep(0.1)
        self._stream = self._socket.makefile("rb")
        self._read()
        self.call("WebDriver:NewSession", {})
        self.run_in_window("document.documentElement.style.setProperty('min-width', '0', 'important')")
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._stream.close()
        self._socket.close()
        self._process.kill()
        self._process.wait(PATIENCE)

    def call(self, command: str, parameters: dict[str, Any]) -> Any:
        """Run a command, and return its result."""
        message = json.dumps([0, 1, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        assert error is None, error
        return result.get("value", result) if isinstance(result, dict) else result

    def open(self, address: str, width: int, height: int) -> None:
        """Open a page in a window whose content has this size."""
        self.call("WebDriver:Navigate", {"url": address})
        frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.call("WebDriver:SetWindowRect", {"width": width + frame[0], "height": height + frame[1]})

    def run(self, script: str) -> Any:
        """Run a script in the page, and return its value; a promise is waited for."""
        return self.call("WebDriver:ExecuteScript", {"script": script, "args": []})

    def run_in_window(self, script: str) -> None:
        """Run a script with the rights of the browser itself."""
        self.call("Marionette:SetContext", {"value": "chrome"})
        self.run(script)
        self.call("Marionette:SetContext", {"value": "content"})

    def use_scheme(self, *, dark: bool) -> None:
        """Choose the colour scheme."""
        scheme = "layout.css.prefers-color-scheme.content-override"
        self.run_in_window(f"Services.prefs.setIntPref('{scheme}', {0 if dark else 1})")

    def wait(self, condition: str) -> None:
        """Wait until an expression of the page is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, condition
            time.sleep(0.05)

    def type(self, selector: str, text: str) -> None:
        """Type into an element."""
        found = self.call("WebDriver:FindElement", {"using": "css selector", "value": selector})
        self.call("WebDriver:ElementSendKeys", {"id": found[ELEMENT], "text": text})

    def _read(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            length += byte
        return json.loads(self._stream.read(int(length)))
