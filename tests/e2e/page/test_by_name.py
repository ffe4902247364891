"""Comparing and likeness on the page, for results and for names that are typed, in a real browser."""

import json

import pytest

from tests.e2e.page.conftest import FACTS, Page
from tests.support.loopback import LoopbackFault, LoopbackGitHub

QUESTION = "React animation library"
FIRST, SECOND, HOSTILE = "example-org/motion-kit", "example-org/spring-ui", "<b>no</b>/such"


def type_names(page: Page, names: str) -> None:
    """Type names of repositories and send them."""
    page.show_options()
    page.type(names, "#names")


def test_typed_names_are_compared_and_a_missing_one_costs_the_others_nothing(page: Page) -> None:
    """What is equal can be left out; what is missing or no name is named as text, in the server's words."""
    type_names(page, f"{FIRST} https://github.com/{SECOND}")
    page.tab.wait_for_selector("#dialog svg")
    shown = page.tab.inner_text("#dialog tbody")
    assert ("MIT" in shown, "31.2K" in shown, "Relevance" in shown) == (True, True, False)
    page.tab.get_by_label("Only what differs").check()
    shown = page.tab.inner_text("#dialog tbody")
    assert ("MIT" in shown, "31.2K" in shown) == (False, True)
    page.tab.keyboard.press("Escape")
    page.type(f"{FIRST}, no/such, {SECOND}", "#names")
    page.tab.wait_for_selector("#dialog .notices .caveat:has-text('no/such was not found')")
    assert page.tab.locator(FACTS).count() == 2
    page.tab.keyboard.press("Escape")
    page.type(f"{HOSTILE} {FIRST}", "#names")
    page.tab.wait_for_selector("#dialog [role=alert]")
    assert "must be OWNER/NAME" in page.tab.inner_text("#dialog [role=alert]")
    page.tab.keyboard.press("Escape")
    page.ask("like no/such")
    page.tab.wait_for_selector("#problem p")
    assert "no/such was not found" in page.tab.inner_text("#problem")


def test_a_comparison_that_cannot_be_made_says_why_and_a_closed_one_is_ended(
    page: Page, github: LoopbackGitHub
) -> None:
    """The sample answers where GitHub fails, with its row; a comparison that hangs is ended with its dialog."""
    github.inject(LoopbackFault.status(500, times=None))
    type_names(page, f"{FIRST} {SECOND}")
    page.tab.wait_for_selector("#dialog tr.failed")
    assert "github failed" in page.tab.inner_text("#dialog .notices")
    page.tab.keyboard.press("Escape")
    github.clear_faults()
    github.inject(LoopbackFault.hang(times=None))
    with page.tab.expect_event("requestfailed", lambda one: one.url.endswith("/compare")):
        page.type(f"{FIRST} example-org/tiny-tween", "#names")
        page.tab.wait_for_selector("#dialog progress")
        page.tab.keyboard.press("Escape")


@pytest.mark.parametrize("way", ["card", "typed name", "question"])
def test_what_is_like_a_repository_is_shown_as_cards(page: Page, way: str) -> None:
    """The server is asked for its like; it is no result itself, and the sources are shown."""
    if way == "card":
        page.search(QUESTION)
    with page.tab.expect_request("**/like") as asked:
        if way == "card":
            page.tab.locator(".card").first.get_by_role("button", name="More like this").click()
        elif way == "typed name":
            type_names(page, FIRST)
        else:
            page.ask(f"like {FIRST}", papers=True)
    assert json.loads(asked.value.post_data)["repo"] == FIRST
    page.tab.wait_for_selector("#status:has-text('Found')")
    assert FIRST not in page.names()
    assert "github" in (page.tab.text_content("#sources table") or "")
    assert not page.tab.is_checked("[name=kind][value=papers]")
