"""The papers that a repository names."""

from __future__ import annotations

from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.scoring_tasks import named_papers


def test_papers_are_found_in_all_its_texts() -> None:
    """Each once, with the place that names it first."""
    repository = Repository(
        full_name="a/b",
        homepage="https://arxiv.org/abs/1706.03762",
        readme="Cite arXiv:1706.03762 and https://doi.org/10.1145/3292500.3330701.",
    )
    assert named_papers(repository) == {
        "arxiv:1706.03762": "its homepage names arxiv.org/abs/1706.03762",
        "doi:10.1145/3292500.3330701": "its README names 10.1145/3292500.3330701",
    }
    assert named_papers(Repository(full_name="a/b")) == {}
