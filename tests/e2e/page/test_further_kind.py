"""A further kind on the page, in a real browser: the page reads all that it shows of a kind from the server."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from goldpan.kind_table import KINDS

from tests.e2e.page.conftest import Page, opened
from tests.e2e.test_further_kind import toy_runtime
from tests.integration.serve.process import serving_thread
from tests.support import toy_kind


@pytest.fixture
def toys(browser: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """Open the page of a server that knows the kind and its only source."""
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    with serving_thread(toy_runtime()) as (_, port), opened(browser, f"http://127.0.0.1:{port}") as page:
        page.tab.set_checked("[name=kind][value=repositories]", checked=False)
        page.tab.get_by_label("Toys").check()
        yield page


def test_it_is_searched_shown_as_cards_with_facets_and_saved(toys: Page, tmp_path: Path) -> None:
    """With what its presentation lists, without what only other kinds have; if nothing fits, the nearest are open."""
    toys.type("kite robot")
    toys.tab.wait_for_selector("#results .tools")
    assert toys.names() == ["robot", "kite"]
    assert toys.tab.inner_text("#status") == "Found 2 toys."
    text = toys.tab.locator(".card").first.inner_text()
    assert ("3 years" in text, "Why: It is new." in text, "Compare" in text) == (True, True, False)
    assert toys.tab.get_by_role("link", name="robot").get_attribute("href") == "https://toys.example/robot"
    weaker = toys.tab.get_by_label("tin robot")
    assert not weaker.is_visible()
    toys.tab.get_by_text("1 weaker match", exact=True).click()
    assert "40 years" in weaker.inner_text()
    facets = toys.tab.get_by_role("group", name="Filter toys")
    assert facets.get_by_label("4 and more").locator("..").inner_text().split()[-1] == "1"
    facets.get_by_label("under 4").check()
    assert toys.names() == ["robot"]
    assert toys.violations() == []
    with toys.tab.expect_download() as download:
        toys.tab.click("[aria-label='Save as CSV']")
    download.value.save_as(tmp_path / "saved")
    with (tmp_path / "saved").open(encoding="utf-8", newline="") as file:
        saved = [(row["name"], row["age"], row["weaker"]) for row in csv.DictReader(file)]
    assert saved == [("robot", "3", "false"), ("kite", "5", "false"), ("tin robot", "40", "true")]
    toys.type("tin")
    toys.tab.wait_for_selector("section.kind:has-text('Nothing fits well; the nearest:')")
    assert toys.names() == ["tin robot"]
    toys.show_options()
    toys.tab.fill("#count", "2")
    toys.type("kite robot")
    toys.tab.click("#more")
    toys.tab.locator(".weaker .card:focus").wait_for()


def test_its_filters_and_its_order_are_controls_and_part_of_the_address(toys: Page) -> None:
    """Those of kinds that are not chosen are hidden; a reload keeps what is set."""
    toys.show_options()
    assert toys.tab.get_by_label("Max age").is_visible()
    assert not toys.tab.get_by_label("Min stars").is_visible()
    toys.tab.fill("#question", "kite robot")
    toys.tab.get_by_label("Max age").fill("4")
    toys.tab.get_by_label("Order").select_option("name")
    toys.tab.keyboard.press("Enter")
    toys.tab.click("#go")
    toys.tab.wait_for_selector("#results .tools")
    asked = {"q": ["kite robot"], "kinds": ["toys"], "mode": ["balanced"], "max_age": ["4"], "sort": ["name"]}
    assert (toys.names(), toys.parameters()) == (["robot"], asked)
    toys.tab.reload()
    toys.tab.wait_for_selector("#results .tools")
    assert (toys.names(), toys.tab.locator("[data-field=max_age]").input_value()) == (["robot"], "4")
    assert toys.tab.inner_text("#options-button") == "Options (1)"  # which is set, though not seen
