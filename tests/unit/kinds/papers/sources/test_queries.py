"""Queries hold the words of a question and nothing else; one that fails never hides those that answer."""

import re
from itertools import chain
from threading import Event
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import CredentialRejected, RateLimited, Refused, TimedOut
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.api import NOTHING_FOUND, run_queries
from goldpan.kinds.papers.sources.connector import ENTRIES
from goldpan.kinds.papers.sources.queries import Asked, bag_of_words, encoded_length, fit, write_query

from tests.support.factories import NOW
from tests.support.paper_fakes import paper

SOURCES: dict[str, Any] = {name: entry.load() for name, entry in ENTRIES.items()}
WRITERS = {name: source.write for name, source in SOURCES.items()}
HOSTILE = (
    'cats" OR type:book,is_oa:true|x) AND NOT (dogs & select=id # é', 'x" OR au:y', "(a) AND ti:b", "NOT c*", "AND",
    "-intitle:d", "submittedDate:[1 TO 2]", "a\\", "ANDNOT e~ f^9",
)  # fmt: skip
NOTHING, ABOUT_CATS = PaperQuery(concepts=(("?!",),)), PaperQuery(concepts=(("cats",),))


@pytest.mark.parametrize("source", WRITERS)
def test_words_of_a_question_are_never_syntax(source: str) -> None:
    """Whatever a concept, an author, a venue or an excluded term holds, only its letters and digits are sent."""

    def sent(text: str) -> object:
        limits = Constraints(authors=(text,), venues=(text,), excluded_terms=(text,))
        asked = WRITERS[source](PaperQuery(concepts=(("graphs", text),)), limits)
        return {**asked.params, "venue": ""} if asked.params else asked.text  # Semantic Scholar compares it as a whole

    for text in HOSTILE[source in {"europe_pmc", "serpapi"} :]:  # these divide a name at its comma
        assert sent(text) == sent(" ".join(re.findall(r"[^\W_]+", text.lower())))


@pytest.mark.parametrize("source", WRITERS)
def test_a_query_that_is_too_long_loses_its_weakest_words_and_says_so(source: str) -> None:
    """What was quoted stays; the note lists what was dropped."""
    concepts = (("graph neural network",), *((f"weak{n} 汉字{n} " + "x" * 20 + str(n),) for n in range(200)))
    asked = WRITERS[source](PaperQuery(concepts=concepts, exact=concepts[0]), Constraints())
    assert "graph neural network" in asked.text
    assert "weak199" not in asked.text
    (note,) = asked.notes
    assert note.startswith("too long for ")
    assert "weak199" in note
    assert len(note) < 700


@pytest.mark.parametrize("source", WRITERS)
def test_without_a_word_only_authors_are_asked_for(source: str) -> None:
    """Another filter alone would find everything; beside a subject, a name may be part of that."""
    asked = WRITERS[source](NOTHING, Constraints(year_from=2020, venues=("Nature",), excluded_terms=("x",)))
    found = run_queries([asked], lambda _: pytest.fail("it was sent"), Deadline.after(5, WallClock()))
    assert (found.lists, found.notes) == (((),), ("a query without a word was not sent",))
    limits = Constraints(authors=("Ada Lovelace",))
    alone = PaperQuery(concepts=(("Ada Lovelace",),), sentence="All that Ada Lovelace wrote")
    assert WRITERS[source](alone, limits).text == (by_author := WRITERS[source](NOTHING, limits).text)
    assert "lovelace" in by_author
    named = PaperQuery(concepts=(("Bell",), ("inequality",)))
    text = WRITERS[source](named, Constraints(authors=("Bell",))).text
    assert "inequality" in text
    assert text.count("bell") > 1


def test_what_is_too_long_loses_its_last_wordings_then_concepts() -> None:
    """As few as needed; the note names ten, and an address counts the letters as they are sent."""
    concepts = (("a b", "c"), *((f"w{n}",) for n in range(9)), ("w9", "w10"))
    asked = [fit(concepts, lambda found: " ".join(chain(*found)), longest, "It") for longest in (39, 38, 34, 3)]
    everything = "a b c w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10"
    shorter = everything.removesuffix(" w10")
    assert [each.text for each in asked] == [everything, shorter, shorter.replace(" c", ""), "a b"]
    ten = "w10, c, w9, w8, w7, w6, w5, w4, w3, w2"
    assert asked[-1].notes == (f"too long for It, searched without: {ten} and 2 more",)
    assert asked[0].notes == ()
    wide = PaperQuery(concepts=(("汉字",), ("x",)))
    assert write_query(wide, Constraints(), "crossref", 19, length=encoded_length).text in {"汉字", "x"}
    assert bag_of_words((("a", "b c"), ("d", "a e")), "How do the graphs talk") == "graphs talk a d b c e"


@pytest.mark.parametrize("source", WRITERS)
def test_a_type_without_a_filter_does_not_narrow_the_search(source: str) -> None:
    """Of "reviews or datasets" Europe PMC could only find the reviews."""
    several = Constraints(types=("review", "other"))
    assert WRITERS[source](ABOUT_CATS, several) == WRITERS[source](ABOUT_CATS, Constraints())


def test_alternatives_are_joined_where_a_source_has_operators() -> None:
    """OpenAlex needs a rarer and a commoner word; the others get words, Crossref all, Semantic Scholar the best."""
    odd = PaperQuery(concepts=(("zyzzyva",), ("mummies",), ("graphs",)))
    assert WRITERS["arxiv"](odd, Constraints()).text == "(all:zyzzyva OR all:mummies) AND all:graphs", "the rarer half"
    assert WRITERS["crossref"](PaperQuery(concepts=(("the who",),)), Constraints()).text == "who the"
    quoted = PaperQuery(concepts=(("cats not dogs",),), exact=("cats not dogs",))
    assert WRITERS["arxiv"](quoted, Constraints()).text == 'all:"cats dogs"', "in quotes it is an operator too"
    shown = WRITERS["semantic_scholar"](ABOUT_CATS, Constraints(year_from=2020, open_access=True)).text
    assert shown == "cats year:2020- openAccessPdf"
    query = PaperQuery(concepts=(("graph neural network", "GNN"), ("C++",), ("of Egyptian mummies",)))
    names = ("openalex", "crossref", "semantic_scholar")
    assert [WRITERS[name](query, Constraints()).text for name in names] == [
        '("c++" OR egyptian) AND (mummies OR ((graph AND neural AND network) OR gnn))',
        "c++ egyptian mummies graph neural network gnn",
        "c++ egyptian mummies graph neural network",
    ]


def run(*outcomes: SearchResult | Exception) -> SearchResult:
    """Run one query for each outcome."""
    asked = [Asked(str(place)) for place in range(len(outcomes))]

    def fetch(query: Asked) -> SearchResult:
        outcome = outcomes[int(query.text)]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return run_queries(asked, fetch, Deadline.after(5, WallClock()))


def test_a_failed_query_is_named_beside_the_others() -> None:
    """It leaves an empty list in its place; if nothing else was found, or a key is rejected, the source has failed."""
    found = run(Refused("bad syntax"), SearchResult(((paper("A"),),), 7, unread=2))
    assert (found.lists, found.available, found.unread) == (((), (paper("A"),)), 7, 2)
    assert found.failures == ("a query failed: bad syntax",)
    with pytest.raises(CredentialRejected):
        run(CredentialRejected("KEY"), SearchResult(((paper("A"),),), 1))
    for before in (NOTHING_FOUND, RateLimited("our own limit", NOW, sent=False)):
        with pytest.raises(Refused, match="bad syntax"):
            run(before, Refused("bad syntax"))
    assert run(found, SearchResult(((paper("B"),),), 3)).available == 7
    twice = [Asked(text, notes=("too long",)) for text in "ab"]
    assert run_queries(twice, lambda _: found, Deadline.after(5, WallClock())).notes == ("too long",)


def test_a_query_that_is_not_answered_in_time_is_a_failure() -> None:
    """It never looks as if the source had nothing."""
    answered = Event()

    def fetch(_: Asked) -> SearchResult:
        answered.wait(30)
        return SearchResult(((paper("A"),),), 1)

    with pytest.raises(TimedOut):
        run_queries([Asked("late")], fetch, Deadline.after(0, WallClock()))
    answered.set()


@pytest.mark.parametrize(
    ("source", "limits", "params"),
    [
        (
            "openalex",
            {"year_from": 2020, "types": ("review", "article"), "excluded_types": ("book",), "open_access": True},
            {"filter": "from_publication_date:2020-01-01,is_oa:true,type:review|article,type:!book"},
        ),
        (
            "openalex",
            {"year_to": 2024, "types": ("conference",), "open_access": False, "authors": ("A. Cat", "B. Cat")},
            {
                "filter": "to_publication_date:2024-12-31,is_oa:false,raw_author_name.search:a cat,"
                "raw_author_name.search:b cat"
            },
        ),
        (
            "crossref",
            {"year_from": 2020, "year_to": 2024, "types": ("conference", "thesis"), "open_access": True},
            {"filter": "from-pub-date:2020,until-pub-date:2024,type:proceedings-article,type:dissertation"},
        ),
        (
            "crossref",
            {"authors": ("Ada Cat",), "venues": ("Journal: of Cats",)},
            {"query.author": "ada cat", "query.container-title": "journal of cats"},
        ),
        ("semantic_scholar", {"year_from": 2020, "year_to": 2024}, {"year": "2020-2024"}),
        ("semantic_scholar", {"year_from": 2020, "open_access": True}, {"year": "2020-", "openAccessPdf": ""}),
        ("semantic_scholar", {"venues": ("Nature", "Science,Vol. 2", ",")}, {"venue": "Nature,Science Vol. 2"}),
        ("semantic_scholar", {"types": ("review", "book")}, {"publicationTypes": "Review,MetaAnalysis,Book"}),
    ],
)
def test_constraints_become_parameters(source: str, limits: dict[str, Any], params: dict[str, str]) -> None:
    """OpenAlex has papers of conferences as articles; what a source does not have is no filter, or nothing is found."""
    text = {"openalex": "search", "crossref": "query.bibliographic", "semantic_scholar": "query"}[source]
    assert WRITERS[source](ABOUT_CATS, Constraints(**limits)).params == {text: "cats", **params}
