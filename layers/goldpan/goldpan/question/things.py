"""The things that a question refuses: what a text names at a place, and how far a list of things goes on."""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldpan.question.grammar import grammar
from goldpan.question.lexicon import Lexicon, Named
from goldpan.question.question_text import TOKEN, plain
from goldpan.question.spans import BREAK

MAX_WORDS, MAX_THINGS, PAIR = 4, 8, 2
CLAUSE_END = re.compile(rf"\s*(?:$|[,.;:?!){BREAK}])")
_LINK = re.compile(r"\s*(?:/|,\s*(?:(?:or|and|nor)\b)?|\b(?:or|nor|and)\b)\s*(?:(?:no|not|any)\s+)?", re.IGNORECASE)
_CLOSED = re.compile(r"(?:\s*,\s*[\w.+#-]+)*\s*,?\s+(?:or|nor)\s")
"""What follows an item of a list that "or" closes: "not kitty, alacritty or wezterm"."""
_BASED = re.compile(r"-(?:based|powered|written|like|style|flavou?red|only)$", re.IGNORECASE)
_GERUND = re.compile(r"[a-z]+ing")


def phrase_ends(text: str, start: int, most: int) -> list[int]:
    """Return the ends of the phrases of at most so many words that begin at a place, the longest first."""
    ends: list[int] = []
    place = start
    while len(ends) < most and (token := TOKEN.match(text, place)):
        ends.append(token.end())
        place = token.end() + 1
        if text[token.end() : place] != " ":
            break
    return ends[::-1]


@dataclass(frozen=True)
class ThingReader:
    """Reads things with the words of a kind."""

    lexicon: Lexicon
    is_foreign: bool = False
    """Whether the words were translated one by one, so that two in a row are rarely one thing."""

    def read(self, text: str, start: int, *, weak: bool = False, manner: bool = False) -> tuple[list[Named], int]:
        """Read the things from a place on, and where they end: "jQuery or React", "ads and tracking".

        With `weak` a thing counts that is a name, known, or at the end of its clause; with `manner` a gerund alone is
        none: "without fiddling".
        """
        things: list[Named] = []
        end = start
        while len(things) < MAX_THINGS:
            begin = self.past_between(text, start) if things else start
            read = self._thing_at(text, begin, weak=weak and not things, manner=manner)
            if not read or (things and not self._goes_on(text, end, start, begin, read[-1].end)):
                break
            things += read
            end = read[-1].end
            link = _LINK.match(text, end)
            if link is None or not link[0].strip():
                break
            start = link.end()
        return things, end

    def named(self, name: str) -> Named:
        """Return what excludes a name, known or not."""
        bare = _BASED.sub("", name)
        known = self.lexicon.named_at(bare, 0)
        if known is not None and known.end == len(bare):
            return known
        return Named(len(name), plain(bare), {"excluded_terms": (plain(bare),)})

    def is_name(self, text: str, start: int, end: int) -> bool:
        """Report whether a thing is known or looks like a name."""
        return self.lexicon.named_at(text, start) is not None or self.lexicon.may_be_name(text[start:end])

    def begins_name(self, text: str, start: int) -> bool:
        """Report whether a place has something known, or a word that looks like a name."""
        token = TOKEN.match(text, start)
        looks = token is not None and self.lexicon.may_be_name(token[0])
        return looks or self.lexicon.named_at(text, start) is not None

    def begins_form(self, text: str, start: int) -> bool:
        """Report whether a place has a form of what is asked for, such as "library"."""
        token = TOKEN.match(text, start)
        return token is not None and self.lexicon.is_form(token[0].lower())

    def past_between(self, text: str, start: int) -> int:
        """Return the end of the words that stand between what refuses and the thing: "written in", "any"."""
        match = grammar().between.match(text, start)
        return match.end() if match else start

    def past_manner(self, text: str, start: int) -> int:
        """Return the end of the words that say how something is done, 0 if there are none."""
        end = 0
        while (
            (token := TOKEN.match(text, start))
            and token[0].lower() in grammar().manner
            and not _GERUND.fullmatch(token[0])
        ):
            end, start = token.end(), token.end() + 1
        return end

    def _goes_on(self, text: str, before: int, linked: int, start: int, end: int) -> bool:
        """Report whether a further thing belongs to the list, rather than to what is asked for."""
        link, rest = text[before:linked].strip().lower(), text[end:]
        if link.lstrip(", ").startswith(("or", "nor", "/")) or link.endswith(("no", "not", "any")):
            return True
        if link == ",":
            return start == linked and _CLOSED.match(rest) is not None
        return self.is_name(text, start, end) or CLAUSE_END.match(rest) is not None

    def _thing_at(self, text: str, start: int, *, weak: bool, manner: bool) -> list[Named]:
        """Read one thing: what the kind knows, a quoted text, or up to four words; several of "Kitty/Alacritty"."""
        if listed := self._listed(text, start):
            return listed
        known = self.lexicon.named_at(text, start)
        if known is not None and (weak or not (self.lexicon.names_go_on and self._continues(text, known.end))):
            return [known._replace(end=self._past_trailing(text, known.end))]
        tokens = self._content_from(text, start)
        while tokens and tokens[-1][0].lower() in grammar().trailing:
            tokens.pop()
        if not tokens or self._says_how([token[0] for token in tokens], weak=weak, manner=manner):
            return []
        end = self._past_trailing(text, tokens[-1].end())
        ends_clause = self._ends_clause(text, end)
        while len(tokens) > 1 and self.lexicon.is_form(tokens[-1][0].lower()):  # "no ads client" asks for a client
            tokens.pop()
            end = tokens[-1].end()
        whole = text[start : tokens[-1].end()]
        if weak and not self.lexicon.may_be_name(whole) and not ends_clause:
            return []
        return [self.named(whole)._replace(end=end)]

    def _listed(self, text: str, start: int) -> list[Named]:
        """Read "PHP/Java/Ruby" and "Kitty/Alacritty/WezTerm", but neither "owner/name" nor "TCP/IP"."""
        token = TOKEN.match(text, start)
        pieces = token[0].split("/") if token else []
        if token is None or len(pieces) == 1 or not all(map(self._is_of_thing, pieces)):
            return []
        are_known = all(self.lexicon.named_at(piece, 0) for piece in pieces)
        are_names = len(pieces) > PAIR or all(piece[:1].isupper() and len(piece) > PAIR for piece in pieces)
        return [self.named(piece)._replace(end=token.end()) for piece in pieces] if are_known or are_names else []

    def _says_how(self, typed: list[str], *, weak: bool, manner: bool) -> bool:
        """Report whether words name no thing: a manner ("without fiddling"), a quality, or words that say little."""
        said = [word.lower() for word in typed]
        if len(said) > 1 and _GERUND.fullmatch(typed[0]):
            return True
        if any(self.lexicon.may_be_name(word) for word in typed):
            return False
        if grammar().manner & {said[0], said[-1]} or (weak and all(map(self.lexicon.is_vague, said))):
            return True
        alone = manner and len(said) == 1 and _GERUND.fullmatch(said[0]) is not None
        return alone and not self.lexicon.is_known(said[0])

    def _content_from(self, text: str, start: int) -> list[re.Match[str]]:
        """Return the words of a thing: nothing but one space stands between them."""
        tokens: list[re.Match[str]] = []
        while len(tokens) < MAX_WORDS and (token := TOKEN.match(text, start)) and self._is_of_thing(token[0]):
            if self.is_foreign and tokens and not (token[0][0].isupper() and tokens[0][0][0].isupper()):
                break
            tokens.append(token)
            start = token.end() + 1
            if text[token.end() : start] != " ":
                break
        return tokens

    def _is_of_thing(self, token: str) -> bool:
        word = token.lower()
        is_content = self.lexicon.is_content(word) or self.lexicon.may_be_name(token)
        return is_content and word not in grammar().ends_thing

    def _continues(self, text: str, end: int) -> bool:
        """Report whether a name goes on: "React Native", "Docker daemon"."""
        following = TOKEN.match(text, end + 1) if text[end : end + 1] == " " else None
        if following is None or not self.lexicon.is_content(word := following[0].lower()):
            return False
        return not (word in grammar().ends_thing or word in grammar().trailing or self.lexicon.is_vague(word))

    def _past_trailing(self, text: str, end: int) -> int:
        while (
            text[end : end + 1] == " "
            and (token := TOKEN.match(text, end + 1))
            and token[0].lower() in grammar().trailing
        ):
            end = token.end()
        return end

    def _ends_clause(self, text: str, end: int) -> bool:
        token = TOKEN.match(text, end + 1) if text[end : end + 1] == " " else None
        return CLAUSE_END.match(text, end) is not None or (
            token is not None and token[0].lower() in grammar().ends_thing
        )
