"""The things that a question refuses: what a text names at a place, and how far a list of things goes on."""

from dataclasses import dataclass
from functools import partial

from goldpan.question.grammar import cues, pattern, word_list
from goldpan.question.lexicon import Lexicon, Named
from goldpan.question.question_text import BREAK, QUOTE, QuestionText, plain, token_at

MAX_WORDS, MAX_THINGS = 4, 8
_list = partial(pattern, "lists")


def phrase_ends(text: str, start: int, most: int) -> list[int]:
    """Return the ends of the phrases of up to `most` words that begin at a place, the longest first."""
    ends: list[int] = []
    while len(ends) < most and (token := token_at(text, start)):
        ends.append(start + len(token))
        start = ends[-1] + 1
        if text[ends[-1] : start] != " ":
            break
    return ends[::-1]


def _next_word(text: str, end: int) -> str:
    return token_at(text, end + 1).lower() if text[end : end + 1] == " " else ""


def past_words(text: str, end: int, name: str) -> int:
    """Return the end of the words of a list that follow a place, each after a space."""
    while (word := _next_word(text, end)) in word_list(name):
        end += 1 + len(word)
    return end


@dataclass(frozen=True)
class ThingReader:
    """Reads things with the words of a kind."""

    lexicon: Lexicon
    is_foreign: bool
    """Whether the words were translated one by one, so that two in a row are rarely one thing."""
    source: QuestionText
    """The text that is read, with the quoted texts."""

    def read(self, text: str, start: int, *, weak: bool = False) -> tuple[list[Named], int]:
        """Read the things from a place on, and where they end: "jQuery or React", "ads and tracking".

        With `weak` a thing counts that is a name, known, or at the end of its clause.
        """
        things: list[Named] = []
        end = start
        while len(things) < MAX_THINGS:
            read = self._noun_phrase_at(text, start, weak=weak and not things)
            if not read or (things and not self._goes_on(text, end, start, read[-1].end)):
                break
            loose = text[end:start].strip() == "," and not _list("listed").search(text[:end])
            if things and (loose or not things[-1].fields) and read[0].fields.keys() != things[-1].fields.keys():
                read = [one._replace(fields={}) for one in read]  # "no Electron, Rust or Go"
            things += read
            end = read[-1].end
            link = _list("link").match(text, end)
            if link is None or not link[0].strip():
                break
            start = self.past_between(text, link.end())
        return things, end

    def named(self, name: str) -> Named:
        """Return what excludes a name, known or not."""
        bare = _list("based").sub("", name)
        known = self.lexicon.named_at(bare, 0)
        if known is not None and known.end == len(bare):
            return known
        return Named(len(name), plain(bare), {"excluded_terms": (plain(bare),)})

    def begins_name(self, text: str, start: int) -> bool:
        """Report whether a place has something known, or a word that looks like a name."""
        return self.lexicon.may_be_name(token_at(text, start)) or self.lexicon.named_at(text, start) is not None

    def past_between(self, text: str, start: int) -> int:
        """Return the end of the words that stand between what refuses and the thing: "written in", "any"."""
        while match := cues("between").match(text, start):
            start = match.end()
        return start

    def _goes_on(self, text: str, before: int, start: int, end: int) -> bool:
        """Report whether a further thing belongs to the list, rather than to the subject: "exclude: X, subject"."""
        link = text[before:start].strip().lower()
        listed = _list("listed").search(text[:before])
        is_subject = not text[end:].strip() and listed and " " not in text[: listed.start()].strip()
        if _list("sure_link").search(link) or (listed and not is_subject):
            return True
        if "and" in link:
            stays = self.is_foreign and not self.source.is_replaced(start, end)  # as typed: a name
            ends = _list("end").match(text, end)
            is_last = ends and not (self.is_foreign and BREAK in ends[0])  # a word that is not translated goes on
            return stays or self.begins_name(text, start) or bool(is_last)
        return link == "," and _list("closed").match(text, end) is not None

    def _noun_phrase_at(self, text: str, start: int, *, weak: bool) -> list[Named]:
        """Read one thing: what the kind knows, a quoted text, or up to four words."""
        known = self.lexicon.named_at(text, start)
        if known is not None:
            return [known._replace(end=past_words(text, known.end, "trailing"))]
        last = self._content_end(text, start)
        whole, end = text[start:last], past_words(text, last, "trailing")
        is_last = _list("end").match(text, end) is not None or _next_word(text, end) in word_list("ends_thing")
        if not whole or self._says_how(whole.split(" "), weak=weak, is_last=is_last):
            return []
        if weak and not is_last and not self.lexicon.may_be_name(whole):
            return []
        typed = self.source.typed(start, last)
        thing = self.named(typed if whole[0] == QUOTE else whole)._replace(end=end)
        is_corrected = not self.is_foreign and typed.lower() != whole.lower() and "excluded_terms" in thing.fields
        return [thing._replace(fields={"excluded_terms": (thing.label, typed)}) if is_corrected else thing]

    def _says_how(self, typed: list[str], *, weak: bool, is_last: bool) -> bool:
        """Report whether words name no thing: a manner ("without fiddling"), a quality, or words that say little."""
        said = [word.lower() for word in typed]
        if any(map(self.lexicon.may_be_name, typed)):
            return False
        is_manner = not (word_list("manner") | word_list("doing")).isdisjoint((said[0], said[-1]))
        is_vague = weak and all(map(self.lexicon.is_vague, said))
        return is_manner or is_vague or (_list("gerund").fullmatch(typed[0]) is not None and not is_last)

    def _content_end(self, text: str, start: int) -> int:
        """Return the end of the words of a thing: nothing but one space stands between them."""
        typed: list[str] = []
        for end in reversed(phrase_ends(text, start, MAX_WORDS)):
            token = text[start:end].rsplit(" ", maxsplit=1)[-1]
            says = self.lexicon.is_content(token.lower()) or self.lexicon.may_be_name(token)
            if not says or token.lower() in word_list("ends_thing"):
                break
            typed.append(token)
        while typed and typed[-1].lower() in word_list("trailing"):
            typed.pop()
        return start + len(" ".join(typed))
