"""The page in Firefox, at four widths."""

from pathlib import Path

import pytest

from tests.e2e.page.firefox import FIREFOX, Firefox
from tests.integration.serve.process import ServerProcess

pytestmark = pytest.mark.skipif(FIREFOX is None, reason="no Firefox on this machine")
WIDTHS = ((390, 844, 1), (768, 1024, 3), (1280, 800, 3), (1920, 1000, 3))
ENTER = "\ue007"
ANSWERED = "document.querySelector('#results .tools')"


def test_firefox_shows_a_search_and_its_results_on_the_first_screen(served: ServerProcess, tmp_path: Path) -> None:
    """Its stages, then both kinds; one result on a phone, three elsewhere, nothing beyond the side."""
    with Firefox(tmp_path) as firefox:
        firefox.open(f"{served.url}/?q=graph+neural+networks&kinds=papers&kinds=repositories", 1280, 800)
        firefox.wait("document.querySelector('#stages li')")
        firefox.wait(ANSWERED)
        assert firefox.run("return document.querySelectorAll('section.kind').length") == 2
        assert firefox.run("return document.getElementById('progress').hidden")
        for width, height, number in WIDTHS:
            firefox.open(served.url, width, height)
            firefox.type("#question", f"animation{ENTER}")
            firefox.wait(ANSWERED)
            bottom = f"document.querySelectorAll('.cards .card')[{number - 1}].getBoundingClientRect().bottom"
            assert firefox.run(f"return {bottom}") <= height, width
            assert firefox.run("return document.documentElement.scrollWidth") <= width
        firefox.run("document.querySelector('.facets input').click()")
        shown = firefox.run("return document.querySelectorAll('.cards .card').length")
        assert "only=" in firefox.run("return location.search")
        firefox.call("WebDriver:Refresh", {})
        firefox.wait(ANSWERED)
        assert firefox.run("return document.querySelectorAll('.cards .card').length") == shown
