"""One line of a catalogue's input, and the repository it describes."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from goldpan.kinds.repositories.models import Repository

DESCRIPTION_CHARS = 350
README_CHARS = 350


def _moment(value: object) -> object:
    """Read a plain date as midnight UTC; other values are left to pydantic."""
    if isinstance(value, str) and len(value) == len("2026-01-31"):
        return datetime.combine(date.fromisoformat(value), time(), tzinfo=UTC)
    return value


def _in_utc(moment: datetime) -> datetime:
    """Read a time without a zone as UTC, like a plain date."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, BeforeValidator(_moment), AfterValidator(_in_utc)]
Count = Annotated[int, Field(ge=0)]


class Record(BaseModel):
    """A repository as a line of the input has it; only the name is required, and unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    full_name: Annotated[str, Field(pattern=r"^[^/\s]+/[^/\s]+$")]
    description: str | None = None
    list_description: str | None = None
    language: str | None = None
    language_hint: str | None = None
    topics: tuple[str, ...] | None = None
    stars: Count | None = None
    forks: Count | None = None
    watchers: Count | None = None
    open_issues: Count | None = None
    closed_issues: Count | None = None
    contributors: Count | None = None
    releases: Count | None = None
    latest_release_at: Moment | None = None
    created_at: Moment | None = None
    pushed_at: Moment | None = None
    archived: bool | None = None
    license: str | None = None
    as_of: dict[str, date] = {}
    """The day on which a field was observed."""

    def repository(self) -> Repository:
        """Return the repository; the curator's text of a list replaces its README, whose outline stays unknown."""
        dated = ("stars", "pushed_at", "latest_release_at")
        return Repository(
            full_name=self.full_name,
            description=_truncated(self.description, DESCRIPTION_CHARS),
            url=f"https://github.com/{self.full_name}",
            stars=self.stars,
            forks=self.forks,
            language=self.language or self.language_hint,
            topics=self.topics or (),
            pushed_at=self.pushed_at,
            created_at=self.created_at,
            archived=self.archived,
            license=self.license,
            observed={name: self.as_of[name] for name in dated if name in self.as_of},
            readme=_truncated(self.list_description, README_CHARS),
            releases=self.releases,
            latest_release_at=self.latest_release_at,
            open_issues=self.open_issues,
            closed_issues=self.closed_issues,
            watchers=self.watchers,
            contributors=self.contributors,
        )


def _truncated(text: str | None, length: int) -> str | None:
    return text if text is None or len(text) <= length else text[: length - 1] + "…"
