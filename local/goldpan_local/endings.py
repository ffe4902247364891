"""How the command ends: one line for what went wrong, and an exit code that a script can rely on.

0    answered
1    nothing found
2    the question, an option, a file or a setting is wrong
3    every source failed, or the time ran out
70   a defect of the command itself
130  stopped with Ctrl-C
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from goldpan.errors import GoldpanError, InvalidRequest, Misconfigured

from goldpan_local.untrusted import plain

ANSWERED, NOTHING_FOUND, BAD_INPUT, FAILED, DEFECT, STOPPED = 0, 1, 2, 3, 70, 130


@contextmanager
def told_endings() -> Iterator[None]:
    """Turn every way to fail into its line on stderr and its exit code."""
    try:
        yield
    except (InvalidRequest, Misconfigured) as error:
        _end(str(error), BAD_INPUT)
    except GoldpanError as error:
        _end(str(error), FAILED)
    except KeyboardInterrupt:
        _end("stopped", STOPPED)
    except (typer.Exit, SystemExit):
        raise
    except Exception:  # noqa: BLE001 - Python's own exit code for a defect would read as "nothing found"
        traceback.print_exc()
        _end("this is a defect of goldpan, please report it with the lines above", DEFECT)


def _end(message: str, code: int) -> NoReturn:
    sys.stderr.write(f"goldpan: {plain(message)}\n")
    raise typer.Exit(code)


def write_out(text: str, encoding: str = "utf-8") -> None:
    """Write the answer to stdout, whole; a reader that has seen enough and closed its end is no failure."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode(encoding, "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The interpreter flushes stdout once more when it ends: there must be something left to flush to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
