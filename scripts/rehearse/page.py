"""Deploys the page, and searches on it in Chromium, whose requests the emulator's CloudFront answers."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import httpx2
from playwright.sync_api import Route, sync_playwright

from scripts.page.build import write
from scripts.page.deploy import deploy
from scripts.rehearse.report import StepError, expect, patiently, require
from scripts.rehearse.stack import NAME, delete_stack
from scripts.smoke.stack import Stack
from tests.e2e.page.conftest import ARGUMENTS, CHROMIUM, PATIENCE_MS
from tests.support.loopback.fault import LoopbackFault
from tests.support.loopback.github import LoopbackGitHub

PAGE, QUESTION = f"{NAME}-page", "animation library for React"
SLOW_SECONDS = 2.5
ANSWERED, FAILED = "#results .tools", "#problem p"
STAGES = """() => { new MutationObserver(() => { window.shownStages = document.getElementById('stages').innerText })
    .observe(document.getElementById('stages'), {childList: true}); }"""


def show_page(key: str, files: Path, github: LoopbackGitHub) -> str:
    """Put the page in front of the API, and search on it with a key, while GitHub is slow enough to see the stages."""
    number = write(files)
    url = deploy(NAME, files, log=subprocess.DEVNULL)
    if not CHROMIUM:
        return f"{number} files deployed; skipped: no Chromium to search in"
    github.inject(LoopbackFault("slow", lambda exchange: exchange.genuine()).after(SLOW_SECONDS))
    stages, results = patiently(lambda: seen(url, key))
    return f"{number} files deployed; Chromium shows {results} results after {', '.join(stages)}"


def seen(url: str, key: str) -> tuple[list[str], int]:
    """Search once, and see stages and results. Raises StepError."""
    stages, results = search(url, key, QUESTION)
    require(results and stages, f"stages and results on the page ({stages}, {results})")
    return stages, results


def remove_page() -> str:
    """Empty the bucket of the page, and delete its stack."""
    boto3.resource("s3").Bucket(Stack(PAGE).output("PageBucketName")).objects.delete()
    delete_stack(PAGE)
    names = [each["Name"] for each in boto3.client("s3").list_buckets()["Buckets"]]
    expect([name for name in names if "pagebucket" in name], [], "the buckets of pages that are left")
    return "no bucket of it is left, and the API stays"


@dataclass
class Viewer:
    """Sends the requests of a tab to the emulator, as if they had come over TLS; all others are refused."""

    url: str
    emulator: httpx2.Client
    complaints: list[str] = field(default_factory=list)

    def answer(self, route: Route) -> None:
        """Answer one request."""
        sent = route.request
        if not sent.url.startswith(self.url):
            self.complaints.append(f"a request to {sent.url}")
            route.abort()
            return
        target = httpx2.URL(sent.url)
        headers = {**sent.headers, "host": target.host, "x-forwarded-proto": "https"}
        path = target.raw_path.decode()
        got = self.emulator.request(sent.method, path, headers=headers, content=sent.post_data_buffer)
        route.fulfill(status=got.status_code, headers=dict(got.headers), body=got.content)

    def listen(self, tab: Any) -> None:
        """Note what the console and the scripts of a tab complain about."""
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("console", lambda one: self.complaints.append(one.text) if "Content Security" in one.text else None)


def search(url: str, key: str, question: str) -> tuple[list[str], int]:
    """Ask a question on the page; return the stages that it showed and the number of results. Raises StepError."""
    emulator = httpx2.Client(base_url=os.environ["AWS_ENDPOINT_URL"], timeout=PATIENCE_MS / 1000)
    viewer = Viewer(url, emulator)
    with emulator, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        tab = browser.new_page()
        tab.set_default_timeout(PATIENCE_MS)
        viewer.listen(tab)
        tab.route("**/*", viewer.answer)
        tab.goto(url)
        tab.evaluate(STAGES)
        tab.fill("#question", question)
        tab.keyboard.press("Enter")  # opens the options, because the key is missing
        tab.fill("#key", key)
        tab.keyboard.press("Enter")
        tab.wait_for_selector(f"{ANSWERED}, {FAILED}")
        stages, results = tab.evaluate("window.shownStages ?? ''").splitlines(), tab.locator(".cards .card").count()
        problem = tab.inner_text("#problem")
        browser.close()
    if problem or viewer.complaints:
        raise StepError(f"the page shows {problem!r}, and Chromium says {viewer.complaints}")
    return stages, results
