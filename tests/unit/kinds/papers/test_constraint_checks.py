"""What a question requires of a paper: what drops it, what stays unverified, and what is only mentioned."""

import pytest
from goldpan.kinds.papers.constraint_checks import check
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper

YEARS = {"year_from": 2018, "year_to": 2020}
REVIEW, NO_REVIEW = {"types": ("review",)}, {"excluded_types": ("review",)}
ACL = "Annual Meeting of the Association for Computational Linguistics"
NEURAL = "Advances in Neural Information Processing Systems 33"


@pytest.mark.parametrize(
    ("asked", "facts", "expected"),
    [
        ({}, {}, None),
        (YEARS, {"year": 2018}, None),
        (YEARS, {"year": 2021}, "year"),
        (YEARS, {"year": 2017}, "year"),
        (YEARS, {}, "?year"),
        ({"venues": ("NeurIPS",)}, {"venue": NEURAL}, None),
        ({"venues": ("Association for Computational Linguistics",)}, {"venue": "ACL"}, None),
        ({"venues": ("ICML", "ACL")}, {"venue": ACL}, None),
        ({"venues": ("Physical Review Letters",)}, {"venue": "Phys. Rev. Lett."}, None),
        ({"venues": ("Physical Review",)}, {"venue": "The European Physical Review"}, None),
        ({"venues": ("Data Mining",)}, {"venue": "Mining of Large Data"}, "venue"),
        ({"venues": ("Nature",)}, {"venue": "Nature"}, None),
        ({"venues": ("Nature",)}, {"venue": "Nature Medicine"}, "venue"),
        ({"venues": ("ICML",)}, {"venue": "ICLR"}, "venue"),
        ({"venues": ("Science",)}, {"venue": "Science (New York, N.Y.)"}, None),
        ({"venues": ("Genetics in medicine",)}, {"venue": "Genet Med : journal of the college"}, None),
        ({"venues": ("The Lancet",)}, {"venue": "The Lancet. Oncology"}, "venue"),
        ({"venues": ("ICML",)}, {"venue": "arXiv (Cornell University)"}, "?venue"),
        ({"venues": ("ICML",)}, {}, "?venue"),
        ({"authors": ("Yoshua Bengio",)}, {"authors": ("LeCun, Yann", "Bengio, Y.")}, None),
        ({"authors": ("Jürgen Müller",)}, {"authors": ("J. Muller",)}, None),
        ({"authors": ("Yoshua Bengio",)}, {"authors": ("Samy Bengio",)}, "author"),
        ({"authors": ("Yoshua Bengio", "Yann LeCun")}, {"authors": ("Yoshua Bengio",)}, "author"),
        ({"authors": ("Yoshua Bengio",)}, {}, "?author"),
        ({"authors": ("Yoshua Bengio",)}, {"authors": ("A. Lovelace", "et al.")}, "?author"),
        ({"authors": ("Ludwig van Beethoven",)}, {"authors": ("L. Beethoven",)}, None),
        ({"authors": ("Y. Bengio",)}, {"authors": ("Yoshua Bengio",)}, None),
        ({"authors": ("García Márquez", "G. Garcia-Marquez")}, {"authors": ("García Márquez, Gabriel",)}, None),
        ({"authors": ("van der Maaten", "L. Maaten")}, {"authors": ("Laurens van der Maaten",)}, None),
        ({"authors": ("Martin Luther King, Jr.", "A. Turing")}, {"authors": ("King, Jr., M.", "AM Turing")}, None),
        ({"authors": ("Martin Luther King Jr.", "Alan Turing")}, {"authors": ("M. King", "Turing AM")}, None),
        ({"authors": ("Wei Wang",)}, {"authors": ("Wang Lei", "Wang, Lei", "Wei", "Di Wang")}, "author"),
        ({"authors": ("di wang",)}, {"authors": ("Lei Wang", "Wang, Lei")}, "author"),
        ({"authors": ("Robert John Smith",)}, {"authors": ("John Smith", "Alan Robert John")}, "author"),
        ({"venues": ("Phys. Rev. Lett.",)}, {"venue": "Physical Review Letters"}, None),
        ({"venues": ("AI",)}, {"venue": "Annals of Immunology"}, "venue"),
        ({"venues": ("A" * 40 + "B",)}, {"venue": "aaaaaaaa " * 20}, "venue"),  # at once
        ({"venues": ("NeuralIPS",)}, {"venue": "Neural Information Processing Systems"}, None),
        ({"excluded_years": (2019,)}, {"year": 2019}, "year"),
        ({"types": ("book",)}, {"type": "book", "title": "A survey of sorting"}, None),
        (REVIEW, {"type": "review"}, None),
        (REVIEW, {"type": "article", "title": "A survey of sorting"}, None),
        (REVIEW, {"type": "article", "abstract": "We survey how lists are sorted."}, None),
        (REVIEW, {"type": "article", "abstract": "We sort lists."}, "type"),
        (REVIEW, {"type": "article"}, "?type"),
        (REVIEW, {}, "?type"),
        (NO_REVIEW, {"type": "article", "title": "A survey of sorting"}, "type"),
        (NO_REVIEW, {"type": "article"}, None),
        (NO_REVIEW, {}, "?type"),
        (NO_REVIEW, {"type": "other"}, "?type"),
        (REVIEW, {"type": "article", "abstract": f"{'word ' * 58}we survey"}, None),
        (REVIEW, {"type": "article", "abstract": f"{'word ' * 59}we survey"}, "type"),
        ({"types": ("article",)}, {"type": "preprint"}, "type"),
        ({"open_access": True}, {"open_access": False}, "open access"),
        ({"open_access": True}, {"ids": {"arxiv": "2104.12255"}}, None),
        ({"open_access": True}, {}, "?open access"),
        ({"open_access": False}, {"open_access": True}, "open access"),
        ({"excluded_authors": ("Yoshua Bengio",)}, {"authors": ("A. Lovelace", "Bengio, Y.")}, "author"),
        ({"excluded_venues": ("NeurIPS",)}, {"venue": "NIPS"}, "venue"),
        ({"excluded_venues": ("arXiv",)}, {"venue": "arXiv (Cornell University)"}, "venue"),
        ({"excluded_venues": ("arXiv",)}, {"ids": {"arxiv": "2101.00001"}}, "venue"),
        ({"venues": ("arXiv",)}, {"ids": {"arxiv": "2101.00001"}}, None),
        ({"venues": ("KSEM",)}, {"venue": "Conference on Science (KSEM 2020)"}, None),
        ({"excluded_terms": ("medical",)}, {"title": "Medical images"}, "not medical"),
        ({"excluded_terms": ("medical",)}, {"title": "Non-medical images"}, None),
        ({"excluded_terms": ("medical",)}, {"venue": "Medical Physics"}, "not medical"),
        ({"excluded_terms": ("medical", "satellite")}, {"abstract": "Such as medical ones."}, "~medical"),
        ({"excluded_terms": ("medical",)}, {"snippet": "Such as medical ones."}, "~medical"),
        ({"excluded_terms": ("AI",)}, {"title": "A chain of images"}, None),
        ({"excluded_terms": ("retracted",)}, {"retracted": True}, "not retracted"),
        ({"excluded_terms": ("retracted",)}, {"notices": ("Retraction: MED:444",)}, "not retracted"),
    ],
)
def test_a_constraint(asked: dict[str, object], facts: dict[str, object], expected: str | None) -> None:
    """A known fact that breaks it drops the paper by its rule; an unknown one is unverified (?); (~) is a mention."""
    paper = Paper.model_validate({"source": "test", "title": "Sorting", **facts})
    found = check(paper, Constraints.model_validate(asked))
    said = [f"{sign}{rule}" for sign, rules in zip(("", "?", "~"), found, strict=True) for rule in rules]
    assert said == ([expected] if expected else [])
