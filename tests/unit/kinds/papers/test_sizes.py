"""How papers are truncated to what a state carries: the counted size is the real one, and addresses of code stay."""

from __future__ import annotations

from goldpan.engine.payload import json_size
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sizes import with_size
from hypothesis import example, given
from hypothesis import strategies as st

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=2000)


@given(abstract=TEXTS, snippet=st.none() | TEXTS, most=st.integers(0, 3000))
@example(abstract='a "quoted", \\escaped\\: \x00\x7f 机器 \U0001d49c ' * 60, snippet="s: , " * 200, most=900)
def test_the_counted_size_is_the_size_of_the_truncated_paper(abstract: str, snippet: str | None, most: int) -> None:
    """Whatever characters were cut: a budget that is counted wrongly breaks the state machine's limit."""
    paper, size = with_size(Paper(source="test", title="A title", abstract=abstract, snippet=snippet), most)
    assert size == json_size(paper)
    assert abstract.startswith((paper.abstract or "").partition(" \u2026 ")[0])


def test_the_address_of_the_code_stays() -> None:
    """Abstracts often end with it, and it links a paper with its repository."""
    abstract = f"{'We measure. ' * 200} Code: https://github.com/an-owner/a-name."
    paper, size = with_size(Paper(source="test", title="A title", abstract=abstract), 900)
    assert (paper.abstract or "").endswith(" \u2026 https://github.com/an-owner/a-name")
    assert size <= 900
