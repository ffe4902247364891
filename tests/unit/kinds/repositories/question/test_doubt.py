"""A limit that the question may mean as a refusal limits nothing: an inverted reading is the worst mistake."""

from datetime import date

import pytest
from goldpan.kinds.repositories.question.reader import read_question


def _constraints(question: str) -> dict[str, object]:
    return read_question(question, today=date(2026, 1, 15)).constraints.model_dump(exclude_defaults=True)


@pytest.mark.parametrize(
    "question",
    [
        "leave java out, build tool", "replace our java one, build tool", "java was a mistake, build tool",
        "build tool wo java", "we dropped java years ago, build tool", "build tool, rather Kotlin, screw java",
        "gpl scares legal, pdf library", "can't do without java, build tool", "don't exclude java, build tool",
        "I'm not a java developer but need a build tool", "odio java ma cerco un build tool",
        "build tool, written in java? then no",
        "java kann ich nicht ausstehen, build tool", "parser, exclude repos under 500 stars",
        "parser, don't want more than 500 stars", "build tool in a language different from java",
        "build tool with little java", "emulador de terminal, java no", "nobody on our team codes in java, parser",
        "build tool, java not supported", "build tool !java", "build tool, i would die before using java",
        "menedżer haseł nienapisany w Javie", "非Javaのデータベース", "byggverktyg, absolut inte java",
        "editör, Java hariç", "build tool ~java", "build tool, ~gpl", "build tool 🚫java", "build tool with 0% java",
        "build tool, java (please no)", "build tool: java ❌ rust ✅", "build tool; java, god no",
        "build tool, zero tolerance for java", "build tool so long as java is nowhere near it",
    ],
)  # fmt: skip
def test_a_doubtful_limit_is_never_required(question: str) -> None:
    """Whatever the words around it mean, it does not surely describe what is asked for."""
    found = _constraints(question)
    assert "java" not in str((found.get("languages"), found.get("platforms"))).lower()
    assert not {"licenses", "min_stars", "max_stars"} & found.keys()


@pytest.mark.parametrize(
    "question",
    [
        "build tool in java",
        "java build tool",
        "modern Java build tool",
        "build tool for Java",
        "build tool, java",
        "build tool, java ✅, rust ❌",
        "build tool ☕ java",
    ],
)
def test_a_limit_beside_the_subject_holds(question: str) -> None:
    """A language is required after "in" or "for", before a noun, and alone in its clause."""
    assert _constraints(question) == {"platforms": ("java",)}


@pytest.mark.parametrize(
    "question",
    [
        "why not use docker? containers", "tar -xzf helper", "Doctors Without Borders dataset",
        "tool that excludes files",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_exclusion_excludes_nothing(question: str) -> None:
    """Questions for reasons, options of commands, and names."""
    assert not any(name.startswith("excluded") for name in _constraints(question))


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("password vault, lastpass not supported", "lastpass"), ("calendar that shuns outlook", "outlook"),
        ("key remapper; autohotkey would be wrong", "autohotkey"), ("map server but google must stay out", "google"),
        ("backup per casa, Windows è fuori luogo", "windows"), ("visionneuse d'images privée d'Electron", "electron"),
        ("terminal emulator ~windows", "windows"),
    ],
)  # fmt: skip
def test_what_a_further_clause_turns_down_is_not_searched_for(question: str, thing: str) -> None:
    """A sentence about a thing, or words that are not read, say too little to search for it."""
    terms = read_question(question, today=date(2026, 1, 15)).terms
    assert terms
    assert all(thing not in term.words for term in terms)


def test_a_quoted_text_is_excluded_as_typed() -> None:
    """The marks that protect it are no words."""
    assert _constraints('editor without "visual studio"')["excluded_terms"] == ("visual studio",)
