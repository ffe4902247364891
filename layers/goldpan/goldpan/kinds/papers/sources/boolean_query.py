"""Writes queries in the Boolean syntax of a source: from narrow to wide in one request, and the filters beside it.

The words of a question are never read as operators or fields: they are lower-case letters and digits (`wording`), while
these sources write their operators in capitals and their fields with a colon.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.person_names import divide
from goldpan.kinds.papers.sources.queries import NOTHING_TO_ASK, Asked, Concepts, fit, quoted, subject_of, wording
from goldpan.kinds.papers.sources.settings import TITLES

OR = " OR "
_NO_NAME = re.compile(r"(?<!\w)[-.']|[^\w\s,.'\u2010\u2019-]")
"""Signs that stand in no name."""


def write_query(  # noqa: PLR0913, PLR0917 - what differs between the sources
    query: PaperQuery,
    constraints: Constraints,
    source: str,
    longest: int,
    write: Callable[[str], str],
    filters: Iterable[str],
    all_of: str = " AND ",
) -> Asked:
    """Write a query of at most `longest` characters with its filters, which may take half of its length.

    `write` writes a lower-case word, or a phrase that was quoted, its words between single spaces; the most important
    filter comes first. Authors are a question on their own; other filters alone would find everything.
    """
    kept, dropped, room = list[str](), list[str](), longest // 2
    for text in filters:
        room -= len(text) + len(all_of)
        (kept if room >= 0 else dropped).append(text)
    notes = [f"too long for {TITLES[source]}, searched without: {', '.join(dropped)}"] if dropped else []
    room, exact = longest - sum(len(text) + len(all_of) for text in kept), quoted(query)
    concepts = subject_of(query, constraints)
    asked = fit(concepts, lambda found: ladder(found, exact, write, all_of), room, TITLES[source])
    if not asked.text and not (kept and constraints.authors):
        return NOTHING_TO_ASK
    return Asked(all_of.join(filter(None, [asked.text, *kept])), notes=(*notes, *asked.notes))


def any_of(texts: Sequence[str]) -> list[str]:
    """Write alternatives as one filter, in a list; no filter without any."""
    found = list(dict.fromkeys(filter(None, texts)))
    return [f"({OR.join(found)})" if len(found) > 1 else found[0]] if found else []


def ladder(concepts: Concepts, exact: Collection[str], write: Callable[[str], str], all_of: str = " AND ") -> str:
    """Write one query from narrow to wide: what was quoted, one of the rarer half, and one of the commoner half.

    A source ranks what has most of it first. `write` writes a word, or a phrase that was quoted.
    """

    def written(text: str) -> str:
        parts = [text] if text in exact else text.split()
        found = list(filter(None, map(write, parts)))
        return f"({all_of.join(found)})" if len(found) > 1 else "".join(found)

    firm = [group for group in concepts if group[0] in exact]
    loose = [any_of(list(map(written, group))) for group in concepts if group[0] not in exact]
    each = [text for group in loose for text in group]
    half = (len(each) + 1) // 2
    parts = (*(part for group in firm for part in any_of(list(map(written, group)))), *any_of(each[:half]))
    return all_of.join([*parts, *any_of(each[half:])])


def field(name: str, text: str) -> str:
    """Write that a field has a word, or several as a phrase; empty if the text has none."""
    plain = wording(text)
    return f'{name}:"{plain}"' if " " in plain else f"{name}:{plain}" if plain else ""


def name_and_initial(author: str) -> tuple[str, str]:
    """Split a name into the family name and the first initial: `Guido van Rossum`, `van Rossum, Guido`, `Rossum G`."""
    family, given = map(wording, divide(_NO_NAME.sub(" ", author)))
    return family, given[:1]
