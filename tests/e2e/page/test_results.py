"""The results on the page: how they are filtered, saved, copied and kept, in a real browser."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from goldpan.kinds.papers.sources.library.index import LibraryIndex

from tests.e2e.page.conftest import Page

QUESTION = "React animation library"
FIRST = "example-org/motion-kit"
PAPERS = "graph neural networks for molecules"


def test_further_results_are_added_below(page: Page) -> None:
    """As often as there are more, the first of them moved to, or why there are none; the chosen facets stay."""
    page.show_options()
    page.tab.fill("#count", "3")
    page.search("animation")
    first, left = page.names(), int(page.tab.inner_text("#more").partition("(")[2].split()[0])
    chosen = page.tab.locator(".facets label").first
    chosen.click()
    page.tab.click("#more")
    page.tab.locator("#more", has_text=f"({left - 3} left)").wait_for()
    assert page.tab.locator(".facets input:checked").count() == 1
    page.tab.get_by_role("button", name="Show all").click()
    assert page.names()[:3] == first
    assert len({*page.names()}) == len(page.names()) == 6
    page.tab.route("**/search", lambda route: route.abort())
    page.tab.click("#more")
    page.tab.wait_for_selector("#problem:has-text('The connection to the server was lost')")
    assert page.tab.evaluate("document.getElementById('problem').getBoundingClientRect().top >= 0")
    page.tab.wait_for_function("() => document.activeElement.id === 'more'")
    page.tab.unroute("**/search")
    page.tab.click("#more")
    page.tab.locator(".cards .card:focus").wait_for()
    assert page.tab.inner_text("#problem") == ""
    assert page.tab.evaluate("document.activeElement.dataset.id") == page.names()[6]


def test_facets_say_what_is_unknown_and_keep_their_order(page: Page) -> None:
    """Unknown stars are not few, years come newest first, a push belongs to one period, and all values can be shown."""
    shown = """async (name, results) => {
        const { Facets } = await import('/page/facets.js');
        const { kindOf } = await import('/page/kinds.js');
        const facets = new Facets(name, kindOf(name).facets, {results}, () => {});
        document.body.append(facets.element);
        facets.element.querySelector('.more')?.click();
        return [...facets.element.querySelectorAll('label')].map((label) => label.textContent.trim());
    }"""
    stars = [{"stars": None}, {"stars": 5}, {"stars": 20_000}, {"stars": 7}]
    call = f"([kind, results]) => ({shown})(kind, results)"
    assert page.tab.evaluate(call, ["repositories", stars]) == ["10,000 and more 1", "under 100 2", "unknown 1"]
    ages = (1, 30, 33, 180, 190, 360, 370)
    pushed = [{"pushed_at": (datetime.now(UTC) - timedelta(days=days)).isoformat()} for days in ages]
    days = ["in the last month 2", "in half a year 2", "in a year 2", "longer ago 1"]
    assert page.tab.evaluate(call, ["repositories", pushed]) == days
    papers = [{"title": "", "authors": [], "year": year} for year in (None, *range(2010, 2020), 2010)]
    assert (
        page.tab.evaluate("import('/page/words.js').then(({ ago }) => ago('1970-01-01', 720 * 86400000))")
        == "24 months ago"
    )
    years = [label.split()[0] for label in page.tab.evaluate(call, ["papers", papers])]
    assert years == [*map(str, range(2019, 2009, -1)), "unknown"]


def test_what_is_left_out_or_missing_is_said_in_words(page: Page) -> None:
    """Not by the names of the rules; a result names the words of the question that it does not show."""
    page.search("React animation library with zeppelins, not spring")
    shown = page.tab.inner_text(".considered")
    assert "not pushed in the time allowed" in shown
    assert "about spring" in shown
    assert "not found: zeppelins" in page.tab.locator(".card .facts").first.inner_text()
    page.compare(2)
    page.tab.wait_for_selector("#dialog tr:has-text('Not found') td:text-is('zeppelins')")


def test_papers_and_repositories_stand_side_by_side(page: Page) -> None:
    """The facets of papers filter the papers alone; a kind without results leaves the room to the other.

    Formats that hold papers alone have their number.
    """
    page.search("animation graph neural networks", papers=True)
    papers = page.tab.locator("section.kind", has_text="Papers:")
    shown = papers.locator(".card").count()
    assert f"JSON\n{shown} papers as\nBibTeX" in page.tab.inner_text(".tools.wide")
    papers.locator(".facets > summary").click()
    year = papers.locator("fieldset", has_text="Year").locator("label").first
    year.click()
    assert 0 < papers.locator(".card").count() < shown
    papers.get_by_role("button", name="Show all").click()
    assert papers.locator(".card").count() == shown
    page.search("animation", papers=True)
    assert page.tab.inner_text("#papers-title") == "Papers: 0"
    box, whole = (page.tab.locator(each).bounding_box() for each in (".card >> nth=0", "#results"))
    assert box["width"] > 0.9 * whole["width"]


def test_chosen_values_of_facets_are_part_of_the_address(page: Page, tmp_path: Path) -> None:
    """Each value says how many results have it, whatever is chosen of its facet; all are saved; a reload is equal."""
    page.search("animation")
    found = page.names()
    languages = page.tab.locator("fieldset", has_text="Language").locator("label")
    counted = languages.all_inner_texts()
    languages.first.click()
    assert (len(page.names()), languages.all_inner_texts()) == (int(counted[0].split()[-1]), counted)
    shown = page.names()
    assert f"Save all {len(found)} as" in page.tab.inner_text(".tools.wide")
    with page.tab.expect_download() as download:
        page.tab.click("[aria-label='Save as JSON']")
    download.value.save_as(tmp_path / "saved")
    assert re.fullmatch(r"animation-\d{4}-\d\d-\d\d\.json", download.value.suggested_filename)
    saved = json.loads((tmp_path / "saved").read_text("utf-8"))["repositories"]["results"]
    assert [each["repo"] for each in saved] == found
    page.tab.reload()
    page.tab.wait_for_selector("#results .tools")
    assert (page.names(), languages.first.locator("input").is_checked()) == (shown, True)
    page.search(QUESTION)
    assert "only=" not in page.tab.url


def test_chosen_papers_are_saved_copied_and_added_to_a_library(page: Page, libraries: Path, tmp_path: Path) -> None:
    """In the formats of the command, with a file name that says what it is; again they are there already."""
    page.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.open(f"/?q={PAPERS}&kinds=papers", "#results .tools")
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
    page.tab.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # http to another machine
    page.tab.locator(".card").first.get_by_role("button", name="RIS").click()
    page.tab.wait_for_selector("#dialog pre:has-text('TY  - ')")
    page.tab.keyboard.press("Escape")
    for said in ("reading: 2 papers added.", "reading: 0 papers added, 2 were there already."):
        page.tab.click("#tray button:has-text('Add to library')")
        page.type("reading", "#add-to")
        page.tab.wait_for_selector(f"#dialog [role=status]:has-text('{said}')")
        page.tab.wait_for_selector("#project option[value=reading]", state="attached")  # it can be searched at once
        assert page.violations() == []
        page.tab.keyboard.press("Escape")
    with LibraryIndex.open(libraries / "reading.sqlite") as index:
        assert index.count == 2
    (libraries / "reading.sqlite").unlink()


def test_a_paper_has_its_facts_links_and_likes(page: Page) -> None:
    """Authors in one form, a sentence of the abstract, identifiers as links; others like it are one click away."""
    page.open(f"/?q={PAPERS}&kinds=papers", "#results .tools")
    card = page.tab.locator(".card").first
    shown = card.inner_text()
    assert ("Ada Author" in shown, ", Ada" in shown, "We predict" in shown) == (True, False, True)
    assert (card.get_by_role("link", name="DOI").get_attribute("href") or "").startswith("https://doi.org/10.")
    title = card.get_attribute("aria-label")
    card.get_by_role("button", name="More like this").click()
    page.tab.wait_for_selector(".chip.likeness")
    assert page.tab.input_value("#question") == f"like “{title}”"


def test_saved_searches_show_what_is_new(page: Page) -> None:
    """They stand on the start with what is configured; opened, they ask as saved, and mark what the last run had not.

    What is weaker or on a further page is not marked: a run does not compare it.
    """
    given = {"filters": {"license": "mit"}, "config": {"max_candidates": 50}, "max_seconds": 60, "sources": ["github"]}
    own = {"kinds": ["papers"], "library_only": True, "project_id": "thesis", "filters": {"year_from": 2020}}
    asked = {"own": {"query": "cats", **own}, "react": {"query": QUESTION, "max_results": 3, **given}}
    last = {"ids": [FIRST], "new": 1, "last_run": "2026-01-01"}
    saved = [{"name": name, "request": request, **last} for name, request in asked.items()]
    missing = {"name": "language model", "is_configured": False, "settings": ["LLM_API_KEY"], "purpose": "Reads."}
    body = json.dumps({"projects": [], "saved": saved, "configured": [missing]})
    page.tab.route("**/page/start", lambda route: route.fulfill(body=body, content_type="application/json"))
    page.open()
    page.tab.click("text=Not configured: language model")
    assert "Set LLM_API_KEY where the server is started." in page.tab.inner_text("#start")
    assert page.violations() == []
    for name, request in asked.items():
        page.open()
        with page.tab.expect_request("**/search") as sent:
            page.tab.click(f"#start a:has-text('{name}')")
        page.tab.wait_for_selector("#results .tools")
        assert json.loads(sent.value.post_data) | request == json.loads(sent.value.post_data)
    assert page.tab.locator("[data-field=license]").input_value() == "mit"
    page.tab.click("#more")
    page.tab.locator(".weaker").wait_for()
    marked = [page.tab.locator(f"[data-id='{name}'] .mark").count() for name in page.names()]
    assert (marked[:3], {*marked[3:]}, page.tab.locator(".weaker .mark").count()) == ([0, 1, 1], {0}, 0)
