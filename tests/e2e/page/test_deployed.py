"""The page as CloudFront serves it in front of an API that sends no events, in a real browser."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from scripts.page.build import write
from scripts.page.deploy import upload
from tests.e2e.page.conftest import Page, opened, serving
from tests.support.loopback import LoopbackFault, LoopbackGitHub, Response
from tests.support.loopback.edge import LoopbackEdge
from tests.support.paper_sources import LoopbackPapers

KEY, BUCKET = "s3cr3t", "files-of-the-page"
FIRST = "example-org/motion-kit"


@pytest.fixture(scope="module")
def edge(github: LoopbackGitHub, scholars: LoopbackPapers, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Serve what S3 responds for the page in a bucket that has an older file, and a server that needs a key."""
    folder = tmp_path_factory.mktemp("site")
    write(folder)
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket=BUCKET)
        client.put_object(Bucket=BUCKET, Key="page/older.js", Body=b"")
        upload(folder, BUCKET)
        keys = [each["Key"] for each in client.list_objects_v2(Bucket=BUCKET)["Contents"]]
        got = {key: client.get_object(Bucket=BUCKET, Key=key) for key in keys}
        assert {each.get("CacheControl") for each in got.values()} == {"no-cache"}
        files = {
            key: Response(200, each["Body"].read(), {"content-type": each["ContentType"]}) for key, each in got.items()
        }
    folder = tmp_path_factory.mktemp("keyed")
    with serving(github, scholars, folder, GOLDPAN_API_KEYS=KEY) as server, LoopbackEdge(files, server.url) as made:
        yield made


@pytest.fixture
def page(browser: Any, edge: LoopbackEdge, github: LoopbackGitHub) -> Iterator[Page]:
    """Open a tab."""
    edge.requests.clear()
    with opened(browser, edge.url) as made:
        yield made
        edge.clear_faults()
        github.clear_faults()


def polls(edge: LoopbackEdge) -> int:
    """Count how often the page asked for the stages."""
    return sum(each.path.startswith("/search/") for each in edge.requests)


def enter_key(page: Page) -> None:
    """Type the key of the API, which is among the options."""
    page.show_options()
    page.tab.fill("#key", KEY)


def running(*stages: str) -> LoopbackFault:
    """Respond that these have finished, each a stage and a kind."""
    named = [dict(zip(("stage", "kind"), each.split(), strict=True)) for each in stages]
    body = {"status": "running", "stages": [{**each, "message": " ".join(each.values())} for each in named]}
    return LoopbackFault.status(202, body=body, contains="/search/")


def test_a_search_is_seen_to_its_end(page: Page, edge: LoopbackEdge, github: LoopbackGitHub) -> None:
    """The key is asked for before the first search, and only then; the stages pass as they finish.

    A key that no header can hold is refused as another wrong one.
    """
    github.inject(LoopbackFault("slow", lambda exchange: exchange.genuine()).after(2.5))
    page.ask("React animation library")
    assert page.tab.is_visible("#key:invalid")
    page.type("s3\N{EN DASH}cr3t", "#key")
    page.tab.wait_for_selector("#problem:has-text('Type the API key of this server')")
    assert not any(each.path.startswith("/search") for each in edge.requests)
    enter_key(page)
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_selector("#stages li")
    assert page.tab.inner_text("#stages") == "Query translated"
    page.tab.wait_for_selector("#results .tools")
    assert page.names()[0] == FIRST
    page.tab.reload()
    page.search("animation of molecules", papers=True)
    assert {each.headers.get("x-api-key") for each in edge.requests if each.path.startswith("/search")} == {KEY}
    assert not [each.text for each in edge.requests if KEY in each.text]


def test_a_lost_connection_ends_no_search(page: Page, edge: LoopbackEdge, github: LoopbackGitHub) -> None:
    """A reset, an error of something in between and a throttled request are followed by the answer, or the reason."""
    throttled = {"type": "urn:goldpan:problem:throttled", "title": "Too many requests"}
    edge.inject(
        LoopbackFault.reset(contains="/search/"),
        LoopbackFault.wrong_content_type(contains="/search/"),
        LoopbackFault.status(429, body=throttled, contains="/search/"),
    )
    enter_key(page)
    page.search("animation for React")
    assert FIRST in page.names()
    assert polls(edge) >= 4
    github.inject(LoopbackFault.status(401, times=None))
    page.ask("something else in React")
    assert "GITHUB_TOKEN" in page.tab.inner_text("#problem p")


def test_each_stage_is_shown_once_until_the_search_is_cancelled(page: Page, edge: LoopbackEdge) -> None:
    """Those of one kind come between those of another; after *Cancel* the page asks no more."""
    first, second, later = "translate repositories", "scout repositories", "translate papers"
    edge.inject(running(first, second), *[running(first, later, second)] * 60)
    enter_key(page)
    page.ask("graph layout in React", papers=True)
    page.tab.wait_for_function("() => document.querySelectorAll('#stages li').length === 3")
    shown = [each.split(" ")[0] for each in page.tab.inner_text("#stages").splitlines()]
    assert shown == ["translate", "scout", "translate"]
    page.tab.click("#cancel")
    assert page.tab.inner_text("#status").startswith("The search was cancelled.")
    before = polls(edge)
    page.tab.wait_for_timeout(1_500)
    assert polls(edge) == before


def test_what_the_api_lacks_is_not_offered(page: Page, edge: LoopbackEdge) -> None:
    """No project, no export by the server; the documents have no form, and the style that their own policy allows."""
    enter_key(page)
    assert not page.tab.is_visible("#where")
    page.search("graph animation", papers=True)
    assert page.tab.get_by_role("button", name="Save as").all_inner_texts() == ["JSON"]
    assert page.tab.get_by_role("button", name="Add to library").count() == 0
    page.tab.click("footer a")
    assert "POST /search" in page.tab.inner_text("h2 >> nth=0")
    assert page.tab.locator("form").count() == 0
    assert page.tab.evaluate("getComputedStyle(document.querySelector('pre')).overflowX") == "auto"
    assert not {"/page/start", "/page/export"} & {each.path for each in edge.requests}
