"""Ask a language model about the papers that the rules leave undecided: one call a search, within bounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from goldpan.config import PipelineConfig
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.infra.llm.answers import ask_model
from goldpan.infra.llm.port import LanguageModel, Prompt
from goldpan.kinds.papers.deduplication.deduplicator import Deduplicated, Record, deduplicate
from goldpan.kinds.papers.deduplication.identity import contradiction
from goldpan.kinds.papers.models import MergedPaper
from goldpan.kinds.papers.prompts import instructions

NO_USAGE = Usage()
APART = "Possible duplicates stay apart: the language model failed"
MAX_RECORDS = 40
"""Papers in one call; the sets that do not fit stay apart."""
TITLE_CHARS, AUTHOR_CHARS = 200, 60
TOKENS_A_RECORD, TOKENS = 12, 100
"""Of the completion: an id with its quotes, and the rest of the object."""
MAX_GROUPS, MAX_ID_CHARS = 200, 40


@dataclass(frozen=True)
class Judged:
    """The papers after the call, what it cost, and what went wrong, for the warnings."""

    deduplicated: Deduplicated
    usage: Usage = NO_USAGE
    warnings: tuple[str, ...] = ()


class _Answer(BaseModel):
    """What the language model may return."""

    model_config = ConfigDict(extra="ignore")

    groups: Annotated[list[list[Annotated[str, Field(max_length=MAX_ID_CHARS)]]], Field(max_length=MAX_GROUPS)]


@dataclass
class _Question:
    """The sets that are asked about: the key of each id, and the set that it belongs to."""

    sets: list[list[dict[str, object]]] = field(default_factory=list)
    key_of: dict[str, str] = field(default_factory=dict)
    set_of: dict[str, int] = field(default_factory=dict)


def judge_undecided(  # noqa: PLR0913 - what a stage has, and the order of the sources
    deduplicated: Deduplicated,
    records: Sequence[Record],
    model: LanguageModel,
    config: PipelineConfig,
    deadline: Deadline,
    *,
    preferred: Sequence[str] = (),
) -> Judged:
    """Join what the model judges to be one paper; on failure, and what the rules forbid, all stays apart."""
    question = _ask_about(deduplicated)
    if not question.sets:
        return Judged(deduplicated)
    until = deadline.within(config.llm_timeout_seconds)
    asked = ask_model(_Answer, model, _prompt(question), until, config.llm_prices)
    if asked.answer is None:
        usage = asked.usage if asked.usage.llm_calls else Usage(llm_calls=1)  # a call without an answer counts too
        return Judged(deduplicated, usage, (f"{APART}: {asked.failure}",))
    same, warnings = _validated(asked.answer, question, deduplicated, records)
    return Judged(deduplicate(records, preferred=preferred, judged=same), asked.usage, warnings)


def _ask_about(deduplicated: Deduplicated) -> _Question:
    """Number the papers of the sets, the first sets first, as many as one call may have."""
    merged = {key: group.merged for group in deduplicated.groups for key in group.members}
    question = _Question()
    for keys in deduplicated.undecided:
        if len(question.key_of) + len(keys) > MAX_RECORDS:
            continue
        described = []
        for key in keys:
            number = f"r{len(question.key_of) + 1}"
            question.key_of[number], question.set_of[number] = key, len(question.sets)
            described.append(_describe(number, merged[key]))
        question.sets.append(described)
    return question


def _describe(number: str, merged: MergedPaper) -> dict[str, object]:
    paper = merged.paper
    author = paper.authors[0][:AUTHOR_CHARS] if paper.authors else None
    return {"id": number, "title": paper.title[:TITLE_CHARS], "year": paper.year, "first_author": author}


def _prompt(question: _Question) -> Prompt:
    """Write the sets as JSON, which fences them as data."""
    return Prompt(
        system=instructions("same_paper"),
        user=json.dumps({"sets": question.sets}, ensure_ascii=False),
        max_tokens=TOKENS + TOKENS_A_RECORD * len(question.key_of),
        is_untrusted=True,
    )


def _validated(
    answer: _Answer, question: _Question, deduplicated: Deduplicated, records: Sequence[Record]
) -> tuple[list[list[str]], tuple[str, ...]]:
    """Return the groups of known ids of one set each that no rule forbids, and warnings of the others."""
    papers = {record.key: record.paper for record in records}
    members = {key: [papers[each] for each in group.members] for group in deduplicated.groups for key in group.members}
    same: list[list[str]] = []
    unknown = refused = 0
    for ids in answer.groups:
        known = [number for number in dict.fromkeys(ids) if number in question.key_of]
        unknown += len(set(ids)) - len(known)
        keys = [question.key_of[number] for number in known]
        is_mixed = len({question.set_of[number] for number in known}) > 1
        pairs = ((one, other) for place, one in enumerate(keys) for other in keys[:place])
        if is_mixed or any(contradiction(members[one], members[other]) for one, other in pairs):
            refused += 1
        elif len(keys) > 1:
            same.append(keys)
    warnings = []
    if unknown:
        warnings.append(f"The language model named {unknown} unknown records as duplicates; they were dropped.")
    if refused:
        warnings.append(f"The language model joined papers that cannot be one, {refused} times; they stay apart.")
    return same, tuple(warnings)
