"""Measures the page of `goldpan serve` in a real browser, and the events of a search.

    python tests/benchmarks/page.py [--rounds 10]

1. The event `started` within 100 ms of the request, and `Query translated` within 300 ms without a language model; each
   question is new, and GitHub is on a loopback port and takes 300 ms.
2. From the beginning of the navigation to a question that is typed: under 1 s, with an empty browser cache.
3. All files of the page: under 150 KB, uncompressed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from statistics import median

import httpx2

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # a script sees only its own folder

from tests.benchmarks.figures import Limit, report, table  # noqa: E402
from tests.integration.serve.process import ServerProcess  # noqa: E402
from tests.support.loopback import LoopbackGitHub, sample_repositories  # noqa: E402

LATENCY, STARTED_MS, TRANSLATED_MS, USABLE_MS, PAGE_BYTES = 0.3, 100, 300, 1000, 150_000
BROWSER = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
QUESTION = "React animation library"


def measure_events(url: str, rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds from each request to its event `started`, and to `Query translated`."""
    started, translated = [], []
    with httpx2.Client(base_url=url, timeout=30, trust_env=False) as client:
        for number in range(rounds):
            body = {"query": f"{QUESTION} number {number}"}
            begin = time.perf_counter()
            with client.stream("POST", "/search", json=body, headers={"accept": "text/event-stream"}) as response:
                for line in response.iter_lines():
                    passed = 1000 * (time.perf_counter() - begin)
                    if line == "event: started":
                        started.append(passed)
                    if line.startswith("data: ") and json.loads(line[6:]).get("message") == "Query translated":
                        translated.append(passed)
    return started, translated


def measure_page(url: str, rounds: int) -> tuple[list[float], int]:
    """Return the milliseconds from each navigation to a typed question, and the bytes of the page's files."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - checked before

    usable, sizes = [], {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER)
        for _ in range(rounds):
            context = browser.new_context()
            tab = context.new_page()
            tab.on("response", lambda one: sizes.update({one.url: len(one.body())}))
            begin = time.perf_counter()
            tab.goto(url, wait_until="commit")
            tab.locator("#question").press_sequentially("date library")
            tab.wait_for_function("() => document.getElementById('mode-text').textContent !== ''")  # the script has run
            usable.append(1000 * (time.perf_counter() - begin))
            context.close()
        browser.close()
    return usable, sum(sizes.values())


def main() -> int:
    """Measure, print, and check the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with LoopbackGitHub(sample_repositories(), latency=LATENCY) as github:
        environment = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "good-token"}
        with ServerProcess(**environment) as server:
            started, translated = measure_events(server.url, rounds)
            if shutil.which("chromium") is None:
                print("skipped: no Chromium, so the page itself is not measured")
                usable, size = [0.0], 0
            else:
                usable, size = measure_page(server.url, rounds)
    rows = [
        [name, median(found), max(found)]
        for name, found in (("started", started), ("Query translated", translated), ("question typed", usable))
    ]
    figures = {"page_bytes": size, **{f"{name}_ms": middle for name, middle, _ in rows}}
    limits = [
        Limit("milliseconds to `started`, the slowest", max(started), STARTED_MS),
        Limit("milliseconds to `Query translated`, the slowest", max(translated), TRANSLATED_MS),
        Limit("milliseconds to a typed question, median", median(usable), USABLE_MS),
        Limit("bytes of the page", size, PAGE_BYTES),
    ]
    return report(table(["ms", "median", "slowest"], rows), figures, limits)


if __name__ == "__main__":
    sys.exit(main())
