"""A real browser on the page of a real server, whose GitHub and sources of papers are on loopback ports."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.integration.serve.process import ServerProcess
from tests.support.loopback import LoopbackGitHub, sample_repositories
from tests.support.paper_fakes import collect, own_paper
from tests.support.paper_search_fakes import papers
from tests.support.paper_sources import LoopbackPapers

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
"""No connection but to the page: the browser would look up hosts of its maker."""
PATIENCE_MS = 60_000
FACTS = "[aria-label='Facts side by side'] thead th"
HOSTILE = "<img src=x onerror=\"document.title='taken'\"> ** in graphs"
LONG = f"{'long-' * 7}org/zeppelin-{'x' * 90}"
"""As long as GitHub allows the name of a repository, and without a place to break the line."""
THESIS = (
    own_paper(
        "cat-1", "Cats in graphs", abstract="Why cats walk on graphs.", authors=("Ada Lovelace",), year=2020,
        venue="NeurIPS", tags=("read", "animals"),
    ),
    own_paper("dog-1", "Dogs in trees", abstract="Why dogs climb no trees.", tags=("animals",)),
    own_paper("bad-1", HOSTILE, abstract="Graphs </script><script>document.title='taken'</script>"),
)  # fmt: skip


@dataclass
class Page:
    """The page in a tab of its own, and what its console said."""

    tab: Any
    url: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str = "/", shown: str = "") -> None:
        """Open the page, and wait for an element if one is named."""
        self.tab.goto(self.url + path)
        if shown:
            self.tab.wait_for_selector(shown)

    def type(self, text: str, field: str = "#question") -> None:
        """Type into a field, and send the form."""
        self.tab.fill(field, text)
        self.tab.keyboard.press("Enter")

    def compare(self, number: int) -> None:
        """Check the boxes of the first results and compare them."""
        for place in range(number):
            self.tab.locator(".actions input").nth(place).check()
        self.tab.click(f"#tray button:has-text('Compare {number}')")

    def show_options(self) -> None:
        """Open the options, which a search closes."""
        if not self.tab.is_visible("#options"):
            self.tab.click("#options-button")

    def ask(self, question: str, *, papers: bool = False) -> None:
        """Type a question and send it."""
        self.show_options()  # else the choice of a kind would search
        self.tab.set_checked("[name=kind][value=papers]", papers)
        self.type(question)

    def search(self, question: str, *, papers: bool = False) -> None:
        """Type a question, send it, and wait for the answer."""
        self.ask(question, papers=papers)
        self.tab.wait_for_selector("#results .tools")

    def choose_library(self, what: str) -> None:
        """Search the library from now on: its papers (`library`) or its `passages`."""
        self.show_options()
        self.tab.select_option("#where", what)

    def violations(self) -> list[str]:
        """Run axe on the page; returns the violated rules with the first element of each."""
        package = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
        self.tab.evaluate((Path(package.__file__).parent / "axe.min.js").read_text("utf-8"))
        found = self.tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found["violations"]]

    def parameters(self) -> dict[str, list[str]]:
        """Return the parameters of the address."""
        return parse_qs(urlsplit(self.tab.url).query)

    def names(self) -> list[str]:
        """List the results that are shown."""
        return [card.get_attribute("data-id") or "" for card in self.tab.locator(".cards .card").all()]


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Start the browser once, with a window that stays open: a tab in it takes half the time of a window of its own."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE_MS)
        context = browser.new_context(viewport={"width": 1200, "height": 900}, accept_downloads=True)
        context.set_default_timeout(PATIENCE_MS)
        context.new_page()
        yield context
        browser.close()


@pytest.fixture(scope="package")
def github() -> Iterator[LoopbackGitHub]:
    """Serve the sample repositories, and one with a very long name and description."""
    first = sample_repositories()[0]
    long = {**first, "full_name": LONG, "description": f"Zeppelin {'y' * 200}", "topics": ["zeppelin"], "readme": "Z"}
    with LoopbackGitHub([*sample_repositories(), long]) as server:
        yield server


@pytest.fixture(scope="package")
def scholars() -> Iterator[LoopbackPapers]:
    """Serve papers as all sources do."""
    with LoopbackPapers(papers(30)) as server:
        yield server


@pytest.fixture(scope="package")
def libraries(tmp_path_factory: Any) -> Path:
    """Collect two projects."""
    folder: Path = tmp_path_factory.mktemp("libraries")
    collect(folder, "thesis", THESIS)
    collect(folder, "notes", [own_paper("bird-1", "Birds on wires", abstract="Why birds sit on wires.")])
    return folder


@contextmanager
def serving(github: LoopbackGitHub, scholars: LoopbackPapers, folder: Path, **more: str) -> Iterator[ServerProcess]:
    """Run a server with its configuration and its cache in a folder."""
    environment = scholars.environment() | {"XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    environment |= {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "good-token", "OSV_URL": "http://127.0.0.1:9"}
    with ServerProcess(**environment, **more) as server:
        yield server


@contextmanager
def opened(browser: Any, url: str) -> Iterator[Page]:
    """Open a tab; at the end, no script failed, no policy was violated, nothing was asked elsewhere or is kept."""
    tab = browser.new_page()
    made = Page(tab, url)
    tab.on("pageerror", lambda error: made.complaints.append(str(error)))
    tab.on("console", lambda one: made.complaints.append(one.text) if "Content Security" in one.text else None)
    ours = (url, "blob:")
    tab.on("request", lambda one: None if one.url.startswith((*ours, made.url)) else made.complaints.append(one.url))
    made.open()
    yield made
    browser.new_cdp_session(tab).send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    browser.clear_permissions()
    tab.close()
    assert made.complaints == []


@pytest.fixture(scope="package")
def served(
    github: LoopbackGitHub, scholars: LoopbackPapers, libraries: Path, tmp_path_factory: Any
) -> Iterator[ServerProcess]:
    """Run the server."""
    with serving(github, scholars, tmp_path_factory.mktemp("page"), GOLDPAN_LIBRARIES=str(libraries)) as server:
        yield server


@pytest.fixture
def page(browser: Any, served: ServerProcess, github: LoopbackGitHub, scholars: LoopbackPapers) -> Iterator[Page]:
    """Open a tab on the page of the server, whose sources have no faults at the end."""
    with opened(browser, served.url) as made:
        yield made
        github.clear_faults()
        scholars.clear_faults()
