"""The wishes of later rounds of a search for repositories, as the rules read them."""

from datetime import date
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.kinds.repositories.translate import read_rounds

DATES = "date library for javascript"
FOR_DATES = {"platforms": ("javascript",)}
IN_OTHER_LANGUAGES = {
    "Bibliothek für Datumsangaben in JavaScript": ("nur MIT", "nicht moment", "weniger wrapper"),
    "bibliothèque de dates en JavaScript": ("seulement MIT", "pas moment", "moins de wrapper"),
    "biblioteca de fechas en JavaScript": ("solo MIT", "no moment", "menos wrapper"),
    "biblioteca de datas em JavaScript": ("apenas MIT", "não moment", "menos wrapper"),
    "libreria di date in JavaScript": ("solo MIT", "non moment", "meno wrapper"),
    "bibliotheek voor JavaScript": ("alleen MIT", "geen moment", "minder wrapper"),
    "biblioteka dat w JavaScript": ("tylko MIT", "nie moment", "mniej wrapper"),
    "библиотека дат на JavaScript": ("только MIT", "не moment", "меньше wrapper"),
    "JavaScript 日期库": ("只要MIT", "不要moment", "少一些wrapper"),
    "JavaScriptの日付ライブラリ": ("MITのみ", "momentなしで", "wrapperを減らして"),
    "JavaScript 날짜 라이브러리": ("MIT만", "moment 제외", "wrapper 줄여줘"),
}
"""Questions, each with "only MIT", "not moment" and "fewer wrappers" in its language."""


@pytest.mark.parametrize(
    ("question", "wishes", "constraints"),
    [
        (DATES, ["fewer wrappers, please"], FOR_DATES | {"excluded_terms": ("wrappers",)}),
        (DATES, ["less well known", "not too old"], FOR_DATES | {"max_stars": 999, "pushed_within_days": 365}),
        (DATES, ["more than 5k stars", "newer"], FOR_DATES | {"min_stars": 5001, "created_after": date(2023, 8, 22)}),
        (DATES, ["too big"], FOR_DATES | {"min_stars": 10, "preferred_max_stars": 500}),
        (DATES, ["the second one was great"], FOR_DATES),
        ("react animation", ["in TypeScript"], {"platforms": ("react", "typescript")}),
        ("react animation", ["for Vue instead"], {"platforms": ("vue",)}),
        ("parser in Python", ["rather in Rust", "also Go"], {"platforms": ("rust", "go")}),
        ("parser, MIT", ["Apache-2.0"], {"licenses": ("Apache-2.0",)}),
        ("parser, MIT", ["or Apache-2.0"], {"licenses": ("MIT", "Apache-2.0")}),
        ("parser not in Java", ["only Java"], {"platforms": ("java",)}),
        ("tool written in Rust", ["Go instead of Rust"], {"platforms": ("go",), "excluded_languages": ("Rust",)}),
        ("lightweight parser", ["more popular"], {"min_stars": 1000}),
        ("parser with 500 stars or more", ["more popular", "less than 300 stars"], {"max_stars": 299}),
        ("like pallets/flask", ["in Go"], {"platforms": ("go",)}),
        ("parser with at least 500 stars", ["at most 500 stars"], {"min_stars": 500, "max_stars": 500}),
    ],
)
def test_wishes_limit_the_search(question: str, wishes: list[str], constraints: dict[str, Any]) -> None:
    """The newest one holds where two contradict; each is a part that can be taken away; one without effect is noted."""
    fields: dict[str, Any] = {"query": question, "feedback": wishes}
    before, _ = read_rounds(parse_request({"query": question}), date(2026, 8, 22))
    reading, _ = read_rounds(parse_request(fields), date(2026, 8, 22))
    assert reading.constraints.model_dump(exclude_defaults=True) == constraints
    assert (reading.likenesses, bool(reading.notes)) == (before.likenesses, reading.constraints == before.constraints)
    chips = [part for part in reading.parts if part.kind == "wish"]
    assert [part.value for part in chips] == wishes
    ignored = parse_request({**fields, "ignore": [part.id for part in chips]})
    assert read_rounds(ignored, date(2026, 8, 22))[0] == before


def test_a_broader_search_leaves_the_last_subject_out() -> None:
    """The only one stays, and the answer says that the wish changes nothing."""
    for question, words in (("yaml parser with schema validation", ["yaml", "parser"]), ("parser", ["parser"])):
        reading, _ = read_rounds(parse_request({"query": question, "feedback": ["broader"]}), date(2026, 8, 22))
        assert [word for term in reading.terms for word in term.words] == words
        assert bool(reading.notes) is (question == "parser")


@pytest.mark.parametrize("own", IN_OTHER_LANGUAGES)
def test_wishes_in_other_languages(own: str) -> None:
    """They limit as the English ones do, one by one and together, after a question of theirs or an English one."""
    wishes = IN_OTHER_LANGUAGES[own]
    limits = ({"licenses": ("MIT",)}, {"excluded_terms": ("moment",)}, {"excluded_terms": ("wrapper",)})
    together: dict[str, Any] = {"licenses": ("MIT",), "excluded_terms": ("moment", "wrapper")}
    for question in (own, DATES):
        for given, limit in ((wishes, together), *zip(zip(wishes, strict=True), limits, strict=True)):
            reading, _ = read_rounds(parse_request({"query": question, "feedback": given}), date(2026, 8, 22))
            assert reading.constraints.model_dump(exclude_defaults=True) == FOR_DATES | limit, (question, given)
            assert not any("changes nothing" in note for note in reading.notes)
