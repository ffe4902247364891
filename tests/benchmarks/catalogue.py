"""Measures a large catalogue: bytes of a repository, and the time of a search.

`python -m tests.benchmarks.catalogue [--repositories N]` varies the repositories of the sample: of each pair, one has
the names of the other's owner, and the words of both descriptions in turn. The questions are names of categories. Each
search is timed alone (by all words, any word, meaning), and so are all searches that a question makes.
"""

import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from goldpan.contracts import parse_request
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.models import CATALOGUE, Matching, Repository, RepositorySearch
from goldpan.kinds.repositories.sources.catalogue.build import write_catalogue
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue, open_sample
from goldpan.kinds.repositories.translate import translate
from goldpan.text import words

from tests.benchmarks.frame import ROOT, Limit, report, run_main, table

QUESTION = "all of a question"
SEED, QUESTIONS, MILLISECONDS = 24, 200, 50
TOPICS = ("cli", "python", "self-hosted", "react", "machine-learning", "golang", "api", "database", "rust", "security")
LICENSES = ("MIT", "Apache-2.0", "GPL-3.0", "BSD-3-Clause", None)
SEARCHED: tuple[Matching, ...] = ("all", "any", "meaning")
BESIDE = 100
"""Bytes that a repository may take beside its texts, the index of their words, and its vector."""


def varied(count: int, draw: random.Random) -> Iterator[Repository]:
    """Yield repositories with all facts that a crawl finds, whose texts are mixed from two of the sample."""
    sample = list(open_sample(None).repositories())
    for number in range(count):
        first, second = sample[number % len(sample)], draw.choice(sample)
        name = f"{second.full_name.partition('/')[0]}/{first.full_name.partition('/')[2]}-{number}"
        halves = [(each.description or "").split() for each in (first, second)]
        text = " ".join([*halves[0][: len(halves[0]) // 2 + 3], *halves[1][len(halves[1]) // 2 :]])
        created = datetime(2010, 1, 1, tzinfo=UTC) + timedelta(seconds=draw.randrange(15 * 365 * 86_400))
        yield first.model_copy(
            update={
                "full_name": name,
                "description": text,
                "url": f"https://github.com/{name}",
                "homepage": f"https://{name.partition('/')[2].lower()}.dev" if number % 3 == 0 else None,
                "topics": tuple(draw.sample(TOPICS, 3)) + tuple(words(text)[:2]),
                "stars": int(50 / (draw.random() + 1e-5)),
                "created_at": created,
                "pushed_at": datetime(2026, 11, 23, tzinfo=UTC) - timedelta(seconds=draw.randrange(700 * 86_400)),
                "archived": False,
                "fork": False,
                "license": draw.choice(LICENSES),
                "observed": dict.fromkeys(("stars", "pushed_at"), date(2026, 11, 23)),
            }
        )


def parts_of(path: Path, count: int, texts: int) -> dict[str, float]:
    """Return the bytes of a repository, by what takes them; whole pages are counted."""
    connection = sqlite3.connect(path)
    sizes = dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
    connection.close()
    index = sum(size for name, size in sizes.items() if name.startswith("texts_"))
    total, vectors = sum(sizes.values()), sizes["vectors"]
    rows = {"texts": texts, "index of words": index, "vector": vectors, "beside": total - texts - index - vectors}
    return {name: size / count for name, size in {**rows, "all": total}.items()}


class Times(NamedTuple):
    """The median and the 99th of a hundred, in milliseconds of the wall, and the median of the processor."""

    p50: float
    p99: float
    processor: float


def timed(catalogue: Catalogue, lists: Sequence[Sequence[RepositorySearch]]) -> Times:
    """Run searches one after the other."""
    wall, processor, deadline = list[float](), list[float](), Deadline.after(3600, WallClock())
    for searches in lists:
        start, used = time.perf_counter(), time.thread_time()
        catalogue.search(searches, deadline)
        wall.append(1000 * (time.perf_counter() - start))
        processor.append(1000 * (time.thread_time() - used))
    wall.sort()
    return Times(statistics.median(wall), wall[int(len(wall) * 0.99)], statistics.median(processor))


def questions() -> list[str]:
    """Draw questions from the names of the categories."""
    lines = (ROOT / "goldpan-data/categories/categories.txt").read_text("utf-8").splitlines()
    return [line.partition(";")[0].partition("\t")[0] for line in random.Random(SEED).sample(lines, QUESTIONS)]


def searches_of(question: str, catalogue: Catalogue) -> tuple[RepositorySearch, ...]:
    """Return all searches that a question makes in the catalogue."""
    clock = WallClock()
    request = parse_request({"query": question, "sources": [CATALOGUE]})
    dependencies = Dependencies(clock, {CATALOGUE: catalogue}, encoder=shipped_table())
    translation = translate(request, (CATALOGUE,), dependencies, Deadline.after(5, clock))
    return tuple(search for task in translation.tasks for search in task.searches)


def main(repositories: int = 100_000) -> int:
    """Measure, print, and check the limits."""
    with tempfile.TemporaryDirectory() as folder:
        path, texts = Path(folder, "large.sqlite"), [0]

        def counted() -> Iterator[Repository]:
            for each in varied(repositories, random.Random(SEED)):
                parts_of_it = (each.full_name, each.description, each.homepage, each.curator_text, *(each.topics or ()))
                texts[0] += sum(len((text or "").encode()) for text in parts_of_it)
                yield each

        write_catalogue(counted(), path, "a large catalogue", shipped_table())
        parts = parts_of(path, repositories, texts[0])
        catalogue = Catalogue.open(path, shipped_table())
        timed(catalogue, [[RepositorySearch(words=("terminal",), match="meaning")]])  # loads the vectors
        asked = questions()
        runs: dict[str, list[tuple[RepositorySearch, ...]]] = {
            match: [(RepositorySearch(words=tuple(words(text)), match=match),) for text in asked] for match in SEARCHED
        }
        runs[QUESTION] = [searches_of(text, catalogue) for text in asked]
        times = {name: timed(catalogue, lists) for name, lists in runs.items()}
        catalogue.close()
    text = table(["bytes a repository", *parts], [[f"{repositories:,} repositories", *parts.values()]]) + "\n\n"
    text += table(
        ["milliseconds", "p50", "p99", "p50 of the processor"], [[name, *each] for name, each in times.items()]
    )
    text += f"\n\nsearches of a question: {statistics.mean(map(len, runs[QUESTION])):.1f}"
    limits = [Limit("bytes beside", parts["beside"], BESIDE)]
    limits += [
        Limit(f"median of {name}, ms of the processor", times[name].processor, MILLISECONDS) for name in SEARCHED
    ]
    return report(text, limits)


if __name__ == "__main__":
    run_main(main)
