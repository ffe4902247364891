"""Words and terms, in any script."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from goldpan import text
from goldpan.text import first_terms, name_terms, phrase, terms, words
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize("name", ["c++", "c#", "f#", ".net", "go", "r", "c"])
def test_short_names_of_languages_are_words(name: str) -> None:
    """C++, C#, F#, .NET, Go, R and C stay whole, alone and in a sentence."""
    assert words(name.upper()) == [name]
    assert name in words(f"a library for {name}, and more")
    assert phrase(name)


def test_whole_words_alone_match() -> None:
    """The word "ai" is not in "chain", nor "go" in "mongo"."""
    assert "ai" not in terms("a chain of mongo")
    assert "go" not in terms("a chain of mongo")


def test_titles_of_any_script_differ() -> None:
    """Chinese, Cyrillic, Greek, Hindi and Thai titles have terms, and different ones."""
    titles = [
        "机器学习",
        "深度学习",
        "машинное обучение",
        "глубокое обучение",
        "μηχανική μάθηση",
        "हिन्दी पाठ",
        "การเรียนรู้",
    ]
    assert all(terms(title) for title in titles)
    assert len({tuple(terms(title)) for title in titles}) == len(titles)


def test_the_suffix_of_a_script_library_is_no_word() -> None:
    """Vue.js is Vue, and Node.js is one word."""
    assert words("Vue.js and Node.js") == ["vue", "and", "nodejs"]


def test_a_name_is_known_by_its_parts() -> None:
    """A camel-case name is found whole and in parts."""
    assert {*phrase("reactrouter"), *phrase("react router")} <= set(name_terms("ReactRouter"))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_a_word_holds_no_sign_of_a_query(anything: str) -> None:
    """Whatever is asked, no word has a quote, a colon, a parenthesis or a capital OR."""
    for word in words(anything):
        assert not set(word) & set("\"'():<>*\\ \t\n")
        assert word not in {"OR", "AND", "NOT"}


def test_threads_do_not_spoil_each_others_words() -> None:
    """Stemming in many threads at once gives what stemming in one gives."""
    every = [
        f"{stem}{end}" for stem in ("animat", "relat", "connect", "generaliz") for end in ("ion", "ing", "ed", "s")
    ] * 200
    expected = [phrase(word) for word in every]
    text._terms_of.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(phrase, every)) == expected


def test_words_between_scripts_and_possessives_are_words() -> None:
    """React within a Chinese sentence is React, and the s of "Let's Encrypt" is no word."""
    assert words("基于React的动画库") == ["基于", "react", "的动画库"]
    assert words("Let's Encrypt") == ["let", "encrypt"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "motion",
        "A library for the animation of React components. " * 40,
        "no" + "space" * 400,
        "C++ and node.js, it's Vue.js\n" * 60,
        "React 动画 ライブラリ " * 60,
        "动画" * 500,
        "e\u0301te\u0301 \ufb01ne " * 100,
    ],
)
@pytest.mark.parametrize("most", [1, 7, 80])
def test_the_first_terms_are_those_of_the_whole(text: str, most: int) -> None:
    """What is read of a text alone, its beginning, gives the terms that the whole of it begins with."""
    assert first_terms(text, most) == terms(text)[:most]


PIECES = [
    "C++",
    "c#",
    "F#",
    "asp.net",
    ".NET",
    "x.net",
    "node.js",
    "vue.js",
    "it's",
    "React's",
    "a_b",
    "g++",
    "'",
    "+",
    " ",
]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, " "]), max_size=8))
def test_plain_text_is_read_as_any_other(pieces: list[str]) -> None:
    """The quick way for plain letters finds the words that the way for all scripts finds."""
    plain = "".join(pieces)
    assert words(f"{plain} é") == [*words(plain), "é"]
