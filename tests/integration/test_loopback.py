"""The loopback GitHub and the loopback LLM behave as the documentation of their originals says."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime, timedelta
from itertools import islice
from threading import Barrier, Event
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.loopback import Fault, Limits, LLMFault, LoopbackGitHub, LoopbackLLM, Reply, sample_repositories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.enable_socket

NOW = datetime(2026, 8, 22, tzinfo=UTC)
TOKEN = {"authorization": "Bearer good-token"}
ROOMY = Limits(search_anonymous=1000)
PATIENT, IMPATIENT = 10.0, 0.3
SCORES = '{"scores": [{"id": 1, "overall": 7.5}]}'


@pytest.fixture
def github() -> Iterator[LoopbackGitHub]:
    """Serve the sample repositories with room for many searches."""
    with LoopbackGitHub(sample_repositories(), now=NOW, limits=ROOMY) as server:
        yield server


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always gives the same scores."""
    with LoopbackLLM(lambda _: SCORES) as server:
        yield server


def rest(github: LoopbackGitHub, q: str, timeout: float = PATIENT, **params: str | int) -> httpx2.Response:
    """Search over REST without a token."""
    url = f"{github.url}/search/repositories"
    return httpx2.get(url, params={"q": q, "per_page": 100, **params}, timeout=timeout)


def names(github: LoopbackGitHub, q: str, sort: str = "") -> list[str]:
    """List the names that a REST search finds."""
    return [item["name"] for item in rest(github, q, sort=sort).json()["items"]]


def graphql(github: LoopbackGitHub, query: str, **variables: object) -> httpx2.Response:
    """Ask GraphQL with the token."""
    body = {"query": query, "variables": variables}
    return httpx2.post(f"{github.url}/graphql", json=body, headers=TOKEN, timeout=PATIENT)


def data(github: LoopbackGitHub, query: str, **variables: object) -> Any:
    """Give the data of a GraphQL answer that must have no errors."""
    body = graphql(github, query, **variables).json()
    assert "errors" not in body
    return body["data"]


def at_once(number: int, ask: Callable[[], httpx2.Response], release: Event, *, refused: int) -> list[httpx2.Response]:
    """Ask several times at once, and let the admitted requests go on when the others are refused."""
    with ThreadPoolExecutor(number) as pool:
        asked = [pool.submit(ask) for _ in range(number)]
        list(islice(as_completed(asked, timeout=PATIENT), refused))
        release.set()
        return [future.result() for future in asked]


def chat(
    llm: LoopbackLLM,
    text: str = "Reply in json.",
    key: str = "good-key",
    timeout: float = PATIENT,
    **more: object,
) -> httpx2.Response:
    """Ask the model."""
    body = {"model": "loopback-1", "messages": [{"role": "user", "content": text}], **more}
    headers = {"authorization": f"Bearer {key}"}
    return httpx2.post(f"{llm.base_url}/chat/completions", json=body, headers=headers, timeout=timeout)


def said(llm: LoopbackLLM) -> Any:
    """Give the first choice of an answer."""
    return chat(llm).json()["choices"][0]


class TestSearch:
    """The query language for repositories."""

    def test_words_narrow(self, github: LoopbackGitHub) -> None:
        """Each further word leaves a subset."""
        fewer, more = names(github, "react animation lottie"), names(github, "react animation")
        assert fewer == ["react-lottie-player"]
        assert set(fewer) < set(more) < set(names(github, "animation"))

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("forest", {"PyForest"}),
            ("PYFOREST", {"PyForest"}),
            ("schema graphql", {"graphqlSchemaTools"}),
            ("anim", {"react-anim-lite"}),
            ("ai", set()),
            ('"animation library for React"', {"motion-kit", "spring-ui-next"}),
            ('"React library animation"', set()),
            ("动画", {"dongxiao"}),
            ("обучение", {"mashinnoe-obuchenie"}),
            ("c++", {"cpp-json", "linq-extra"}),
            ("lottie OR haskell", {"react-lottie-player", "ledger-cli-tools"}),
            ("rust web NOT framework NOT topic:rust", set()),
            ("react NOT animation NOT hooks", {"react-form-wizard"}),
        ],
    )
    def test_tokens(self, github: LoopbackGitHub, query: str, found: set[str]) -> None:
        """Whole tokens match in any script and any case, phrases only in their order."""
        assert set(names(github, f"{query} fork:true")) == found

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("react language:javascript stars:<=4100 stars:>310", ["react-page-transitions"]),
            ("stars:>=200000", ["everything-handbook"]),
            ("stars:3", ["small-hooks"]),
            ("stars:*..27", ["react-anim-lite", "small-hooks", "empty"]),
            ("stars:44000..*", ["everything-handbook", "gradient-lab", "awesome-animations"]),
            ("topic:vue", ["vue-motion-presets"]),
            ('language:"jupyter notebook"', ["ml-notebooks"]),
            ("language:csharp", ["dotnet.actors", "linq-extra"]),
            ("language:zig language:swift", ["swift-charts-extra", "zig-allocators"]),
            ("pushed:<2019-01-01", ["rust-web-legacy"]),
            ("pushed:2026-08-22..2026-08-22", ["everything-handbook"]),
            ("forks:>=20000", ["everything-handbook"]),
            ("animation archived:true", ["react-motion-classic"]),
            ("spring fork:only", ["spring-ui-next", "spring-ui"]),
            ("animation -language:typescript -topic:react -language:svelte archived:false stars:<1000",
             ["tiny-tween", "animation-notes"]),
            ("curated in:name", []),
            ("booster overall in:readme", ["score-booster"]),
            ("is:private", []),
            ("stars:many", []),
        ],
    )  # fmt: skip
    def test_qualifiers(self, github: LoopbackGitHub, query: str, found: list[str]) -> None:
        """Qualifiers filter by their property."""
        assert names(github, query, sort="stars") == found

    def test_license_qualifier(self, github: LoopbackGitHub) -> None:
        """A licence is asked for by its key."""
        licenses = {item["license"]["spdx_id"] for item in rest(github, "license:apache-2.0").json()["items"]}
        assert licenses == {"Apache-2.0"}

    def test_forks_stay_out_unless_asked(self, github: LoopbackGitHub) -> None:
        """Only `fork:true` shows forks beside their sources."""
        assert "spring-ui-next" not in names(github, "spring")
        assert {"spring-ui", "spring-ui-next"} <= set(names(github, "spring fork:true"))

    @pytest.mark.parametrize(("sort", "key"), [("stars", "stargazers_count"), ("updated", "updated_at")])
    def test_sorting(self, github: LoopbackGitHub, sort: str, key: str) -> None:
        """Results come in the order asked for, by the parameter or inside the query."""
        values = [item[key] for item in rest(github, "animation", sort=sort, order="asc").json()["items"]]
        assert values == sorted(values)
        assert names(github, f"animation sort:{sort}") == names(github, "animation", sort=sort)

    @pytest.mark.parametrize("query", ["x" * 257, "a OR b OR c OR d OR e OR f OR g"])
    def test_refused_queries(self, github: LoopbackGitHub, query: str) -> None:
        """A query too long or with too many operators is a validation error."""
        answer = rest(github, query)
        assert answer.status_code == 422
        assert answer.json()["message"] == "Validation Failed"
        assert answer.json()["errors"][0]["code"] == "invalid"

    @pytest.mark.parametrize("query", ["", "  "])
    def test_missing_query(self, github: LoopbackGitHub, query: str) -> None:
        """A search for nothing is a validation error."""
        assert rest(github, query).json()["errors"][0]["code"] == "missing"


class TestRest:
    """The REST endpoints."""

    def test_item_shape(self, github: LoopbackGitHub) -> None:
        """An item has REST's names, in which watchers are stars and issues include pull requests."""
        item = rest(github, "motion-kit").json()["items"][0]
        assert item["full_name"] == "example-org/motion-kit"
        assert item["owner"]["login"] == "example-org"
        assert item["watchers_count"] == item["stargazers_count"] == 31200
        assert item["open_issues_count"] == 31200 // 120 + 31200 // 600
        assert item["pushed_at"] == "2026-08-14T00:00:00Z"

    def test_pages(self, github: LoopbackGitHub) -> None:
        """Pages follow each other by their links, without gaps or repetitions."""
        seen: list[str] = []
        url: str | None = f"{github.url}/search/repositories?q=animation&per_page=5"
        while url:
            answer = httpx2.get(url)
            seen += [item["full_name"] for item in answer.json()["items"]]
            url = answer.links.get("next", {}).get("url")
        assert len(seen) == len(set(seen)) == answer.json()["total_count"] > 10
        assert set(answer.links) == {"prev", "first"}

    def test_only_a_thousand_results(self) -> None:
        """More than a thousand are counted, but not shown."""
        many = [{"full_name": f"example-org/clone-{number}"} for number in range(1100)]
        with LoopbackGitHub(many) as github:
            last = rest(github, "clone", page=10).json()
            assert (last["total_count"], len(last["items"])) == (1100, 100)
            assert rest(github, "clone", page=11).status_code == 422

    def test_headers_and_record(self, github: LoopbackGitHub) -> None:
        """Answers carry limit and id headers, and requests are remembered."""
        headers = rest(github, "rust web").headers
        assert headers["content-type"] == "application/json; charset=utf-8"
        assert headers["x-ratelimit-resource"] == "search"
        assert headers["x-github-request-id"]
        request = github.requests[-1]
        assert (request.method, request.path, request.status) == ("GET", "/search/repositories", 200)
        assert request.params["q"] == "rust web"
        assert "user-agent" in request.headers
        assert github.searches == 1

    def test_enterprise_paths(self, github: LoopbackGitHub) -> None:
        """An Enterprise server has the same under other paths."""
        found = httpx2.get(f"{github.url}/api/v3/search/repositories?q=motion-kit").json()
        assert found["total_count"] == 1
        assert "resources" in httpx2.get(f"{github.url}/api/v3/rate_limit").json()
        body = {"query": "{rateLimit{cost}}"}
        answer = httpx2.post(f"{github.url}/api/graphql", json=body, headers=TOKEN)
        assert answer.json()["data"]["rateLimit"]["cost"] == 1
        assert httpx2.get(f"{github.url}/nowhere").status_code == 404

    def test_bad_credentials(self, github: LoopbackGitHub) -> None:
        """A wrong token is refused on both, no token only by GraphQL."""
        wrong = {"authorization": "Bearer bad-token"}
        search, endpoint = f"{github.url}/search/repositories?q=x", f"{github.url}/graphql"
        assert httpx2.get(search, headers=wrong).json()["message"] == "Bad credentials"
        assert httpx2.post(endpoint, json={"query": "{a}"}, headers=wrong).status_code == 401
        anonymous = httpx2.post(endpoint, json={"query": "{a}"})
        assert anonymous.status_code == 401
        assert anonymous.json()["message"] == "This endpoint requires you to be authenticated."


class TestLimits:
    """The primary rate limits."""

    def test_search_limit(self) -> None:
        """The eleventh anonymous search in a minute is refused, with the time of the reset."""
        times = [NOW]
        with LoopbackGitHub(sample_repositories(), now=lambda: times[0]) as github:
            assert [rest(github, "rust").status_code for _ in range(11)] == [200] * 10 + [403]
            refused = rest(github, "rust")
            assert refused.headers["x-ratelimit-remaining"] == "0"
            assert int(refused.headers["x-ratelimit-reset"]) == NOW.timestamp() + 60
            assert "API rate limit exceeded" in refused.json()["message"]
            times.append(times.pop() + timedelta(seconds=60))
            assert rest(github, "rust").status_code == 200
            assert github.searches == 11

    def test_token_has_its_own_window(self) -> None:
        """A caller with the token has thirty searches, whatever others used."""
        with LoopbackGitHub(limits=Limits(search_anonymous=0)) as github:
            assert rest(github, "rust").status_code == 403
            url = f"{github.url}/search/repositories?q=rust"
            assert httpx2.get(url, headers=TOKEN).headers["x-ratelimit-remaining"] == "29"
            overview = httpx2.get(f"{github.url}/rate_limit", headers=TOKEN).json()["resources"]
            assert (overview["search"]["used"], overview["graphql"]["limit"]) == (1, 5000)

    def test_graphql_limit(self) -> None:
        """GraphQL reports its limit with HTTP 200."""
        with LoopbackGitHub(limits=Limits(graphql=1)) as github:
            assert data(github, "{rateLimit{remaining}}") == {"rateLimit": {"remaining": 0}}
            refused = graphql(github, "{rateLimit{remaining}}")
            assert refused.status_code == 200
            assert refused.headers["x-ratelimit-remaining"] == "0"
            assert refused.json()["errors"][0]["type"] == "RATE_LIMITED"

    def test_concurrency(self) -> None:
        """Too many requests at the same time are a secondary limit."""
        release = Event()
        with LoopbackGitHub(latency=lambda: release.wait(5) * 0.0, concurrency=2) as github:
            answers = at_once(4, lambda: rest(github, "rust"), release, refused=2)
        assert sorted(answer.status_code for answer in answers) == [200, 200, 403, 403]


class TestGraphQL:
    """The GraphQL endpoint."""

    def test_aliased_searches(self, github: LoopbackGitHub) -> None:
        """Several searches fit in one request, and each counts."""
        query = """query($first: Int!) {
          a: search(query: "rust web sort:stars", type: REPOSITORY, first: $first) {...page}
          b: search(query: "topic:vue", type: REPOSITORY, first: $first) {...page}
        }
        fragment page on SearchResultItemConnection {
          repositoryCount pageInfo {endCursor hasNextPage} nodes {... on Repository {name stargazerCount}}
        }"""
        found = data(github, query, first=1)
        assert found["a"]["nodes"] == [{"name": "ferrous-web", "stargazerCount": 19800}]
        assert found["a"]["repositoryCount"] > 1
        assert found["a"]["pageInfo"]["hasNextPage"]
        assert not found["b"]["pageInfo"]["hasNextPage"]
        assert github.searches == 2

    def test_pages(self, github: LoopbackGitHub) -> None:
        """Cursors lead through all results once."""
        query = """query($after: String) {
          search(query: "animation", type: REPOSITORY, first: 4, after: $after) {
            repositoryCount pageInfo {endCursor hasNextPage} edges {cursor node {... on Repository {name}}}
          }
        }"""
        seen: list[str] = []
        page: dict[str, Any] = {"pageInfo": {"hasNextPage": True, "endCursor": None}}
        while page["pageInfo"]["hasNextPage"]:
            page = data(github, query, after=page["pageInfo"]["endCursor"])["search"]
            seen += [edge["node"]["name"] for edge in page["edges"]]
        assert len(seen) == len(set(seen)) == page["repositoryCount"]

    def test_repository_fields(self, github: LoopbackGitHub) -> None:
        """A repository has all that an enrichment asks for."""
        query = """{repository(owner: "example-org", name: "MOTION-KIT") {
          nameWithOwner owner {login} primaryLanguage {name} isArchived licenseInfo {spdxId}
          repositoryTopics(first: 2) {nodes {topic {name}}} watchers {totalCount}
          mentionableUsers {totalCount} open: issues(states: OPEN) {totalCount} issues {totalCount}
          pullRequests(states: [MERGED]) {totalCount} latestRelease {tagName publishedAt}
          releases(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) {totalCount nodes {tagName}}
          defaultBranchRef {target {... on Commit {
            recent: history(since: "2026-05-22T00:00:00Z") {totalCount}
            none: history(since: "2026-08-21T00:00:00Z") {totalCount}}}}
          tree: object(expression: "HEAD:") {... on Tree {entries {name type}}}
        }}"""
        found = data(github, query)["repository"]
        assert found["nameWithOwner"] == "example-org/motion-kit"
        assert [node["topic"]["name"] for node in found["repositoryTopics"]["nodes"]] == [
            "react",
            "animation",
        ]
        assert (found["open"]["totalCount"], found["issues"]["totalCount"]) == (260, 260 + 1040)
        assert found["latestRelease"]["publishedAt"] == "2026-08-14T00:00:00Z"
        commits = found["defaultBranchRef"]["target"]
        assert commits["recent"]["totalCount"] > commits["none"]["totalCount"] == 0
        assert {"name": "README.md", "type": "blob"} in found["tree"]["entries"]

    def test_readme_only_by_its_exact_name(self, github: LoopbackGitHub) -> None:
        """A README of another name, or none, is null."""
        query = """query($name: String!, $file: String!) {repository(owner: "example-org", name: $name) {
          object(expression: $file) {__typename ... on Blob {text byteSize isTruncated isBinary}}}}"""
        huge = data(github, query, name="giant-readme", file="HEAD:README.md")["repository"]["object"]
        assert huge["byteSize"] > 290_000
        assert not huge["isTruncated"]
        for name, file in [("lower-case-readme", "README.rst"), ("no-readme", "README.md"), ("empty", "")]:
            assert data(github, query, name=name, file=f"HEAD:{file}")["repository"]["object"] is None

    def test_fork_and_its_parent(self, github: LoopbackGitHub) -> None:
        """A fork names its parent."""
        query = """{repository(owner: "example-fork", name: "spring-ui") {
          isFork parent {nameWithOwner stargazerCount}}}"""
        parent = {"nameWithOwner": "example-org/spring-ui", "stargazerCount": 27800}
        assert data(github, query)["repository"] == {"isFork": True, "parent": parent}

    def test_unknown_repository(self, github: LoopbackGitHub) -> None:
        """An unknown repository is null beside the others, with an error for its alias."""
        query = """{a: repository(owner: "a", name: "b") {name}
          c: repository(owner: "example-org", name: "untold") {name}}"""
        answer = graphql(github, query)
        assert answer.status_code == 200
        assert answer.json()["data"] == {"a": None, "c": {"name": "untold"}}
        [error] = answer.json()["errors"]
        assert (error["type"], error["path"]) == ("NOT_FOUND", ["a"])
        assert error["message"] == "Could not resolve to a Repository with the name 'a/b'."

    @pytest.mark.parametrize(
        ("query", "kind"),
        [
            (
                '{search(query: "x", type: REPOSITORY, first: 101) {nodes {__typename}}}',
                "EXCESSIVE_PAGINATION",
            ),
            ('{search(query: "x", type: REPOSITORY) {nodes {__typename}}}', "MISSING_PAGINATION_BOUNDARIES"),
            ("{repositry}", None),
            ("{", None),
        ],
    )
    def test_refused_queries(self, github: LoopbackGitHub, query: str, kind: str | None) -> None:
        """A query against the rules comes back as errors with HTTP 200."""
        answer = graphql(github, query)
        assert answer.status_code == 200
        assert answer.json()["errors"][0].get("type") == kind

    def test_body_without_query(self, github: LoopbackGitHub) -> None:
        """A body that is no GraphQL request is a 400."""
        assert httpx2.post(f"{github.url}/graphql", content=b"{", headers=TOKEN).status_code == 400
        assert httpx2.post(f"{github.url}/graphql", json={}, headers=TOKEN).status_code == 400


class TestGitHubFaults:
    """The faults of GitHub."""

    def test_queue(self, github: LoopbackGitHub) -> None:
        """Each request uses the first fault that is aimed at it."""
        github.inject(Fault.status(500, contains="vue"), Fault.status(502, where="rest", times=2))
        assert data(github, "{rateLimit{cost}}")
        codes = [rest(github, query).status_code for query in ("rust", "vue", "rust", "rust")]
        assert codes == [502, 500, 502, 200]
        github.inject(Fault.status(503, times=None))
        assert [rest(github, "rust").status_code for _ in range(3)] == [503] * 3
        github.clear_faults()
        assert rest(github, "rust").status_code == 200

    def test_secondary_limits(self, github: LoopbackGitHub) -> None:
        """A secondary limit says when to come back, or when the window ends, or nothing."""
        github.inject(
            Fault.secondary_limit(retry_after=7),
            Fault.secondary_limit(retry_after=None, reset_in=30),
            Fault.too_many_requests(retry_after=3),
            Fault.too_many_requests(),
        )
        first, second, third, fourth = (rest(github, "rust") for _ in range(4))
        assert (first.status_code, first.headers["retry-after"]) == (403, "7")
        assert first.headers["x-ratelimit-remaining"] != "0"
        assert "retry-after" not in second.headers
        assert 29 <= int(second.headers["x-ratelimit-reset"]) - NOW.timestamp() <= 32
        assert (third.status_code, third.headers["retry-after"]) == (429, "3")
        assert (fourth.status_code, "retry-after" in fourth.headers) == (429, False)

    def test_graphql_faults(self, github: LoopbackGitHub) -> None:
        """GraphQL has faults that REST requests do not use up."""
        github.inject(Fault.rate_limited_200(), Fault.graphql_timeout_502(), Fault.partial_data("b"))
        assert rest(github, "rust").status_code == 200
        query = '{a: rateLimit {cost} b: search(query: "vue", type: REPOSITORY) {repositoryCount}}'
        limited, late, partial = (graphql(github, query) for _ in range(3))
        assert limited.json()["errors"][0]["type"] == "RATE_LIMITED"
        assert limited.headers["x-ratelimit-remaining"] == "0"
        assert late.status_code == 502
        assert "timeout" in late.json()["errors"][0]["message"]
        assert partial.json()["data"] == {"a": {"cost": 1}, "b": None}
        assert partial.json()["errors"][0]["path"] == ["b"]

    def test_incomplete_results(self, github: LoopbackGitHub) -> None:
        """A search can say that it is not complete."""
        github.inject(Fault.incomplete_results())
        assert [rest(github, "rust").json()["incomplete_results"] for _ in range(2)] == [True, False]

    @pytest.mark.parametrize(
        ("fault", "error"),
        [
            (Fault.hang(), httpx2.ReadTimeout),
            (Fault.reset(), httpx2.ReadError),
            (Fault.truncated(), httpx2.RemoteProtocolError),
        ],
    )
    def test_broken_connections(self, github: LoopbackGitHub, fault: Fault, error: type[Exception]) -> None:
        """A connection that breaks is a transport error, and the next one is sound."""
        github.inject(fault)
        with pytest.raises(error):
            rest(github, "rust", timeout=IMPATIENT)
        assert github.requests[-1].status == (200 if fault.name == "truncated" else None)
        assert rest(github, "rust").status_code == 200

    def test_drip(self, github: LoopbackGitHub) -> None:
        """A dripping answer keeps each read short of its timeout, and takes for ever."""
        github.inject(Fault.drip(every=0.05))
        url, began = f"{github.url}/search/repositories?q=rust", time.monotonic()
        with httpx2.stream("GET", url, timeout=PATIENT) as answer:
            got = b"".join(islice(answer.iter_raw(), 4))
        assert time.monotonic() - began > 0.19
        assert b'{"to'.startswith(got[:4])
        assert int(answer.headers["content-length"]) > 1000

    def test_wrong_content(self, github: LoopbackGitHub) -> None:
        """An answer can be a page for people, or JSON that breaks off."""
        github.inject(Fault.wrong_content_type(), Fault.not_json())
        page, broken = rest(github, "rust"), rest(github, "rust")
        assert page.headers["content-type"].startswith("text/html")
        assert broken.headers["content-type"].startswith("application/json")
        with pytest.raises(json.JSONDecodeError):
            broken.json()

    def test_stop_ends_hanging_handlers(self) -> None:
        """The server stops at once although somebody still waits."""
        with httpx2.Client(timeout=10) as client, ThreadPoolExecutor(1) as pool:
            with LoopbackGitHub() as github:
                github.inject(Fault.hang())
                waiting = pool.submit(client.get, f"{github.url}/rate_limit")
                while not github.requests:
                    time.sleep(0.01)
                began = time.monotonic()
            assert time.monotonic() - began < 1
            assert isinstance(waiting.exception(), httpx2.TransportError)

    def test_crash_reaches_the_test(self) -> None:
        """A defect of the fake itself is raised at the end of the block."""
        with pytest.raises(ZeroDivisionError), LoopbackGitHub(latency=lambda: 1 / 0) as github:
            assert rest(github, "rust").status_code == 500


class TestLLM:
    """The language model."""

    def test_completion(self, llm: LoopbackLLM) -> None:
        """An answer is a chat completion with its bill."""
        body = chat(llm, response_format={"type": "json_object"}).json()
        assert (body["object"], body["model"]) == ("chat.completion", "loopback-1")
        assert body["choices"][0]["message"] == {"role": "assistant", "content": SCORES}
        assert body["choices"][0]["finish_reason"] == "stop"
        usage = body["usage"]
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 2
        assert llm.requests[-1].body["messages"][0]["content"] == "Reply in json."

    def test_replies(self) -> None:
        """The answer may depend on the request, and say its own bill."""
        with LoopbackLLM(lambda body: Reply(body["model"], "length", 11, 22)) as llm:
            body = chat(llm).json()
        assert body["choices"][0]["message"]["content"] == "loopback-1"
        assert body["choices"][0]["finish_reason"] == "length"
        assert body["usage"] == {"prompt_tokens": 11, "completion_tokens": 22, "total_tokens": 33}

    def test_default_answer(self) -> None:
        """Without a function the model answers an empty object."""
        with LoopbackLLM() as llm:
            assert said(llm)["message"]["content"] == "{}"

    @pytest.mark.parametrize(
        ("more", "status"),
        [
            ({"key": "bad-key"}, 401),
            ({"response_format": {"type": "json_schema", "json_schema": {}}}, 400),
            ({"response_format": {"type": "json_object"}, "text": "Reply."}, 400),
            ({"stream": True}, 400),
            ({"messages": []}, 400),
            ({"model": None}, 400),
        ],
    )
    def test_refusals(self, llm: LoopbackLLM, more: dict[str, Any], status: int) -> None:
        """A wrong key and requests that the API does not accept get OpenAI's error object."""
        answer = chat(llm, **more)
        assert answer.status_code == status
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}

    def test_limit_and_peak(self) -> None:
        """Requests over the limit of simultaneous ones get 429 with Retry-After."""
        release = Event()
        with LoopbackLLM(latency=lambda: release.wait(5) * 0.0, limit=2) as llm:
            answers = at_once(5, lambda: chat(llm), release, refused=3)
        assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429, 429]
        assert {a.headers.get("retry-after") for a in answers if a.status_code == 429} == {"1"}
        assert llm.in_flight_peak >= 3

    def test_peak(self) -> None:
        """The peak is the number of requests that waited for their answers together."""
        everybody = Barrier(4)
        with LoopbackLLM(latency=lambda: everybody.wait(5) * 0.0) as llm, ThreadPoolExecutor(4) as pool:
            assert {answer.status_code for answer in pool.map(lambda _: chat(llm), range(4))} == {200}
        assert llm.in_flight_peak == 4

    def test_polite_client_stays_under_the_limit(self) -> None:
        """Requests one after the other never count as simultaneous."""
        with LoopbackLLM(limit=1) as llm:
            assert {chat(llm).status_code for _ in range(20)} == {200}
            assert llm.in_flight_peak == 1


class TestLLMFaults:
    """The faults of the language model."""

    @pytest.mark.parametrize("code", [401, 402, 429, 500, 503])
    def test_statuses(self, llm: LoopbackLLM, code: int) -> None:
        """A status comes with OpenAI's error object."""
        llm.inject(LLMFault.status(code, {"Retry-After": "2"}))
        answer = chat(llm)
        assert (answer.status_code, answer.headers["retry-after"]) == (code, "2")
        assert answer.json()["error"]["message"]
        assert chat(llm).status_code == 200

    @pytest.mark.parametrize(
        ("fault", "content", "finish_reason"),
        [
            (LLMFault.blank(), "", "stop"),
            (LLMFault.null_content(), None, "stop"),
            (LLMFault.fenced(), f"```json\n{SCORES}\n```", "stop"),
            (LLMFault.array(), f"[{SCORES}]", "stop"),
            (LLMFault.truncated(), SCORES[: len(SCORES) // 2], "length"),
        ],
    )
    def test_contents(self, llm: LoopbackLLM, fault: LLMFault, content: str, finish_reason: str) -> None:
        """The model's text can be spoilt in the ways that models have."""
        llm.inject(fault)
        choice = said(llm)
        assert (choice["message"]["content"], choice["finish_reason"]) == (content, finish_reason)

    def test_prose(self, llm: LoopbackLLM) -> None:
        """The model can chat instead of answering in JSON."""
        llm.inject(LLMFault.not_json(contains="json"))
        with pytest.raises(json.JSONDecodeError):
            json.loads(said(llm)["message"]["content"])

    def test_wrong_content_type(self, llm: LoopbackLLM) -> None:
        """A proxy can answer with a page."""
        llm.inject(LLMFault.wrong_content_type())
        assert chat(llm).headers["content-type"].startswith("text/html")

    @pytest.mark.parametrize(
        ("fault", "error"), [(LLMFault.hang(), httpx2.ReadTimeout), (LLMFault.reset(), httpx2.ReadError)]
    )
    def test_broken_connections(self, llm: LoopbackLLM, fault: LLMFault, error: type[Exception]) -> None:
        """A model can hang, or hang up."""
        llm.inject(fault)
        with pytest.raises(error):
            chat(llm, timeout=IMPATIENT)

    def test_keep_alive_for_ever(self, llm: LoopbackLLM) -> None:
        """Blank lines defeat a read timeout, so that only a deadline of the whole helps."""
        llm.inject(LLMFault.keep_alive(every=0.05))
        body = {"model": "loopback-1", "messages": [{"role": "user", "content": "json"}]}
        headers, url = {"authorization": "Bearer good-key"}, f"{llm.base_url}/chat/completions"
        began, got = time.monotonic(), b""
        with httpx2.stream("POST", url, json=body, headers=headers, timeout=IMPATIENT) as answer:
            for piece in answer.iter_raw():
                got += piece
                if time.monotonic() - began > 2 * IMPATIENT:
                    break
        assert answer.status_code == 200
        assert set(got) == {ord("\n")}

    def test_keep_alive_before_the_answer(self, llm: LoopbackLLM) -> None:
        """Blank lines before the true answer leave it readable."""
        llm.inject(LLMFault.keep_alive(every=0.01, lines=3))
        answer = chat(llm)
        assert answer.text.startswith("\n\n\n{")
        assert answer.json()["choices"][0]["message"]["content"] == SCORES
