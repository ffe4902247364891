"""What a reader keeps of the results: links with facets, files, copies, papers for a library, saved searches."""

import json
from pathlib import Path

import pytest
from goldpan.kinds.papers.sources.library.index import LibraryIndex

from tests.e2e.page.conftest import Page

pytestmark = pytest.mark.enable_socket
QUESTION, PAPERS = "React animation library", "graph neural networks for molecules"


def test_chosen_values_of_facets_are_part_of_the_address(page: Page) -> None:
    """Each value says how many results have it, whatever is chosen of its facet; a reload keeps what is chosen."""
    page.search("animation")
    languages = page.tab.locator("fieldset", has_text="Language").locator("label")
    counted = languages.all_inner_texts()
    languages.first.click()
    assert (len(page.names()), languages.all_inner_texts()) == (int(counted[0].split()[-1]), counted)
    shown = page.names()
    page.tab.reload()
    page.tab.wait_for_selector("#results .tools")
    assert (page.names(), languages.first.locator("input").is_checked()) == (shown, True)
    page.search(QUESTION)
    assert "only=" not in page.tab.url


def test_chosen_papers_are_saved_copied_and_added_to_a_library(page: Page, libraries: Path, tmp_path: Path) -> None:
    """In the formats of the command, with a file name that says what it is; again they are there already."""
    page.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.open(f"/?q={PAPERS}&kinds=papers")
    page.tab.wait_for_selector("#results .tools")
    for place in range(2):
        page.tab.get_by_label("Choose").nth(place).check()
    with page.tab.expect_download() as download:
        page.tab.get_by_role("button", name="Save 2 papers as BibTeX").click()
    download.value.save_as(tmp_path / "saved")
    assert (tmp_path / "saved").read_text("utf-8").count("@article{") == 2
    assert download.value.suggested_filename.startswith("graph-neural-networks-for-molecules-20")
    page.tab.locator(".card").first.get_by_role("button", name="RIS").click()
    page.tab.wait_for_selector("text=RIS copied")
    assert page.tab.evaluate("navigator.clipboard.readText()").startswith("TY  - ")
    for said in ("reading: 2 papers added.", "reading: 0 papers added, 2 were there already."):
        page.tab.click("#tray button:has-text('Add to library')")
        page.tab.fill("#add-to", "reading")
        page.tab.keyboard.press("Enter")
        page.tab.wait_for_selector(f"#dialog [role=status]:has-text('{said}')")
        assert page.violations() == []
        page.tab.keyboard.press("Escape")
    with LibraryIndex.open(libraries / "reading.sqlite") as index:
        assert index.count == 2
    (libraries / "reading.sqlite").unlink()


def test_a_paper_has_its_facts_links_and_likes(page: Page) -> None:
    """Authors in one form, a sentence of the abstract, identifiers as links; others like it are one click away."""
    page.open(f"/?q={PAPERS}&kinds=papers")
    page.tab.wait_for_selector("#results .tools")
    card = page.tab.locator(".card").first
    shown = card.inner_text()
    assert ("Ada Author" in shown, ", Ada" in shown, "We predict" in shown) == (True, False, True)
    assert (card.get_by_role("link", name="DOI").get_attribute("href") or "").startswith("https://doi.org/10.")
    title = card.get_attribute("aria-label")
    card.get_by_role("button", name="More like this").click()
    page.tab.wait_for_selector(".chip.likeness")
    assert page.tab.input_value("#question") == f"like “{title}”"


def test_saved_searches_show_what_is_new(page: Page) -> None:
    """They stand on the start with what is configured; opened, results that the last run had not are marked."""
    request = {"query": QUESTION, "filters": {"license": ["mit"]}}
    saved = {"name": "react", "request": request, "ids": ["example-org/motion-kit"], "new": 1, "last_run": "2026-01-01"}
    missing = {"name": "language model", "is_configured": False, "settings": ["LLM_API_KEY"], "purpose": "Reads."}
    body = json.dumps({"projects": [], "saved": [saved], "configured": [missing]})
    page.tab.route("**/page/start", lambda route: route.fulfill(body=body, content_type="application/json"))
    page.open()
    page.tab.click("text=Not configured: language model")
    assert "Set LLM_API_KEY where the server is started." in page.tab.inner_text("#start")
    assert page.violations() == []
    page.tab.click("#start a:has-text('react')")
    page.tab.wait_for_selector("#results .tools")
    assert page.tab.locator("[data-field=license]").input_value() == "mit"
    marked = [page.tab.locator(f"[data-id='{name}'] .mark").count() for name in page.names()]
    assert marked == [int(name != "example-org/motion-kit") for name in page.names()]
