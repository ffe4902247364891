"""How well a repository's own words fit a question, by rules alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.concepts import is_close
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.relevance import Match, Matcher

from tests.support.factories import repository

READ = "animation"


def match(keywords: str, description: str | None, /, name: str = "example-org/thing", **facts: Any) -> Match:
    """Match a repository with keywords, separated by commas, and with no expanded keyword but `expanded`."""
    expanded = facts.pop("expanded", ())
    matcher = Matcher(SearchParams(keywords=tuple(keywords.split(",")), expanded_keywords=expanded))
    return matcher.match([repository(name, **{"description": description, **facts})])[0]


@pytest.mark.parametrize(
    ("matched", "expected"),
    [
        (partial(match, "animation", "animation"), 0.88),
        (partial(match, "animation,library", "animation"), 0.7338),  # a generic word weighs 0.15
        (partial(match, "animation,zzyzx", "animation"), 0.3574),  # half of the subjects
        (partial(match, "animation", "zzyzx", expanded=("zzyzx",)), 0.184),  # an expanded keyword counts 0.3
        (partial(match, "animation", "motion", expanded=("motion",)), 0.6257),  # the first synonym 1 / 1.3
        (partial(match, "time series", "time"), 0.184),  # one word of a phrase 0.3
        (partial(match, "state management", "management"), 0.0),  # a generic word alone does not stand for the phrase
        (partial(match, "function as a service", "a thing"), 0.0),  # nor does a single letter
        (partial(match, "animation,zzyzx", "x", name="animation/x"), 0.1451),  # the owner alone counts half
        (partial(match, "animation,zzyzx", "animation", name="a/animation"), 0.4045),  # two fields
        (partial(match, "animation,zzyzx", "animation", name="a/animation", topics=("animation",)), 0.453),  # three
        (
            partial(match, "animation,zzyzx", "animation", name="a/animation", topics=("animation",), readme=READ),
            0.453,  # four count as three
        ),
        (partial(match, "animation,zzyzx", "x", name="animation/animation"), 0.3574),  # the owner is no further field
        (partial(match, "animation", "animation", name="a/animation", topics=("animation",)), 1.0),  # never above 1
        (partial(match, "animation", "animation " + " ".join(f"w{n}" for n in range(19))), 0.8255),  # 21 terms
        (partial(match, "animation", None, name="a/animation"), 0.8494),  # an unknown text counts as 16 terms
        (partial(match, "animation", "awesome animation"), 0.66),  # a list counts 0.75
        (partial(match, "awesome,animation", "animation resources"), 0.7338),  # unless lists are asked for
        (partial(match, "animation,library", "animation zzyzx", expanded=("zzyzx",)), 0.7338),  # for subjects alone
        # how the platform of the question fits
        (partial(match, "react,animation", "animation for react"), 1.0),
        (partial(match, "react,animation,zzyzx", "animation for react"), 0.4774),
        (partial(match, "go,parser,zzyzx", "parser", language="Go"), 0.4774),
        (partial(match, "go,parser", "golang parser"), 0.9528),  # another name fits 0.9
        (partial(match, "go,parser", "parser for go", language="Ruby"), 0.6704),  # named, in a foreign language: 0.6
        (partial(match, "react,animation", "animation", language="JavaScript"), 0.7168),  # the language alone fits 0.4
        (partial(match, "go,parser", "parser"), 0.528),  # nothing shows the platform: factor 0.6
        (partial(match, "docker,parser", "parser", language="Ruby"), 0.395),  # Docker has no language, so weighs 0.25
        (partial(match, "go,parser", "parser", language="Ruby"), 0.176),  # a foreign language: factor 0.2
        (partial(match, "go,parser", "elm parser"), 0.176),  # a foreign platform
        (partial(match, "go,parser", "r parser"), 0.528),  # a short name is too often an ordinary word
        (partial(match, "react,animation", "animation for vue"), 0.264),  # a platform of the same family: factor 0.5
        (partial(match, "react,animation", "animation for react native"), 0.3528),  # within a longer name: fit 0.3
        (partial(match, "react,animation", "react and react native animation"), 1.0),
        (partial(match, "react,typescript,animation", "animation for react"), 0.588),  # the mean fit of two platforms
        (partial(match, "go", "golang"), 0.8447),  # without a subject the platform is what to cover
        (partial(match, "react,animation", "react"), 0.0),  # a platform alone earns nothing
    ],
)  # fmt: skip
def test_each_weight_of_the_formula(matched: Callable[[], Match], expected: float) -> None:
    """The documented formula gives these figures, worked out by hand from its constants."""
    assert matched().relevance == pytest.approx(expected, abs=1e-9)


def test_the_evidence_names_each_word_and_its_field() -> None:
    """The reason in an answer quotes the words of the question, and the repository's own where they differ."""
    found = match("react,animation,library", "Motion for components", name="a/react-thing", language="TypeScript")
    assert found.evidence == ("“motion” (for “animation”) in the description", "“react” in the name")
    assert match("go,parser", "parser", language="Go").evidence == ("“parser” in the description", "language Go")
    assert match("react,animation", "Database server") == Match(0.0, ())


def test_a_repository_in_one_of_several_languages_fits_as_well_as_if_that_one_were_asked_for() -> None:
    """No repository is both in Rust and in Go, so the other language is no misfit."""
    facts = {"language": "Rust"}
    either = match("rust go parser", "A parser.", **facts)
    assert either.relevance == match("rust parser", "A parser.", **facts).relevance


def test_what_calls_itself_an_alternative_is_nearer_to_the_best() -> None:
    """A client of the product mentions its name too, and is no alternative."""
    matcher = Matcher(SearchParams(keywords=("kanban board",), likes=("Trello",)))
    texts = ("A kanban board", "A kanban board, open source alternative to Trello", "Kanban board client for Trello")
    board, rival, client = matcher.match([repository(f"a/{n}", description=text) for n, text in enumerate(texts)])
    assert rival.relevance > max(board.relevance, client.relevance)
    assert rival.relevance == pytest.approx((1 + client.relevance) / 2, abs=0.05)
    assert "“Trello”" in rival.evidence[0]
    assert not any("Trello" in word for word in (*board.evidence, *client.evidence))


@pytest.mark.parametrize(
    ("asked", "found", "expected"),
    [
        ("authentication", "login", True),
        ("picture", "image", True),
        ("client", "server", False),
        ("golang", "gh", False),
        ("encrypting", "decrypted", False),
        ("python", "scipy", False),
        ("library", "framework", False),
    ],
)
def test_what_is_close_in_meaning_is_a_reason(asked: str, found: str, *, expected: bool) -> None:
    """Opposites, and a name beside a language, share a field but no meaning."""
    assert is_close(asked, found, shipped_table()) is expected
