"""GitHub answers in sound JSON of another form than it promises: named, like any other failure."""

from __future__ import annotations

from collections.abc import Mapping

from tests.slow.faults.case import Answered, Case, Ended
from tests.slow.faults.github_cases import FOREVER, GRAPHQL, REST, failed
from tests.support.loopback import Fault

ITEM = {
    "full_name": "o/r",
    "html_url": "https://github.com/o/r",
    "stargazers_count": 500,
    "description": "a react animation library",
}
NODE = {"nameWithOwner": "o/r", "url": "https://github.com/o/r", "stargazerCount": 500}
GETS = "a problem that says that GitHub's response does not match its schema"
NAMED = r"GitHub(?:'s)? [^;(:]+\w"


def _rest(name: str, body: Mapping[str, object]) -> Case:
    fault = Fault.status(200, body=body, times=FOREVER)
    done = "every call is answered 200 with sound JSON: " + name
    return Case(REST, f"another form: {name}", done, GETS, failed(NAMED), (3, 10), github=(fault,), token=False)


def _item(name: str, **fields: object) -> Case:
    return _rest(name, {"total_count": 1, "items": [ITEM | fields]})


def _graphql(name: str, body: Mapping[str, object], expect: Ended | None = None) -> Case:
    fault = Fault.status(200, body=body, times=FOREVER)
    done = "every call is answered 200 with sound JSON: " + name
    return Case(GRAPHQL, f"another form: {name}", done, GETS, expect or failed(NAMED), (3, 6), github=(fault,))


def _searched(name: str, found: object) -> Case:
    return _graphql(name, {"data": {f"s{place}": found for place in range(15)}})


def _facts(name: str, **fields: object) -> Case:
    body = {"data": {f"r{place}": fields for place in range(10)}}
    return Case(
        GRAPHQL,
        f"another form: {name}",
        "the searches are answered, the calls for further facts with sound JSON: " + name,
        "an answer from what the searches told, with an error that says which facts are missing and why",
        Answered(errors={"shortlist": "no further facts for .*does not match its schema"}),
        (5, 7),
        github=(Fault.status(200, body=body, contains="query Enrich", times=FOREVER),),
    )


CASES = [
    _searched("a search without its list", {}),
    _searched("a search that is a list", [1]),
    _searched("a list that is a number", {"repositoryCount": 1, "nodes": 7}),
    _searched("a count in words", {"repositoryCount": "many", "nodes": [NODE]}),
    _searched(
        "a topic that is null", {"repositoryCount": 1, "nodes": [NODE | {"repositoryTopics": {"nodes": [None]}}]}
    ),
    _graphql("errors that are a number", {"errors": 7}),
    _facts("a release that is null", releases={"totalCount": 1, "nodes": [None]}),
    _facts("a file without a name", tree={"entries": [{"type": "blob"}]}),
    _facts("a README that is a number", readmeMd={"text": 7}),
    _rest("no list of repositories", {"message": "hello"}),
    _rest("a count in words", {"total_count": "many", "items": []}),
    _rest("a repository that is null", {"total_count": 1, "items": [None]}),
    _item("stars in words", stargazers_count="many"),
    _item("a description that is a number", description=7),
    _item("a licence that is a text", license="MIT"),
    _item("topics that are a number", topics=7),
]
