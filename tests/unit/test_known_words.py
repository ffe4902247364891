"""Known words: which words are none of them, and the one that a misspelled word means."""

from goldpan.known_words import KnownWords, american

COUNTS = {
    "type": 900, "form": 800, "zip": 500, "stop": 400, "terminal": 300, "animate": 200, "server": 200, "serve": 200,
    "query": 100, "quarry": 15, "wayland": 60, "command": 900, "commands": 50, "form-data": 900, "decimal": 6,
    "rare": 2, "trail": 40, "bow": 14, "kernel": 90, "kernels": 20, "online": 90, "offline": 20, "zapi": 20, "go": 900,
}  # fmt: skip
WORDS = KnownWords(COUNTS, names={"zod"}, built_in={"rtos", "zapier"}, targets={"zapier"})
MEANT = {
    "termnal": "terminal", "trmnial": "terminal", "tmnal": None, "qury": "query", "quray": None, "xwayland": "wayland",
    "comands": "commands", "ayland": None, "tirla": None, "trali": "trail", "srve": "serve", "decmal": "decimal",
    "decimla": "decimal", "bwo": None, "kernesl": "kernels", "ofline": "offline", "zapir": "zapier",
}  # fmt: skip
AMERICAN = {
    "colours": "colors", "behavioural": "behavioral", "colouring": "coloring", "catalogues": "catalogs",
    "dialogue": "dialogue", "analyser": "analyzer", "analysis": "analysis", "visualisations": "visualizations",
    "optimised": "optimized", "rise": "rise",
}  # fmt: skip


def test_a_form_a_compound_and_a_name_are_known() -> None:
    """A doubled consonant of a form counts once; too rare words are not, nor compounds with one of three letters."""
    known = ["terminals", "animating", "stopping", "reanimate", "typeform", "zod", "rtos", "zips"]
    unknown = ["rare", "zipform", "es", "goes", "termnal", "formrare"]
    assert [word for word in (*known, *unknown) if word in WORDS] == known


def test_a_misspelled_word_means_the_likeliest_one() -> None:
    """One letter of a short word may be wrong, two of a longer one; the nearer, the commoner, the more alike."""
    assert {word: WORDS.nearest(word) for word in MEANT} == MEANT
    assert {word: american(word) for word in AMERICAN} == AMERICAN
