"""Makes the pictures of the documents: `make pictures`.

They show the real page and the real command, on the embedded sample, so that nothing depends on a network. Needs
Playwright, Pillow and a Chromium on the path. The files are docs/*.png.
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import goldpan_data
from PIL import Image
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from tests.e2e.page.conftest import ARGUMENTS, CHROMIUM
from tests.integration.serve.process import ServerProcess, plain_environment

DOCS = Path(__file__).resolve().parents[2] / "docs"
SAMPLE = goldpan_data.file("sample_catalogue.sqlite")
QUESTION = "lightweight date library in JavaScript, MIT, not moment"
COMMAND = ("search", "JavaScript charting library, MIT, at least 10k stars", "--source", "catalogue", "-n", "3")
COLUMNS = 100
COLOURS, MAX_BYTES = 128, 150_000
"""A palette is half the size of full colours, and text on a plain ground shows no difference."""
WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}
TERMINAL_PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0 }}
pre {{ display: inline-block; margin: 0; padding: 18px 22px; font: 14px/1.35 "DejaVu Sans Mono", monospace;
       background: {background}; color: {foreground} }}
a {{ color: inherit; text-decoration: none }}
</style><pre>{code}</pre>"""


def main() -> None:
    """Write all pictures."""
    with sync_playwright() as driver, ServerProcess("--catalogue", str(SAMPLE)) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        _page(browser, server.url)
        _phone(browser, server.url)
        _terminal(browser)
        browser.close()


def _keep(shown: Any, name: str) -> None:
    """Write what a tab or an element shows, with a palette. Raises `SystemExit` if that is too large for a document."""
    picture = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    file = DOCS / f"{name}.png"
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
    size = file.stat().st_size
    sys.stdout.write(f"{file.name}: {size:,} bytes\n")
    if size > MAX_BYTES:
        raise SystemExit(f"{file.name} has more than {MAX_BYTES:,} bytes")


def _page(browser: Any, address: str) -> None:
    """Show the results of a question, then the first three of them on one radar."""
    tab = _open(browser, address, viewport=WIDE)
    _keep(tab, "page")
    boxes = tab.locator(".actions input")
    for place in range(3):
        boxes.nth(place).check()
    tab.click("#tray button:has-text('Compare 3')")
    tab.wait_for_selector("#dialog svg")
    _keep(tab, "compare")


def _phone(browser: Any, address: str) -> None:
    """Show the first of the same results on a phone in dark mode."""
    tab = _open(browser, address, viewport=PHONE, color_scheme="dark")
    tab.locator(".card").first.evaluate("card => card.scrollIntoView({block: 'start'})")
    _keep(tab, "page-phone-dark")


def _open(browser: Any, address: str, **options: Any) -> Any:
    """Open the page with a question in its address, and wait for the answer."""
    tab = browser.new_context(reduced_motion="reduce", **options).new_page()
    tab.goto(f"{address}/?{urlencode({'q': QUESTION, 'kinds': 'repositories'})}")
    tab.wait_for_selector("#results .tools")
    return tab


def _terminal(browser: Any) -> None:
    """Show what the command prints to a terminal, below its own line."""
    console = Console(width=COLUMNS, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    shown = " ".join(f'"{word}"' if " " in word else word for word in COMMAND)
    console.print(Text(f"$ goldpan {shown}\n", "bold"), soft_wrap=True)
    console.print(Text.from_ansi(_printed()))
    html = console.export_html(theme=MONOKAI, inline_styles=True, code_format=TERMINAL_PAGE)
    tab = browser.new_page()
    tab.set_content(html)
    _keep(tab.locator("pre"), "terminal")


def _printed() -> str:
    """Run the command as at a terminal of 100 columns and return what it prints, with its colours."""
    as_terminal = {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "FORCE_COLOR": "1"}
    command = [sys.executable, "-m", "goldpan_local", *COMMAND, "--format", "table", "--no-compact", "--quiet"]
    return subprocess.run(  # noqa: S603 - the command of this project
        command, env=plain_environment() | as_terminal, capture_output=True, text=True, check=True
    ).stdout


if __name__ == "__main__":
    main()
