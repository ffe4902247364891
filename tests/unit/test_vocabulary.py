"""What the words of a question mean: platforms, subjects, forms and their synonyms."""

from __future__ import annotations

import pytest
from goldpan.kinds.repositories.question.rules import translate_by_rules
from goldpan.kinds.repositories.question.vocabulary import Concept, vocabulary
from goldpan.text import phrase


def parts(question: str) -> list[tuple[str, str]]:
    """Cut a question and list each concept with what it is."""
    return [(" ".join(concept.words), concept.part) for concept in vocabulary().concepts(question)]


def platform(question: str) -> str | None:
    """Name the first platform of a question."""
    concepts = vocabulary().concepts(question)
    return next((concept.platform.name for concept in concepts if concept.platform), None)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("React charts", "react"),
        ("ReactJS charts", "react"),
        ("react.js charts", "react"),
        ("React Native charts", "react native"),
        ("Vue.js charts", "vue"),
        ("vue3 charts", "vue"),
        ("Node.js queue", "nodejs"),
        ("golang queue", "go"),
        ("C++ queue", "c++"),
        ("cpp queue", "c++"),
        ("C# queue", "c#"),
        (".NET queue", ".net"),
        ("dotnet queue", ".net"),
        ("k8s operator", "kubernetes"),
        ("self-hosted photos", "self hosted"),
        ("CLI for photos", "command line"),
        ("R plotting", "r"),
    ],
)
def test_a_platform_is_known_by_all_its_names(asked: str, name: str) -> None:
    """However a platform is spelled, the question is for the same platform."""
    assert platform(asked) == name


def test_the_longest_phrase_wins() -> None:
    """React Native is one platform and state management one subject, not two words each."""
    assert parts("React Native state management library") == [
        ("react native", "platform"),
        ("state management", "subject"),
        ("library", "form"),
    ]


def test_a_concept_stands_once() -> None:
    """A word said twice, also in another form, is one part of the question."""
    assert parts("parser for parsers") == [("parser", "subject")]


def test_stop_words_and_numbers_are_no_subjects() -> None:
    """What only holds a sentence together is left out; a version is the first to go when a search is relaxed."""
    assert parts("I am looking for a Vue 3 router") == [("vue", "platform"), ("3", "form"), ("router", "subject")]


def test_synonyms_hold_both_ways() -> None:
    """Where one phrase stands for another the other stands for the one, to the same degree."""
    synonyms = vocabulary().synonyms
    one_way = [(one, other) for one, near in synonyms.items() for other in near if synonyms[other][one] != near[other]]
    assert one_way == []
    assert all(0 < weight <= 1 for near in synonyms.values() for weight in near.values())


def test_nobody_is_their_own_synonym() -> None:
    """A phrase is never offered as another way to say itself."""
    assert [one for one, near in vocabulary().synonyms.items() if one in near] == []


def test_the_nearest_synonym_comes_first() -> None:
    """Synonyms come nearest first, and of short and long ways to say the same only one."""
    nearest = vocabulary().nearest(phrase("ml"))
    weights = [weight for _, weight in nearest]
    assert nearest[0] == ("machine learning", 1)
    assert weights == sorted(weights, reverse=True)
    assert weights.count(1) == 1


def test_every_synonym_can_be_written_out() -> None:
    """Each synonym has a spelling that means the same phrase."""
    known = vocabulary()
    assert all(phrase(known.spelling[other]) == other for near in known.synonyms.values() for other in near)


def test_no_platform_is_a_form() -> None:
    """A platform's name is never dropped as a mere form."""
    assert not set(vocabulary().platform_of) & vocabulary().forms


def test_an_unknown_word_is_a_subject() -> None:
    """What the vocabulary does not know is what the question is about, in any script."""
    concepts = vocabulary().concepts("парсер zzyzx")
    assert [concept.part for concept in concepts] == ["subject", "subject"]
    assert all(isinstance(concept, Concept) and concept.phrase for concept in concepts)


@pytest.mark.parametrize(
    ("question", "wrong"), [("tiling window manager", "windows"), ("keep going task runner", "go")]
)
def test_an_ordinary_word_is_no_platform(question: str, wrong: str) -> None:
    """A window is not Windows and going is not Go: only a platform's own name asks for the platform."""
    params = translate_by_rules(question, "balanced")
    assert platform(question) != wrong
    assert params.language is None
    assert wrong not in params.topics
