"""One repository has one relevance and one set of scores for one question, whatever way it is asked for over HTTP."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.integration.serve.process import ServerProcess
from tests.support.loopback import LoopbackGitHub, LoopbackLLM, sample_repositories

QUESTIONS = (
    "React animation library, not lottie",
    "react animation with more than 1000 stars",
    "alternatives to example-org/spring-ui",
    "animation library for React like moment, MIT",
)
ONLY_KNOWN = "pmndrs/react-spring"
KNOWN = (
    {"full_name": "chenglou/react-motion", "description": "React animation by springs", "stars": 21_900},
    {"full_name": ONLY_KNOWN, "description": "Bring your components to life", "stars": 29_800},
)
"""Repositories that the embedded catalogue knows otherwise; a search of GitHub finds the first one only."""
REFUSED = "example-org/gesture-motion"
"""The repository that the language model does not judge."""
NAMES = ("example-org/motion-kit", REFUSED, *(each["full_name"] for each in KNOWN), "example-org/spring-ui")
WAYS = {
    "rules": ("good-token", "", QUESTIONS),
    "rules, no token": ("", "", QUESTIONS[:2]),
    "model": ("good-token", "own", QUESTIONS),
    "model, no token": ("", "own", QUESTIONS[:2]),
}
"""The token of GitHub, the language model, and what is asked: without a token GitHub allows few searches."""


def answer(body: dict[str, Any]) -> str:
    """Answer as a language model that judges by all that it is shown, the same always in the same way."""
    text = body["messages"][1]["content"]
    asked, digest = json.loads(text), zlib.crc32(text.encode()) % 30
    if "statements" in asked:
        return json.dumps({"summary": [{"text": "It fits.", "evidence": ["relevance"]}]})
    if "repository" not in asked:
        return json.dumps({"keywords": ["react", "animation", *["library"] * (digest % 2)]})
    if asked["repository"]["name"] == REFUSED:
        return "I would rather not."
    scores = {"documentation": 5 + digest / 10, "ease_of_use": 8 - digest / 10}
    return json.dumps({"relevance": 0.6 + digest / 100, **scores, "reasoning": f"By {digest}, it fits."})


@pytest.mark.parametrize(("token", "model", "questions"), WAYS.values(), ids=WAYS)
def test_a_search_a_comparison_and_an_analysis_agree(
    token: str, model: str, questions: tuple[str, ...], tmp_path: Path
) -> None:
    """Also for what only the catalogue finds, or is wanted to be like another, and where the model fails for one.

    Without a token a search does not look up what only the catalogue finds, and a comparison does.
    """
    known = [{**each, "pushed_at": "2026-08-01"} for each in KNOWN]
    with (
        LoopbackGitHub([*sample_repositories(), *known]) as github,
        LoopbackLLM(answer) as llm,
        ServerProcess(
            GITHUB_API_URL=github.url,
            GITHUB_TOKEN=token,
            OSV_URL="http://127.0.0.1:9",
            GOLDPAN_CACHE=str(tmp_path / "cache.sqlite"),
            **({"LLM_API_KEY": "good-key", "LLM_BASE_URL": llm.base_url, "LLM_MODEL": model} if model else {}),
        ) as server,
        server.client() as client,
    ):
        for question in questions:
            found = client.post("/search", json={"query": question, "max_results": 25}).json()["repositories"]
            shown = {each["repo"]: each for each in (*found["results"], *found["weaker"])}
            names = [name for name in NAMES if name in shown and (token or name != ONLY_KNOWN)]
            asked = {"repos": names[:4], "query": question}
            compared = client.post("/compare", json=asked).json()["repositories"]["results"]
            analyzed = [client.post("/analyze-repo", json={"repo": name, "query": question}).json() for name in names]
            expected = {name: figures(shown[name]) for name in names}
            assert expected | {each["repo"]: figures(each) for each in compared} == expected
            assert {each["repo"]: figures(each) for each in analyzed} == expected


def figures(row: dict[str, Any]) -> list[Any]:
    """Return what is the same in every answer."""
    return [row[field] for field in ("relevance", "basis", "reasoning", "scores", "radar_chart_data")]
