"""Names of authors, split where that is safe, and texts that name several."""

import pytest
from goldpan.kinds.papers.person_names import join_name, split_authors, split_name


@pytest.mark.parametrize(
    ("written", "family", "given", "suffix"),
    [
        ("Ada Lovelace", "Lovelace", "Ada", ""),
        ("Vincent van der Berg-Klein", "van der Berg-Klein", "Vincent", ""),
        ("Martin Luther King Jr.", "King", "Martin Luther", "Jr."),
        ("King, Jr., Martin Luther", "King", "Martin Luther", "Jr."),
        ("King, Martin Luther, Jr.", "King", "Martin Luther", "Jr."),
        ("J. R. R. Tolkien", "Tolkien", "J. R. R.", ""),
        ("Иван Петров", "Петров", "Иван", ""),
        ("毛, 泽东", "毛", "泽东", ""),
        ("Anderson, Robert and", "", "", ""),
        ("Lovelace A", "Lovelace", "A", ""),
        ("Van Morrison", "Morrison", "Van", ""),
        ("van der Maaten", "van der Maaten", "", ""),
        ("Jason D Williams", "Williams", "Jason D", ""),
        ("García Márquez, Gabriel", "García Márquez", "Gabriel", ""),
        ("García Márquez, Jr., Juan", "García Márquez", "Juan", "Jr."),
    ],
)
def test_the_parts_of_a_name(written: str, family: str, given: str, suffix: str) -> None:
    """Particles belong to the family name; a comma says which is which, also where the parts are written again."""
    name = split_name(written)
    assert (name.family, name.given, name.suffix) == (family, given, suffix)
    assert name.literal or split_name(join_name(given, family, suffix)) == name


@pytest.mark.parametrize(
    "written",
    [
        *("World Health Organization", "The ATLAS Collaboration", "王小明", "김 민수", "Plato", "CERN", "Smith & Sons"),
        *("Human Genome Project Consortium", "m stonebraker", "Microsoft Research", "A, B, C", ""),
        *("CERN, Jr.", "One Two Three Four Five Six"),
    ],
)
def test_what_is_no_name_of_a_person_stays_whole(written: str) -> None:
    """Organisations, single words, and scripts whose order is not known."""
    assert (split_name(written).literal, split_name(written).family) == (written, "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Roe, A. and B. L&ouml;w", "Roe, A.|B. Löw"),
        ("Smith, John and Doe, Ann", "Smith, John|Doe, Ann"),
        ("Smith, J.; Doe, A.; and Roe, R.", "Smith, J.|Doe, A.|Roe, R."),
        ("Smith, John, Doe, Ann Marie", "Smith, John|Doe, Ann Marie"),
        ("Smith, J., Doe, A. and Roe, B.", "Smith, J.|Doe, A.|Roe, B."),
        ("Ada Lovelace, Grace Hopper & Alan Turing", "Ada Lovelace|Grace Hopper|Alan Turing"),
        ("m stonebraker , l rowe , m hirohama", "m stonebraker|l rowe|m hirohama"),
        ("van der Berg, Jan Piet", "van der Berg, Jan Piet"),
        ("Smith, John, Doe, Ann, Davis, Sammy, Jr.", "Smith, John|Doe, Ann|Davis, Sammy Jr."),
        ("J. Smith, Plato, A. Doe", "J. Smith|Plato|A. Doe"),
        ("Smith J, Doe AB", "Smith J|Doe AB"),
        ("Smith, John and others", "Smith, John|et al."),
        ("A. Roe; B. Doe, …", "A. Roe|B. Doe|et al."),
        ("Jr., Ada Lovelace", "Jr., Ada Lovelace"),
        ("J., Doe A", "J.|Doe A"),
        ("King, Martin Luther, III", "King, Martin Luther III"),
        ("  ", ""),
    ],
)
def test_every_way_to_list_names(text: str, names: str) -> None:
    """Semicolons before "and", "and" before commas; a comma within a name is distinguished from one between names."""
    assert "|".join(split_authors(text)) == names
