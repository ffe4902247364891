"""One repository has one relevance and one set of scores for one question, whatever way it is asked for over HTTP."""

from collections.abc import Iterator

import pytest

from tests.integration.serve.process import ServerProcess
from tests.support.loopback import LoopbackGitHub, sample_repositories

pytestmark = pytest.mark.enable_socket
QUESTIONS = (
    "React animation library, not lottie",
    "react animation with more than 1000 stars",
    "alternatives to example-org/spring-ui",
    "animation library for React like moment, MIT",
)


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """Serve the sample repositories of GitHub."""
    with (
        LoopbackGitHub(sample_repositories()) as github,
        ServerProcess(GITHUB_API_URL=github.url, GITHUB_TOKEN="good-token", OSV_URL="http://127.0.0.1:9") as started,
    ):
        yield started


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_search_a_comparison_and_an_analysis_agree(server: ServerProcess, question: str) -> None:
    """Also where the question wants something like a repository: its facts count in all three."""
    with server.client() as client:
        found = client.post("/search", json={"query": question}).json()["repositories"]["results"][:3]
        names = [each["repo"] for each in found]
        compared = client.post("/compare", json={"repos": names, "query": question}).json()["repositories"]["results"]
        analyzed = [client.post("/analyze-repo", json={"repo": name, "query": question}).json() for name in names]
    expected = {each["repo"]: (each["relevance"], each["scores"]) for each in found}
    assert len(expected) >= 2
    assert {each["repo"]: (each["relevance"], each["scores"]) for each in compared} == expected
    assert {each["repo"]: (each["relevance"], each["scores"]) for each in analyzed} == expected
