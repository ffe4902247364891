"""What the kinds share when they rank: the line, another order, and what an answer says of its results."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from goldpan.contracts import SearchRequest, Section, StageError
from goldpan.counts import counted
from goldpan.engine.feedback import finish_round
from goldpan.engine.presentation import RankedResult
from goldpan.engine.stage_values import KindResult, Named, Shortlist, Translation, Verdict

MENTION_FACTOR = 0.8
"""By which a result's place is lowered if it mentions what was to be left out."""
NEAREST = "Nothing meets all constraints; the nearest is {}, {}."
FEW_RESULTS, MAX_RULES = 5, 6
"""Number of results below which an answer says what each rule dropped; number of rules that it lists."""
NO_TOKENS = "{} of the language model reported no tokens, so that cost_usd counts them as nothing."
MAX_FAILURES = 8
ResultT = TypeVar("ResultT", bound=RankedResult)
SectionT = TypeVar("SectionT", bound=Section)
TranslationT = TypeVar("TranslationT", bound=Translation)
ShortlistT = TypeVar("ShortlistT", bound=Shortlist)
VerdictT = TypeVar("VerdictT", bound=Verdict)


@dataclass(frozen=True)
class Divided(Generic[ResultT]):
    """The results above and below the line, and how many are not relevant at all."""

    results: tuple[ResultT, ...]
    weaker: tuple[ResultT, ...]
    nothing_fits: bool
    left_out: int


def divide(
    ranked: Sequence[ResultT], is_above: Callable[[ResultT], bool], likely: Mapping[str, float]
) -> Divided[ResultT]:
    """Divide ranked results, without irrelevant ones; `likely` is the least relevance that fits, by basis."""
    above = tuple(one for one in ranked if is_above(one))
    weaker = tuple(one for one in ranked if not is_above(one) and one.relevance > 0)
    fits = any(one.relevance >= likely[one.basis] for one in above)
    return Divided(above, weaker, bool(above or weaker) and not fits, len(ranked) - len(above) - len(weaker))


def in_order(ranked: Sequence[ResultT], value: Callable[[ResultT], float | None] | None) -> list[ResultT]:
    """Sort by another value than relevance, the largest first and unknown ones last; without one all stay in place."""
    return sorted(ranked, key=lambda one: descending(value(one))) if value else list(ranked)


def descending(value: float | None) -> tuple[bool, float]:
    """Return a sort key by which the largest value comes first, and an unknown one last."""
    return (value is None, -(value or 0))


@dataclass(frozen=True)
class Ranking(Generic[ShortlistT, VerdictT, TranslationT]):
    """What the rank stage of a kind is given."""

    kind: str
    shortlist: ShortlistT
    verdicts: Sequence[VerdictT]
    translation: TranslationT
    request: SearchRequest
    now: datetime

    def section(self, model: type[SectionT], shown: Divided[ResultT], **more: object) -> SectionT:
        """Make the section of the divided results; `more` has its further fields."""
        dropped = self.shortlist.dropped | ({"weak": shown.left_out} if shown.left_out else {})
        own = {"total_candidates": self.shortlist.total_candidates, "dropped": dropped, "weaker": shown.weaker}
        given = {"results": shown.results, "nothing_fits": shown.nothing_fits}
        return model.model_validate(own | given | more)

    def result(
        self, section: Section, names: Sequence[str], warnings: Iterable[str], named: Iterable[Named]
    ) -> KindResult:
        """Make what the kind contributes to the answer; the next round knows the results by `names`."""
        translation, found = self.translation, self.shortlist
        this = finish_round(self.request, self.kind, translation.continuation(), names)
        return KindResult(
            kind=self.kind,
            interpretation=translation.interpretation,
            section=section.model_copy(update={"strategies": this.strategies}),
            sources=found.sources,
            errors=(*translation.errors, *found.errors, *self._errors()),
            warnings=(*translation.warnings, *this.notes, *found.warnings, *warnings, *self._unreported()),
            usage=sum((verdict.usage for verdict in self.verdicts), translation.usage + found.usage),
            named=tuple(named) if len(self.request.kinds) > 1 else (),
        )

    def _unreported(self) -> Iterator[str]:
        """Say how many calls that the model answered have no tokens, because its provider did not count them."""
        translated = [] if self.translation.errors else [self.translation.usage]
        answered = (*translated, *(one.usage for one in self.verdicts if not one.failure))
        if calls := sum(one.llm_calls for one in answered if not one.input_tokens + one.output_tokens):
            yield NO_TOKENS.format(counted(calls, "calls"))

    def _errors(self) -> Iterator[StageError]:
        """Yield each reason that no earlier stage reported once, with the number of verdicts that it concerns.

        Where calls failed for that reason, those that were not made for it are counted apart.
        """
        earlier = {each.error for each in (*self.translation.errors, *self.shortlist.errors)}
        failed = [one for one in self.verdicts if one.failure and one.failure not in earlier]
        made = Counter(one.failure for one in failed if one.usage.llm_calls)
        for why, count in Counter(one.failure for one in failed).most_common(MAX_FAILURES):
            times, omitted = made[why] or count, count - (made[why] or count)
            parts = [f"{times} times"] if times > 1 else []
            parts += [f"{counted(omitted, 'more calls')} not made"] if omitted else []
            said = f"{why} ({'; '.join(parts)})" if parts else f"{why}"
            yield StageError(stage="score", error=said, timestamp=self.now)

    def left_out(
        self, found: int, describe: Callable[[str], str], defaults: Collection[str] = (), always: Collection[str] = ()
    ) -> Iterator[str]:
        """Say in one sentence what each rule dropped, and how to widen, if few results are left.

        The `defaults` are rules of the configuration; what is `always` dropped no constraint or setting keeps.
        """
        if not self.shortlist.dropped or found >= FEW_RESULTS:
            return
        ordered = sorted(self.shortlist.dropped.items(), key=lambda item: (-item[1], item[0]))[:MAX_RULES]
        rules = {rule for rule, _ in ordered}
        ways = ["config.coarse_filter widens"] if rules & {*defaults} else []
        ways += ["fewer constraints (ignore) or filters widen"] if rules - {*defaults, *always} else []
        parts = ", ".join(f"{count} {describe(rule)}" for rule, count in ordered)
        yield f"Left out: {'; '.join([parts, *ways])}."

    def not_judged(self, asked: Collection[str], judged: Collection[str], total: int) -> Iterator[str]:
        """Say how many of the results that a language model was asked about it did not judge, and how many follow."""
        count, given, further = len({*asked} - {*judged}), counted(len(asked), self.kind), total - len(asked)
        if count:
            yield f"{count} of {given} were ordered by rules: the language model did not judge them."
        if further and count < len(asked):
            yield f"The language model was asked about the best {given}; rules order the {further} after them."


def constraint_caveats(unverified: Iterable[str], mentions: Iterable[str]) -> Iterator[str]:
    """Yield which facts that were asked for are not known, and what a result mentions that was to be left out."""
    if facts := ", ".join(dict.fromkeys(unverified)):
        yield f"Not verified, for lack of a current fact: {facts}."
    if said := ", ".join(mentions):
        yield f"Mentions {said}, which was to be left out."
