"""Splits a note into its front matter, YAML between two lines of dashes, and its text."""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_CHARS = 64 * 1024
_BLOCK = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_UNKNOWN = ("", "~", "null", "Null", "NULL")


def split_front_matter(note: str) -> tuple[dict[str, object], str]:
    """Return the fields of the front matter, whose values are texts, lists and objects of texts, and the text.

    Every scalar stays the text that was written: YAML would read the arXiv id 2401.12340 as the number 2401.1234.
    Raises `ValueError` that describes what is wrong.
    """
    block = _BLOCK.match(note)
    if block is None:
        return {}, note
    if len(block[1]) > MAX_CHARS:
        message = f"front matter: longer than {MAX_CHARS // 1024} KiB"
        raise ValueError(message)
    return _fields(block[1]), note[block.end() :]


def _fields(text: str) -> dict[str, object]:
    import yaml  # noqa: PLC0415 - for notes with front matter only

    try:
        # Not CBaseLoader, which is ten times faster, but crashes the process at 60,000 open brackets.
        parsed = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - the one loader that makes texts alone
    except yaml.MarkedYAMLError as error:
        line = f" at line {error.problem_mark.line + 2}" if error.problem_mark else ""
        message = f"front matter: {error.problem}{line}"
        raise ValueError(message) from error
    except (yaml.YAMLError, RecursionError) as error:
        message = f"front matter: {' '.join(str(error).split())}"
        raise ValueError(message) from error
    if parsed in _UNKNOWN:
        return {}
    if not isinstance(parsed, dict):
        raise ValueError("front matter: fields such as `title: Notes` are required")  # noqa: TRY004 - the input is wrong
    return {str(name): _checked(str(name), value) for name, value in parsed.items() if value not in _UNKNOWN}


def _checked(name: str, value: object) -> object:
    """Return the value if it is not nested deeper than any field is; aliases of YAML could make it grow without end."""
    inner = value if isinstance(value, list) else [value]
    if all(isinstance(each, str) or (isinstance(each, Mapping) and _is_flat(each)) for each in inner):
        return [each for each in inner if each not in _UNKNOWN] if isinstance(value, list) else value
    message = f"front matter: {name}: must be a text or a list of texts"
    raise ValueError(message)


def _is_flat(value: Mapping[object, object]) -> bool:
    return all(isinstance(each, str) for each in value.values())
