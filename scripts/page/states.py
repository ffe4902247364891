"""Makes pictures of the page in every state, at four widths, light and dark, and prints what axe finds in them.

    .venv/bin/python -m scripts.page.states FOLDER [--only TEXT] [--firefox]

GitHub and the sources of papers are the fakes of the tests. `--only` makes the states whose name has a text; in Firefox
only those are made that an address leads to.
"""

import argparse
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from scripts.page.hostile_texts import MARKUP, NO_WIDTH, RIGHT_TO_LEFT, hostile_papers, hostile_repositories
from scripts.page.tasks import CHOOSE, COMPARE, GRAPHS, REACT, Person, serve_fakes
from tests.e2e.page.conftest import ARGUMENTS, CHROMIUM, Page
from tests.e2e.page.firefox import Firefox
from tests.support.loopback import LoopbackFault, LoopbackGitHub, sample_repositories
from tests.support.paper_search_fakes import papers
from tests.support.paper_sources import LoopbackPapers

SIZES, SCHEMES, MAX_HEIGHT = ((390, 844), (768, 1024), (1280, 800), (1920, 1000)), ("light", "dark"), 1600
BOTH, DONE = "kinds=papers&kinds=repositories", "see #results .tools, #library-title, #problem p"
ANSWERS = {
    "two": "q=animation&max_results=2",
    "ten": "q=animation",
    "twenty-five": "q=graphs of molecules&max_results=25",
    "none": "q=quantum knitting pattern compiler&sources=github",
    "papers": f"q={GRAPHS}&kinds=papers",
    "papers-none": "q=quantum knitting&kinds=papers",
    "both": f"q={GRAPHS}&{BOTH}",
    "both-one-empty": f"q=animation&{BOTH}",
    "both-none": f"q=quantum knitting&sources=github&sources=crossref&{BOTH}",
    "hostile": "q=zeppelin",
    "hostile-papers": "q=zeppelin&kinds=papers",
    "hostile-question": f"q={MARKUP} {NO_WIDTH} {RIGHT_TO_LEFT} {'w' * 200}",
    "filtered-out": "q=animation&only=repositories:Language:TypeScript&only=repositories:Stars:under 100",
    "refused": "q=React&max_results=99",
    "library": "q=cats graphs&where=library&project_id=thesis",
    "library-none": "q=zeppelin&where=library&project_id=thesis",
    "passages": "q=why do cats walk on graphs&where=passages",
}
"""The states that an address leads to."""
ANSWER, ALL_OPEN = (f"open /?q={REACT}, MIT, not spring", DONE), "open_all main details"
PAPERS, TWO = (
    (f"open /?{ANSWERS['papers']}", DONE),
    f"compare=example-org/motion-kit&compare=example-org/{{}}&q={REACT}",
)
STATES = {
    "start": (*ANSWER, "open /", "see #start summary", ALL_OPEN),
    "options": ("open /", "click #kinds label >> nth=1", "click #options-button"),
    "options-library": ("open /", "click #options-button", "pick library #where"),
    **{name: (f"open /?{address}", DONE) for name, address in ANSWERS.items()},
    "opened": (*ANSWER, ALL_OPEN),
    "papers-opened": (*PAPERS, ALL_OPEN),
    "both-opened": (f"open /?{ANSWERS['both']}", DONE, ALL_OPEN),
    "hostile-opened": (f"open /?{ANSWERS['hostile']}", DONE, ALL_OPEN),
    "end": (*PAPERS, "click #more", "see .card >> nth=10", "open_all #sources details", "screen footer"),
    "saved": ("open /", "click #start a:has-text('react')", "see .card .mark"),
    "chip-edited": (*ANSWER, "click .chip.constraint .edit"),
    "chip-ignored": (*ANSWER, "click [aria-label='Do not apply “MIT”']", "see text=Apply all again"),
    "focus": (*ANSWER, "press Tab", "press Tab"),
    "running": ("fail hang", f"open /?q=slow {REACT}&{BOTH}", "see #stages li"),
    "running-early": ("fail hang /crossref/", f"open /?q=slower {REACT}&{BOTH}", "see .early"),
    "cancelled": ("fail hang", f"open /?q=slow {REACT}", "see #stages li", "click #cancel", "see text=was cancelled"),
    "incomplete": ("fail 500 /crossref/", f"open /?q={GRAPHS} failing&kinds=papers", DONE, "open_all .notices"),
    "failed": ("fail 500", f"open /?q=all fail&sources=github&sources=crossref&{BOTH}", DONE),
    "rejected": ("fail 401", f"open /?q=rejected {REACT}&sources=github", DONE),
    "lost": ("lose **/search", f"open /?q={REACT}", DONE),
    "chosen": (*ANSWER, *(f"click {COMPARE}{place}" for place in range(3)), "screen"),
    "chosen-papers": (*PAPERS, *(f"click {CHOOSE}{place}" for place in range(2)), "screen"),
    "comparison": (f"open /?{TWO.format('spring-ui')}", "see #dialog svg", "screen"),
    "comparison-missing": (f"open /?{TWO.format('gone')}", "see #dialog svg", "open_all #dialog .notices", "screen"),
    "analysis": (*ANSWER, "click .card button:has-text('Look closer') >> nth=0", "see #dialog svg", "screen"),
    "adding": (*PAPERS, "click .card button:has-text('Add to library') >> nth=0", "screen"),
}


class Visitor(Person):
    """Leads the page to a state, in which the sources may fail."""

    def __init__(self, tab: Any, url: str, fakes: Iterable[Any]) -> None:
        super().__init__(tab)
        self.url, self.fakes, self.is_whole = url, fakes, True

    def open(self, address: str) -> None:
        """Open an address of the page."""
        self.tab.goto(self.url + address)

    def open_all(self, what: str) -> None:
        """Open all details."""
        self.tab.eval_on_selector_all(what, "all => all.forEach(each => { each.open = true })")

    def screen(self, what: str) -> None:
        """Show the screen in place of the whole page, since a part of it stands still; scroll to an element."""
        self.is_whole = False
        if what:
            self.tab.locator(what).scroll_into_view_if_needed()

    def fail(self, what: str) -> None:
        """Let the sources hang, or respond with a status, where a request has a text."""
        how, _, text = what.partition(" ")
        fault = LoopbackFault.hang() if how == "hang" else LoopbackFault.status(int(how))
        for fake in self.fakes:
            fake.inject(replace(fault, times=None, contains=text or None))

    def lose(self, addresses: str) -> None:
        """Break the connections for some addresses of the server."""
        self.tab.route(addresses, lambda route: route.abort())

    def keep(self, file: Path) -> Iterable[str]:
        """Write a picture; yield the rules of axe that it violates, and whether it is too wide."""
        height = min(MAX_HEIGHT, max(300, self.tab.evaluate("document.body.scrollHeight")))
        clip = {"x": 0, "y": 0, "width": self.tab.viewport_size["width"], "height": height}
        self.tab.screenshot(path=file, **({"full_page": True, "clip": clip} if self.is_whole else {}))
        yield from Page(self.tab, self.url).violations()
        if self.tab.evaluate("document.documentElement.scrollWidth > innerWidth"):
            yield "wider than the screen"


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(
        prog="scripts.page.states", description="Make pictures of the page in every state."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="the states whose name has this text")
    parser.add_argument("--firefox", action="store_true", help="in Firefox: the states that an address leads to")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    found, sample = papers(30), sample_repositories()
    found[18]["retracted"] = True
    graphs = [sample[n % 6] | {"full_name": f"o/graph-kit-{n}", "description": f"Molecules {n}"} for n in range(30)]
    fakes = LoopbackGitHub([*sample, *graphs, *hostile_repositories()]), LoopbackPapers([*found, *hostile_papers()])
    with tempfile.TemporaryDirectory() as cache, serve_fakes(*fakes, GOLDPAN_CACHE=f"{cache}/cache.sqlite") as url:
        make = in_firefox if chosen.firefox else in_chromium
        make(url, fakes, chosen.folder, [name for name in STATES if chosen.only in name])


def in_chromium(url: str, fakes: Iterable[Any], folder: Path, names: Sequence[str]) -> None:
    """Lead a tab to each state at each width."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name, (width, height) in product(names, SIZES):
            context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
            visitor = Visitor(context.new_page(), url, fakes)
            visitor.do(STATES[name])
            for scheme in SCHEMES:
                visitor.tab.emulate_media(color_scheme=scheme)
                for fault in visitor.keep(folder / f"{name}-{width}-{scheme}.png"):
                    sys.stdout.write(f"{name} at {width}, {scheme}: {fault}\n")
            for fake in fakes:
                fake.clear_faults()
            context.close()


def in_firefox(url: str, _fakes: object, folder: Path, names: Sequence[str]) -> None:
    """Open the addresses in a window of each width."""
    with tempfile.TemporaryDirectory() as profile, Firefox(Path(profile)) as firefox:
        addressed = [name for name in names if name in ANSWERS]
        for scheme, (width, height), name in product(SCHEMES, SIZES, addressed):
            firefox.use_scheme(dark=scheme == "dark")
            firefox.open(url, width, height)  # the width decides what is open at first
            firefox.open(f"{url}/?{ANSWERS[name]}", width, height)
            firefox.wait(f"document.querySelector('{DONE.removeprefix('see ')}') && !document.getAnimations().length")
            picture = firefox.call("WebDriver:TakeScreenshot", {"full": False})
            (folder / f"{name}-{width}-{scheme}-firefox.png").write_bytes(b64decode(picture))


if __name__ == "__main__":
    main()
