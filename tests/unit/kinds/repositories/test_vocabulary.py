"""What the words of a question mean: platforms, subjects, generic words and their synonyms."""

import pytest
from goldpan.kinds.repositories.vocabulary import github_language, language_names, vocabulary
from goldpan.text import phrase


def test_a_question_is_split_into_concepts() -> None:
    """The longest phrase first, each concept once, without stop words and words of more than 60 characters."""
    expected = {
        "React Native state management library": "react native: platform, state management: subject, library: generic",
        "react.js or react-native": "react: platform, react native: platform",
        "C++, .NET and k8s": "c++: platform, .net: platform, k8s: platform",
        "keeps going in a window": "keeps: subject, going: subject, window: subject",  # neither Go nor Windows
        "I am looking for a Vue 3 router": "vue: platform, 3: generic, router: subject",
        "parser for parsers": "parser: subject",
        "парсер zzyzx": "парсер: subject, zzyzx: subject",
        "x" * 60: f"{'x' * 60}: subject",
        "x" * 61: "",
    }
    split = {question: vocabulary().concepts(question) for question in expected}
    written = {name: ", ".join(f"{' '.join(one.words)}: {one.part}" for one in found) for name, found in split.items()}
    assert written == expected


def test_a_language_has_the_name_that_github_gives_it() -> None:
    """Also by an alias, or by what is made in it; an unknown one stays."""
    assert [*map(github_language, ("golang", "cpp", "android", "Zig"))] == ["Go", "C++", "Kotlin", "Zig"]
    assert {"golang": "Go", "r": "R", "kotlin": "Kotlin"}.items() <= language_names().items()


def test_the_nearest_synonym_comes_first() -> None:
    """By 1 / (1 + 0.3 x the sum of the places in the group); synonyms are mutual, and no platform is a generic word."""
    near = vocabulary().nearest(phrase("animation"))
    assert [synonym for synonym, _ in near] == ["motion", "transition", "tween", "spring", "gesture", "parallax"]
    assert [weight for _, weight in near][:2] == pytest.approx([0.7692, 0.625], abs=1e-4)
    assert vocabulary().nearest(phrase("ml"))[0] == ("machine learning", 1)
    equivalents = [weight for _, weight in vocabulary().nearest(phrase("drag and drop")) if weight == 1]
    assert len(equivalents) == 1
    known = vocabulary()
    pairs = {(one, other): weight for one, others in known.synonyms.items() for other, weight in others.items()}
    assert all(0 < weight <= 1 and pairs[other, one] == weight for (one, other), weight in pairs.items())
    assert not set(known.platforms_by_name) & known.generic
