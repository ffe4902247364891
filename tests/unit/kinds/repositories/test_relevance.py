"""How well a repository's own words fit a question, by rules alone."""

from typing import Any

import pytest
from goldpan.engine.stage_values import Match
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.concepts import is_close
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.relevance import Matcher, PlatformFit
from goldpan.kinds.repositories.repository_text import text_of
from goldpan.kinds.repositories.vocabulary import vocabulary

from tests.support.factories import repository

READ = "animation"
LONG = f"{READ} {' '.join(f'w{n}' for n in range(40))}"


def match(keywords: str, description: str | None, /, name: str = "example-org/thing", **more: Any) -> Match:
    """Match a repository with keywords, separated by commas; `more` has further parameters, and facts."""
    asked = {field: more.pop(field) for field in ("likes", "context", "typed") if field in more}
    matcher = Matcher(SearchParams(keywords=tuple(keywords.split(",")), **asked))
    return matcher.match([repository(name, **{"description": description, **more})])[0]


def test_what_fits_better_is_more_relevant() -> None:
    """More of the question's words as they were asked for, in better places, and of the right kind of thing."""
    for keywords, better, worse, more in (
        ("animation,library", "an animation library", READ, {}),
        (READ, READ, "motion", {}),
        (READ, "Trickfilm", "motion", {"typed": {READ: "trickfilm"}}),
        (READ, READ, "team", {"context": ("team",)}),
        ("time series", "time series", "time", {}),
    ):
        assert match(keywords, better, **more).relevance > match(keywords, worse, **more).relevance
    assert match(READ, "a thing", readme=READ).relevance > match(READ, "a thing", readme="parser").relevance
    assert match("awesome,animation", "awesome animation").relevance > match(READ, "awesome animation").relevance


def test_relevance_is_how_likely_it_is_apt() -> None:
    """On the scale that was measured: half of what has 0.5 is apt, by the words alone and with the meaning."""
    table = {
        ("animation,react", "a/thing", "animation for react"): [0.8217, 0.7287],
        ("animation,react", "a/thing", "motion of vue"): [0.0329, 0.0327],
        ("animation,zzyzx", "a/thing", "animation"): [0.055, 0.1192],
        ("animation", "a/thing", LONG): [0.1941, 0.1767],
        ("animation", "a/thing", "animation tutorial"): [0.1073, 0.0668],
        ("uptime monitor", "louislam/uptime-kuma", "Checks of servers"): [0.9277, 0.9354],
        ("date fns", "a/date-fns", "x"): [0.9508, 0.9659],  # whose name is the question
    }
    for (asked, name, text), expected in table.items():
        params = SearchParams(keywords=tuple(asked.split(",")), meaning=asked.replace(",", " "), question=asked)
        matchers, row = (Matcher(params), Matcher(params, shipped_table())), repository(name, description=text)
        found = [matcher.match([row])[0].relevance for matcher in matchers]
        assert found == pytest.approx(expected, abs=0.001), (asked, text)


def test_a_text_without_closeness_has_its_words_alone() -> None:
    """Such as one in a script that the encoder does not know; it is not held to be far from the question."""
    params = SearchParams(keywords=("zzyzx",), meaning="zzyzx")
    unknown = [repository("a/b", description="zzyzx")]
    assert Matcher(params, shipped_table()).match(unknown) == Matcher(params).match(unknown)


def test_the_evidence_names_each_word_and_its_field() -> None:
    """The reason in an answer quotes the words of the question, and the repository's own where they differ."""
    found = match("react,animation,library", "Motion for components", name="a/react-thing", language="TypeScript")
    assert found.evidence == ("“motion” (for “animation”) in the description", "“react” in the name")
    assert match("go,parser", "parser", language="Go").evidence == ("“parser” in the description", "language Go")
    assert match("react,animation", "Database server") == Match(relevance=0.0)


def test_what_is_close_in_meaning_is_a_reason() -> None:
    """Opposites, and a name beside a language, share a field but no meaning."""
    pairs = {"login": "authentication", "image": "picture", "scraper": "crawler"}
    pairs |= {"sortable": "draggable", "decrypted": "encrypting", "deserializer": "serialize", "scipy": "python"}
    close = [found for found, asked in pairs.items() if is_close(asked, found, shipped_table())]
    assert close == ["login", "image", "scraper"]


def test_a_platform_that_is_named_fits_best() -> None:
    """By any of its names; a language alone is worth less, and of several languages one is enough."""
    table = {
        ("kubernetes", "For Kubernetes", None): (1, 1), ("kubernetes", "For k8s", None): (1, 1),
        ("kubernetes", "For offices", None): (0, 0.6), ("react", "For Django", None): (0, 0.6),
        ("kubernetes self hosted", "For Kubernetes", None): (0.5, 0.6), ("", "For Django", None): (0, 1),
        ("go", "Charts", "Ruby"): (0, 0.2), ("rust go", "Charts", "Rust"): (1, 1),
        ("react", "Charts", "TypeScript"): (0.4, 0.76), ("react", "For React", "Java"): (0.6, 0.68),
    }  # fmt: skip
    for (asked, text, language), expected in table.items():
        shown = text_of(repository(language=language, description=text))
        assert PlatformFit(vocabulary().concepts(asked)).of(shown, []) == pytest.approx(expected), (asked, text)
    assert match("go,parser", "parser", language="Ruby").relevance < 0.1 * match("go,parser", "go parser").relevance
    facts = {"language": "Rust"}
    either = match("rust go parser", "A parser.", **facts)
    assert either.relevance == match("rust parser", "A parser.", **facts).relevance


def test_what_of_the_question_is_missing_is_said() -> None:
    """Neither a word nor its meaning shows it; what stands beside each other is one thing."""
    words = ("file manager", "cost", "control", "image", "preview")
    matcher = Matcher(SearchParams(keywords=words, meaning=" ".join(words)), shipped_table())
    texts = ("Terminal file manager with picture previews", "File manager, cost control, image preview")
    missing = [matcher.compare_words(repository(description=text))[1] for text in texts]
    assert missing == [["cost control"], []]
    matcher = Matcher(SearchParams(keywords=("image login",), meaning="image login"), shipped_table())
    close, _ = matcher.compare_words(repository("a/b", description="Images, authentication"))
    assert close == ["“authentication” in the description, close in meaning to “login”"]
