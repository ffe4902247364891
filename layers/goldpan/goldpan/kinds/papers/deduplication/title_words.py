"""Words that have a meaning of their own in the title of a paper."""

from __future__ import annotations

# fmt: off
SMALL_WORDS = frozenset((
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "its", "of", "on", "or", "s", "the",
    "their",
    "to", "using", "via", "with",
    "au", "aux", "das", "de", "del", "der", "des", "die", "du", "e", "el", "et", "la", "las", "le", "les", "los",
    "o",
    "und", "von", "y", "zur",
))
"""Do not tell two titles apart, except where they are all of a title."""
GENERIC_WORDS = frozenset((
    "abstract", "abstracts", "acknowledgement", "acknowledgements", "acknowledgment", "acknowledgments", "address",
    "advertisement", "announcement", "announcements", "annual", "appendix", "article", "author", "authors",
    "available", "back", "biographies", "board", "book", "bookreview", "books", "calendar", "call", "chair",
    "chairs", "chapter", "closing", "column", "commentary", "comments", "committee", "conclusion", "conclusions",
    "contents", "contributors", "corrigenda", "corrigendum", "corrections", "correction", "correspondence", "cover",
    "discussion", "dissertation", "editor", "editorial", "editorials", "editors", "epilogue", "errata", "erratum",
    "events", "first", "foreword", "foreward", "front", "guest", "guests", "highlights", "index", "industrial",
    "industry", "information", "inside", "instructions", "introduction", "introductory", "invited", "issue",
    "issues", "journal", "key", "keynote", "letter", "letters", "masthead", "matter", "meeting", "meetings",
    "message", "minireview", "minutes", "new", "news", "newsletter", "not", "note", "notes", "notice", "notices",
    "obituaries", "obituary", "opening", "organization", "organizing", "overview", "page", "panel", "paper",
    "papers", "perspective", "perspectives", "poster", "posters", "preamble", "preface", "president", "proceedings",
    "program", "programme", "prologue", "publisher", "readers", "recent", "references", "remarks", "reply",
    "report", "reports", "response", "retraction", "review", "reviewers", "reviews", "section", "session",
    "special", "speech", "statement", "summary", "supplement", "supplementary", "symposium", "table", "talk",
    "talks", "thanks", "this", "title", "unknown", "untitled", "update", "volume", "welcome", "words", "workshop",
    "year", "редакционная", "статья", "предисловие", "введение", "vorwort", "einleitung", "éditorial", "editoriale",
    "prólogo", "introducción", "prefacio", "序", "卷首", "首语", "前言", "序言", "编者", "者按", "巻頭", "頭言", "緒言",
))
"""A title of these alone stands over many papers."""
NOTICE_WORDS = frozenset((
    "addenda", "addendum", "appendix", "author", "comment", "comments", "commentary", "corrected", "correction",
    "corrections", "corrigenda",
    "corrigendum", "discussion", "editorial", "errata", "erratum", "protocol", "rejoinder", "remark", "remarks",
    "reply", "response", "responses",
    "retracted", "retraction", "review", "supplement", "supplementary", "supplemental", "withdrawn",
    "without", "not", "non", "no",
))
"""One title with and one without it are two papers: a notice about a paper is not the paper."""
QUALIFIERS = frozenset((
    "abstract", "article", "demo", "demonstration", "extended", "full", "invited", "paper", "panel", "poster",
    "preprint", "presentation", "session", "summary", "talk", "track", "tutorial", "version",
))
"""Say in what form a paper was given, often in brackets, and often left out."""
CITATION_WORDS = frozenset((
    "acm", "appear", "appears", "appeared", "conf", "conference", "dept", "ieee", "int", "international", "intl",
    "isbn",
    "issn", "journal", "lncs", "lecture", "pages", "pp", "press", "proc", "proceedings", "rep", "report",
    "springer",
    "submitted", "symp", "symposium", "tech", "technical", "thesis", "trans", "transactions", "university", "vol",
    "volume", "workshop",
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
    "december",
))
"""Show that the words beside a title are the rest of a reference."""
VOLUME_WORDS = frozenset(("pages", "pp", "report", "vol", "volume"))
"""Words of references that by themselves may also belong to a title, as in "A history of art, volume 2"."""
PAGE_WORDS = frozenset(("p", "page", "pages", "pp"))
OPENINGS = (
    ("available", "at"), ("available", "by"), ("available", "from"), ("available", "via"), ("full", "version"),
    ("inproc",), ("inproceedings",), ("proc",), ("proceedings", "of", "the"), ("submitted",), ("tech", "rep"),
    ("technical", "memorandum"), ("technical", "note"), ("technical", "report"), ("to", "appear"),
)
"""What a reference says of the publication begins with one of these, after a sign of punctuation."""
NUMBERED = frozenset((
    "article", "book", "chapter", "class", "grade", "no", "number", "paper", "part", "phase", "section", "series",
    "stage",
    "step", "study", "teil", "tome", "trial", "type", "vol", "volume",
))
"""The single letters i, v and x after one of these are numbers."""
# fmt: on
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER_WORDS = {word: str(number) for names in (_ORDINALS, _CARDINALS) for number, word in enumerate(names, start=1)}
