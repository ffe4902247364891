"""Removes secrets from words of others before they are quoted: an upstream may repeat what it was sent.

Each client registers its secrets when it is made, so that no upstream can reveal those of another. Secrets that this
process does not know are recognised by their form: keys of OpenAI, tokens of GitHub, and passwords in addresses.
"""

import base64
import json
import logging
import re
import threading
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

REDACTED = "[key]"
MAX_READ, MAX_MESSAGE = 2000, 160
"""Characters of a message that are searched for secrets, and that are quoted."""
SHORT = 8
"""Characters; a shorter secret is replaced only where it is a word, since it may be part of many words."""
_FORMS = re.compile(
    r"\bsk-[\w*.-]+|\b(?:gh[opusr]|github_pat)_\w+|(?<=\bBearer )[^\s\"',;}]+|(?<=://)[^\s/@\"']+(?=@)", re.IGNORECASE
)
_PARAMETERS = re.compile(r"\?\S+")
_LOCK = threading.Lock()
_KNOWN = [frozenset[str]()]
"""The secrets of this process in all forms in which they may be repeated; replaced as a whole by a longer set."""


def register_secret(secret: str) -> None:
    """Replace this secret wherever words of others are quoted from now on."""
    if secret.strip():
        with _LOCK:
            _KNOWN[0] |= _forms_of(secret)


def register_address(address: str) -> None:
    """Register the password in an address, if it has one, also as it is sent in a header (RFC 7617)."""
    parts = urlsplit(address)
    if parts.password:
        name, password = unquote(parts.username or ""), unquote(parts.password)
        register_secret(password)
        register_secret(base64.b64encode(f"{name}:{password}".encode()).decode())


def redact(text: str) -> str:
    """Replace every secret in a text; to be called before the text is shortened, which could cut a secret in two."""
    return _FORMS.sub(REDACTED, _pattern(_KNOWN[0]).sub(REDACTED, text))


def one_line(message: object) -> str:
    """Return the beginning of a message as one line, without secrets."""
    text = message if isinstance(message, str) else ""
    return " ".join(redact(text[:MAX_READ]).split())[:MAX_MESSAGE] or "no message"


def redact_body(body: bytes) -> bytes:
    """Replace the secrets of this process in a response, whose titles and addresses may repeat one."""
    lowered, long = body.lower(), [form.encode("utf-8", "replace") for form in _KNOWN[0] if len(form) >= SHORT]
    if not any(form in lowered for form in long):  # fifty times as fast as the expression that replaces
        return body
    return redact_answer(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def redact_answer(text: str) -> str:
    """Replace the secrets of this process in an answer, which may well speak of an "sk-learn", or of an "ollama"."""
    return _pattern(_KNOWN[0], SHORT).sub(REDACTED, text)


def _forms_of(secret: str) -> set[str]:
    """Return a secret as it is written in addresses, in JSON, in hexadecimal and, anywhere in a text, in base64."""
    written, raw = json.dumps(secret)[1:-1], secret.encode("utf-8", "replace")
    forms = {secret, quote(secret, safe=""), written, written.replace("/", "\\/"), raw.hex()}
    for before in range(3 if len(raw) >= SHORT else 0):
        encoded = base64.b64encode(b"-" * before + raw).decode()[(0, 2, 3)[before] : (before + len(raw)) * 8 // 6]
        forms |= {encoded, encoded.replace("+", "-").replace("/", "_")}
    return {form.lower() for form in forms}


@lru_cache(maxsize=4)
def _pattern(forms: frozenset[str], shortest: int = 0) -> re.Pattern[str]:
    """Match the forms of at least so many characters, the longest first."""
    found = sorted((form for form in forms if len(form) >= shortest), key=lambda form: (-len(form), form))
    escaped = {form: re.escape(form) for form in found}
    patterns = [each if len(form) >= SHORT else rf"(?<![^\W_]){each}(?![^\W_])" for form, each in escaped.items()]
    return re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE)  # without any, it matches nowhere


def _remove_secrets(record: logging.LogRecord) -> bool:
    """Remove from a log line of the HTTP client the parameters of addresses, which hold questions, and secrets."""
    record.msg, record.args = redact(_PARAMETERS.sub("?[parameters]", record.getMessage())), ()
    return True


logging.getLogger("httpx2").addFilter(_remove_secrets)
