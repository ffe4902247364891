"""What was read of a question, as the topic, the concepts and the constraints of a search for papers."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import get_args

from goldpan.contracts import MAX_QUERY_CHARS
from goldpan.engine.filter_options import MAX_VALUES
from goldpan.engine.interpretation import NOTHING
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import ParsedIntent, Preference
from goldpan.kinds.papers.question import Concept, PaperSpan
from goldpan.kinds.papers.question.concepts import concepts_of, find_concepts
from goldpan.kinds.papers.question.lexicon import LEXICON, find_venues, paper_words
from goldpan.kinds.papers.question.limits import YEARS, find_access_and_order, find_types, find_years
from goldpan.kinds.papers.question.people_and_papers import IDS, find_authors, find_likenesses
from goldpan.kinds.wishes import Read, facts_of
from goldpan.question.question_text import BREAK, JOINER, QUOTE, QuestionText, joined_fields, tidied
from goldpan.question.reader import QuestionReader, question_reader
from goldpan.text import is_title, words

NO_YEAR = "The years are not used, since no paper has both: {}."
LONG_TEXT = "In a text as long as an abstract years, venues and names limit nothing; filters do."
NO_TYPE = "“{}” is not used: the question asks for such papers too."
MAX_CONCEPTS, MAX_CONCEPT, MAX_TOPIC, MAX_LIKES = 24, 100, 200, 3
MAX_MEANING = 2000
"""Characters whose meaning is compared, and that sources are sent."""
MIN_TITLE = 6
"""Words with a capital of a text that is surely a title, in which nothing limits the papers."""
STATED = "“{}” does not limit the papers, since the question is read as a title or a statement."
MIN_CLAIM = 5
"""Words of a sentence that is a claim."""
ABBREVIATED = re.compile(r"\b[A-Z]\w*\.\s+(?:[A-Z]\w*\.?\s+)*[A-Z]\w*\.$")
"""The end of a text that is an abbreviated name, not the end of a sentence: "Phys. Rev. Lett."."""
_PREFERENCES: tuple[Preference, ...] = get_args(Preference)


class Reading(Read):
    """A question as an intent, the parts that an answer shows, and sentences for its warnings."""

    intent: ParsedIntent

    @property
    def empty(self) -> bool:
        """Whether nothing is left to search for."""
        return not self.intent.concepts and not self.intent.likes


@dataclass(frozen=True)
class IntentParser:
    """Reads questions and wishes of any text by rules, without input or output."""

    today: date
    """The day by which "this year" and "the last five years" are read."""

    def parse(self, question: str, ignore: Iterable[str] = ()) -> Reading:
        """Read a question; `ignore` has the ids of parts to leave out."""
        reader = question_reader(tidied(question), LEXICON, paper_words, ignore, "papers")
        source, years, refusals = reader.source, partial(find_years, today=self.today), reader.negations.find
        is_claim = reader.foreign is None and _is_claim(source.text)
        is_named = is_title(source.origin, MIN_TITLE)
        requests = any(word.lower() in LEXICON.words["request"] for word in re.findall(r"[\w'-]+", source.text))
        states = (is_claim or is_named) and not requests
        steps: list[Callable[[str], Sequence[PaperSpan]]]
        if states:
            steps = [_doubted(years), *([] if is_claim else [_doubted(refusals)])]
        else:
            steps = [lambda _: find_likenesses(source), find_access_and_order, years, refusals, find_types]
            steps += [partial(find_authors, source=source), partial(find_venues, original=source.text), years]
        find_terms = partial(find_concepts, source=source, guess=reader.foreign is None)
        found, rest = reader.read(steps, lambda rest, _: find_terms(rest), Concept, asks=not states)
        kept = _without_contradictions([one for one in found if one.id not in reader.ignored])
        if len(question) > MAX_QUERY_CHARS:
            kept = [one.unread(LONG_TEXT) if one.fields else one for one in kept]
        parts, notes = reader.shown(kept)
        reading = Reading(intent=_intent(reader, kept, rest), parts=parts, notes=notes, facts=facts_of(kept))
        return reading.model_copy(update={"notes": (*notes, NOTHING)}) if reading.empty else reading


def _is_claim(text: str) -> bool:
    """Report whether a text is sentences that each end with a full stop and state something."""
    is_short = any(len(one.split()) < MIN_CLAIM for one in text.rstrip(".").split(". "))
    return text.endswith(".") and not ABBREVIATED.search(text) and not is_short


def _doubted(find: Callable[[str], Sequence[PaperSpan]]) -> Callable[[str], Sequence[PaperSpan]]:
    """Leave unread what a title or a claim says, since it is of what was studied."""
    return lambda text: [one.unread(STATED.format(one.value)) for one in find(text)]


def _intent(reader: QuestionReader, found: list[PaperSpan], rest: str) -> ParsedIntent:
    """Put the parts together; the concepts that say most come first. `rest` is what the steps left of the text.

    The titles of liked papers are a subject too; their ids say nothing of one. Where nothing else is asked for, the
    authors are searched for, or the words of another language as typed.
    """
    concepts = _unique([one.term for one in found if one.term])
    leads = [one for one in concepts if one.alternative_to not in {other.text for other in concepts}]
    strong = [one for one in leads if not one.is_weak] or leads
    ordered = [*strong, *(one for one in leads if one not in strong)][:MAX_CONCEPTS]
    fields = joined_fields(found) | _year_range(found)
    asked = fields.pop("preferences", ())
    constraints = Constraints.model_validate(fields)
    domains = Counter(one.domain for one in ordered if one.domain)
    likes = tuple(dict.fromkeys(name[:MAX_TOPIC] for one in found for name in one.names))[:MAX_LIKES]
    titles = [name for name in likes if not name.startswith(IDS)]
    named = (one for title in titles for one in concepts_of(title) if not one.is_weak)
    unread = reader.foreign.unread if reader.foreign and not likes and not constraints.authors else ()
    further = () if ordered or likes else constraints.authors or unread
    whole = find_topic(rest, reader.source, {word for one in found if one.term for word in words(one.value)})
    topic = whole[:MAX_TOPIC] or " ".join(one.text for one in ordered)
    return ParsedIntent(
        topic=(topic or " ".join(likes[:1]) or " ".join(unread))[:MAX_TOPIC],
        concepts=(*dict.fromkeys(one.text[:MAX_CONCEPT] for one in (*ordered, *named)), *further)[:MAX_CONCEPTS],
        synonyms=_synonyms(ordered, concepts, reader.corrections),
        methods=tuple(one.text for one in ordered if one.is_method),
        exact=tuple(one.text for one in ordered if one.is_exact),
        domain=domains.most_common(1)[0][0] if domains else "general",  # of several, the first ones
        constraints=constraints,
        preferences=tuple(name for name in _PREFERENCES if isinstance(asked, tuple) and name in asked),
        meaning=" ".join(filter(None, (whole or topic, *titles))),
        likes=likes,
        wanted=tuple(name for name in likes if any(one.value == name for one in found if one.names)),
        original=_original(reader, constraints),
    )


def _original(reader: QuestionReader, limits: Constraints) -> tuple[str, ...]:
    """Return the words of the subject as typed in another language, or a text with the capitals of a title."""
    if reader.foreign is None:
        title = " ".join(re.sub(r"[\"`]", " ", reader.source.origin).split()).strip(" .?!")[:MAX_TOPIC]
        return (title,) if is_title(reader.source.origin) else ()
    apart = {word for text in (*limits.excluded_terms, *limits.authors, *limits.venues) for word in words(text)}
    return tuple(
        one
        for one, english in reader.foreign.typed.items()
        if tuple(words(english)) not in LEXICON.phrases["asking"]
        and LEXICON.is_content(english.lower())
        and not apart.issuperset(words(english))
    )[:MAX_CONCEPTS]


def _unique(concepts: list[Concept]) -> list[Concept]:
    """Join what stands for the same concept, as in "retrieval augmented generation (RAG)"."""
    by_text: dict[str, Concept] = {}
    for one in concepts:
        key = " ".join(words(one.text)) or one.text
        known = by_text.get(key)
        by_text[key] = replace(known, wordings=tuple(dict.fromkeys((*known.wordings, *one.wordings)))) if known else one
    return list(by_text.values())


def _synonyms(
    leads: list[Concept], concepts: list[Concept], corrected: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the other wordings of each concept: what the question gives, what is known, and the word as typed."""
    synonyms: dict[str, tuple[str, ...]] = {}
    for lead in leads:
        asked = [text for one in concepts if one.alternative_to == lead.text for text in (one.text, *one.wordings)]
        typed = lead.text
        for wrong, word in corrected.items():
            typed = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", wrong, typed)
        further = dict.fromkeys((*asked, *lead.wordings, typed))
        if wordings := [text[:MAX_CONCEPT] for text in further if text.casefold() != lead.text.casefold()]:
            synonyms[lead.text[:MAX_CONCEPT]] = tuple(wordings[:MAX_VALUES])
    return synonyms


def find_topic(rest: str, source: QuestionText, terms: Collection[str] = ()) -> str:
    """Return the text that is left, with its quoted texts, from its first to its last word of a subject or a term."""
    whole = LEXICON.without_requests(rest).replace(JOINER, " ")
    whole = re.sub(rf"{QUOTE}+", lambda match: source.typed(*match.span()), whole)
    tokens = [token for token in re.sub(rf"[{BREAK}\"`]", " ", whole).split() if re.search(r"[^\W\d]|\d\D|\D\d", token)]
    plain = [token.strip(".,;:?!()\"'").lower() for token in tokens]
    subject = [place for place, word in enumerate(plain) if LEXICON.is_content(word) or word in terms]
    topic = " ".join(tokens[subject[0] : subject[-1] + 1]).strip(".,;:?!- ")[:MAX_MEANING] if subject else ""
    return topic if topic.count("(") == topic.count(")") else re.sub(r"[()]", "", topic)


def _year_range(found: Sequence[PaperSpan]) -> dict[str, int]:
    """Return the narrowest range of the years; of several ranges that share none, all from the first to the last."""
    firsts, lasts = _ends(found)
    if firsts and lasts and max(firsts) > min(lasts):
        firsts, lasts = [min(firsts)], [max(lasts)]
    ends = zip(YEARS, (max(firsts, default=None), min(lasts, default=None)), strict=True)
    return {name: year for name, year in ends if year is not None}


def _without_contradictions(found: Sequence[PaperSpan]) -> list[PaperSpan]:
    """Leave unread what no paper can be: "before 2000 and after 2020"; "2018 and 2021" means from one to the other."""
    asked = {name for one in found for name in _strings(one, "types")}
    refused = (one for one in found if asked.intersection(_strings(one, "excluded_types")))
    notes = {one.id: NO_TYPE.format(one.value) for one in refused}
    years = [one for one in found if not one.fields.keys().isdisjoint(YEARS)]
    firsts, lasts = _ends(years)
    if firsts and lasts and max(firsts) > min(lasts) and any(len(one.fields) == 1 for one in years):
        said = ", ".join(dict.fromkeys(one.value for one in years))
        notes |= {one.id: NO_YEAR.format(said) for one in years}
    return [one.unread(notes[one.id]) if one.id in notes else one for one in found]


def _ends(found: Sequence[PaperSpan]) -> list[list[int]]:
    """Return the first years that are asked for, and the last ones."""
    return [[int(str(one.fields[name])) for one in found if name in one.fields] for name in YEARS]


def _strings(one: PaperSpan, field: str) -> tuple[str, ...]:
    """Return the values of a list of a span."""
    values = one.fields.get(field, ())
    return values if isinstance(values, tuple) else ()
