"""What people do on the page, in a real browser."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.page.conftest import LONG, Page
from tests.support.loopback import LoopbackFault, LoopbackGitHub
from tests.support.paper_sources import LoopbackPapers

QUESTION = "React animation library"
FIRST = "example-org/motion-kit"


def test_a_search_is_seen_to_its_end(page: Page) -> None:
    """The stages come one by one; then the results with their reasons, scores, sources, and what was understood."""
    page.search(QUESTION)
    assert page.names()[0] == FIRST
    assert page.tab.inner_text("#status") == f"Found {len(page.names())} repositories."
    first = page.tab.locator(".card").first
    assert "Why: Matches" in first.inner_text()
    assert "maturity" in (first.locator("svg").get_attribute("aria-label") or "")
    assert "React" in page.tab.inner_text("#understood")
    assert "github" in page.tab.text_content("#sources table")
    assert page.tab.title() == f"{QUESTION} \N{EN DASH} goldpan"


def test_early_results_show_before_their_order_is_known(page: Page) -> None:
    """What is shortlisted is listed while papers are still searched."""
    page.tab.evaluate("""() => {
        window.early = [];
        new MutationObserver(() => document.querySelectorAll('.early h3').forEach(
            (title) => window.early.push(title.textContent))).observe(document.body, {childList: true, subtree: true});
    }""")
    page.search(QUESTION, papers=True)
    assert FIRST in page.tab.evaluate("window.early")
    assert page.tab.locator(".early").count() == 0


def test_a_failed_source_is_visible(page: Page, scholars: LoopbackPapers) -> None:
    """The answer says that it is incomplete, above the results too, and the row of the source says why."""
    scholars.inject(LoopbackFault.status(500, contains="/crossref/", times=None))
    page.search("graph neural networks for crystals", papers=True)
    assert "The answer is incomplete: crossref failed." in page.tab.inner_text("#results .notices")
    answered, queries = re.findall(r"\d+", page.tab.inner_text("#sources summary"))
    assert int(answered) == int(queries) - 1
    assert page.tab.locator("#sources [role=alert]").count() == 0  # shown once
    assert "unavailable" in page.tab.locator("#sources tr.failed").first.inner_text()


def test_hostile_text_is_shown_as_text(page: Page) -> None:
    """Neither a question nor a record becomes markup or script, and no other address is asked."""
    hostile = "<img src=x onerror=\"document.title='taken'\"> animation"
    page.search(hostile)
    assert page.tab.locator("main img").count() == 0
    assert page.tab.title().startswith("<img")
    page.search("score booster\u2028animation")  # in JSON as it is, where it ends no line
    assert page.tab.locator("#results script, #results iframe, #results img").count() == 0
    page.tab.fill("#question", "مكتبة React")  # is read from right to left
    assert page.tab.evaluate("getComputedStyle(document.getElementById('question')).direction") == "rtl"


@pytest.mark.parametrize("leave", ["cancel", "another page"])
def test_leaving_a_search_ends_its_calls(
    page: Page, github: LoopbackGitHub, scholars: LoopbackPapers, leave: str
) -> None:
    """The server closes its connections to all sources long before they time out, and makes no further call."""
    sources = (github, scholars)
    for source in sources:
        source.inject(LoopbackFault.hang(times=None))
    page.ask(f"something slow in React for {leave}", papers=True)
    wait_until(lambda: all(source.in_flight for source in sources))
    if leave == "cancel":
        page.tab.click("#cancel")
        page.tab.wait_for_selector("text=The search was cancelled. Search again")
        assert page.tab.evaluate("document.activeElement.id") == "question"
    else:
        page.tab.goto("about:blank")
    wait_until(lambda: not any(source.in_flight for source in sources))
    asked = [len(source.requests) for source in sources]
    for source in sources:
        source.clear_faults()
    page.open()
    page.search(QUESTION)  # the page can search again, and only this search calls
    called = [each.text for source, before in zip(sources, asked, strict=True) for each in source.requests[before:]]
    assert called
    assert not [text for text in called if "slow" in text]


def wait_until(happened: Callable[[], bool]) -> None:
    """Wait for what happens upstream: less than the six seconds that a source has."""
    end = time.monotonic() + 3
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def test_what_was_understood_can_be_taken_away_or_changed(page: Page) -> None:
    """A chip taken away is ignored from then on, one edited changes the question; the focus stays there."""
    page.search("React animation library, MIT")
    page.tab.get_by_role("button", name="Do not apply “MIT”").click()
    page.tab.wait_for_selector("text=Apply all again")
    page.tab.wait_for_function("() => document.activeElement.id === 'understood'")
    assert "MIT" not in page.tab.locator(".chips").inner_text()
    page.tab.get_by_role("button", name="Apply all again").click()
    page.tab.wait_for_selector(".chip.constraint")
    page.tab.locator(".chip.constraint .edit", has_text="MIT").click()
    page.tab.keyboard.press("Escape")
    assert page.tab.evaluate("document.activeElement.textContent") == "wants MIT"
    page.tab.keyboard.press("Enter")
    page.tab.locator(".chip input").fill("Apache-2.0")
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_selector(".chip:has-text('Apache')")
    assert page.tab.input_value("#question") == "React animation library, Apache-2.0"
    page.tab.get_by_role("button", name="Do not apply “Apache-2.0”").click()
    page.tab.wait_for_selector("text=Apply all again")
    page.tab.locator(".chip .edit", has_text="animation").click()
    page.tab.locator(".chip input").fill("motion")
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_selector(".chip:has-text('motion')")
    assert "Apache" not in page.tab.locator(".chips").inner_text()
    made = "import('/page/understood.js').then((made) => made.rewritten(['c++ mongodb in go', 'ongoing'], 'go', 'C'))"
    assert page.tab.evaluate(made) == ["c++ mongodb in C", "ongoing"]  # not within words


def test_wishes_continue_a_search(page: Page) -> None:
    """Each is sent with those before it and the strategies of the last answer, and is a chip, as in the address.

    They hold for other kinds and options, but not for another question.
    """
    page.search(QUESTION)
    wishes = ["only MIT", "not motion-kit"]
    for place, wish in enumerate(wishes):
        page.tab.fill("#wish", wish)
        with page.tab.expect_request("**/search") as asked:
            page.tab.click("text=Refine")
        page.tab.wait_for_selector(f".chip.wish >> nth={place}")
        page.tab.wait_for_selector("#results .tools")
        body = json.loads(asked.value.post_data)
        assert (body["query"], body["feedback"]) == (QUESTION, wishes[: place + 1])
        assert len(body["previous_strategies"]) == place + 1
    assert FIRST not in page.names()
    assert page.tab.url.endswith("&feedback=only+MIT&feedback=not+motion-kit")
    page.tab.locator(".chip.wish .remove").last.click()
    page.tab.wait_for_selector(f"[data-id='{FIRST}']")
    assert page.tab.locator(".chip.wish .edit").all_inner_texts() == ["wish only MIT"]
    for question, held in ((QUESTION, {"feedback", "ignore"}), ("animation", set())):
        page.search(question, papers=True)
        assert page.parameters().keys() & {"feedback", "ignore"} == held


def test_a_repository_is_looked_at_closely(page: Page) -> None:
    """As its card says, whatever the analysis does; statements with their evidence; what failed is named."""

    def otherwise(route: Any) -> None:
        response = route.fetch()
        changed = response.json() | {"relevance": 0.01, "reasoning": "Judged otherwise.", "scores": {}}
        route.fulfill(response=response, json=changed)

    page.tab.route("**/analyze-repo", otherwise)
    page.search(QUESTION)
    card = page.tab.locator(".card").first
    fit, why = card.locator("meter").first.get_attribute("aria-label"), card.locator(".why").first.inner_text()
    card.get_by_role("button", name="Look closer").click()
    page.tab.wait_for_selector("#dialog svg")
    assert page.tab.evaluate("document.activeElement.closest('#dialog') !== null")
    text = page.tab.inner_text("#dialog")
    assert f"Fits the question: {fit.removeprefix('relevance ')}. {why.removeprefix('Why: ')}" in text
    assert "Relevance" not in text, "not that of the analysis, either"
    assert re.search(r"maturity: [\d.]+ of 10", text, re.IGNORECASE)
    assert "osv" in text
    evidence = page.tab.locator("#dialog a", has_text="evidence").first.get_attribute("href") or ""
    assert evidence.startswith(f"https://github.com/{FIRST}")
    page.tab.keyboard.press("Escape")
    assert page.tab.evaluate("document.activeElement.textContent") == "Look closer"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(page: Page, scholars: LoopbackPapers, scheme: str) -> None:
    """Axe finds nothing: on the empty page, while a search runs, with all results, details and a comparison open."""
    page.tab.emulate_media(color_scheme=scheme)
    page.show_options()
    assert page.violations() == []
    page.search("graph neural networks for molecules", papers=True)
    assert page.violations() == []
    scholars.inject(LoopbackFault.hang(times=None))
    page.ask(f"{QUESTION} while it runs", papers=True)
    page.tab.wait_for_selector(".early")
    assert page.violations() == []
    page.search(QUESTION)
    page.tab.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true })")
    assert page.violations() == []
    page.compare(2)
    page.tab.wait_for_selector("#dialog svg")
    page.tab.click("#dialog details summary")
    assert page.violations() == []


def test_the_keyboard_is_enough(page: Page) -> None:
    """The question has the focus at first; a link at the top leads to the results, without a search; space checks.

    The results have the focus where the button that had it is hidden.
    """
    has_focus = "() => document.activeElement.id === 'results'"
    page.tab.set_viewport_size({"width": 640, "height": 450})  # where *Cancel* takes the place of *Search*
    page.tab.keyboard.type(QUESTION)
    page.tab.press("#go", "Enter")
    page.tab.wait_for_function(has_focus)
    page.tab.locator(".card").first.evaluate("card => { window.card = card }")
    page.tab.locator(".skip").focus()
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_url("**#results")
    page.tab.wait_for_timeout(300)
    assert page.tab.evaluate("window.card.isConnected")
    for _ in range(60):
        page.tab.keyboard.press("Tab")
        if page.tab.evaluate("document.activeElement.matches('.actions [type=checkbox]')"):
            break
    page.tab.keyboard.press("Space")
    assert page.tab.inner_text("#tray").startswith(page.names()[0])
    page.tab.press("#tray button:has-text('Clear')", "Enter")
    page.tab.wait_for_function(has_focus)


def test_a_phone_shows_everything_without_scrolling_sideways(page: Page) -> None:
    """The width of the content is that of the screen."""
    page.tab.set_viewport_size({"width": 360, "height": 740})
    assert page.tab.evaluate("document.documentElement.scrollWidth <= 360")  # with long examples
    page.show_options()
    page.tab.fill("#count", "2")
    page.search("animation graph neural networks", papers=True)
    assert page.tab.evaluate("document.documentElement.scrollWidth <= 360")
    assert not page.tab.locator(".facets fieldset").first.is_visible()  # the results begin on the first screens
    page.tab.locator(".facets summary").first.click()
    assert page.tab.locator(".facets fieldset").first.is_visible()
    papers = page.tab.locator("section.kind", has_text="Papers:")
    assert not papers.is_visible()  # nor do they stand below all repositories
    page.tab.get_by_role("button", name="Papers").click()
    assert papers.is_visible()
    shown = papers.locator(".card").count()
    page.tab.click("#more")
    papers.locator(".card:focus").wait_for()
    assert papers.locator(".card").count() > shown


@pytest.mark.parametrize(("width", "height", "first"), [(1280, 800, 3), (1920, 1000, 3), (768, 1024, 3), (390, 844, 1)])
def test_the_first_results_stand_on_the_first_screen(page: Page, width: int, height: int, first: int) -> None:
    """Three of them whole on a laptop, one on a phone; the form has become one line."""
    page.tab.set_viewport_size({"width": width, "height": height})
    page.search("animation")
    box = page.tab.locator(".cards .card").nth(first - 1).bounding_box()
    assert box
    assert box["y"] + box["height"] <= height


def test_the_start_offers_examples_and_what_was_asked(page: Page) -> None:
    """Each is a click; a browser keeps what was asked, and forgets it on demand; one that keeps nothing works, too."""
    page.search(QUESTION)
    page.open()
    page.tab.click(f"#start button:has-text('{QUESTION}')")
    page.tab.wait_for_selector("#results .tools")
    assert (page.names()[0], page.tab.input_value("#question")) == (FIRST, QUESTION)
    page.open()
    page.tab.click("text=Forget these")
    assert QUESTION not in page.tab.inner_text("#start")
    assert page.tab.locator("#start li").count() > 1
    page.tab.add_init_script("""for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError") } })""")
    page.open()
    page.search(QUESTION)


def test_a_very_long_name_is_cut_off_nowhere(page: Page) -> None:
    """Neither on its card nor in the bar, a comparison, an analysis or a problem; only tables scroll."""
    page.tab.set_viewport_size({"width": 360, "height": 740})
    page.search("zeppelin")
    assert page.names() == [LONG]
    page.tab.locator(".actions input").check()
    assert (fits(page, "#tray"), fits(page, "#results")) == (True, True)
    page.tab.get_by_role("button", name="Look closer").click()
    page.tab.wait_for_selector("#dialog svg")
    assert fits(page, "#dialog")
    page.open(f"/?compare={LONG}&compare={FIRST}", "#dialog svg")
    assert fits(page, "#dialog")
    page.open(f"/?q=React&mode={LONG}", "#problem p")
    assert page.tab.evaluate("document.documentElement.scrollWidth <= 360")


def fits(page: Page, element: str) -> bool:
    """Return whether no text within an element lies left or right of it, but for what scrolls by itself."""
    return bool(
        page.tab.eval_on_selector(
            element,
            """(element) => {
                const { left, right } = element.getBoundingClientRect();
                const leaves = [...element.querySelectorAll(':not(:has(*))')].filter((each) => !each.closest('.wide'));
                return leaves.every((leaf) => {
                    const text = document.createRange();
                    text.selectNodeContents(leaf);
                    return [...text.getClientRects()].every((box) => box.left >= left - 1 && box.right <= right + 1);
                });
            }""",
        )
    )
