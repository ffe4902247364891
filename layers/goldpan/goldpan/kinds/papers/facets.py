"""Facets: what the papers of an answer have in common, and the themes that the titles of several of them share."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from goldpan.kinds.papers.deduplication.authors import read_name
from goldpan.kinds.papers.letters import WORDS
from goldpan.kinds.papers.paper_text import GAP, content_terms, marked_terms
from goldpan.kinds.papers.person_names import FURTHER_AUTHORS
from goldpan.kinds.papers.results import Facet, Facets, RankedPaper
from goldpan.kinds.papers.venues import venue_key
from goldpan.text import Phrase, terms

MAX_AUTHORS = 10
THEME_RELEVANCE = 0.5
"""The least relevance of a paper whose title names themes; by rules alone, whose scale has no anchors, the least share
of the best one's."""
MAX_THEMES = 8
MAX_WORDS = 4
"""Of one theme."""
MIN_PAPERS = 2
"""A word of one title is no theme."""
_GENERAL = frozenset(term for word in WORDS["general"] for term in terms(word))
"""Words that titles of any field have: alone they are no theme."""


def facets(results: Sequence[RankedPaper], best: float, question: str) -> Facets:
    """Count the years, venues, authors and themes of the results; `best` is the best relevance by the rules."""
    least = {"llm": THEME_RELEVANCE, "rules": THEME_RELEVANCE * best}
    titles = [paper.title for paper in results if paper.relevance >= least[paper.basis]]
    distinct = ({_author_key(each): each for each in paper.authors if each not in FURTHER_AUTHORS} for paper in results)
    return Facets(
        by_year=_counted(str(paper.year) for paper in results if paper.year is not None),
        by_venue=_counted((paper.venue for paper in results if paper.venue), venue_key),
        top_authors=_counted((name for each in distinct for name in each.values()), _author_key)[:MAX_AUTHORS],
        key_themes=key_themes(titles, question),
    )


def _counted(values: Iterable[str], key: Callable[[str], str] = str) -> tuple[Facet, ...]:
    """Count values with the same key as one, written as most papers have it."""
    written: dict[str, Counter[str]] = {}
    for value in values:
        plain = " ".join(value.split())
        written.setdefault(key(plain), Counter())[plain] += 1
    return _by_count(written.values())


def _author_key(written: str) -> str:
    """Return what all forms of a name share: "D. Hsiao", "D Hsiao" and "Hsiao, D."."""
    name = read_name(written)
    return f"{name.family} {' '.join(name.given)}" if name else written.casefold()


def _by_count(counted: Iterable[Counter[str]]) -> tuple[Facet, ...]:
    """Sort values by their counts, each written as most papers have it."""
    found = [Facet(value=min(forms, key=lambda form: (-forms[form], form)), count=forms.total()) for forms in counted]
    return tuple(sorted(found, key=lambda facet: (-facet.count, facet.value)))


def key_themes(titles: Iterable[str], question: str) -> tuple[Facet, ...]:
    """Return the words and phrases of titles by the number of titles that have them, then by name.

    What has the question's words alone is none, nor what stands within a longer one in every title that has it.
    """
    asked, written = {term for term, _ in content_terms(question)}, defaultdict[Phrase, Counter[str]](Counter)
    for title in titles:
        run, found = marked_terms(title), dict[Phrase, str]()
        for start, end in combinations(range(len(run) + 1), 2):
            theme = tuple(term for term, _ in run[start:end]) if end - start <= MAX_WORDS else (GAP,)
            if GAP not in theme and not asked.issuperset(theme):
                found.setdefault(theme, " ".join(dict.fromkeys(word for _, word in run[start:end])))
        for theme, text in found.items():
            written[theme][text] += 1
    counts = {theme: forms.total() for theme, forms in written.items() if forms.total() >= MIN_PAPERS}
    within = {(part, count) for theme, count in counts.items() for part in (theme[:-1], theme[1:])}
    general = {theme for theme in counts if len(theme) == 1 and (theme[0] in _GENERAL or len(theme[0]) == 1)}
    themes = (theme for theme, count in counts.items() if (theme, count) not in within and theme not in general)
    return _by_count(map(written.__getitem__, themes))[:MAX_THEMES]
