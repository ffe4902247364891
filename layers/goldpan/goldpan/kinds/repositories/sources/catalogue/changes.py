"""What was found out since a catalogue file was written, in a file beside it, until a new catalogue holds both.

Every step is a transaction, so that a process can be killed at any point and the next one goes on from there. While one
process holds the file, another is refused.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Self

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import InvalidRequest
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.sources.catalogue.build import write_catalogue
from goldpan.kinds.repositories.sources.catalogue.packed import name_key
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.kinds.repositories.sources.github.mapping import SEARCH_FACTS

SUFFIX = ".changes"
SCHEMA = """
CREATE TABLE IF NOT EXISTS changed (name INTEGER PRIMARY KEY, facts TEXT);
CREATE TABLE IF NOT EXISTS searches (search TEXT PRIMARY KEY, stars INTEGER, expected INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS crawl (id INTEGER PRIMARY KEY, options TEXT NOT NULL);
"""
"""Changed is what has facts, and removed what has none; the searches are those that a crawl has still to run."""
NO_MAXIMUM = 2**62
CONFIRMED = "full_name"
"""The fact that is observed of each repository that GitHub showed, and of none that a list alone names."""


class Changes:
    """The changes of one catalogue file, which need not exist yet; not safe between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection, base: Catalogue | None) -> None:
        self.path, self._connection, self._base = path, connection, base
        self._names = set(base.name_keys()) if base else set[int]()
        for name, is_there in connection.execute("SELECT name, facts IS NOT NULL FROM changed"):
            (self._names.add if is_there else self._names.discard)(name)

    @classmethod
    @contextmanager
    def of(cls, path: Path, *, must_exist: bool = True) -> Iterator[Self]:
        """Open the changes of a catalogue file. Raises `InvalidRequest` while another process holds them.

        Raises `Misconfigured` if the file is no catalogue, or missing where it must exist.
        """
        beside = path.with_name(path.name + SUFFIX)
        with ExitStack() as opened:
            base = opened.enter_context(closing(Catalogue.open(path))) if must_exist or path.exists() else None
            connection = opened.enter_context(closing(_exclusive(path, beside)))
            changes = cls(path, connection, base)
            yield changes
            query = "SELECT EXISTS (SELECT 1 FROM changed) OR EXISTS (SELECT 1 FROM searches)"
            is_finished = not connection.execute(query).fetchone()[0]
        if is_finished:
            beside.unlink()

    def __len__(self) -> int:
        return len(self._names)

    def repositories(self) -> Iterator[Repository]:
        """Yield what the catalogue will have: what has not changed, then what has."""
        changed = self.changed()
        for repository in self._base.repositories() if self._base else ():
            if name_key(repository.full_name) not in changed:
                yield repository
        for (facts,) in self._connection.execute("SELECT facts FROM changed WHERE facts IS NOT NULL"):
            yield Repository.model_validate_json(facts)

    def changed(self) -> set[int]:
        """Return the keys of the names that have changed since the file was written."""
        return {name for (name,) in self._connection.execute("SELECT name FROM changed")}

    def known(self, names: Sequence[str]) -> dict[int, Repository]:
        """Return what is known of repositories, by the keys of their names."""
        lists = self._base.look_up(names, Deadline.after(1, WallClock())).lists if self._base else ()
        found = {name_key(listed[0].full_name): listed[0] for listed in lists if listed}
        query = "SELECT facts FROM changed WHERE name = ? AND facts IS NOT NULL"
        for key in map(name_key, names):
            for (facts,) in self._connection.execute(query, (key,)):
                found[key] = Repository.model_validate_json(facts)
        return found

    def put(
        self,
        repositories: Iterable[Repository] = (),
        removed: Iterable[str] = (),
        done: RepositorySearch | None = None,
        further: Mapping[RepositorySearch, int] | None = None,
    ) -> None:
        """Store repositories, removed names, and what is left of a crawl, all or nothing.

        `done` is a search that need not be run any more, `further` are new ones with the results expected of each.
        """
        gone = [(name_key(name), None) for name in removed]
        rows = gone + [(name_key(each.full_name), each.model_dump_json(exclude_defaults=True)) for each in repositories]
        searches = [(one.model_dump_json(), one.stars.max or NO_MAXIMUM, n) for one, n in (further or {}).items()]
        self._connection.execute("BEGIN")
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO changed VALUES (?, ?)", rows)
            if done is not None:
                self._connection.execute("DELETE FROM searches WHERE search = ?", (done.model_dump_json(),))
            self._connection.executemany("INSERT OR REPLACE INTO searches VALUES (?, ?, ?)", searches)
        self._names.difference_update(name for name, _ in gone)
        self._names.update(name for name, facts in rows if facts is not None)

    def refreshed(self, found: Mapping[str, Repository], today: date) -> list[Repository]:
        """Return what is known of repositories, by the names asked for, with what GitHub says of them today."""
        known, observed = self.known([*found]), dict.fromkeys(("stars", "pushed_at", CONFIRMED), today)
        pairs = ((known.get(name_key(name), each), each) for name, each in found.items())
        facts = ((old, {name: getattr(new, name) for name in SEARCH_FACTS}) for old, new in pairs)
        return [old.model_copy(update={**new, "observed": old.observed | observed}) for old, new in facts]

    def begin_crawl(self, options: str, searches: Iterable[RepositorySearch]) -> bool:
        """Begin a crawl, or go on with one of the same options; returns whether it goes on.

        Raises `InvalidRequest` if one of other options is not finished.
        """
        begun = self._connection.execute("SELECT options FROM crawl").fetchone()
        if begun and begun[0] == options:
            return True
        if begun and self.next_search():
            beside = self.path.with_name(self.path.name + SUFFIX)
            unfinished = f"{self.path}: a crawl with {begun[0]} is not finished (given: {options})"
            raise InvalidRequest(f"{unfinished}; finish it, or delete {beside}")
        self._connection.execute("INSERT OR REPLACE INTO crawl VALUES (1, ?)", (options,))
        self.put(further=dict.fromkeys(searches, 0))
        return False

    def next_search(self) -> RepositorySearch | None:
        """Return the search for the most stars that is left; None if there is none."""
        row = self._connection.execute("SELECT search FROM searches ORDER BY stars DESC, search LIMIT 1").fetchone()
        return RepositorySearch.model_validate_json(row[0]) if row else None

    def expected(self) -> int:
        """Return how many results the searches that are left are expected to have."""
        return int(self._connection.execute("SELECT coalesce(sum(expected), 0) FROM searches").fetchone()[0])

    def publish(self, title: str | None, encoder: Encoder) -> int:
        """Rewrite the catalogue file with all changes, atomically; returns the number of its repositories."""
        title = title or (self._base.title if self._base else f"the catalogue {self.path.stem}")
        count = write_catalogue(self.repositories(), self.path, title, encoder)
        self._connection.execute("DELETE FROM changed")
        self._connection.execute("DELETE FROM crawl WHERE NOT EXISTS (SELECT 1 FROM searches)")
        return count


def _exclusive(path: Path, beside: Path) -> sqlite3.Connection:
    """Open the file for this process alone. Raises `InvalidRequest`."""
    connection = sqlite3.connect(beside, timeout=0, isolation_level=None)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")  # the lock stays until the connection is closed
        connection.execute("COMMIT")
        connection.executescript(SCHEMA)
    except sqlite3.DatabaseError as error:
        connection.close()
        message = f"{path}: {beside} cannot be used ({error}); it may be in use by another process, else delete it"
        raise InvalidRequest(message) from error
    return connection
