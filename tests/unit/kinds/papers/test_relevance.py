"""How well papers fit a question by rules alone: the order, the scale, and the words that a reason names."""

from collections.abc import Sequence

import pytest
from goldpan.engine.stage_values import Match
from goldpan.infra.encoder.port import Encoder, Vector
from goldpan.kinds.papers.models import Paper, ParsedIntent
from goldpan.kinds.papers.relevance import rank_by_rules
from hypothesis import given, settings
from hypothesis import strategies as st

ABSTRACT = "We train networks that translate sentences and report measures of quality on many pairs of languages."


def paper(title: str, abstract: str | None = None, **facts: object) -> Paper:
    """Make a paper."""
    return Paper.model_validate({"source": "test", "title": title, "abstract": abstract, **facts})


def intent(*concepts: str, **fields: object) -> ParsedIntent:
    """Make an intent whose meaning is its concepts."""
    topic = " ".join(concepts)
    return ParsedIntent.model_validate({"topic": topic, "concepts": concepts, "meaning": topic, **fields})


def matches(asked: ParsedIntent, *papers: Paper) -> list[Match]:
    """Match papers without an encoder."""
    return rank_by_rules(asked, papers, None)


QUESTION, NEAR, FAR = b"\x7f\0", b"\x7f\x20", b"\0\x7f"


class KnownCloseness(Encoder):
    """An encoder that finds what begins with "Interpreting" close to every question, which has no capital."""

    name, dimensions = "known", 2

    def __init__(self, interpreting: Vector = NEAR, *, is_summed: bool = False) -> None:
        self._interpreting, self.sums_words = interpreting, is_summed

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text."""
        known = {"Interpreting": self._interpreting}
        return [QUESTION if text.islower() else known.get(text.split()[0], FAR) for text in texts]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (paper("Neural machine translation", ABSTRACT), paper("Speech synthesis", f"{ABSTRACT} Machine translation.")),
        (paper("Machine translation by networks"), paper("A machine for the translation of motion into heat")),
        (paper("Statistical machine translation"), paper("Machine learning")),
        (paper("A translating machine"), paper("Speech synthesis", ABSTRACT)),  # by stems
        (paper("On meaning", "About machine translation."), paper("On meaning", venue="Machine Translation")),
        (paper("On meaning", venue="Machine Translation"), paper("On meaning")),
        (paper("On meaning", snippet="machine translation ..."), paper("On meaning")),
        (paper("Machine translation"), paper("Machine translation and nine further things in one long title")),
        (paper("Machine translation", "Machine translation."), paper("Machine translation", "Heat engines.")),
        (
            paper("On meaning", "Machine translation of long texts by means of heat engines."),
            paper("On meaning", "Translation of long texts by means of a machine with heat engines."),
        ),
    ],
)
def test_which_paper_fits_better(better: Paper, worse: Paper) -> None:
    """The title counts most, then the text, then the venue; words side by side more than apart."""
    others = [paper(f"Something else {number}") for number in range(6)]
    found = matches(intent("machine translation"), better, worse, *others)
    assert found[0].relevance > found[1].relevance


def test_a_rare_concept_counts_more_than_one_that_all_papers_have() -> None:
    """Of two concepts the rarer one among the papers decides."""
    common = [paper(f"Networks of sort {number}") for number in range(9)]
    rare, usual = matches(intent("networks", "proteins"), paper("Proteins"), paper("Networks"), *common)[:2]
    assert rare.relevance > usual.relevance > 0


def test_what_a_question_names_often_counts_more_up_to_four_times() -> None:
    """A stop word parts neighbours; what only a model named counts too, and a quoted concept as a whole."""
    papers = paper("Proteins"), paper("Networks"), paper("Networks for trees"), paper("Networks trees")
    asked = ("proteins, networks" + " of networks" * count for count in (0, 3, 9))
    once, often, oftener = (matches(intent("networks", "proteins", meaning=each), *papers) for each in asked)
    assert once[1].relevance < often[1].relevance == oftener[1].relevance
    assert often[2].relevance == often[3].relevance
    assert matches(intent("heat", concepts=("translation",)), paper("On translation"))[0].relevance > 0
    whole = [intent("learned machine", "heat", exact=exact) for exact in ((), ("learned machine",))]
    apart, quoted = (matches(each, paper("Heat"), paper("A"))[0] for each in whole)
    assert quoted.relevance > apart.relevance > 0


def test_a_synonym_belongs_to_its_own_concept() -> None:
    """A synonym counts as the concept, only once beside it, and is credited to it alone."""
    asked = intent("tumour", "imaging", synonyms={"tumour": ("neoplasm", "cancer")})
    own, other, both, neither = matches(
        asked, paper("Tumour growth"), paper("Cancer growth"), paper("Tumour cancer"), paper("Imaging cells")
    )
    assert own.relevance == other.relevance == both.relevance > 0
    assert other.evidence == ("“cancer” (for “tumour”) in the title",)
    assert both.evidence == ("“tumour” in the title",)
    assert neither.evidence == ("“imaging” in the title",)


def test_a_missing_abstract_costs_nothing_but_what_it_would_have_earned() -> None:
    """A paper without an abstract is as relevant as one whose abstract does not have the words."""
    without, with_other = matches(intent("translation"), paper("On translation"), paper("On translation", "Heat."))
    assert without == with_other
    assert without.relevance > 0


def test_reasons_name_words_that_the_paper_has_as_it_writes_them() -> None:
    """The evidence quotes the paper's own form, and the field; a phrase that stands apart is named word by word."""
    asked = intent("graph networks", "translate")
    held = paper("Networks over a graph", "Translating sentences.")
    assert matches(asked, held)[0].evidence == (
        "“graph” in the title", "“networks” in the title", "“translating” in the abstract",
    )  # fmt: skip


def test_closeness_in_meaning_moves_the_order_and_is_named_where_no_word_matches() -> None:
    """Closeness raises a paper and is its reason, and one that is unknown costs nothing."""
    papers = [paper("Interpreting speeches"), paper("Heat engines"), paper("Translation of speeches")]
    plain, near, unknown = (
        rank_by_rules(intent("translation"), papers, encoder)
        for encoder in (None, KnownCloseness(), KnownCloseness(b"\0\x7f"))
    )
    assert near[0].relevance > plain[0].relevance == 0
    assert near[0].evidence == ("close in meaning to “translation”",)
    assert near[1:] == plain[1:] == unknown[1:]
    assert plain[1].evidence == ()


def test_a_sentence_encoder_decides_more_than_sums_over_words() -> None:
    """What is close in meaning alone stands above one of two words for the former, and below it for the latter."""
    papers = [paper("Interpreting speeches"), paper("Machines of heat"), paper("Translation of speeches")]
    asked = intent("machines", "grammar", "translation", "corpora")
    close, word, _ = rank_by_rules(asked, papers, KnownCloseness())
    assert close.relevance > word.relevance
    close, word, _ = rank_by_rules(asked, papers, KnownCloseness(is_summed=True))
    assert word.relevance > close.relevance > 0


@pytest.mark.parametrize("asked", ["机器翻译", "машинный перевод", "C++", "μ-opioid"])
def test_words_of_any_script(asked: str) -> None:
    """A question in any script finds the paper that has it in the title."""
    found = matches(intent(asked), paper(f"{asked}: a view"), paper("Another view"))
    assert found[0].relevance > found[1].relevance == 0
    assert f"“{asked.lower().replace('-', ' ')}” in the title" in found[0].evidence


_texts = st.text(alphabet="abcde αβ机器.-:", max_size=40)
_papers = st.lists(st.tuples(_texts, st.none() | _texts), max_size=12)


@settings(max_examples=60)
@given(asked=st.lists(_texts, max_size=4), texts=_papers)
def test_relevance_is_on_its_scale_and_does_not_depend_on_the_order(
    asked: list[str], texts: list[tuple[str, str | None]]
) -> None:
    """Every value is between 0 and 1; reversed papers have reversed matches, and equal papers have equal ones."""
    papers = [paper(title, abstract) for title, abstract in texts]
    found = rank_by_rules(intent(*asked), papers, None)
    assert all(0 <= match.relevance <= 1 for match in found)
    assert rank_by_rules(intent(*asked), papers[::-1], None) == found[::-1]
    assert len({(text, match) for text, match in zip(texts, found, strict=True)}) == len(set(texts))


def test_papers_are_like_another_by_the_words_of_its_title() -> None:
    """Its id alone says nothing of a subject; the paper that has it does."""
    liked = paper("Pruning of transformers", ABSTRACT, ids={"arxiv": "2104.12255"})
    near, far = paper("Transformers after pruning"), paper("A corpus of recipes")
    asked = ParsedIntent(topic="arXiv:2104.12255", concepts=(), likes=("arXiv:2104.12255",))
    _, close, other = matches(asked, liked, near, far)
    assert close.relevance > other.relevance == 0
    assert close.evidence == ("“pruning” in the title", "“transformers” in the title")
    both = asked.model_copy(update={"likes": (*asked.likes, "A corpus of recipes")})
    assert min(match.relevance for match in matches(both, liked, far, paper("Pruning"), paper("Recipes"))) > 0
