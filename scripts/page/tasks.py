"""Does twenty tasks on the page in Chromium, counts the clicks of each, and measures how soon the first card shows.

    .venv/bin/python -m scripts.page.tasks

GitHub and the sources of papers are the fakes of the tests. Prints the table of docs/page.md. A task begins on the
empty page; a question is typed and sent by the Enter key, which is no click.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.e2e.page.conftest import ARGUMENTS, CHROMIUM, serving
from tests.support.loopback import LoopbackGitHub, sample_repositories
from tests.support.paper_fakes import collect, own_paper
from tests.support.paper_search_fakes import papers
from tests.support.paper_sources import LoopbackPapers

REACT, GRAPHS, ROUNDS = "React animation library", "graph neural networks for molecules", 10
PAPERS = ("click #kinds label >> nth=1", "click #kinds label >> nth=0", f"ask {GRAPHS}")
CHOOSE, COMPARE = ".card label:has-text('Choose') >> nth=", ".card label:has-text('Compare') >> nth="
TASKS = {
    "Find an animation library, not spring, and copy its link": (f"ask {REACT}, not spring", "link .card h3 a"),
    "Send a filtered list to a colleague": (
        *("ask animation", "click .facets label:has-text('TypeScript')"),
        *("click text=Copy the link", "see text=The link is copied."),
    ),
    "Export five papers to BibTeX": (
        *PAPERS,
        *(f"click {CHOOSE}{n}" for n in range(5)),
        "save #tray [aria-label$=BibTeX]",
    ),
    "Save all papers of an answer as RIS": (*PAPERS, "save [aria-label='Save as RIS']"),
    "Compare three repositories": (
        *(f"ask {REACT}", *(f"click {COMPARE}{n}" for n in range(3))),
        *("click #tray button:has-text('Compare 3')", "see #dialog svg"),
    ),
    "See what is new in a saved search since its last run": ("click #start a:has-text('react')", "see .card .mark"),
    "Find what was pushed since the first of August": (
        *("click #options-button", "fill 2026-08-01 [data-field=pushed_since]", f"ask {REACT}"),
    ),
    "Copy the BibTeX entry of a paper": (
        *PAPERS,
        "click .card button:has-text('BibTeX') >> nth=0",
        "see text=BibTeX copied",
    ),
    "Add a paper to the library of a project": (
        *(*PAPERS, "click .card button:has-text('Add to library') >> nth=0"),
        *("click #dialog button:text-is('Add')", "see #dialog [role=status]:has-text('added')"),
    ),
    "Find papers like one": (*PAPERS, "click .card button:has-text('More like') >> nth=0", "see .chip.likeness"),
    "Open the PDF of a paper": (*PAPERS, "link .card a:text-is('PDF')"),
    "Read the whole abstract of a paper": (*PAPERS, "click .card summary >> nth=0", "see .card details[open] strong"),
    "See the scores of a repository and what they measure": (
        *(f"ask {REACT}", "click .card summary >> nth=0", "see .card details[open] svg"),
    ),
    "See what speaks against a repository": (
        *(f"ask {REACT}", "click .card button:has-text('Look closer') >> nth=0", "see #dialog .caveat"),
    ),
    "Find papers and repositories on one subject": (
        *("click #kinds label >> nth=1", f"ask {GRAPHS}", "see section.kind >> nth=1"),
    ),
    "Narrow an answer to MIT in words": (f"ask {REACT}", "fill only MIT #wish", "press Enter", "see .chip.wish"),
    "Take away a part of the question that was not meant": (
        *(f"ask {REACT}, MIT", "click [aria-label='Do not apply “MIT”']", "see text=Apply all again"),
    ),
    "See the results after the first ten": ("ask animation", "click #more", "see .card >> nth=10"),
    "Find the passage of my own papers that answers a question": (
        *("click #options-button", "pick passages #where", "ask why do cats walk on graphs", "see blockquote"),
    ),
    "Find out which setting gives the server a language model": (
        *("click text=Not configured", "see code:has-text('LLM_API_KEY')"),
    ),
}
"""What is done for each task: a verb of `Person`, and with what."""
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
    """Uses the page, and counts the clicks; what does not happen raises."""

    def __init__(self, tab: Any) -> None:
        self.tab, self.clicks = tab, 0

    def do(self, steps: Iterable[str]) -> None:
        """Do steps, each a verb and what it is done with."""
        for step in steps:
            verb, _, what = step.partition(" ")
            getattr(self, verb)(what)

    def ask(self, question: str) -> None:
        """Type a question, send it, and wait for the answer."""
        self.tab.fill("#question", question)
        self.press("Enter")
        self.see("#results .tools")

    def click(self, what: str) -> None:
        """Click something."""
        self.clicks += 1
        self.tab.click(what)

    def fill(self, what: str) -> None:
        """Type a text into the field that is named last."""
        typed, _, field = what.rpartition(" ")
        self.tab.fill(field, typed)

    def press(self, key: str) -> None:
        """Press a key."""
        self.tab.keyboard.press(key)

    def pick(self, what: str) -> None:
        """Choose from a list, which is two clicks."""
        self.clicks += 2
        value, _, field = what.partition(" ")
        self.tab.select_option(field, value)

    def see(self, what: str) -> None:
        """Wait until something shows."""
        self.tab.wait_for_selector(what)

    def link(self, what: str) -> None:
        """Open or copy a link, which is one click."""
        self.clicks += 1
        if not (self.tab.get_attribute(f"{what} >> nth=0", "href") or "").startswith("http"):
            raise ValueError(f"{what} has no link")

    def save(self, what: str) -> None:
        """Click what saves a file."""
        with self.tab.expect_download():
            self.click(what)


def main() -> None:
    """Do all tasks, and print the table and the time of the first card."""
    fakes = LoopbackGitHub(sample_repositories()), LoopbackPapers(papers(30))
    with serve_fakes(*fakes) as url, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        sys.stdout.write("| task | clicks |\n|---|---|\n")
        for task, steps in TASKS.items():
            with _tab(browser, url) as tab:
                person = Person(tab)
                person.do(steps)
                sys.stdout.write(f"| {task} | {person.clicks} |\n")
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
def serve_fakes(github: LoopbackGitHub, sources: LoopbackPapers, **more: str) -> Iterator[str]:
    """Serve the page with fakes of GitHub and of the sources, a saved search and a project of a library."""
    with tempfile.TemporaryDirectory() as name, github, sources:
        folder = Path(name)
        collect(folder, "thesis", [own_paper("cat-1", "Cats in graphs", abstract="Why cats walk on graphs.")])
        saved = folder / "goldpan/saved"
        saved.mkdir(parents=True)
        (saved / "react.json").write_text(json.dumps({"saved_at": "2026-01-01T00:00:00Z", "request": {"query": REACT}}))
        result = {"id": "example-org/motion-kit", "relevance": 0.8, "basis": "rules"}
        section = {"before_deduplication": 1, "after_deduplication": 1, "shortlisted": 1, "results": [result]}
        run = {"at": "2026-01-01T00:00:00Z", "request": {}, "sections": {"repositories": section}}
        (saved / "react.jsonl").write_text(json.dumps(run) + "\n")
        own = {"XDG_DATA_HOME": name, "GOLDPAN_LIBRARIES": name} | more
        with serving(github, sources, folder, **own) as server:
            yield server.url


if __name__ == "__main__":
    main()
