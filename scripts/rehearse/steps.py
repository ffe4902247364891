"""The steps of a rehearsal, in their order: each does what an operator does, and checks what is left."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import boto3
import httpx2
from botocore.exceptions import BotoCoreError, ClientError
from goldpan.engine.answer_cache import is_complete
from goldpan.kinds.answer import Answer
from playwright.sync_api import Error as BrowserError

from scripts.page.deploy import RefusedError
from scripts.rehearse.encoder import deploy_layer, show_encoder
from scripts.rehearse.page import remove_page, show_page
from scripts.rehearse.report import Result, StepError, expect, patiently, require
from scripts.rehearse.stack import NAME, RehearsedStack, delete_stack
from scripts.rehearse.world import World, rehearsal_world
from scripts.smoke.endpoint import CheckError

TOKEN, LATER_KEY = "/goldpan/github-token", "/goldpan/openalex-api-key"
ERRORS = (
    StepError, RefusedError, CheckError, BotoCoreError, ClientError, httpx2.HTTPError, BrowserError, LookupError,
    ValueError,
)  # fmt: skip
QUESTION = {"query": "Rust web framework", "max_results": 3}


def rehearse(built: Path, folder: Path) -> Iterator[Result]:
    """Run all steps in an emulator of their own; a failed step ends none of the others. Raises MissingError."""
    with rehearsal_world(folder) as world:
        yield from (_timed(name, step) for name, step in Rehearsal(world, RehearsedStack(built), folder).steps())


def _timed(name: str, step: Callable[[], str]) -> Result:
    begins = time.monotonic()
    try:
        shown, passed = step(), True
    except ERRORS as error:
        shown, passed = f"{error or type(error).__name__}", False
    return Result(name, " ".join(shown.split()), time.monotonic() - begins, passed)


@dataclass
class Rehearsal:
    """The stack with what surrounds it."""

    world: World
    stack: RehearsedStack
    folder: Path

    def steps(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """Yield the name and the work of each step."""
        yield "first deployment", self.first
        yield "search", self.search
        yield "search without waiting", self.without_waiting
        yield "other requests", lambda: patiently(self.stack.endpoint().other_requests)
        yield "the page", lambda: show_page(self.stack.endpoint().key or "", self.folder / "page", self.world.github)
        yield "removal of the page", remove_page
        yield "a parameter changed", self.parameter
        yield "broken release", self.broken
        yield "rollback", self.rolled_back
        yield "the same deployment again", self.again
        yield "the encoder's layer", self.encoder
        yield "gradual deployment of broken code", self.gradual
        yield "deletion", self.deletion

    def first(self) -> str:
        """Deploy with one secret."""
        boto3.client("ssm").put_parameter(Name=TOKEN, Value="good-token", Type="SecureString")
        self._deploy(
            Architecture=self.stack.architecture, ApiGatewayLogRole="create", Secrets="github-token",
            GitHubApiUrl=self.world.github.url, WarmUpQuestions="0",
        )  # fmt: skip
        expect(self.stack.status, "CREATE_COMPLETE", "the status")
        self._expect_versions(1)
        return f"{len(self.stack.resources())} resources; every alias points to version 1"

    def search(self) -> str:
        """Search by the API, its key, the machine's alias, the functions and GitHub; then again from the cache."""
        before = len(self.world.github.requests)
        answer = self._search(cached=False)
        called = len(self.world.github.requests) - before
        require(called, "a call of GitHub")
        self._search(cached=True)
        found = len(answer.sections["repositories"].results)
        return f"200 after {called} calls of GitHub, results: {found}; the repeated request came from the cache"

    def without_waiting(self) -> str:
        """Search without waiting, and see a finished stage before the answer."""
        return patiently(self._see_stages)

    def _see_stages(self) -> str:
        shown = self.stack.endpoint().search_without_waiting()
        require("Query translated" in shown, f"a finished stage ({shown})")
        return shown

    def parameter(self) -> str:
        """Change a setting of the functions, and nothing else."""
        self._deploy(CrossrefMailto="you@example.org")
        expect(self.stack.status, "UPDATE_COMPLETE", "the status")
        self._expect_versions(2)
        self._search(cached=False)
        return "each function and the machine have a second version; no answer of the first one is served"

    def broken(self) -> str:
        """Deploy with a secret that does not exist."""
        failed = self.stack.deploy(Secrets="github-token,openalex-api-key")
        require(failed.returncode, "that the deployment fails")
        reasons = [event.get("ResourceStatusReason", "") for event in self.stack.events()]
        named = next((reason for reason in reasons if LATER_KEY in reason), "")
        require(named, f"a reason that names {LATER_KEY}")
        return f"it fails at Release: {named.partition(' (')[0]}"

    def rolled_back(self) -> str:
        """Look at what the failed deployment left."""
        expect(self.stack.status, "UPDATE_ROLLBACK_COMPLETE", "the status")
        self._expect_versions(2, left=[1, 2])
        self._search(cached=True)
        return "aliases and versions are those before; the version that failed is deleted; answers are cached as before"

    def again(self) -> str:
        """Store the secret, and repeat the deployment with the same code."""
        boto3.client("ssm").put_parameter(Name=LATER_KEY, Value="good-paper-key", Type="SecureString")
        self._deploy()
        expect(self.stack.status, "UPDATE_COMPLETE", "the status")
        current = {function: found[0] for function, found in self.stack.versions().items()}
        self._search(cached=False)
        return f"it succeeds; versions {sorted(set(current.values()))}"

    def encoder(self) -> str:
        """Deploy the optional layer as a stack of its own, and give its ARN to this one."""
        arn = deploy_layer(self.stack.architecture)
        self._deploy(EmbeddingModel=arn)
        return show_encoder(self.stack, arn, self.folder)

    def gradual(self) -> str:
        """Deploy a scout that cannot be imported to a tenth of the searches, and raise the alarm of its errors."""
        self._deploy(DeploymentMinutes="10")
        before = self.stack.versions(), self.stack.machine()
        alarm = self.stack.physical_id("FunctionErrorsAlarm")
        boto3.client("cloudwatch").set_alarm_state(AlarmName=alarm, StateValue="ALARM", StateReason="rehearsal")
        broken = replace(self.stack, built=self.stack.broken_build("ScoutFunction"))
        failed = broken.deploy()
        require(failed.returncode, "that the deployment fails")
        expect(self.stack.status, "UPDATE_ROLLBACK_COMPLETE", "the status")
        expect({name: found[0] for name, found in self.stack.versions().items()},
               {name: found[0] for name, found in before[0].items()}, "the versions of the aliases")  # fmt: skip
        expect(self.stack.machine()[0], before[1][0], "the version of the machine")
        self._search(cached=True)
        return "the alarm stops it; aliases point to the versions before, and searches are answered"

    def deletion(self) -> str:
        """Delete the stack."""
        delete_stack(NAME)
        buckets = [each["Name"] for each in boto3.client("s3").list_buckets()["Buckets"]]
        kept = [name for name in buckets if "librarybucket" in name]
        functions = boto3.client("lambda").list_functions()["Functions"]
        expect(functions, [], "the functions that are left")
        tables = boto3.client("dynamodb").list_tables()["TableNames"]
        expect(tables, [], "the tables that are left")
        expect(len(kept), 1, "the number of buckets of libraries that are left")
        return "no function and no table is left; the bucket of the libraries stays"

    def _deploy(self, **parameters: str) -> None:
        done = self.stack.deploy(**parameters)
        if done.returncode:
            failed = [f"{each['LogicalResourceId']}: {each.get('ResourceStatusReason')}" for each in self.stack.events()
                      if each["ResourceStatus"].endswith("FAILED")]  # fmt: skip
            raise StepError(f"sam deploy failed: {'; '.join(failed[-3:]) or done.stderr[-300:]}")

    def _search(self, *, cached: bool) -> Answer:
        """Search until the answer is complete: a cached one, or one that was made since then."""
        since = None if cached else datetime.now(UTC)
        return patiently(lambda: self._found(since))

    def _found(self, since: datetime | None) -> Answer:
        response = self.stack.post("/search", QUESTION)
        expect(response.status_code, HTTPStatus.OK, f"the status of {response.text[:300]}")
        answer = Answer.model_validate_json(response.content)
        found = answer.sections["repositories"].results
        require(found and is_complete(answer), f"a complete answer ({answer.sources})")
        require(answer.answered_at > since if since else answer.cached, "a new answer" if since else "a cached answer")
        return answer

    def _expect_versions(self, number: int, left: list[int] | None = None) -> None:
        expected = (number, left or list(range(1, number + 1)))
        expect(self.stack.versions(), dict.fromkeys(self.stack.versions(), expected), "the versions of the functions")
        expect(self.stack.machine()[0], str(number), "the version of the machine")
