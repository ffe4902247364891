"""What must not change which records are one paper: their order, unrelated and repeated records, and spellings."""

from dataclasses import replace
from typing import Any

from goldpan.kinds.papers.deduplication.grouping import Record, deduplicate
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.kinds.papers.deduplication.records import TITLE, groups, record

TITLES = (
    TITLE, TITLE.upper(), f"{TITLE}: a survey", f"{TITLE}, part 2", "Editorial", "Deep learning", "深度学习综述",
    "Глубокое обучение", "GPT-3 for chemistry laboratories", "GPT-4 for chemistry laboratories", "",
)  # fmt: skip
AUTHORS = ((), ("Andres M. Bran", "Sam Cox"), ("Bran, A.",), ("Jane Roe",), ("王伟",), ("S. Cox", "et al."))
IDS: tuple[dict[str, Any], ...] = (
    {}, {}, {"arxiv": "2304.05376"}, {"doi": "10.48550/arxiv.2304.05376"}, {"doi": "10.1038/s42256"},
    {"doi": "10.1145/3292"},
    {"arxiv": "2304.05376", "doi": "10.1038/s42256"}, {"pmid": "123"}, {"arxiv": "solv-int/9701001"},
)  # fmt: skip


@st.composite
def _records(draw: st.DrawFn) -> list[Record]:
    venues = (None, "Nature", "Proceedings of X", "Journal of X")
    fields: dict[str, Any] = {"title": TITLES, "ids": IDS, "authors": AUTHORS, "year": (None, 2019, 2020, 2021, 2023)}
    fields |= {"source": ("crossref", "arxiv", "library"), "venue": venues}
    made = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in fields.items()})
    return [record(f"k{number}", **facts) for number, facts in enumerate(draw(st.lists(made, min_size=1, max_size=8)))]


@settings(max_examples=60)
@given(_records(), st.randoms(use_true_random=False))
def test_the_order_changes_neither_groups_nor_merged_papers(records: list[Record], chance: Any) -> None:
    """Nor reasons, nor what is undecided."""
    shuffled = list(records)
    chance.shuffle(shuffled)
    one, other = deduplicate(records), deduplicate(shuffled)
    described = [{frozenset(g.members): (g.merged, g.reasons) for g in found.groups} for found in (one, other)]
    assert described[0] == described[1]
    homes = [{key: frozenset(g.members) for g in found.groups for key in g.members} for found in (one, other)]
    undecided = [
        {frozenset(home[key] for key in keys) for keys in found.undecided}
        for home, found in zip(homes, (one, other), strict=True)
    ]
    assert undecided[0] == undecided[1]


@settings(max_examples=40)
@given(_records())
def test_unrelated_and_repeated_records_change_nothing(records: list[Record]) -> None:
    """A record that is repeated joins its original, if there is anything to know it by."""
    unrelated = [
        record(f"u{number}", f"{word} in soil samples", {"doi": f"10.5555/{number}"}, authors=(f"{word} Doe",))
        for number, word in enumerate(("Nitrogen", "Chemistry", "Learning", "Язык", "语言"))
    ]
    alone = groups(*records)
    assert alone == {group for group in groups(*unrelated, *records) if not any(str(key)[0] == "u" for key in group)}
    repeated = [replace(each, key=f"again-{each.key}") for each in records]
    with_repeated = groups(*records, *repeated)
    assert alone == {frozenset(k for k in g if str(k)[0] == "k") for g in with_repeated} - {frozenset()}
    known = [each for each in records if each.paper.title not in {"", "Editorial"}]
    for each in known:
        assert any({each.key, f"again-{each.key}"} <= group for group in with_repeated)
