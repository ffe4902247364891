"""Google Scholar's results as papers: what one line below a title and the addresses tell."""

import pytest
from goldpan.kinds.papers.models import PaperIds
from goldpan.kinds.papers.sources.serpapi import read_result, read_summary

TWO = ("A Lovelace", "C Babbage")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A Lovelace, C Babbage - Journal, 2021 - publisher.org", (TWO, "Journal", 2021)),
        ("A Lovelace, C Babbage… - Advances in neural …, 2017 - x.cc", ((*TWO, "et al."), None, 2017)),
        ("A Lovelace, C Babbage, G E… - Journal, 2021", ((*TWO, "et al."), "Journal", 2021)),
        ("JC Robinson, VG Saúco - 2010 - books.google.com", (("JC Robinson", "VG Saúco"), None, 2010)),
        ("A B - Physics - Uspekhi, 1999 - iop.org", (("A B",), "Physics - Uspekhi", 1999)),
        ("X Y\u00a0- Journal, 2020\u00a0- Springer", (("X Y",), "Journal", 2020)),
        ("A B-C - Conf 2020: Talks, 2020", (("A B-C",), "Conf 2020: Talks", 2020)),
        ("Nature, 2019 - nature.com", ((), "Nature", 2019)),
        ("2019 - nature.com", ((), None, 2019)),
        ("A Lovelace - Springer", (("A Lovelace",), None, None)),
        ("A Lovelace", (("A Lovelace",), None, None)),
        ("A Lovelace - repository.example.org", (("A Lovelace",), None, None)),
        ("A Lovelace - repository.example.org, 2020", (("A Lovelace",), None, 2020)),
        (None, ((), None, None)),
        (" - - - ", ((), None, None)),
    ],
)
def test_the_line_below_a_title(line: object, expected: object) -> None:
    """Each part may be missing; what an ellipsis cuts is not taken for a name."""
    assert read_summary(line) == expected


@pytest.mark.parametrize(
    ("link", "ids"),
    [
        ("https://arxiv.org/pdf/2104.12255v2.pdf", {"arxiv": "2104.12255"}),
        ("https://doi.org/10.1000/ABC", {"doi": "10.1000/abc"}),
        ("https://journals.example/doi/10.1000/182/extra", {}),
        ("https://pubmed.ncbi.nlm.nih.gov/31113943/", {"pmid": "31113943"}),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC6529476/", {"pmcid": "PMC6529476"}),
        ("https://shop.example/31113943/", {}),
        ("javascript:alert(1)", {}),
        ("https://[bad", {}),
    ],
)
def test_an_address_tells_an_identifier(link: str, ids: dict[str, str]) -> None:
    """Only where its form is sure: a wrong DOI would join different papers."""
    assert read_result({"title": "A title", "link": link}).ids == PaperIds.model_validate(ids)
