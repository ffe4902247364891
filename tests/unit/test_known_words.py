"""Known words: which words are none of them, and the one that a misspelled word means."""

import pytest
from goldpan.known_words import KnownWords, american

COUNTS = {
    "type": 900, "form": 800, "zip": 500, "stop": 400, "terminal": 300, "animate": 200, "server": 200, "serve": 200,
    "query": 100, "quarry": 15, "wayland": 60, "command": 900, "commands": 50, "form-data": 900, "decimal": 6,
    "rare": 2, "trail": 40, "bow": 14,
    "kernel": 90, "kernels": 20, "online": 90, "offline": 20, "zapi": 20, "go": 900,
}  # fmt: skip
WORDS = KnownWords(COUNTS, names={"zod"}, built_in={"rtos", "zapier"}, targets={"zapier"})


@pytest.mark.parametrize(
    "word", ["terminals", "animating", "stopping", "reanimate", "typeform", "zod", "rtos", "zips", "stopper"]
)
def test_a_form_a_compound_and_a_name_are_known(word: str) -> None:
    """A doubled consonant of a form counts once."""
    assert word in WORDS


@pytest.mark.parametrize("word", ["rare", "zipform", "es", "ers", "goes", "termnal", "formrare"])
def test_what_is_too_rare_or_too_short_is_not(word: str) -> None:
    """Nor is a compound with a word of three letters."""
    assert word not in WORDS


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("termnal", "terminal"), ("trmnial", "terminal"), ("tmnal", None), ("qury", "query"), ("quray", None),
        ("xwayland", "wayland"), ("comands", "commands"), ("ayland", None),
        ("tirla", None), ("trali", "trail"), ("srve", "serve"), ("decmal", "decimal"), ("decimla", "decimal"),
        ("bwo", None), ("kernesl", "kernels"), ("ofline", "offline"), ("zapir", "zapier"), ("forms-data", "form-data"),
    ],
)  # fmt: skip
def test_a_misspelled_word_means_the_likeliest_one(typed: str, meant: str | None) -> None:
    """One letter of a short word may be wrong, two of a longer one; the nearer, the commoner, the more alike."""
    assert WORDS.nearest(typed) == meant


@pytest.mark.parametrize(
    ("british", "other"),
    [
        ("colours", "colors"), ("behavioural", "behavioral"), ("colouring", "coloring"),
        ("catalogues", "catalogs"), ("dialogue", "dialogue"), ("analyser", "analyzer"), ("analysis", "analysis"),
        ("visualisations", "visualizations"), ("optimised", "optimized"), ("rise", "rise"), ("tour", "tor"),
    ],
)  # fmt: skip
def test_a_british_spelling_has_an_american_form(british: str, other: str) -> None:
    """Other words keep theirs, unless they look the same."""
    assert american(british) == other
