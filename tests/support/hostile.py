"""A source and a model whose values are as large as they can be, in texts that take the most bytes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt
from goldpan.kinds.repositories.models import ReadmeOutline, Repository, RepositorySearch
from goldpan.kinds.repositories.ports import ALL_WORDS, Enriched, Found

from tests.support.factories import NOW

SOURCES = ("github", "catalogue")
ONE_TO_EIGHTEEN = "\ufdfa"
"""One character that Unicode's compatible form writes with eighteen."""
UNITS = ("a", "ж", "水", "𠮷", "\x01", '"', "\\", ", ", ":", ONE_TO_EIGHTEEN, "\u3300", "</script>", "\u2028", "a b ")
OUTLINE = ReadmeOutline(
    characters=100_000,
    headings=10_000,
    code_blocks=10_000,
    links=10_000,
    images=10_000,
    sections=("install", "usage", "examples", "api", "contributing", "license", "docs"),
)
KNOWN = {
    "stars": 500_000, "forks": 300_000, "parent_stars": 1, "archived": False, "fork": False,
    "pushed_at": "2026-08-01T00:00:00.123456Z", "created_at": "2015-08-01T00:00:00Z",
    "observed": dict.fromkeys(("stars", "pushed_at", "latest_release_at"), "2026-08-01"),
}  # fmt: skip
FURTHER = {
    "has_readme": True, "readme_outline": OUTLINE, "releases": 9999, "latest_release_at": NOW, "open_issues": 99_999,
    "closed_issues": 99_999, "merged_pull_requests": 99_999, "recent_commits": 99_999, "watchers": 99_999,
    "contributors": 99_999,
}  # fmt: skip


def filled(unit: str, length: int) -> str:
    """Repeat a unit up to a length."""
    return (unit * (length // len(unit) + 1))[:length]


def strange_words(count: int, length: int = 60) -> list[str]:
    """Make different words of characters that take four bytes."""
    return [chr(0x20000 + number) * length for number in range(count)]


@dataclass
class HostileSource:
    """A source whose texts have these units and lengths; every fifth repository is an ordinary one."""

    unit: str = "a"
    found: int = 60
    name: int = 0
    description: int = 350
    topics: int = 10
    readme: str = ""
    entries: int = 60
    fact: int = 0
    said: int = 300
    failures: int = 0
    searches_a_question: int = 15
    matches = ALL_WORDS
    notice: str | None = None

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Return a list for every search."""
        del deadline
        lists = tuple(tuple(self._one(i, j) for j in range(self.found)) for i in range(len(searches)))
        said = (filled(self.unit, self.said),)
        queries = tuple(filled("𠮷", 256) for _ in searches)
        return Found(lists, 10**6, queries=queries, notes=said, failures=said, incomplete=True)

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Return a repository for every name."""
        del deadline
        return Found(tuple((self._one(i, 0),) for i, _ in enumerate(names)), len(names), tuple(names))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Return all further facts."""
        del deadline
        tree = tuple(filled(self.unit, 40) + str(number) for number in range(self.entries))
        further = {**FURTHER, "readme": self.readme or filled(self.unit, 5000), "tree": tree}
        failures = tuple(f"{number} {filled(self.unit, 160)}" for number in range(self.failures))
        return Enriched(tuple(item.model_copy(update=further) for item in repositories), failures)

    def _one(self, search: int, place: int) -> Repository:
        usual = place % 5 == 0
        name = f"example-org-{search}/motion-{place}" + ("" if usual else filled("x", self.name))
        fact = filled(self.unit, 5 if usual else self.fact) or None
        return Repository.model_validate(
            {
                **KNOWN,
                "full_name": name,
                "url": f"https://github.com/{name}",
                "description": f"React animation library {filled(self.unit, self.description)}"[: self.description],
                "topics": [filled(self.unit, 50) + str(number) for number in range(self.topics)] or None,
                "language": fact or "TypeScript",
                "license": fact or "MIT",
            }
        )


@dataclass
class HostileModel:
    """A model with the longest permitted answers, or with a long failure."""

    unit: str = "a"
    keywords: Sequence[str] = ("react", "animation", "library")
    expanded: Sequence[str] = ()
    failure: str = ""
    name: str = "own-model"
    usage: Usage = field(default=Usage(llm_calls=1, input_tokens=999_999_999, output_tokens=999_999_999))

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Answer by the kind of the prompt; only scoring fails."""
        del deadline
        if "judge how well" not in prompt.system:
            read = {"keywords": list(self.keywords), "expanded_keywords": list(self.expanded)}
            return Completion(dict(read), self.usage)
        if self.failure:
            raise LanguageModelFailed(f"the language model could not be asked ({self.failure})", self.usage)
        reason = filled(self.unit, 3000).strip() or "It fits."
        said = {"relevance": 0.123456789, "documentation": 7.77, "ease_of_use": 6.66, "reasoning": reason}
        return Completion({**said, "quote": filled(self.unit, 300)}, self.usage)
