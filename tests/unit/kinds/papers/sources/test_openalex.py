"""OpenAlex filters by what a question asks for, as far as it can."""

from __future__ import annotations

from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.openalex import OpenAlex

ABOUT_CATS = PaperQuery(concepts=(("cats",),))


def test_constraints_become_filters() -> None:
    """A venue has none; "conference" has none either, since OpenAlex has such papers as articles."""
    given = Constraints(
        year_from=2020, year_to=2024, types=("review", "article"), excluded_types=("book",), open_access=True
    )
    assert OpenAlex.write(ABOUT_CATS, given).params["filter"] == (
        "from_publication_date:2020-01-01,to_publication_date:2024-12-31,is_oa:true,type:review|article,type:!book"
    )
    limited = OpenAlex.write(
        ABOUT_CATS, Constraints(types=("conference",), venues=("Cats",), authors=("A. Cat", "B. Cat"))
    )
    assert limited.params["filter"] == "raw_author_name.search:a cat,raw_author_name.search:b cat"
