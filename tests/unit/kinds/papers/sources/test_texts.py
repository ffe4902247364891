"""Titles and abstracts become plain text of a bounded size, in every script."""

from __future__ import annotations

import json

import pytest
from goldpan.kinds.papers.sources.texts import bounded_abstract, plain_text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "<jats:title>Abstract</jats:title>\n <jats:p>One <jats:italic>E. coli</jats:italic>.</jats:p>",
            "One E. coli.",
        ),
        ("H<sub>2</sub>O &amp;lt; 5 &amp; more", "H2O < 5 & more"),
        ("The &lt;i&gt;Drosophila&lt;/i&gt; genome", "The Drosophila genome"),
        ("if a <b and c> d then p < 0.05", "if a <b and c> d then p < 0.05"),
        ("<jats:tex-math>$$x$$</jats:tex-math><mml:math><mml:mi>x</mml:mi></mml:math>", "x"),
        ("Abstract Interpretation:\u2028 a\x00 Model", "Abstract Interpretation: a Model"),
        ("面向图神经网络的综述", "面向图神经网络的综述"),
    ],
)
def test_markup_becomes_plain_text(markup: str, text: str) -> None:
    """Tags, entities and control characters go; mathematics and every script stay."""
    assert plain_text(markup) == text


def test_a_long_abstract_keeps_the_address_of_its_repository() -> None:
    """Truncation would lose "code is available at ...", by which papers and repositories are linked."""
    abstract = bounded_abstract("Abstract We study graphs. " * 200 + "Code: https://github.com/example-org/motion-kit.")
    assert abstract is not None
    assert abstract.startswith("We study graphs.")
    assert abstract.endswith("https://github.com/example-org/motion-kit")
    assert len(json.dumps(abstract, ensure_ascii=False).encode()) <= 1210
