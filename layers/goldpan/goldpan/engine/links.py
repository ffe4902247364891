"""Links between the results of several kinds: one names the other in its texts."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from goldpan.contracts import Link
from goldpan.engine.payload import truncate_json
from goldpan.engine.stage_values import KindResult, Named
from goldpan.kinds.registry import get_kind

MAX_MENTIONS, EVIDENCE_BYTES, IDENTITY_BYTES = 5, 160, 200
"""What one result carries to assemble."""


def named(identifier: str, identities: Sequence[str], mentions: Mapping[str, str]) -> Named:
    """Make the entry of a result from what it is called and what its texts name, as much as a state carries."""
    short = {name: truncate_json(evidence, EVIDENCE_BYTES) for name, evidence in mentions.items() if _fits(name)}
    return Named(
        id=identifier,
        identities=tuple(filter(_fits, identities))[:MAX_MENTIONS],
        mentions=dict(list(short.items())[:MAX_MENTIONS]),
    )


def _fits(identity: str) -> bool:
    return truncate_json(identity, IDENTITY_BYTES) == identity


def find_links(results: Sequence[KindResult]) -> tuple[Link, ...]:
    """Return one link for each pair of results of two kinds of which one names the other, with all its evidence."""
    evidence: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for source, target in permutations([result for result in results if result.named], 2):
        for pair, words in _mentions(source, target):
            evidence.setdefault(pair, []).append(words)
    return tuple(Link(**dict(pair), evidence="; ".join(dict.fromkeys(words))) for pair, words in evidence.items())


def _mentions(source: KindResult, target: KindResult) -> Iterator[tuple[tuple[tuple[str, str], ...], str]]:
    """Yield what the results of one kind say of those of another: the fields of the link, and the evidence."""
    fields = get_kind(source.kind).link_field, get_kind(target.kind).link_field
    if not all(fields):
        return
    owners = {identity: one.id for one in target.named for identity in one.identities}
    for one in source.named:
        for identity, words in one.mentions.items():
            if identity in owners:
                yield tuple(sorted(zip(fields, (one.id, owners[identity]), strict=True))), words
