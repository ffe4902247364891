"""What the state machine hands to the door of query_translator, and what that hands back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from goldpan.aws.messages import Asked, Message, Request, this_moment
from goldpan.contracts import SearchRequest
from goldpan.kinds.repositories.models import Translation


class BeginAsked(Message):
    """Whose turn is it to search for what has this key?

    An owner is an execution: it may ask again, and again is told the same until it has ended its search.
    """

    stage: Literal["begin"]
    key: str
    owner: str
    request: Request
    asked_at: AwareDatetime = Field(default_factory=this_moment)
    refresh: bool = False


class Begun(Message):
    """To search, to wait for another who does, or to read what another has found meanwhile."""

    turn: Literal["search", "wait", "read"]


class TranslateAsked(Asked):
    """The question is to be translated for one kind."""

    stage: Literal["translate"]
    kind: str


class Translated(Message):
    """The translation, when it was there, and the request for the later doors: checked, without its frills."""

    request: SearchRequest
    translation: Translation
    ended_at: AwareDatetime


TranslatorAsked = TranslateAsked | BeginAsked


def read_translator_asked(event: Mapping[str, Any]) -> TranslatorAsked:
    """Read what query_translator is asked, by its stage.

    Raises `InvalidRequest`, or pydantic's `ValidationError` where the state machine and this file disagree.
    """
    return (BeginAsked if event.get("stage") == "begin" else TranslateAsked).model_validate(event)
