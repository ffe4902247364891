"""What the page says where no answer comes, and what to do about it, in a real browser."""

from datetime import UTC, datetime

from goldpan.engine.problem_details import PROBLEM_TYPE, problem
from goldpan.errors import Defect
from goldpan.known import Interpretation, Known, Preview, SourceStatus

from tests.e2e.page.conftest import Page
from tests.integration.serve.process import ServerProcess
from tests.support.loopback import LoopbackFault, LoopbackGitHub

QUESTION = "React animation library"
LOST = "The connection to the server was lost. Check that the server still runs, then try again."


def test_a_lost_server_is_reported(page: Page, github: LoopbackGitHub) -> None:
    """During a search, before one and before a comparison: with what to do; a search can be tried again."""
    github.inject(LoopbackFault.hang(times=None))
    with ServerProcess(GITHUB_API_URL=github.url, GITHUB_TOKEN="good-token") as server:
        page.url = server.url
        page.open()
        page.ask(QUESTION)
        page.tab.wait_for_selector("#stages li:has-text('Query translated')")
        server.process.kill()
        server.process.wait()
    shown = page.tab.locator("#problem p")
    for when in ("during a search", "before a search"):
        shown.wait_for()
        assert LOST in shown.inner_text(), when
        assert not page.tab.locator("#progress").is_visible()
        shown.get_by_role("button", name="Try again").click()
    page.show_options()
    page.show_options()
    page.type("example-org/motion-kit example-org/spring-ui", "#names")
    shown = page.tab.locator("#dialog .problem p")
    shown.wait_for()
    assert LOST in shown.inner_text()
    assert shown.get_by_role("button", name="Try again").count() == 0


def test_what_was_known_is_shown_when_a_search_fails_which_is_tried_again(page: Page) -> None:
    """What was understood, the sources and the first candidates, below the reason; one click sends the same request."""
    row = SourceStatus(kind="repositories", strategy="stars", source="github", status="ok", kept=30)
    read = Interpretation(id="term:react", kind="term", text="React", value="react")
    error, found = Defect("a stage failed"), {"repositories": (Preview(title="example-org/motion-kit"),)}
    error.known = Known(interpretation=(read,), sources=(row,), candidates=found)
    body = problem(error, datetime.now(UTC)).body
    page.tab.route("**/search", lambda route: route.fulfill(status=500, content_type=PROBLEM_TYPE, body=body))
    page.ask(QUESTION)
    page.tab.wait_for_selector("#problem p")
    assert "The log of the functions has the cause." in page.tab.inner_text("#problem")
    assert "React" in page.tab.inner_text("#understood")
    assert "1 of 1 queries answered" in page.tab.inner_text("#sources")
    assert "example-org/motion-kit" in page.tab.inner_text("#early-repositories")
    assert page.violations() == []
    page.tab.unroute("**/search")
    page.tab.get_by_role("button", name="Try again").click()
    page.tab.wait_for_selector("#results .tools")
    assert page.names()
    assert page.tab.inner_text("#problem") == ""


def test_a_wrong_value_in_closed_options_is_shown(page: Page) -> None:
    """The options open, and the browser marks the field; it would refuse the search without a word otherwise."""
    page.show_options()
    page.tab.fill("#count", "")
    page.search(QUESTION)  # an empty field has the usual number
    page.show_options()
    page.tab.fill("#count", "99")
    page.tab.click("#options-button")
    page.type(QUESTION)
    page.tab.wait_for_function("() => document.activeElement.id === 'count'")
    assert page.tab.locator("#count").is_visible()


def test_an_address_is_refused_in_the_words_of_the_server(page: Page) -> None:
    """A field has the name of the form too, and what is allowed; nothing is tried again; so is a large comparison."""
    page.open("/?q=React&kinds=repositories&max_results=99", "#problem p")
    shown = page.tab.inner_text("#problem")
    assert "“Results of each kind”, under “Options”, (max_results) must be at most 25" in shown
    assert "Try again" not in shown
    page.open("/?q=React&license=foo", "#problem:has-text('“License”, under “Options”, (filters.license) is unknown')")
    page.open("/?q=React&topics=a/b", "#problem:has-text('“Topics”, under “Options”, (filters.topics.0) must have')")
    wrong = "max_results=abc, min_stars=many, open_access=maybe, sort=x"
    page.open("/?q=React&kinds=repositories&kinds=foo&mode=x&where=y&" + wrong.replace(", ", "&"), "#problem p")
    for each in ("kinds=foo", "mode=x", "where=y", wrong):
        assert each in page.tab.inner_text("#problem")
    page.tab.press("#question", "Enter")
    page.tab.wait_for_selector("#results .tools")
    assert page.tab.inner_text("#problem") == ""
    page.type("React " * 100)
    page.tab.wait_for_selector("#problem:has-text('at most 500 characters')")
    page.open("/?" + "&".join(f"compare=a/b{number}" for number in range(5)))
    page.tab.wait_for_selector("#dialog [role=alert]")
    assert "at most 4" in page.tab.inner_text("#dialog [role=alert]")
