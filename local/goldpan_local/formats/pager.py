"""Shows a text in a pager as git does: `GOLDPAN_PAGER`, else `PAGER`, else less; `cat` or an empty value is none.

Less is none either on a terminal that cannot move its cursor: there it would first ask for a key. The pagers of rich
and typer have no variable of their own, and lose the text if the program is missing.
"""

from __future__ import annotations

import shlex
import signal
import subprocess
from collections.abc import Mapping

from goldpan.errors import Misconfigured

from goldpan_local.exit_codes import write_notes, write_stdout

DEFAULT_PAGER = "less"
DUMB_TERMINALS = ("dumb", "unknown")
QUIET_LESS = {"LESS": "FRX", "LV": "-c"}
"""git's settings: quit if the text fits, show colours, leave it on the screen; one that is set stays."""


def show_paged(text: str, encoding: str, environment: Mapping[str, str]) -> None:
    """Show the text in the pager; without one, write it to stdout. Raises `Misconfigured` if it cannot be read."""
    command = pager_command(environment)
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env={**QUIET_LESS, **environment}) if command else None  # noqa: S603 - the user's own
    except OSError as error:
        if command != [DEFAULT_PAGER]:
            write_notes([f"the pager {command[0]}: {error.strerror}"])
        pager = None
    if pager is None:
        write_stdout(text, encoding)
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's
    try:
        pager.communicate(text.encode(encoding, "replace"))
    finally:
        signal.signal(signal.SIGINT, before)


def pager_command(environment: Mapping[str, str]) -> list[str]:
    """Return the pager with its arguments, empty for none."""
    name = next((name for name in ("GOLDPAN_PAGER", "PAGER") if name in environment), None)
    value = environment[name] if name else "" if environment.get("TERM") in DUMB_TERMINALS else DEFAULT_PAGER
    try:
        command = shlex.split(value)
    except ValueError as error:
        message = f"{name}: {value!r} is no command: {error}"
        raise Misconfigured(message) from error
    return [] if command == ["cat"] else command
