"""Links between results of two kinds: each has its evidence, and only what is shown is linked."""

from types import SimpleNamespace

import pytest
from goldpan.engine import links
from goldpan.engine.links import find_links, named
from goldpan.engine.stage_values import KindResult, Named

LINK_FIELDS = {"repositories": "repository", "papers": "paper", "toys": ""}


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "get_kind", lambda name: SimpleNamespace(link_field=LINK_FIELDS[name]))


def result(kind: str, *entries: Named) -> KindResult:
    """Make what a kind contributes."""
    return KindResult(kind=kind, named=entries)


REPOSITORY = named("a/b", ["github:a/b"], {"arxiv:1706.03762": "its README names arXiv:1706.03762"})
PAPER = named("doi:10.1/x", ["doi:10.1/x", "arxiv:1706.03762"], {"github:a/b": "its abstract names github.com/a/b"})


def test_each_side_may_name_the_other() -> None:
    """One link a pair, with the evidence of both, whichever comes first; none to what is not shown."""
    both = find_links([result("repositories", REPOSITORY), result("papers", PAPER)])
    assert [(link.repository, link.paper) for link in both] == [("a/b", "doi:10.1/x")]
    assert both[0].evidence == "its README names arXiv:1706.03762; its abstract names github.com/a/b"
    twice = named("a/b", [], dict.fromkeys(PAPER.identities, "its README"))
    assert find_links([result("repositories", twice), result("papers", PAPER)])[0].evidence == "its README"
    alone = find_links([result("papers", PAPER), result("repositories", named("a/b", ["github:a/b"], {}))])
    assert [link.evidence for link in alone] == ["its abstract names github.com/a/b"]
    assert find_links([result("repositories", REPOSITORY), result("papers")]) == ()
    assert find_links([result("toys", REPOSITORY), result("papers", PAPER)]) == ()


def test_a_hostile_result_carries_little() -> None:
    """Long evidence is truncated, a long identity is none, and five of each are enough."""
    many = named("a/b", ["x" * 5000], {f"doi:10.1/{n}": "y" * 5000 for n in range(50)})
    assert many.identities == ()
    assert len(many.model_dump_json()) < 2000
