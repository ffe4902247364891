"""Papers that the results are to be like: known by title or id, compared with, and no results themselves."""

from collections.abc import Iterable, Iterator, Sequence

from goldpan.identities import normalise_arxiv
from goldpan.kinds.papers.models import MergedPaper, Paper, PaperIds, ParsedIntent
from goldpan.kinds.papers.paper_text import meaning_text
from goldpan.kinds.papers.question.concepts import concepts_of
from goldpan.kinds.papers.question.people_and_papers import IDS
from goldpan.text import words

ARXIV, DOI = IDS
MAX_CONCEPTS = 10
"""As many as a question has."""
LEFT_OUT = "“{}” itself is left out: the other papers are compared with it."
NO_SUBJECT = "“{}” was not found; its title says more to search for."
TITLE_ALONE = "“{}” was not found: its title alone says what is like it."


def is_liked(paper: Paper, like: str, ids: Sequence[PaperIds] = ()) -> bool:
    """Report whether a paper is the liked one, by its id, or by its title or what stands before the colon in it."""
    known = (paper.ids, *ids)
    if like.startswith(ARXIV):
        return any(one.arxiv and one.arxiv == normalise_arxiv(like) for one in known)
    if like.startswith(DOI):
        return any(one.doi == like for one in known)
    wanted = words(like)
    return bool(wanted) and wanted in (words(paper.title), words(paper.title.partition(":")[0]))


def with_liked(intent: ParsedIntent, papers: Sequence[Paper]) -> ParsedIntent:
    """Make a subject of the titles and abstracts of the liked papers that were found, beside what was asked for."""
    liked = [paper for like in intent.likes for paper in papers if is_liked(paper, like)][: len(intent.likes)]
    if not liked:
        return intent
    named = (one for paper in liked for one in concepts_of(paper.title))
    concepts = (*intent.concepts, *(one.text for one in named if not one.is_weak))
    meaning = " ".join([intent.meaning, *map(meaning_text, liked)]).strip()
    return intent.model_copy(
        update={"concepts": tuple(dict.fromkeys(concepts))[:MAX_CONCEPTS], "meaning": meaning, "topic": liked[0].title}
    )


def liked_ids(papers: Iterable[MergedPaper], intent: ParsedIntent) -> dict[str, str]:
    """Return the ids of the liked papers among the given ones, each with how the question names it."""
    references = [like for like in intent.likes if like not in intent.wanted]
    return {one.id: like for one in papers for like in references if is_liked(one.paper, like, one.ids)}


def liked_notes(intent: ParsedIntent, left_out: Iterable[str]) -> Iterator[str]:
    """Say of each paper that the results are to be like whether it was found."""
    found = set(left_out)
    for like in intent.likes:
        if like in intent.wanted:
            continue
        missing = NO_SUBJECT if like.startswith((ARXIV, DOI)) else TITLE_ALONE
        yield (LEFT_OUT if like in found else missing).format(like)
