"""The address of the page and the history of the browser: what is shared, reloaded, and left by the way back."""

import json

from tests.e2e.page.conftest import FACTS, Page
from tests.support.loopback import LoopbackFault, LoopbackGitHub

QUESTION = "React animation library"
FIRST, SECOND = "example-org/motion-kit", "example-org/spring-ui"


def compare_results(page: Page, number: int) -> list[str]:
    """Search, compare the first results, and return their names."""
    page.search(QUESTION)
    page.compare(number)
    page.tab.wait_for_selector("#dialog svg")
    return page.names()[:number]


def test_a_comparison_of_results_is_shared_by_its_address(page: Page) -> None:
    """Copied in its dialog; opened, it asks for the same alone; closed, it leads to the results it was made from.

    One radar and one table show up to four; a fifth one is refused.
    """
    page.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    names = compare_results(page, 4)
    assert [page.tab.locator(f"#dialog {each}").count() for each in (".series", ".legend li")] == [4, 4]
    assert sorted(page.tab.locator(FACTS).all_inner_texts()) == sorted(names)
    assert "github" in (page.tab.text_content("#dialog details:last-of-type") or "")
    page.tab.click("#dialog button:has-text('Copy the link')")
    page.tab.wait_for_selector("#dialog [role=status]:has-text('The link is copied.')")
    assert page.tab.evaluate("navigator.clipboard.readText()") == page.tab.url
    assert page.parameters() == {"q": [QUESTION], "kinds": ["repositories"], "mode": ["balanced"], "compare": names}
    address, searches = page.tab.url, []
    page.tab.on("request", lambda one: searches.append(one.url) if one.url.endswith("/search") else None)
    with page.tab.expect_request("**/compare") as asked:
        page.tab.goto(address)
    page.tab.wait_for_selector("#dialog svg")
    assert json.loads(asked.value.post_data) == {"repos": names, "query": QUESTION}
    assert (page.tab.input_value("#question"), searches) == (QUESTION, [])
    page.tab.keyboard.press("Escape")
    page.tab.wait_for_selector("#results .tools")
    assert (page.names()[:4], "compare" in page.parameters()) == (names, False)
    for place in range(5):
        page.tab.locator(".actions input").nth(place).click()
    assert [page.tab.locator(".actions input").nth(place).is_checked() for place in (3, 4)] == [True, False]


def test_the_way_back_closes_a_comparison_and_the_way_forward_opens_it(page: Page) -> None:
    """The results behind it stay, and so do the repositories that are chosen; closing it is a way back too."""
    compare_results(page, 2)
    page.tab.locator(".card").first.evaluate("card => { window.card = card }")
    page.tab.go_back()
    page.tab.wait_for_selector("#dialog", state="hidden")
    assert page.tab.evaluate("window.card.isConnected")
    assert page.tab.locator("#tray button:has-text('Compare 2')").is_visible()
    page.tab.go_forward()
    page.tab.wait_for_selector("#dialog svg")
    page.tab.evaluate("() => { const dialog = document.getElementById('dialog'); dialog.close(); dialog.showModal(); }")
    page.tab.wait_for_timeout(100)  # the event of the closing comes after the dialog is open again
    assert "compare" in page.parameters()
    length = page.tab.evaluate("history.length")
    page.tab.keyboard.press("Escape")
    page.tab.wait_for_url(lambda url: "compare" not in url)
    assert (page.tab.evaluate("window.card.isConnected"), page.tab.evaluate("history.length")) == (True, length)


def test_a_comparison_of_typed_names_has_the_typed_question(page: Page) -> None:
    """It has no search behind it: closed after a reload, it leaves the question that was typed."""
    page.tab.fill("#question", QUESTION)
    page.show_options()
    page.type(f"{FIRST} {SECOND}", "#names")
    page.tab.wait_for_selector("#dialog svg")
    assert page.parameters() == {"q": [QUESTION], "compare": [FIRST, SECOND]}
    page.tab.reload()
    page.tab.wait_for_selector("#dialog svg")
    page.tab.keyboard.press("Escape")
    page.tab.wait_for_url(f"{page.url}/")
    assert page.tab.input_value("#question") == QUESTION
    assert page.tab.locator("#results > *").count() == 0


def test_the_way_back_to_the_start_empties_the_page(page: Page) -> None:
    """Neither the question nor its results stay."""
    page.search(QUESTION)
    page.tab.go_back()
    page.tab.wait_for_selector("#results .tools", state="detached")
    assert (page.tab.input_value("#question"), page.tab.title()) == ("", "goldpan")
    page.tab.go_forward()
    page.tab.wait_for_selector("#results .tools")
    assert page.names()[0] == FIRST


def test_a_later_search_takes_the_place_of_one_that_runs(page: Page, github: LoopbackGitHub) -> None:
    """The earlier one is ended, and nothing of it is shown; the way back searches it again."""
    github.inject(LoopbackFault.hang(contains="builder", times=None))
    page.ask("Go query builder")
    page.tab.wait_for_selector("#stages li:has-text('Query translated')")
    with page.tab.expect_event("requestfailed", lambda one: one.url.endswith("/search")):
        page.search(QUESTION)
    assert (page.names()[0], page.tab.title().startswith(QUESTION)) == (FIRST, True)
    assert page.tab.inner_text("#status") == f"Found {len(page.names())} repositories."
    page.tab.go_back()
    page.tab.wait_for_selector("#stages li:has-text('Query translated')")
    assert (page.tab.input_value("#question"), page.names()) == ("Go query builder", [])


def test_a_reload_keeps_what_was_asked(page: Page) -> None:
    """Kinds, mode, number of results, values of filters with a comma, and what was taken away of the question."""
    page.show_options()
    page.tab.select_option("#mode", "focused")
    page.tab.fill("#count", "3")
    page.tab.check("[name=kind][value=papers]")
    page.tab.fill("[data-field=venues]", 'Nature, "Man, ""Machine"""')
    page.search("React animation library, MIT", papers=True)
    page.tab.locator(".chip.constraint", has_text="MIT").get_by_role("button", name="Do not apply").click()
    page.tab.wait_for_selector("text=Apply all again")
    with page.tab.expect_request("**/search") as asked:
        page.tab.reload()
    body = json.loads(asked.value.post_data)
    page.tab.wait_for_selector("text=Apply all again")
    assert (body["kinds"], body["mode"], body["max_results"]) == (["repositories", "papers"], "focused", 3)
    assert (len(body["ignore"]), body["filters"]) == (1, {"venues": ["Nature", 'Man, "Machine"']})
    assert page.tab.input_value("#count") == "3"
