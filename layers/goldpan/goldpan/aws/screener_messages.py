"""What the state machine hands to the door of screener, and what that hands back; the last of it is of assembling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import AwareDatetime

from goldpan.aws.assemble_messages import AssembleAsked
from goldpan.aws.messages import Asked, Message
from goldpan.kinds.repositories.models import Batch, ScoreTask, Shortlist, Translation, Unscored, Verdict


class ShortlistAsked(Asked):
    """All batches are to become one list."""

    stage: Literal["shortlist"]
    kind: str
    translation: Translation
    batches: tuple[Batch, ...]
    refresh: bool = False


class Shortlisted(Message):
    """The shortlist, how many of its tasks are scored at once, and when the last scout had ended."""

    shortlist: Shortlist
    at_once: int
    scouted_at: AwareDatetime


class ScoreAsked(Asked):
    """One scoring task is to be judged."""

    stage: Literal["score"]
    kind: str
    task: ScoreTask


class RankAsked(Asked):
    """The verdicts are to become the ranked section."""

    stage: Literal["rank"]
    kind: str
    translation: Translation
    shortlist: Shortlist
    verdicts: tuple[Verdict | Unscored, ...]
    translated_at: AwareDatetime | None = None
    scouted_at: AwareDatetime | None = None


ScreenerAsked = ShortlistAsked | ScoreAsked | RankAsked | AssembleAsked
SCREENER: dict[object, type[ScreenerAsked]] = {
    "shortlist": ShortlistAsked,
    "score": ScoreAsked,
    "rank": RankAsked,
    "assemble": AssembleAsked,
}


def read_screener_asked(event: Mapping[str, Any]) -> ScreenerAsked:
    """Read what the screener is asked, by its stage.

    Raises `InvalidRequest`, or pydantic's `ValidationError` where the state machine and this file disagree.
    """
    return SCREENER.get(event.get("stage"), AssembleAsked).model_validate(event)
