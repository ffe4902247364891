"""The themes that the titles of several results share, and where a result is found."""

import pytest
from goldpan.kinds.papers.facets import key_themes
from goldpan.kinds.papers.facts import links

from tests.support.fixed_papers import LEAST, section

NINE = ("alpha", "beta", "delta", "epsilon", "eta", "gamma", "iota", "theta", "zeta")


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (("Deep learning for images", "Images by deep learning"), {"deep learning": 2, "images": 2}),
        (("Learning, deep down", "Deep: learning"), {"deep": 2, "learning": 2}),
        (("Deep learning", "Deep learning of graphs", "Learning to rank"), {"learning": 3, "deep learning": 2}),
        (("The graph of a method", "On the methods for graphs"), {}),  # the question, and words of any field
        (("Very deep large wide slow models",) * 2, {"deep large wide slow": 2, "large wide slow models": 2}),
        (("机器翻译", "机器翻译"), {"机器翻译": 2}),
        (("Graphs of k nodes", "More k trees"), {}),
        (
            ("A deep learning view", "Deep learning view", "Deep learning of bees"),
            {"deep learning": 3, "deep learning view": 2},
        ),
        ((" of ".join(NINE),) * 2, dict.fromkeys(NINE[:8], 2)),
    ],
)
def test_key_themes(listed: tuple[str, ...], expected: dict[str, int]) -> None:
    """Whole phrases, and their parts where more titles have them; no word of one title, nothing of the question."""
    found = [(theme.value, theme.count) for theme in key_themes(listed, "graphs")]
    assert found == list(expected.items())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"arXiv": "https://arxiv.org/abs/2304.05376"}),
        ({"url": "https://example.org/paper"}, {"page": "https://example.org/paper"}),
        ({"doi": "10.1000/x<1>"}, {"DOI": "https://doi.org/10.1000/x%3C1%3E"}),
        ({"doi": "10.1000/x", "url": "https://doi.org/10.1000/x"}, {"DOI": "https://doi.org/10.1000/x"}),
        ({"doi": "10.1000/x", "url": "http://dx.doi.org/10.1000/X"}, {"DOI": "https://doi.org/10.1000/x"}),
    ],
)
def test_each_paper_has_a_link_to_its_page_and_none_twice(given: dict[str, str], expected: dict[str, str]) -> None:
    """That of arXiv stands in where a source gave an arXiv id alone."""
    ids = {"arxiv": "2304.05376"} | ({"doi": given["doi"]} if "doi" in given else {})
    (paper,) = section({**LEAST, "ids": ids, "url": given.get("url")}).results
    assert links(paper) == expected
