"""Words that have a meaning of their own in the title of a paper."""

from __future__ import annotations

# fmt: off
SMALL_WORDS = frozenset((
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "its", "of", "on", "or", "s", "the",
    "their", "to", "using", "via", "with",
    "au", "aux", "das", "de", "del", "der", "des", "die", "du", "e", "el", "et", "la", "las", "le", "les", "los",
    "o", "und", "von", "y", "zur",
))
"""Do not tell two titles apart, except where they are all of a title."""
GENERIC_WORDS = frozenset((
    "abstract", "abstracts", "acknowledgements", "acknowledgments", "address", "advertisement", "announcement",
    "annual", "appendix", "article", "author", "authors", "back", "board", "book", "books", "calendar", "call", "chair",
    "chairs", "chapter", "closing", "column", "commentary", "comments", "committee", "conclusion", "conclusions",
    "contents", "contributors", "corrigendum", "correction", "correspondence", "cover", "discussion", "editor",
    "editorial", "editorials", "editors", "epilogue", "errata", "erratum", "events", "first", "foreword", "front",
    "guest", "highlights", "index", "industrial", "information", "instructions", "introduction", "invited", "issue",
    "journal", "key", "keynote", "letter", "letters", "masthead", "matter", "meeting", "message", "minutes", "new",
    "news", "newsletter", "note", "notes", "notice", "obituary", "opening", "overview", "page", "panel", "paper",
    "papers", "perspective", "poster", "posters", "preface", "president", "proceedings", "program", "programme",
    "prologue", "publisher", "references", "remarks", "reply", "report", "reports", "response", "retraction", "review",
    "reviewers", "reviews", "section", "session", "special", "statement", "summary", "supplement", "symposium", "table",
    "talk", "talks", "this", "title", "unknown", "untitled", "update", "volume", "welcome", "workshop", "year",
    "редакционная", "статья", "предисловие", "введение", "vorwort", "einleitung", "éditorial", "editoriale",
    "prólogo", "introducción", "prefacio", "序", "卷首", "首语", "前言", "序言", "编者", "者按", "巻頭", "頭言", "緒言",
))
"""A title of these alone stands over many papers."""
NOTICE_WORDS = frozenset((
    "addendum", "appendix", "author", "comment", "comments", "commentary", "corrected", "correction", "corrections",
    "corrigenda", "corrigendum", "discussion", "editorial", "errata", "erratum", "protocol", "rejoinder", "remark",
    "remarks", "reply", "response", "responses", "retracted", "retraction", "review", "supplement", "supplementary",
    "withdrawn", "without", "not", "non", "no",
))
"""One title with and one without it are two papers: a notice about a paper is not the paper."""
CITATION_WORDS = frozenset((
    "acm", "appear", "conf", "conference", "ieee", "international", "journal", "lncs", "pages", "pp", "press", "proc",
    "proceedings", "report", "springer", "submitted", "symposium", "technical", "thesis", "trans", "transactions",
    "university", "vol", "volume", "workshop",
))
"""Show that the further words of a longer title are the rest of a reference."""
NUMBERED = frozenset((
    "article", "book", "chapter", "class", "grade", "no", "number", "paper", "part", "phase", "section", "series",
    "stage", "step", "study", "teil", "tome", "trial", "type", "vol", "volume",
))
"""The single letters i, v and x after one of these are numbers."""
# fmt: on
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER_WORDS = {word: str(number) for names in (_ORDINALS, _CARDINALS) for number, word in enumerate(names, start=1)}
