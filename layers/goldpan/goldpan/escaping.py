"""Makes external text safe to print: names, descriptions and reasons may hold terminal commands, Markdown or HTML."""

import html
import json
import re
import unicodedata

_TERMINAL_COMMAND = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # operating system commands: titles, hyperlinks
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)?"  # device control and other strings
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # control sequences: colours, cursor, erasing
    r"|\x1b[ -/]*[0-~]?"  # the other escapes
)
_INVISIBLE = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0e\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
    r"|(?<![\u203c-\u3299\U0001f000-\U0001faff])\ufe0f"  # which makes such a sign an emoji
    r"|(?<![^\x00-\u02ff\u2000-\u200f\s])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u02ff\u2000-\u200f\s])"
)
"""Signs without a shape: fillers, variations, tags, and the joiners that emoji and some scripts need anywhere else."""
_JOINERS = "\u200c\u200d"
_WEB_ADDRESS = re.compile(r"https?://[^\s/<>\"'`\\^{|}()\[\]*@]+(?:/[^\s<>\"'`\\^{|}()\[\]*]*)?", re.IGNORECASE)
_MARKDOWN = re.compile(r"[\\`*_\[\]|~!$]")
_LINE_START = re.compile(r"^([-+=#:]|\d+(?=[.)]))")
_NOT_PLAIN = {"Cs": "", "Cc": " ", "Zl": " ", "Zp": " "}
"""What takes the place of surrogates, and of control characters and the ends of lines, by their category."""
FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet runs a cell that begins so, in full width too; an apostrophe before it makes the cell a text."""


def plain(text: str | None) -> str:
    """Reduce a text to one line without control characters, terminal commands and invisible direction marks."""
    shown = visible(_TERMINAL_COMMAND.sub("", text or ""))
    return " ".join("".join(_NOT_PLAIN.get(unicodedata.category(sign), sign) for sign in shown).split())


def visible(text: str) -> str:
    """Drop what has no shape and could hide words from people or from checks, or split them; lines stay."""
    if text.isascii():
        return text
    hidden = (sign for sign in {*text} if sign not in _JOINERS and unicodedata.category(sign) == "Cf")
    return _INVISIBLE.sub("", text).translate(dict.fromkeys(map(ord, hidden)))


def escape_json(text: str) -> str:
    """Replace unprintable characters of a JSON document with JSON escapes, which leaves its value unchanged."""
    return "".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text)


def web_address(address: str | None) -> str | None:
    """Return the address if it is a plain http or https one, else None."""
    return address if address and _WEB_ADDRESS.fullmatch(address) and address.isprintable() else None


def escape_markdown(text: str | None) -> str:
    """Reduce a text to one line of Markdown that renders as written and adds no structure."""
    line = html.escape(_MARKDOWN.sub(r"\\\g<0>", plain(text)), quote=False)
    return _LINE_START.sub(lambda start: f"{start[0]}\\" if start[0].isdigit() else f"\\{start[0]}", line)


def csv_text(text: str | None) -> str:
    """Reduce a text to one line that a spreadsheet shows as text."""
    safe = plain(text)
    return f"'{safe}" if safe.startswith(FORMULA_STARTS) else safe
