"""A terminal error travels as a name and a text."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from goldpan.errors import Defect, SourcesFailed, SourcesLimited, terminal_error_named
from hypothesis import given
from hypothesis import strategies as st

ZONES = st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours)))
MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=ZONES)  # noqa: DTZ001 - given zones
TEXTS = st.text() | st.sampled_from(["", 'a "quoted" one\nand a line', "; try again at ", "; try again at soon\n"])
ARABIC_DIGITS = "2026-01-01T00:00:00Z".translate({ord("0") + digit: 0x0660 + digit for digit in range(10)})
WITHOUT_TIME = ["InvalidRequest", "Defect", "Misconfigured", "CredentialRejected", "OutOfTime", "Overloaded"]


@given(st.sampled_from(WITHOUT_TIME), TEXTS)
def test_a_terminal_error_is_made_again_from_its_name_and_text(name: str, text: str) -> None:
    """What a function raised is the same class with the same text on the other side."""
    again = terminal_error_named(name, text)
    assert (type(again).__name__, str(again)) == (name, text)


@given(st.sampled_from([SourcesFailed, SourcesLimited]), TEXTS, st.none() | MOMENTS)
def test_the_retry_time_travels_in_the_text(cls: type[SourcesFailed], text: str, retry_at: datetime | None) -> None:
    """It survives in whole seconds, from any time zone, and the text does not change by travelling."""
    error = cls(text, retry_at)
    again = terminal_error_named(cls.__name__, str(error))
    assert isinstance(again, SourcesFailed)
    assert (type(again), str(again)) == (cls, str(error))
    assert again.retry_at == (retry_at and retry_at.astimezone(UTC).replace(microsecond=0))


@pytest.mark.parametrize(
    "text",
    [
        "github: unavailable (down); try again at 2026-13-45T99:99:99Z",
        f"github: unavailable (down); try again at {ARABIC_DIGITS}",
        "github: rate_limited (said; try again at 2026-08-22T13:00:00Z)",
    ],
)
def test_a_text_that_only_resembles_a_time_stays_a_text(text: str) -> None:
    """An invalid time, or one within a quoted message, is no retry time."""
    again = terminal_error_named("SourcesFailed", text)
    assert isinstance(again, SourcesFailed)
    assert (str(again), again.retry_at) == (text, None)


@pytest.mark.parametrize("name", ["States.Timeout", "Lambda.Unknown", "CallFailed", "RateLimited", ""])
def test_any_other_name_is_a_defect(name: str) -> None:
    """A name of the platform, or an error that must not cross a stage, is a defect with both texts."""
    again = terminal_error_named(name, "text")
    assert type(again) is Defect
    assert str(again) == f"{name}: text"
