"""Hold a candidate to the constraints of a question; an unknown fact never breaks one."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

Verdicts = Iterable[tuple[str, bool | None]]
"""The rules of constraints, and whether each is met; None is unknown. Those of the same fact have the same rule."""
Relation = Literal["is", "mentions"]
"""What a candidate says of an excluded term."""


class Check(NamedTuple):
    """The rules that a candidate breaks, those that its facts leave open, and the excluded terms that it mentions."""

    violated: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


def summarize(verdicts: Verdicts, relations: Mapping[str, Relation | None]) -> Check:
    """Collect the rules by their verdicts; an excluded term is a rule of its own."""
    found = [*verdicts, *((f"not {term}", False) for term, relation in relations.items() if relation == "is")]
    return Check(
        tuple(dict.fromkeys(rule for rule, met in found if met is False)),
        tuple(dict.fromkeys(rule for rule, met in found if met is None)),
        tuple(term for term, relation in relations.items() if relation == "mentions"),
    )
