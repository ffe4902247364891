"""The page in Firefox, at four widths, light and dark."""

from collections.abc import Iterator

import pytest

from tests.e2e.page.firefox import FIREFOX, Firefox
from tests.integration.serve.process import ServerProcess

pytestmark = pytest.mark.skipif(FIREFOX is None, reason="no Firefox on this machine")
WIDTHS = ((390, 844, 1), (768, 1024, 3), (1280, 800, 3), (1920, 1000, 3))
ENTER = "\ue007"
ANSWERED = "document.querySelector('#results .tools')"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Start Firefox, which takes seconds of the processor."""
    with Firefox(tmp_path_factory.mktemp("firefox")) as started:
        yield started


@pytest.mark.parametrize("dark", [False, True])
def test_firefox_shows_results_on_the_first_screen_and_keeps_facets_in_the_address(
    firefox: Firefox, served: ServerProcess, *, dark: bool
) -> None:
    """One result on a phone, three elsewhere, nothing beyond the side; a reload keeps the chosen values."""
    firefox.use_scheme(dark=dark)
    for width, height, number in WIDTHS:
        firefox.open(served.url, width, height)
        firefox.type("#question", f"animation{ENTER}")
        firefox.wait(ANSWERED)
        assert firefox.run("return matchMedia('(prefers-color-scheme: dark)').matches") == dark
        bottom = f"document.querySelectorAll('.cards .card')[{number - 1}].getBoundingClientRect().bottom"
        assert firefox.run(f"return {bottom}") <= height, width
        assert firefox.run("return document.documentElement.scrollWidth") <= width
    firefox.run("document.querySelector('.facets input').click()")
    shown = firefox.run("return document.querySelectorAll('.cards .card').length")
    assert "only=" in firefox.run("return location.search")
    firefox.call("WebDriver:Refresh", {})
    firefox.wait(ANSWERED)
    assert firefox.run("return document.querySelectorAll('.cards .card').length") == shown


def test_firefox_shows_stages_and_both_kinds(firefox: Firefox, served: ServerProcess) -> None:
    """As events of one response; the stages are gone with the answer."""
    firefox.open(f"{served.url}/?q=graph+neural+networks+{id(firefox)}&kinds=papers&kinds=repositories", 1280, 800)
    firefox.wait("document.querySelector('#stages li')")
    firefox.wait(ANSWERED)
    assert firefox.run("return document.querySelectorAll('section.kind').length") == 2
    assert firefox.run("return document.getElementById('progress').hidden")
