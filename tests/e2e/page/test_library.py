"""The reader's own papers on the page, in a real browser."""

from pathlib import Path

import pytest

from tests.e2e.page.conftest import HOSTILE, Page
from tests.integration.serve.process import ServerProcess


def search_library(page: Page, query: str, what: str = "library", project: str = "thesis") -> None:
    """Search the library alone, and wait for the answer."""
    page.choose_library(what)
    page.tab.wait_for_selector(f"#project option[value={project or 'thesis'}]", state="attached")
    page.tab.select_option("#project", project)
    page.type(query)
    page.tab.wait_for_selector("#library-title")


def test_the_papers_of_one_project_are_searched_alone(page: Page) -> None:
    """Cards with authors, score and the excerpt, whose matched words are marked; the address repeats the search."""
    search_library(page, "cats walk")
    card = page.tab.locator(".card[data-id=cat-1]")
    text = card.inner_text()
    assert ("Ada Lovelace" in text, "2020" in text, "score" in text, "thesis/cat-1" in text) == (True,) * 4
    assert "cats" in [each.lower() for each in card.locator("mark").all_inner_texts()]
    assert not page.tab.locator("#sources").is_visible()
    assert page.parameters() == {"q": ["cats walk"], "where": ["library"], "project_id": ["thesis"]}
    page.tab.reload()
    page.tab.wait_for_selector("#library-title")
    assert page.names()[0] == "cat-1"


def test_passages_of_all_projects_have_their_citation(page: Page) -> None:
    """Each with its text and its place in the paper; facets filter them by project."""
    search_library(page, "why do birds sit on wires and cats walk?", "passages", project="")
    page.tab.get_by_role("group", name="Filter passages").get_by_label("notes").check()
    assert page.names() == ["bird-1"]
    card = page.tab.locator(".card[data-id=bird-1]")
    assert "Why birds sit on wires." in card.locator("blockquote").inner_text()
    assert "Birds on wires" in card.locator("h3").inner_text()
    assert "notes/bird-1, characters 0 to" in " ".join(card.inner_text().split())


def test_hostile_text_of_a_library_is_shown_as_text(page: Page) -> None:
    """Neither a title nor an excerpt or a passage becomes markup, and a sign that marks a match marks no more."""
    for what in ("library", "passages"):
        search_library(page, "graphs", what)
        assert HOSTILE in page.tab.locator(".card[data-id=bad-1] h3").inner_text()
        assert page.tab.locator("#results img, #results script").count() == 0
    assert page.tab.title() == "graphs \N{EN DASH} goldpan"


def test_no_match_and_a_missing_project_are_explained(page: Page) -> None:
    """The first in the page's words, the second in those of the server, with the projects that there are."""
    search_library(page, "zeppelin")
    assert "Nothing in thesis matches" in page.tab.inner_text("#results")
    page.open("/?q=cats&where=library&project_id=gone", "#problem p")
    assert "there is no project gone (there are notes, thesis)" in page.tab.inner_text("#problem")


def test_without_papers_the_command_that_collects_them_is_named(page: Page, tmp_path: Path) -> None:
    """No project is offered, and nothing is searched."""
    with ServerProcess(GOLDPAN_LIBRARIES=str(tmp_path)) as empty:
        page.url = empty.url
        page.open()
        page.choose_library("library")
        page.ask("cats")
        page.tab.wait_for_selector("#problem p")
        text = page.tab.inner_text("#problem")
        assert text.startswith("No papers collected yet. goldpan library import PATH --project NAME")
        assert page.tab.locator("#project-box").is_hidden()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 360)])
def test_the_library_and_the_names_are_accessible(page: Page, scheme: str, width: int) -> None:
    """Axe finds nothing in either view nor in the field for names, and no width is exceeded."""
    page.tab.emulate_media(color_scheme=scheme)
    page.tab.set_viewport_size({"width": width, "height": 740})
    page.show_options()
    for what in ("library", "passages"):
        search_library(page, "graphs", what)
        assert page.violations() == []
        assert page.tab.evaluate("document.documentElement.scrollWidth") <= width


def test_facets_filter_the_papers_of_a_library(page: Page) -> None:
    """By year, venue, author and tag; the numbers count what is left, and a value that is not shown yet can be."""
    search_library(page, "graphs trees")
    facets = page.tab.get_by_role("group", name="Filter papers of your library")
    assert facets.locator("legend").all_inner_texts() == ["Year", "Venue", "Author", "Tag"]
    facets.get_by_label("Ada Lovelace").check()
    assert page.names() == ["cat-1"]
    assert page.tab.inner_text("#library-title") == "Papers of thesis: 1 (2 filtered out)"
    assert facets.locator("fieldset", has_text="Tag").inner_text().split() == ["Tag", "animals", "1", "read", "1"]
    facets.get_by_role("button", name="Show all").click()
    assert len(page.names()) == 3
