"""Questions as people type them, and what they are read as, in the words that an answer shows."""

import tomllib
from datetime import date
from pathlib import Path

import pytest
from goldpan.engine.interpretation import PART_KINDS
from goldpan.kinds.repositories import licenses
from goldpan.kinds.repositories.question.lexicon import repository_words, words_of
from goldpan.kinds.repositories.question.reader import Reading, read_question
from goldpan.known_words import KnownWords
from hypothesis import given, settings
from hypothesis import strategies as st

TODAY = date(2026, 11, 21)
USED = {"dashboard": 900, "migration": 80, "serve": 60, "save": 90, "nodes": 400, "mod": 90, "modeling": 80}
KNOWN = words_of({"kubernetes": 500, **USED})
READINGS = Path(__file__).parents[4] / "data" / "repository_readings.txt"
ROWS = [tuple(row.split(" => ")) for row in READINGS.read_text("utf-8").splitlines()[1:]]


def _read(question: str, ignore: tuple[str, ...] = (), known: KnownWords | None = None) -> Reading:
    return read_question(question, today=TODAY, ignore=ignore, known=None if known is None else lambda: known)


@pytest.mark.parametrize(("question", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_a_question_is_read_as(question: str, expected: str) -> None:
    """The line that the answer and the table show; a word of a request, a constraint or a likeness is no term."""
    parts = _read(question).parts
    shown = {kind: [part.value for part in parts if part.kind == kind] for kind in PART_KINDS}
    read = [" ".join(shown["term"]), *shown["constraint"], *shown["exclusion"], *shown["likeness"]]
    unread = "".join(f" ? {value}" for value in shown["unread"])
    assert (" · ".join(filter(None, read)) or "no words to search for") + unread == expected


def test_a_refused_name_that_looks_misspelled_is_excluded_as_typed_too() -> None:
    """What is refused as "cypher" does not come back because "cipher" was excluded."""
    constraints = _read("graph database rather than cypher", known=words_of({"cipher": 500})).constraints
    assert set(constraints.excluded_terms) == {"cipher", "cypher"}


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("orm with at least 2k stars", {"min_stars": 2000}),
        ("orm with more than 2,000 stars", {"min_stars": 2001}),
        ("orm with fewer than 500 stars", {"max_stars": 499}),
        ("orm with more than 99 and at most 500 stars", {"min_stars": 100, "max_stars": 500}),
        ("orm, 5 to 10k stars", {"min_stars": 5000, "max_stars": 10000}),
        ("orm stars:100..*", {"min_stars": 100}),
        ("new orm", {"min_stars": 10, "preferred_max_stars": 1000, "preferred_max_age_years": 3}),
        ("new orm with over 3k stars", {"min_stars": 3001}),
        ("orm last updated in 2024", {"pushed_after": date(2024, 1, 1), "pushed_before": date(2024, 12, 31)}),
        ("orm pushed after 2024-05-31", {"pushed_after": date(2024, 6, 1)}),
        ("orm pushed:>2024", {"pushed_after": date(2025, 1, 1)}),
        ("orm created before February 2020", {"created_before": date(2020, 1, 31)}),
        ("orm created in the last 2 weeks", {"created_after": date(2026, 11, 7)}),
        ("orm updated in the last 2 weeks", {"pushed_within_days": 14}),
        ("orm, actively maintained", {"pushed_within_days": 365}),
        ("orm without GPL", {"excluded_licenses": ("GPL-2.0", "GPL-3.0", "AGPL-3.0")}),
        ("orm in Python", {"platforms": ("python",)}),
        ("orm written in Python", {"languages": ("Python",)}),
        ("orm language:golang -archived:true", {"languages": ("Go",), "archived": False}),
        ("orm, not Python, no Django", {"excluded_languages": ("Python",), "excluded_terms": ("Django",)}),
    ],
)
def test_constraints_are_exact(question: str, fields: dict[str, object]) -> None:
    """The numbers and days at the border, which the line does not show."""
    assert _read(question).constraints.model_dump(exclude_defaults=True) == fields


def test_the_upper_end_of_an_intent_is_hard_on_request() -> None:
    """Otherwise "lightweight" would hide a small library that became popular."""
    reading = read_question("lightweight orm", today=TODAY, strict_stars=True)
    assert (reading.constraints.min_stars, reading.constraints.max_stars) == (10, 500)


def test_terms_have_a_class_and_the_order_of_the_question() -> None:
    """By the class a search and the order weigh a term."""
    terms = _read("a modern date picker library for React beginners").terms
    assert [(" ".join(term.words), term.part) for term in terms] == [
        ("modern", "preference"), ("date picker", "subject"), ("library", "form"), ("react", "platform"),
        ("beginners", "context"),
    ]  # fmt: skip
    assert [term.part for term in _read("tools for beginners").terms] == ["form", "subject"]


def test_a_corrected_word_and_a_british_one_are_searched_for_in_both_spellings() -> None:
    """The answer says so of a mistake, not of British; what nothing knows, or has more often so, stays as typed."""
    reading = _read("kuberntes, alternative to dashbord", known=KNOWN)
    assert [(term.words, term.typed) for term in reading.terms] == [(("kubernetes",), ("kuberntes",))]
    assert reading.likenesses == ("dashbord",)
    assert "Searched for kubernetes (you typed kuberntes)." in reading.notes
    known = words_of({"visualization": 100, "visualisation": 6, "analyzer": 40, "tour": 20, "tor": 5, "enterprise": 50})
    reading = _read("visualisation analyser, enterprise tour", known=known)
    assert [(" ".join(term.words), term.typed) for term in reading.terms] == [
        ("visualization", ("visualisation",)), ("analyzer", ("analyser",)), ("enterprise", None), ("tour", None)
    ]  # fmt: skip
    assert {part.kind for part in reading.parts} == {"term"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kubernets", "kubernetes"), ("kubenretes", "kubernetes"), ("migratoin", "migration"), ("srve", "serve"),
        ("notes", "notes"), ("migrations", "migrations"), ("K8S", "k8s"), ("Kbernetes", "kubernetes"),
        ("dashboards2", "dashboards2"), ("nodez", "nodes"), ("dashboar", "dashboard"), ("qqqqqqq", "qqqqqqq"),
        ("subnodes", "subnodes"), ("dshbrd", "dshbrd"), ("modding", "modding"),
    ],
)  # fmt: skip
def test_only_misspelled_words_are_corrected(typed: str, meant: str) -> None:
    """Known words, their forms, acronyms and words with digits stay; so does what is too far from any word."""
    assert next(" ".join(term.words) for term in _read(f"{typed} xml", known=KNOWN).terms) == meant


def test_technical_words_are_no_misspellings() -> None:
    """By the shipped words: "openbsd" once became "openssl"."""
    typed = ("openbsd", "ccache", "mmap", "dhcp")
    read = (_read(f"{word} dashbord", known=repository_words()).terms for word in typed)
    assert [[" ".join(term.words) for term in terms] for terms in read] == [[word, "dashboard"] for word in typed]


@pytest.mark.parametrize("typed", ["Notoin", "Notino", "Notiom"])
def test_a_misspelled_product_is_corrected(typed: str) -> None:
    """No repository has the name, so a likeness to it would find nothing; a name of a known word stays."""
    reading = _read(f"alternative to {typed} or Motion", known=words_of({"motion": 100}))
    assert reading.likenesses == ("Notion", "Motion")
    assert reading.notes == (f"Searched for notion (you typed {typed}).",)


def test_parts_that_are_ignored_do_not_apply() -> None:
    """Each id takes away its part, a term its correction too; without that the word is searched for as typed."""
    question = "popular kuberntes date library in Rust, MIT, without Helm, like Rancher"
    reading = _read(question, known=KNOWN)
    for part in reading.parts:
        less = _read(question, (part.id,), KNOWN)
        gone = {part.id, f"correction:{part.value}"}
        kept = [other.value for other in reading.parts if other.id not in gone]
        if part.kind == "correction":
            kept = [value.replace("kubernetes", "kuberntes") for value in kept]
        assert [other.value for other in less.parts] == kept
    bare = _read(question, tuple(part.id for part in reading.parts if part.kind != "term"), KNOWN)
    assert bare.constraints.model_dump(exclude_defaults=True) == {}
    assert [" ".join(term.words) for term in bare.terms] == ["kuberntes", "date", "library"]


def test_what_was_not_read_is_said() -> None:
    """So the caller can refuse it; a note names another language, what was left out and how to have it read."""
    assert _read("please find me the best one").empty
    assert _read("🚀").notes == ("The question has no word to search for.",)
    assert not _read("language:rust stars:>10").empty
    reading = _read("biblioteca para murciélagos en Python")
    assert "Spanish" in reading.notes[0]
    assert "“murciélagos”" in reading.notes[0]
    assert "DEEPSEEK_API_KEY" in reading.notes[0]


PIECES = """
without not like alternative to stars > 5k - : .. since 2024 mit license no in go c++ .NET " ' / 日本 sin para
9999999999 99 last years between and language: pushed:2024-99-99 stars:.. … é ٣ ² created: user:x -x topic: 🚀
non- -free zu mais de 02
"""
WORDS = st.sampled_from(PIECES.split())


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=500), st.lists(WORDS, max_size=30).map(" ".join), st.lists(WORDS).map("".join)))
def test_any_text_is_read_and_ids_are_stable(text: str) -> None:
    """No text raises an error; ids are unique, and ignoring all of them leaves nothing."""
    reading = _read(text, known=KNOWN)
    ids = [part.id for part in reading.parts]
    assert len(ids) == len(set(ids))
    assert ids == [part.id for part in _read(text, known=KNOWN).parts]
    assert not _read(text, tuple(part.id for part in _read(text).parts)).parts


def test_every_name_of_a_licence_is_read() -> None:
    """A name that certainly means a licence is a constraint, whatever else the question says."""
    tables = tomllib.loads((Path(licenses.__file__).parent / "licenses.toml").read_text("utf-8"))
    certain = (
        *tables["names"],
        *tables["family_names"],
        *(name for ids in tables["families"].values() for name in ids),
    )
    named = [name for name in certain if name.lower() not in tables["ambiguous_names"]]
    assert len(named) > 40
    assert not [name for name in named if not _read(f"{name} parser").constraints.licenses]
