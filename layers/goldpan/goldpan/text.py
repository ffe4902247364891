"""Split text of any script into words to search with and terms to compare.

A word is what a person types. A term is what is compared: a word stemmed with Porter's algorithm (1980), or, in
scripts written without spaces, each overlapping pair of characters.
"""

import re
import threading
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from Stemmer import Stemmer

from goldpan.escaping import visible

Phrase = tuple[str, ...]
"""The terms of a word or of several words in a row."""
CHARS_PER_WORD = 10
"""An upper estimate for English prose, with the space."""
MIN_CAPITALS, MAX_SMALL = 4, 3
"""What makes a title of a text: words with a capital, and the letters of those that need none."""
_SMALL = frozenset({"about", "from", "into", "over", "than", "through", "towards", "under", "using", "with", "without"})

MARKS = (
    r"\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    r"\u0e31-\u0e4e\u0eb1-\u0ece\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17d3"
)
"""Vowel signs and accents: `[^\\W_]` does not match them, yet they are part of the word."""
_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0489\u20d0-\u20f0]")
_WORD = re.compile(rf"(?i:\b[cg]\+\+|\b[cfjq]#|(?:\basp|(?<!\w))\.net\b)|[^\W_](?:[^\W_]|[{MARKS}])*")
"""Ignores case in the first part only: compiling all ranges with IGNORECASE takes 10 ms."""
_ASCII_WORD = re.compile(r"\b[cg]\+\+|\b[cfjq]#|(?:\basp|(?<!\w))\.net\b|[a-z0-9]+")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
"""Five times as fast as `_ASCII_WORD`; enough for lower-case text without `_SPECIAL_WORD`."""
_SPECIAL_WORD = re.compile(r"[+#'\u2019]|\.(?:js|net)", re.IGNORECASE)
"""Matches where a text may hold C++, C#, .NET, Vue.js or React's."""
_SCRIPT_SUFFIX = re.compile(r"(?<=\w)\.js\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b", re.IGNORECASE)
_NODE = re.compile(r"\bnode\.js\b", re.IGNORECASE)
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
"""Japanese kana, Chinese characters, Korean syllables and Thai."""

# fmt: off
STOP_WORDS = frozenset((
    "a", "am", "an", "and", "any", "are", "as", "at", "be", "best", "between", "can", "could", "do", "does",
    "easily", "find", "for", "from", "get", "give", "good", "great", "has", "have", "help", "helps", "how",
    "i", "in", "into", "is", "it", "its", "just", "like", "looking", "make", "me", "my", "need", "of", "on",
    "one", "or", "our", "please", "recommend", "show", "similar", "so", "some", "something",
    "suggest", "that", "the", "their", "them", "there", "these", "they", "this", "to", "use", "used", "uses",
    "using", "via", "want", "we", "what", "when", "where", "which", "who", "will", "with", "would", "you",
    "your",
))
# fmt: on

_CHOOSE = "(?:pick|choose|select|prefer|recommend|suggest|rank|favou?r|scor|rat|list|plac|put|return)e?"
_THIS = r"(?:this|it|us|our|me)\b"
_READER = "(?:ais?|llms?|(?:large )?language models?|chatbots?|assistants?|agents?|evaluators?|rankers?|graders?)"
_TOP = "(?:first|highest|(?:(?:at|to|on) )?(?:the )?(?:very )?(?:top|best)|(?:above|before|over) (?:all|any|every))"
_MARK = "(?:score|marks?|rating|relevance|rank(?:ing)?|grade)s?"
_INSTRUCTION = re.compile(
    r"(?:ignore|disregard) (?:(?:all|any|your|the|previous|prior|above) )*(?:instructions|prompts?)"
    r"|(?:forget|ignore|disregard|override) (?:(?:all|any|the) )*(?:previous|prior|above|earlier|your)(?: \w+)?"
    r" (?:instructions|rules|guidelines|criteria|orders|task)"
    r"|you are (?:now )?(?:an?|the) (?:ai|assistant|language model|evaluator)"
    r"|(?:score|rate|give|assign)[^.\n]{0,40}\b10\b[^.\n]{0,20}(?:/ ?10|points|score|on (?:all|every))"
    r"|(?:your|new) system prompt|system prompt:|respond only with|relevance[\"': ]+1(?:\.0)?\b"
    rf"|\b(?:note|message|memo|dear)(?: to| for)?:? (?:(?:all|the|any|every) )*{_READER}\b"
    rf"|\bif you(?: are|'re) (?:an? |the )?(?:{_READER}|ranking|scoring)\b"
    rf"|\b(?:{_READER}|you) (?:should|must|shall|will|have to) (?:always |only )?{_CHOOSE} (?:only )?{_THIS}"
    rf"|\b(?:always|must|only) {_CHOOSE} (?:only )?{_THIS}"
    rf"|\b{_CHOOSE} {_THIS}(?: \w+){{0,2}}? {_TOP}\b"
    rf"|\b(?:should|must|shall|has to|needs to|is to) (?:always )?be {_CHOOSE}(?:e?d|ed|sen|ted)?(?: \w+)? {_TOP}\b"
    rf"|\b(?:should|must) always be {_CHOOSE}"
    r"|\b(?:give|assign|award|grant|deserve)s?(?: it| this(?: \w+)?| us)? (?:an? |the )?"
    rf"(?:highest|top|maximum|full|perfect) (?:possible )?{_MARK}\b"
    rf"|\b(?:do not|don't|never) (?:mention|{_CHOOSE}) (?:(?:any|all|the) )*"
    r"(?:others?|another|alternatives?|competitors?)\b"
    r"|\bis (?:always |by far )?the (?:only |best |right |correct |perfect )+(?:answer|result|match|choice)"
    r" (?:to|for|of) (?:any|every|all|each|whatever|your|this)\b",
    re.IGNORECASE,
)
"""What only a text would say that gives instructions to a language model: orders, and praise that asks for a rank."""

KEPT_WORDS = 2048
"""Words whose terms are kept. A search has a thousand different ones; to keep four times as many saves 1 ms of it."""
_STEMMER, _STEMMER_LOCK = Stemmer("porter", 0), threading.Lock()
"""The stemmer, without a cache of its own; it keeps its state in fields, so two threads must not use it at once."""


def words(text: str | None) -> list[str]:
    """Split a text into lower-case words; C++, C#, F# and .NET are one word each, `Vue.js` is `vue`."""
    if not text:
        return []
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    special = _SPECIAL_WORD.search(text) is not None
    if special:
        text = _POSSESSIVE.sub("", _SCRIPT_SUFFIX.sub("", _NODE.sub("nodejs", text)))
    if text.isascii():
        return (_ASCII_WORD if special else _PLAIN_WORD).findall(text.lower())
    return [word.lower() for word in _WORD.findall(_UNSPACED.sub(r" \g<0> ", text))]


def places_of(part: Sequence[str], sequence: Sequence[str]) -> list[int]:
    """Return where the words of a part stand in a sequence of words, in their order; an empty part stands nowhere."""
    size, wanted = len(part), tuple(part)
    return [at for at in range(len(sequence) - size + 1) if wanted and tuple(sequence[at : at + size]) == wanted]


def terms(text: str | None) -> list[str]:
    """Split a text into terms."""
    return [term for word in words(text) for term in word_terms(word)]


def first_terms(text: str, limit: int) -> list[str]:
    """Return the first terms of a text; reads no further than needed, since a README is long."""
    beginning = text[: text.rfind(" ", 0, limit * CHARS_PER_WORD) + 1]
    found = terms(beginning)
    return (found if len(found) >= limit else terms(text))[:limit]


def name_terms(name: str) -> list[str]:
    """Split a repository's name into terms: its words, then the parts of its camel-case words."""
    joined = terms(name)
    parts = terms(_CAMEL_CASE.sub(" ", name))
    return joined if parts == joined else [*joined, *parts]


def phrase(text: str) -> Phrase:
    """Return the terms of a word or phrase in a form that can be a key."""
    return tuple(terms(text))


def suspicious(text: str | None) -> str | None:
    """Return a caveat if a text gives instructions to a language model, whatever marks and invisible signs it has."""
    if text and _INSTRUCTION.search(" ".join(_ACCENTS.sub("", unicodedata.normalize("NFKD", visible(text))).split())):
        return "Its text speaks to a language model; it was treated as data."
    return None


@lru_cache(maxsize=KEPT_WORDS)
def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of a word that `words` made: its stem, or its pairs of signs where no spaces are written."""
    if _UNSPACED.fullmatch(word):
        return tuple(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    return (stemmed(word),)


def stemmed(word: str) -> str:
    """Return the stem of a word by Porter's algorithm."""
    with _STEMMER_LOCK:
        return str(_STEMMER.stemWord(word) or word)


def is_title(text: str, least: int = MIN_CAPITALS) -> bool:
    """Report whether a text has the capitals of a title, at least so many, so that no capital tells a name."""
    typed = re.findall(r"[^\W\d_][\w'-]*", text)
    plain = (word for word in typed if word[0].islower() and len(word) > MAX_SMALL and word not in _SMALL)
    return sum(word[0].isupper() for word in typed) >= least and not any(plain)
