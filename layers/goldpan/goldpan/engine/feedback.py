"""The rounds of a search: the wishes that hold, and the strategies that an answer holds for the next round."""

import json
from collections.abc import Mapping, Sequence

from goldpan.config import Frozen
from goldpan.contracts import SearchRequest
from goldpan.contracts.request import MAX_STRATEGIES, MAX_STRATEGIES_BYTES
from goldpan.counts import counted
from goldpan.engine.interpretation import WISH, part_id
from goldpan.engine.payload import truncate_json
from goldpan.escaping import plain
from goldpan.text import suspicious

MAX_TITLES, TITLE_BYTES = 10, 120
"""The results that a strategy names, and the maximum of each name."""
MAX_PREVIOUS = 4
"""Earlier rounds that a language model is shown."""
SAME = "The list begins with the same {} as that of the last round: {}."


class Round(Frozen):
    """What an answer says of one round: the strategies so far, oldest first, and sentences for its warnings."""

    strategies: tuple[dict[str, object], ...]
    notes: tuple[str, ...] = ()


def wishes_of(request: SearchRequest) -> tuple[str, ...]:
    """Return the wishes of all rounds, oldest first, without those that were taken away."""
    return tuple(wish for wish in request.feedback if part_id(WISH, wish) not in request.ignore)


def question_and_wishes(request: SearchRequest) -> str:
    """Return the texts that a request asks by, as one."""
    return "; ".join((request.query, *wishes_of(request)))


def asked_fields(request: SearchRequest) -> dict[str, object]:
    """Return what a prompt says of the request: its question, and its wishes if there are any."""
    wishes = wishes_of(request)
    return {"question": request.query} | ({"wishes": list(wishes)} if wishes else {})


def previous_of(request: SearchRequest, kind: str) -> list[dict[str, object]]:
    """Return the strategies of earlier rounds for a kind; one that names no kind is for each."""
    return [strategy for strategy in request.previous_strategies if strategy.get("kind", kind) == kind]


def titles_of(strategy: Mapping[str, object]) -> list[str]:
    """Return the titles that an earlier round found, as far as they have the form of such and speak to no model."""
    titles = strategy.get("titles")
    given = [title for title in titles if isinstance(title, str)] if isinstance(titles, list | tuple) else []
    return [truncate_json(plain(title), TITLE_BYTES) for title in given[:MAX_TITLES] if not suspicious(title)]


def finish_round(request: SearchRequest, kind: str, strategy: Mapping[str, object], titles: Sequence[str]) -> Round:
    """Add the strategy of a search, with the titles it found, to earlier ones; note a list that begins as before."""
    found, earlier = titles_of({"titles": list(titles)}), previous_of(request, kind)
    strategies = [*earlier, {"kind": kind, **strategy, "titles": found}][-MAX_STRATEGIES // 2 :]
    while len(json.dumps(strategies)) > MAX_STRATEGIES_BYTES // 2:  # a request for two kinds has those of both
        strategies.pop(0)
    notes: tuple[str, ...] = ()
    if found and earlier and titles_of(earlier[-1]) == found:
        wishes = wishes_of(request)
        why = f"the wish “{wishes[-1]}” changed none of their places" if wishes else "no wish was added"
        notes = (SAME.format(counted(len(found), kind), why),)
    return Round(strategies=tuple(strategies), notes=notes)
