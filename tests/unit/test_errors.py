"""The tree of errors: it is drawn as it is, and an ending travels as a name and a text."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from goldpan import errors
from goldpan.errors import (
    CallFailed,
    Defect,
    GoldpanError,
    RateLimited,
    SourcesFailed,
    SourcesLimited,
    TerminalError,
    terminal_error_named,
)
from hypothesis import given
from hypothesis import strategies as st

DRAWN = re.compile(r"^ {4}(?P<before>[│├└─ ]*)(?P<name>\w+)", re.MULTILINE)
ZONES = st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours)))
MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=ZONES)  # noqa: DTZ001 - given zones
TEXTS = st.text() | st.sampled_from(
    ["", "github: rate_limited (slow down)", 'a "quoted" one\nand a line', "; try again at ", "; try again at soon\n"]
)
ARABIC = "2026-01-01T00:00:00Z".translate({ord("0") + digit: 0x0660 + digit for digit in range(10)})
AGAIN = "; try again at 2026-08-22T13:00:00Z"


def _below(root: type[GoldpanError]) -> list[type[GoldpanError]]:
    return [root, *(cls for below in root.__subclasses__() for cls in _below(below))]


OWN = [cls for cls in _below(GoldpanError) if cls.__module__ == "goldpan.errors"]
ENDINGS: list[type[TerminalError]] = [cls for cls in OWN if issubclass(cls, TerminalError)]
PLAIN = [cls for cls in ENDINGS if not issubclass(cls, SourcesFailed)]
WITH_TIME: list[type[SourcesFailed]] = [cls for cls in ENDINGS if issubclass(cls, SourcesFailed)]


def _drawn() -> list[tuple[str, str]]:
    """Read the drawing: each class with the one above it."""
    above: dict[int, str] = {}
    found = []
    for row in DRAWN.finditer(errors.__doc__ or ""):
        depth = len(row["before"])
        above[depth] = row["name"]
        found.append((row["name"], above.get(depth - 4, "Exception")))
    return found


def test_the_tree_is_drawn_as_it_is() -> None:
    """Whoever reads the head of the module sees every class of it, once, under the one that it derives from."""
    assert sorted(_drawn()) == sorted((cls.__name__, cls.__base__.__name__) for cls in OWN if cls.__base__)


def test_every_error_tells_what_to_do() -> None:
    """Each class has a sentence of its own."""
    assert all(cls.__doc__ and cls.__doc__.endswith(".") for cls in OWN)
    assert len({cls.__doc__ for cls in OWN}) == len(OWN)


@given(st.sampled_from(PLAIN), TEXTS)
def test_an_ending_is_made_again_from_its_name_and_text(cls: type[TerminalError], text: str) -> None:
    """What a function raised is, on the other side, the same class with the same words."""
    ended = cls(text)
    again = terminal_error_named(cls.__name__, str(ended))
    assert (type(again), str(again)) == (cls, str(ended))


@given(st.sampled_from(WITH_TIME), TEXTS, st.none() | MOMENTS)
def test_the_time_to_come_back_travels_in_the_text(
    cls: type[SourcesFailed], text: str, retry_at: datetime | None
) -> None:
    """The time survives in whole seconds, in any zone, and the text is the same however often it travels."""
    ended = cls(text, retry_at)
    again = terminal_error_named(cls.__name__, str(ended))
    assert isinstance(again, SourcesFailed)
    assert (type(again), str(again)) == (cls, str(ended))
    assert again.retry_at == (retry_at and retry_at.astimezone(UTC).replace(microsecond=0))
    assert str(terminal_error_named(cls.__name__, str(again))) == str(ended)


@pytest.mark.parametrize("at", ["2026-13-45T99:99:99Z", "2026-02-30T00:00:00Z", ARABIC])
def test_a_text_that_only_looks_like_a_time_is_a_text(at: str) -> None:
    """Words that a source might say never break the telling of an ending."""
    text = f"github: unavailable (down); try again at {at}"
    again = terminal_error_named("SourcesFailed", text)
    assert isinstance(again, SourcesFailed)
    assert (str(again), again.retry_at) == (text, None)


def test_a_time_within_a_text_is_no_time_to_come_back() -> None:
    """Only the end of the text tells the time: what a source said within it is a quotation."""
    again = terminal_error_named("SourcesLimited", f"github: rate_limited (said{AGAIN})")
    assert isinstance(again, SourcesLimited)
    assert again.retry_at is None


@given(st.text(), st.text())
def test_an_unknown_name_is_a_defect(name: str, text: str) -> None:
    """A name that is no ending of goldpan, such as one of the platform's, is a defect, told with both."""
    if name in {cls.__name__ for cls in ENDINGS}:
        return
    again = terminal_error_named(name, text)
    assert type(again) is Defect
    assert str(again) == f"{name}: {text}"


@pytest.mark.parametrize("name", ["States.Timeout", "Lambda.Unknown", "Defect", "PartFailed", "RateLimited", ""])
def test_what_may_not_cross_a_stage_is_a_defect(name: str) -> None:
    """A part's failure that crossed a stage all the same is no ending, and is never shown as one."""
    assert type(terminal_error_named(name, "text")) is Defect


def test_an_ending_and_a_parts_failure_are_never_the_same() -> None:
    """No class is both: one ends the search, the other never crosses a stage."""
    assert not [cls for cls in OWN if issubclass(cls, TerminalError) and issubclass(cls, CallFailed)]
    assert issubclass(RateLimited, CallFailed)
