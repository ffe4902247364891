"""Papers beside repositories, with their links."""

from tests.integration.conftest import TOKEN, fresh_repositories
from tests.integration.papers.searches import CODE, ask, known_paper, open_search, statuses
from tests.support.loopback import LoopbackGitHub
from tests.support.paper_sources import LoopbackPapers, PaperFault


def test_repositories_and_papers_are_linked_by_what_their_texts_name() -> None:
    """A README that names an arXiv id, and an abstract that names a repository; each link has its evidence."""
    repositories = fresh_repositories()
    named = next(facts for facts in repositories if facts["full_name"] == "example-org/motion-kit")
    named["readme"] = "# motion-kit\n\nReact animation. It implements https://arxiv.org/abs/2101.00001v2.\n"
    papers = [
        known_paper(1, "React animation library in graphs"),
        known_paper(2, "React animation library study", abstract=f"{'Of React animation. ' * 60} Code: {CODE}."),
        known_paper(3, "React animation library for cats"),
    ]
    with (
        LoopbackGitHub(repositories, searches_a_minute=1000) as github,
        LoopbackPapers(papers) as server,
        open_search(server, GITHUB_API_URL=github.url, GITHUB_TOKEN=TOKEN) as runtime,
    ):
        answer = ask(runtime, "React animation library", kinds=["repositories", "papers"])
        assert {*answer.sections} == {"repositories", "papers"}
        found = {(link.repository, link.paper): link.evidence for link in answer.links}
        assert {*found} == {("example-org/motion-kit", f"doi:10.1000/cats.{number}") for number in (1, 2)}
        assert "README names" in found["example-org/motion-kit", "doi:10.1000/cats.1"]
        assert "abstract names github.com/" in found["example-org/motion-kit", "doi:10.1000/cats.2"]
        server.inject(PaperFault.status(503, times=None))
        without = ask(runtime, "React animation library", kinds=["repositories", "papers"])
    assert {*without.sections} == {"repositories"}
    assert statuses(without) == {}
    assert any(warning.startswith("No papers in this answer: ") for warning in without.warnings)
