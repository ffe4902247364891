"""Crossref filters by what a question asks for, as far as it can."""

from __future__ import annotations

from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.crossref import Crossref


def test_constraints_become_parameters_and_filters() -> None:
    """Names are fields of the query, and types are alternatives."""
    given = Constraints(
        year_from=2020,
        year_to=2024,
        types=("conference", "thesis"),
        authors=("Ada Cat",),
        venues=("Journal: of Cats",),
        open_access=True,
    )
    asked = Crossref.write(PaperQuery(concepts=(("cats",),)), given)
    assert asked.params == {
        "query.bibliographic": "cats",
        "query.author": "ada cat",
        "query.container-title": "journal of cats",
        "filter": "from-pub-date:2020,until-pub-date:2024,type:proceedings-article,type:dissertation",
    }
