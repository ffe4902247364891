"""Reads the error responses of OpenAI-compatible endpoints: what they say, of which calls, and when to retry."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from goldpan.infra.redaction import one_line
from goldpan.infra.response_times import retry_after

MAX_READ = 4000
"""Characters of an error's text in which the name of a field is looked for."""
MAX_CODE = 60
MAX_WAIT = timedelta(hours=1)
OK, KEY_REJECTED, FORBIDDEN, TOO_MANY, BAD_GATEWAY = 200, 401, 403, 429, 502
ERRORS, BAD_REQUESTS = range(400, 600), range(400, 500)
UNUSABLE = frozenset({402, 404})
"""No credit is left; the model does not exist."""
OF_ONE_TEXT = frozenset({400, 403, 422, 451})
PASSING = frozenset({403, 408, 409, 425, 429})
"""Of the statuses below 500, those that say nothing about an equal call later, or about another one."""
_KEY_CODE = re.compile(r"api.?key|authenti|credential|permission|access.?denied|account", re.IGNORECASE)
_UNUSABLE_CODE = re.compile(r"insufficient_quota|billing|model_not_found|deploymentnotfound", re.IGNORECASE)
_NO_MODEL = re.compile(r"\bmodel\b.{0,80}(?:(?:not|n't) exist|not found)|valid model\b", re.IGNORECASE)
_MODERATED = re.compile(
    r"moderat|flagged|content.?(?:filter|policy|management|exists risk)|safety|inappropriate|data_inspection",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Refusal:
    """An error response: its status, its message in one line without secrets, and what a program can read of it."""

    status: int
    words: str
    text: str
    """The beginning of all that it says, to look for the name of a field in it; not to be quoted."""
    codes: tuple[str, ...]
    param: str | None
    retry_at: datetime | None

    @property
    def is_of_the_key(self) -> bool:
        """Whether the status or a code says that the key is not accepted."""
        named = self.status == FORBIDDEN and not self.is_of_the_text and any(map(_KEY_CODE.search, self.codes))
        return self.status == KEY_REJECTED or named

    @property
    def is_of_the_text(self) -> bool:
        """Whether moderation refused this one text."""
        return any(_MODERATED.search(said) for said in (*self.codes, self.text))

    @property
    def is_of_all_calls(self) -> bool:
        """Whether every other call would be refused as well."""
        no_model = self.names_a_field and not self.is_of_the_text and _NO_MODEL.search(self.words)
        return self.status in UNUSABLE or any(map(_UNUSABLE_CODE.search, self.codes)) or bool(no_model)

    @property
    def comes_again(self) -> bool:
        """Whether an equal call would be refused as well, unless another field or text is what it is about."""
        return self.status < BAD_REQUESTS.stop and self.status not in PASSING and not self.is_of_the_text

    @property
    def may_be_of_the_text(self) -> bool:
        """Whether a call with another text may be accepted: many providers give no code to moderation."""
        return self.is_of_the_text or (self.status in OF_ONE_TEXT and not (self.is_of_all_calls or self.is_of_the_key))

    @property
    def names_a_field(self) -> bool:
        """Whether it may be about a field of the request."""
        return self.status in {400, 422}


def read_refusal(status: int, headers: Mapping[str, str], body: bytes, value: object, now: datetime) -> Refusal:
    """Read an error response; `value` is its body if that is JSON. OpenRouter sends some with status 200."""
    error = _error_of(value)
    code = error.get("code")
    if status == OK:
        status = code if isinstance(code, int) and code in ERRORS else BAD_GATEWAY
    raw = body[:MAX_READ].decode(errors="replace").strip()
    said = str(error.get("message") or error.get("detail") or ("" if raw[:1] in {"<", "{", "["} else raw))[:MAX_READ]
    return Refusal(
        status=status,
        words=one_line(said),
        text=f"{said} {raw}",
        codes=tuple(_codes(error)),
        param=param if isinstance(param := error.get("param"), str) else None,
        retry_at=retry_after(headers, now, MAX_WAIT),
    )


def _error_of(value: object) -> Mapping[str, object]:
    """Return the object that describes the error: OpenAI nests it, vLLM does not, and Google puts it into a list."""
    if isinstance(value, list) and value:
        value = value[0]
    inner = value.get("error") if isinstance(value, dict) else None
    if isinstance(inner, str):
        return {"message": inner}
    if isinstance(inner, dict):
        return inner
    return value if isinstance(value, dict) else {}


def _codes(error: Mapping[str, object]) -> Iterator[str]:
    """Yield the codes of an error, and the names of what OpenRouter adds."""
    yield from (code[:MAX_CODE] for name in ("code", "type", "status") if isinstance(code := error.get(name), str))
    metadata = error.get("metadata")
    if isinstance(metadata, dict) and "flagged_input" in metadata:
        yield "flagged_input"
