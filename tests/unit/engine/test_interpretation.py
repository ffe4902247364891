"""The parts of a reading: what an answer shows of them, and what is left of them where a language model read it too."""

from goldpan.engine.interpretation import DIFFERS, NO_MODEL, NOTHING, no_subject, part, shown_by_model, shown_parts

LONG = part("term", "水" * 200)


def test_an_answer_shows_each_part_once_and_cut() -> None:
    """Of two with the same id the first one; in the order of the kinds; forty of them."""
    unread, term, again = part("unread", "für"), part("term", "Date library", "dates"), part("term", "date,  LIBRARY")
    assert term.id == again.id == "term:date-library"
    shown = shown_parts([unread, term, again, LONG])
    assert shown[::2] == (term, unread)
    assert (len(LONG.id), max(len(text.encode()) for text in (shown[1].text, shown[1].value)) <= 120) == (105, True)
    assert len(shown_parts(part("term", str(number)) for number in range(50))) == 40


def test_the_terms_of_a_model_take_the_place_of_those_of_the_rules() -> None:
    """What the rules corrected, did not read, or took for a limit that the model refuses is searched for no more."""
    wish, limit, doubt = part("wish", "charts"), part("constraint", "Python"), part("constraint", "in rust", "Rust")
    own = [part("term", "kubernetes"), part("correction", "kubernetes", "kuberntes"), part("unread", "x")]
    parts, notes = shown_by_model([*own, wish, limit], [NO_MODEL, NOTHING], ["charts", "python"], [doubt])
    assert [(one.kind, one.value) for one in parts] == [
        ("wish", "charts"), ("term", "charts"), ("constraint", "Python"), ("unread", "in rust"),
    ]  # fmt: skip
    assert notes == (NO_MODEL, DIFFERS.format("Rust"))


def test_why_nothing_is_searched_for() -> None:
    """What to add: another language, a subject beside what is left out or limited, or any word."""
    foreign, out, limit = part("unread", "вид"), part("exclusion", "jquery"), part("constraint", "MIT")
    beginnings = {
        "holds no word that is known without a language model": [foreign],
        "contains only exclusions": [out, limit, foreign],
        "only limits the papers": [limit],
        "holds no word to search for: say what the papers should be about, such as “cats”": [part("unread", "the")],
    }
    for beginning, parts in beginnings.items():
        assert str(no_subject("?", parts, "papers", "cats")).startswith(f"query: {beginning}")
