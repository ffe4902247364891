"""Exit codes of the command, and the line on stderr that goes with each failure.

0    success
1    nothing found
2    the question, an option, a file or a setting is invalid, or stdout cannot be written
3    every source failed, or the time ran out
70   internal error
130  interrupted with Ctrl-C
"""

import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TextIO

import typer
from goldpan.errors import Defect, GoldpanError, InvalidRequest, Misconfigured
from goldpan.escaping import escape_json, plain

SUCCESS, NOTHING_FOUND, INVALID_INPUT, FAILED, INTERNAL_ERROR, INTERRUPTED = 0, 1, 2, 3, 70, 130
INTERNAL = "internal error, please report it with the lines above"
EXTRAS = {"boto3": "aws", "jq": "jq", "mcp": "mcp"}
"""The extra that installs a package which some commands need."""
REINSTALL = "install goldpan again, with `make run` in a checkout, else with `pip install goldpan-search`"


@contextmanager
def exit_on_error() -> Iterator[None]:
    """Turn an exception into its line on stderr and its exit code. Raises `typer.Exit`."""
    try:
        yield
    except (InvalidRequest, Misconfigured) as error:
        _exit(str(error), INVALID_INPUT, error)
    except Defect as error:
        _exit(INTERNAL, INTERNAL_ERROR, error)
    except GoldpanError as error:
        _exit(str(error), FAILED, error)
    except KeyboardInterrupt:
        _exit("interrupted", INTERRUPTED)
    except (typer.Exit, SystemExit):
        raise
    except ModuleNotFoundError as error:
        extra = EXTRAS.get(str(error.name))
        install = f"pip install 'goldpan-search[{extra}]'" if extra else REINSTALL
        _exit(f"the package {error.name} is not installed: {install}", INVALID_INPUT)
    except Exception as error:  # noqa: BLE001 - Python's own exit code for an exception is 1, "nothing found" here
        if isinstance(error, OSError) and error.filename:  # such as of a folder without permission
            _exit(f"{error.filename}: {error.strerror}", INVALID_INPUT)
        write_stderr(traceback.format_exc())
        _exit(INTERNAL, INTERNAL_ERROR)


def _exit(message: str, code: int, error: GoldpanError | None = None) -> NoReturn:
    """Write the message, and the notes of the error: what was known by then."""
    write_notes([message, *getattr(error, "__notes__", ())])
    raise typer.Exit(code)


def write_notes(notes: Iterable[str]) -> None:
    """Write each note as a line on stderr, which begins with the name of the command."""
    write_stderr("".join(f"goldpan: {plain(note)}\n" for note in notes))


def open_closed_streams() -> None:
    """Replace the standard streams that were closed before the command began, as by `>&-`.

    stdin is empty, stderr is discarded, and a write to stdout fails as one to a full disk does.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            flags = os.O_WRONLY if name == "stderr" else os.O_RDONLY
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))


def write_stderr(text: str) -> None:
    """Write to stderr; if it is full, the text is dropped, and the command goes on."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:  # a full disk or a closed pipe, which cannot be reported anywhere else
        discard(sys.stderr)


def write_stdout(text: str, encoding: str = "utf-8") -> None:
    """Write to stdout; a pipe closed early is no error. Raises `Misconfigured` if it is closed or its disk full."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode(encoding, "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        discard(sys.stdout)
    except OSError as error:
        discard(sys.stdout)
        raise Misconfigured(f"stdout: {error.strerror or error}") from error


def write_for_terminal(text: str) -> None:
    """Write to stdout in the encoding of the terminal; raises as `write_stdout`."""
    write_stdout(text, sys.stdout.encoding or "utf-8")


def write_json(text: str) -> None:
    """Write JSON to stdout, with control characters escaped; raises as `write_stdout`."""
    write_stdout(escape_json(text) + "\n")


def discard(stream: TextIO) -> None:
    """Discard the rest: the interpreter flushes the stream again at exit, which must not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
