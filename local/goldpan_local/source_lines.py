"""The sources of an answer in short lines: what each strategy brought, and what failed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC

from goldpan.contracts import SourceStatus

from goldpan_local.untrusted import plain

ANSWERED = ("ok", "empty", "truncated")


@dataclass(frozen=True)
class SourceLine:
    """A source, how it fared, and the strategies for which that holds."""

    source: str
    status: str
    text: str

    @property
    def failed(self) -> bool:
        """Whether the source gave no answer."""
        return self.status not in ANSWERED


def source_lines(rows: Iterable[SourceStatus]) -> list[SourceLine]:
    """Make one line for all strategies that fared alike at a source."""
    alike: dict[tuple[str, str, str], list[SourceStatus]] = {}
    for row in rows:
        alike.setdefault((row.source, row.status, _remark(row)), []).append(row)
    return [
        SourceLine(source, status, "; ".join(part for part in (_strategies(group), remark) if part))
        for (source, status, remark), group in alike.items()
    ]


def _strategies(rows: list[SourceStatus]) -> str:
    """Name the strategies, with what they brought where they brought something."""
    return ", ".join(f"{row.kept} by {plain(row.strategy)}" if row.kept else plain(row.strategy) for row in rows)


def _remark(row: SourceStatus) -> str:
    again = f"try again at {row.retry_at.astimezone(UTC):%H:%M:%S} UTC" if row.retry_at else ""
    cached = "from the cache" + (f", {row.age_s} s old" if row.age_s is not None else "") if row.cached else ""
    return "; ".join(part for part in (plain(row.detail), again, cached) if part)
