"""Does twenty tasks on the page in Chromium, counts the clicks of each, and measures how soon the first card shows.

    .venv/bin/python -m scripts.page.tasks

GitHub and the sources of papers are the fakes of the tests. Prints the table of docs/page.md. A task begins on the empty
page; a question is typed and sent by the Enter key, which is no click.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.integration.serve.process import ServerProcess
from tests.support.library_fakes import collect, own_paper
from tests.support.loopback import LoopbackGitHub, sample_repositories
from tests.support.paper_search_fakes import papers
from tests.support.paper_sources import LoopbackPapers

CHROMIUM = shutil.which("chromium") or "chromium"
ANSWERED = "#results .tools"
REACT, GRAPHS = "React animation library", "graph neural networks for molecules"
ROUNDS = 10
FIRST_CARD = """async (question) => {
    const shown = new Promise((done) => new MutationObserver(() => document.querySelector('.cards .card')
        && requestAnimationFrame(() => setTimeout(() => done(performance.now())))).observe(
        document.getElementById('results'), { childList: true, subtree: true }));
    document.getElementById('question').value = question;
    document.getElementById('go').click();
    const at = await shown;
    const [asked] = performance.getEntriesByType('resource').filter((each) => each.name.endsWith('/search'));
    return at - asked.responseEnd;
}"""


class Person:
    """Uses the page, and counts the clicks."""

    def __init__(self, tab: Any) -> None:
        self.tab, self.clicks = tab, 0

    def ask(self, question: str) -> None:
        """Type a question, send it, and wait for the answer."""
        self.tab.fill("#question", question)
        self.tab.keyboard.press("Enter")
        self.tab.wait_for_selector(ANSWERED)

    def click(self, what: str, place: int = 0) -> None:
        """Click something."""
        self.clicks += 1
        self.tab.locator(what).nth(place).click()

    def papers(self) -> None:
        """Choose papers in place of repositories."""
        self.click("#kinds label", 1)
        self.click("#kinds label", 0)

    def see(self, what: str) -> None:
        """Wait until something shows. Raises if it never does."""
        self.tab.wait_for_selector(what)

    def address(self, what: str) -> str:
        """Return where a link leads, as a click that opens or copies it would."""
        self.clicks += 1
        return str(self.tab.get_attribute(what, "href"))

    def download(self, what: str) -> str:
        """Click what saves a file, and return its name."""
        with self.tab.expect_download() as download:
            self.click(what)
        return str(download.value.suggested_filename)


def copy_a_link(person: Person) -> None:
    """Find an animation library, not spring, and copy the link of the first."""
    person.ask(f"{REACT}, not spring")
    assert "spring" not in person.tab.inner_text(".cards .card h3")
    assert person.address(".cards .card h3 a").startswith("https://github.com/")


def share_a_search(person: Person) -> None:
    """Send a search with a filtered list to a colleague."""
    person.ask("animation")
    person.click(".facets label:has-text('TypeScript')")
    person.click("text=Copy the link")
    person.see("text=The link is copied.")


def five_to_bibtex(person: Person) -> None:
    """Export five papers to BibTeX."""
    person.papers()
    person.ask(GRAPHS)
    for place in range(5):
        person.click(".card label:has-text('Choose')", place)
    assert person.download("#tray [aria-label$=BibTeX]").endswith(".bib")


def all_to_ris(person: Person) -> None:
    """Save all papers of an answer as RIS."""
    person.papers()
    person.ask(GRAPHS)
    assert person.download("[aria-label='Save as RIS']").endswith(".ris")


def compare_three(person: Person) -> None:
    """Compare three repositories."""
    person.ask(REACT)
    for place in range(3):
        person.click(".card label:has-text('Compare')", place)
    person.click("#tray button:has-text('Compare 3')")
    person.see("#dialog svg")


def what_is_new(person: Person) -> None:
    """See what is new in a saved search since its last run."""
    person.click("#start a:has-text('react')")
    person.see(ANSWERED)
    person.see(".mark")


def pushed_since(person: Person) -> None:
    """Find what was pushed since the first of August."""
    person.click("#options-button")
    person.tab.get_by_label("Pushed since").fill("2026-08-01")
    person.ask(REACT)
    assert "pushed_since" in person.tab.url


def cite_one(person: Person) -> None:
    """Copy the BibTeX entry of one paper."""
    person.papers()
    person.ask(GRAPHS)
    person.click(".card button:has-text('BibTeX')")
    person.see("text=BibTeX copied")


def add_one(person: Person) -> None:
    """Add a paper to the library of a project."""
    person.papers()
    person.ask(GRAPHS)
    person.click(".card button:has-text('Add to library')")
    person.click("#dialog button:text-is('Add')")
    person.see("#dialog [role=status]:has-text('added')")


def papers_like(person: Person) -> None:
    """Find papers like one."""
    person.papers()
    person.ask(GRAPHS)
    person.click(".card button:has-text('More like this')")
    person.see(".chip.likeness")


def open_pdf(person: Person) -> None:
    """Open the PDF of an open paper."""
    person.papers()
    person.ask(GRAPHS)
    assert person.address(".card a:text-is('PDF')").startswith("http")


def read_abstract(person: Person) -> None:
    """Read the whole abstract of the first paper."""
    person.papers()
    person.ask(GRAPHS)
    person.click(".card summary:has-text('Text and evidence')")
    person.see(".card details[open] strong:has-text('Abstract')")


def why_first(person: Person) -> None:
    """See the scores of the first repository and what they rest on."""
    person.ask(REACT)
    person.click(".card summary:has-text('Scores and evidence')")
    person.see(".card details[open] svg")


def risks(person: Person) -> None:
    """Look for what speaks against a repository before it is used."""
    person.ask(REACT)
    person.click(".card button:has-text('Look closer')")
    person.see("#dialog svg")


def both_kinds(person: Person) -> None:
    """Find papers and repositories on one subject."""
    person.click("#kinds label", 1)
    person.ask(GRAPHS)
    person.see("section.kind >> nth=1")


def only_mit(person: Person) -> None:
    """Narrow an answer to MIT in words."""
    person.ask(REACT)
    person.tab.fill("#wish", "only MIT")
    person.tab.keyboard.press("Enter")
    person.see(".chip.wish")


def correct(person: Person) -> None:
    """Take away a part that was not meant."""
    person.ask(f"{REACT}, MIT")
    person.click("[aria-label='Do not apply “MIT”']")
    person.see("text=Apply all again")


def further(person: Person) -> None:
    """See the results after the first ten."""
    person.ask("animation")
    before = person.tab.locator(".cards .card").count()
    person.click("#more")
    person.see(f".card >> nth={before}")


def own_passage(person: Person) -> None:
    """Find the passage of my own papers that answers a question."""
    person.click("#options-button")
    person.tab.select_option("#where", "passages")
    person.clicks += 2
    person.ask("why do cats walk on graphs")
    person.see("blockquote")


def set_up(person: Person) -> None:
    """Find out which setting gives the server a language model."""
    person.click("text=Not configured")
    person.see("code:has-text('LLM_API_KEY')")


TASKS: tuple[Callable[[Person], None], ...] = (
    *(copy_a_link, share_a_search, five_to_bibtex, all_to_ris, compare_three, what_is_new, pushed_since, cite_one),
    *(add_one, papers_like, open_pdf, read_abstract, why_first, risks, both_kinds, only_mit, correct, further),
    *(own_passage, set_up),
)


def main() -> None:
    """Do all tasks, and print the table and the time of the first card."""
    with _server() as url, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        sys.stdout.write("| task | clicks |\n|---|---|\n")
        for task in TASKS:
            with _tab(browser, url) as tab:
                person = Person(tab)
                task(person)
                sys.stdout.write(f"| {(task.__doc__ or '').rstrip('.')} | {person.clicks} |\n")
        waits = []
        for number in range(ROUNDS):
            with _tab(browser, url) as tab:
                waits.append(tab.evaluate(FIRST_CARD, f"{'animation' if number % 2 else REACT} {number // 2}"))
        sys.stdout.write(f"first card: median {statistics.median(waits):.0f} ms, slowest {max(waits):.0f} ms\n")


@contextmanager
def _tab(browser: Any, url: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(url)
    tab.wait_for_selector("#start summary")
    yield tab
    context.close()


@contextmanager
def _server() -> Iterator[str]:
    """Serve the fakes, a saved search and a project of a library."""
    with tempfile.TemporaryDirectory() as name, LoopbackGitHub(sample_repositories()) as github:
        folder = Path(name)
        collect(folder, "thesis", [own_paper("cat-1", "Cats in graphs", abstract="Why cats walk on graphs.")])
        saved = folder / "goldpan/saved"
        saved.mkdir(parents=True)
        (saved / "react.json").write_text(json.dumps({"saved_at": "2026-01-01T00:00:00Z", "request": {"query": REACT}}))
        result = {"id": "example-org/motion-kit", "relevance": 0.8, "basis": "rules"}
        section = {"before_deduplication": 1, "after_deduplication": 1, "shortlisted": 1, "results": [result]}
        run = {"at": "2026-01-01T00:00:00Z", "request": {}, "sections": {"repositories": section}}
        (saved / "react.jsonl").write_text(json.dumps(run) + "\n")
        with LoopbackPapers(papers(30)) as sources:
            variables = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "GOLDPAN_LIBRARIES")
            environment = sources.environment() | dict.fromkeys(variables, name)
            environment |= {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "good-token", "OSV_URL": "http://127.0.0.1:9"}
            with ServerProcess(**environment) as server:
                yield server.url


if __name__ == "__main__":
    main()
