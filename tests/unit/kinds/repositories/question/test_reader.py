"""Questions as people type them, and what they are read as, in the words that an answer shows."""

import tomllib
from datetime import date
from pathlib import Path

import pytest
from goldpan.engine.interpretation import PART_KINDS
from goldpan.kinds.repositories import licenses
from goldpan.kinds.repositories.question.lexicon import words_of
from goldpan.kinds.repositories.question.reader import Reading, read_question
from goldpan.known_words import KnownWords
from hypothesis import given, settings
from hypothesis import strategies as st

TODAY = date(2026, 11, 21)
KNOWN = words_of({"kubernetes": 500, "dashboard": 900, "migration": 80, "serve": 60, "save": 90, "nodes": 400})
# The question, then its reading: terms · constraints · exclusions · likenesses; "?" marks what is not used.
QUESTIONS = """
date picker for React => date picker · React
New Relic alternative => like New Relic
send email from node => send email · Node.js
rn navigation => navigation · React Native
log CAN messages => log bus messages
can I log messages => log messages
open source alternative to New Relic => like New Relic
.NET library for PDF generation => library pdf generation · .NET
static site generator that is not written in PHP or Ruby => static site generator · not PHP · not Ruby
Go to definition plugin => definition plugin
react to file changes => react file changes
Rust-based terminal emulator => terminal emulator · Rust
chat server licensed under the AGPL => chat server · AGPL-3.0
Apache Kafka client => Apache Kafka client
orm with at least 2000 stars => orm · at least 2,000 stars
orm between 100 and 1k stars => orm · 100 to 1,000 stars
orm stars:>1000 => orm · more than 1,000 stars
5 star rating component for Vue => 5 star rating component · Vue
kanban board created after 2020 => kanban board · created since 2020
kanban board last updated in 2024 => kanban board · pushed in 2024
best kanban boards in 2025 => kanban boards ? 2025
actively maintained ftp client => ftp client · pushed within 12 months
ftp client, still maintained and not archived => ftp client · pushed within 12 months · not archived
topic:cli -topic:game created:2020..2022 clock => clock · topic cli · created 2020 to 2022 · not topic game
tetris -language:java archived:false => tetris · not archived · not Java
tetris language:"Jupyter Notebook" pushed:>2025-01-01 => tetris · Jupyter Notebook · pushed after 2025-01-01
tetris user:torvalds => tetris ? user:torvalds
tetris stars:lots => tetris ? stars:lots
tetris stars:100..500 pushed:<2020 => tetris · 100 to 500 stars · pushed before 2020
date library with no dependencies => date library zero dependency
dependency-free event emitter => zero dependency event emitter
lightweight markdown editor => markdown editor · lightweight (at least 10 stars, rather under 500)
small talk interpreter => small talk interpreter
starter kit for my new app => starter kit app
popular ORM with at least 20k stars => popular orm · at least 20,000 stars
a modern, easy, fast bundler => modern easy fast bundler
todo app -electron => todo app · not Electron
non-blocking queue => non blocking queue
jQuery-free lightbox => lightbox · not jQuery
ORM without writing SQL by hand => orm ? without writing SQL by hand
no-code app builder => no code app builder
vector search, not too complicated => vector search ? not too complicated
alternative to Google Analytics => like Google Analytics
self-hosted Google Photos alternative => self hosted · like Google Photos
drop-in replacement for moment.js => drop in · like moment.js
Trello clone in Laravel => Laravel · like Trello
git clone in Rust => git · Rust
something like htop for GPUs => gpus · like htop
Excel-like grid for Svelte => grid · Svelte · like Excel
GUI in Kotlin instead of Java => gui · Kotlin · not Java
alternative to "Google Keep" => like Google Keep
like facebook/react but smaller => smaller · like facebook/react
a postgress migraton tool => postgress migraton tool
how to use 'event sourcing' in Elixir => event sourcing · Elixir
🚀 deploy tool 🚀 => deploy tool
library => library
??? => no words to search for
bibliothèque de cartes pour React sans jQuery => library map · React · not jQuery
Bibliothek für Kalender in Rust, mehr als 2000 Sterne => library calendar · Rust · more than 2,000 stars
类似 Notion 的笔记软件 => note software · like Notion
Next.js authentication => Next.js authentication
Vue.js 3 table => 3 table · Vue
socket.io alternative in Go => Go · like socket.io
ci/cd pipeline as code => ci cd pipeline code
message queue lighter than kafka => message queue · like kafka
library for reading .xlsx => library reading xlsx
json parser faster than C => json parser faster ? C
without => no words to search for ? without
not => no words to search for
anything like Postman that runs in the terminal => runs terminal · like Postman
small images for Docker => small images Docker
クラウドを使わないパスワードマネージャー => password manager · not クラウド
vue component library with more than 1 000 stars => component library · Vue · more than 1,000 stars
ui kit with ~2000 stars => ui kit · 1,000 to 4,000 stars
graph database ★ > 5000 => graph database · more than 5,000 stars
轻量级 Go 消息队列,超过 1000 星 => lightweight message queue · Go · more than 1,000 stars
Alternative zu Dropbox mit Verschlüsselung => encrypted · like Dropbox
what's new in Java => Java
new in 2024: js runtimes => runtimes · new (at least 10 stars, rather under 1,000) · JavaScript ? 2024
react-native-like framework => framework · like react-native
web framework like Rails but in Go => web framework · Go · like Rails
library to parse .docx in C#/.NET => library parse docx · C# · .NET
Passwort-Manager ohne PHP und mit Verschlüsselung zum selbst hosten => password manager encrypted self hosted · not PHP
ищу альтернативу для Trello на PHP => PHP · like Trello
анимация для React 動畫 => animation · React ? 動畫
libreria per grafici, esclusa d3 => library chart · not d3
klaar met Jenkins, zoek een server => server · not Jenkins
on a quitté Jenkins, un autre serveur => server ? a quitté Jenkins
не менее 1000 звезд редактор на Rust => editor · at least 1,000 stars · Rust
markdown editor, must not be written in JavaScript => markdown editor · not JavaScript
editor that must not be slow => editor ? must not be slow
I don't want anything in Java or PHP: a wiki => wiki · not Java · not PHP
wiki which is neither PHP nor Java => wiki · not PHP · not Java
wiki, PHP is not an option => wiki · not PHP
wiki !php => wiki · not PHP
dashboard not written in go and easy to install => dashboard easy install · not Go
terminal, not kitty, alacritty or wezterm => terminal · not kitty · not alacritty · not wezterm
web server in Go to serve files => web server serve files · Go
C++17 json => json · C++
md5 and r2 storage => md5 r2 storage
http client, stars >= 1k and < 5k => http client · at least 1,000 stars · fewer than 5,000 stars
ui kit with more than 10k stars but less than 40k => ui kit · more than 10,000 stars · fewer than 40,000 stars
image viewer over 1000 stars and under 50 MB => image viewer 50 mb · more than 1,000 stars
wiki with more than 10k stars and at least 300 users => wiki 300 users · more than 10,000 stars
image resizing for PHP >= 8 stars > 500 => image resizing 8 · PHP · more than 500 stars
cms at least 5 years old => cms · created before 2021-11-21
cms over 5 years of data => cms 5 years data
cms that hasn't been updated since 2020 => cms · pushed before 2020
replacement for request, no longer maintained => like request ? no longer maintained
MIT Go router => router · MIT · Go
MIT Scheme interpreter => mit scheme interpreter
GPL-3.0-or-later editor => editor · GPL-3.0
Apache License, Version 2.0 editor => editor · Apache-2.0
any license but GPL, editor => editor · not GPL
alternatives to Notion, Obsidian and Roam => like Notion or Obsidian or Roam
alternative to Slack, SSO support => sso support · like Slack
alternative to trello, kanban and scrum => kanban scrum · like trello
Dear all, hope you are well. Could you kindly point me towards a CSV parser? Many thanks in advance => csv parser
keine Datenbank nötig, Bibliothek für JSON => library json · not database ? nötig
Bildverarbeitung ohne Electron => Bildverarbeitung · not Electron
видеоплеер кроме vlc => видеоплеер · not vlc
je cherche une bibliothèque Python pour lire des PDF, pas GPL => library read pdf · Python · not GPL
推荐一个拖拽组件\uff0c不要 jQuery => drag and drop component · not jQuery
非常快的 Rust 编辑器\uff0c1万星以上 => editor · Rust · at least 10,000 stars ? 快
Electron以外のMarkdownエディタ => markdown editor · not Electron
파이썬 웹 크롤러, 별 1000개 이상 => web page scraping · Python · at least 1,000 stars
I need eine Bibliothek for Excel in Java, bitte kein Apache POI => library excel · Java · not Apache POI
nothing beats Photoshop => beats photoshop
editor with MIT, Apache-2.0 or BSD license => editor · MIT or Apache-2.0 or BSD
chat server, not GPL, LGPL or AGPL => chat server · not GPL or LGPL or AGPL-3.0
ORM that supports SQLite besides MySQL => orm supports sqlite ? besides MySQL
convert Python to Rust => convert · Python · Rust
web framework, I prefer Python to Java => web framework · Python ? Java
migrate from flask to fastapi => FastAPI · like flask
tool to get rid of duplicate photos => tool duplicate photos
feature flag server, can't do without Python => feature flag server ? Python
merge pdfs without uploading them => merge pdfs ? without uploading them
compressione di immagini senza perdita => compress image lossless
editor for those who can't stand vim => editor ? who can't stand vim
Redux feels way too complicated => redux ? feels way too complicated
webpack is too slow => webpack ? is too slow
jenkins sucks, what else is there => like jenkins
a mature replacement for cron => mature (at least 5,000 stars) · like cron
"""
ROWS = [tuple(row.split(" => ")) for row in QUESTIONS.strip().splitlines()]


def _read(question: str, ignore: tuple[str, ...] = (), known: KnownWords | None = None) -> Reading:
    return read_question(question, today=TODAY, ignore=ignore, known=None if known is None else lambda: known)


@pytest.mark.parametrize(("question", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_a_question_is_read_as(question: str, expected: str) -> None:
    """The line that the answer and the table show; a word of a request, a constraint or a likeness is no term."""
    parts = _read(question).parts
    shown = {kind: [part.value for part in parts if part.kind == kind] for kind in PART_KINDS}
    read = [" ".join(shown["term"]), *shown["constraint"], *shown["exclusion"], *shown["likeness"]]
    unread = "".join(f" ? {value}" for value in shown["unread"])
    assert (" · ".join(filter(None, read)) or "no words to search for") + unread == expected


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("orm with at least 2k stars", {"min_stars": 2000}),
        ("orm with more than 2,000 stars", {"min_stars": 2001}),
        ("orm with fewer than 500 stars", {"max_stars": 499}),
        ("orm, 5 to 10k stars", {"min_stars": 5000, "max_stars": 10000}),
        ("orm stars:100..*", {"min_stars": 100}),
        ("new orm", {"min_stars": 10, "preferred_max_stars": 1000, "preferred_max_age_years": 3}),
        ("new orm with over 3k stars", {"min_stars": 3001}),
        ("orm last updated in 2024", {"pushed_after": date(2024, 1, 1), "pushed_before": date(2024, 12, 31)}),
        ("orm pushed after 2024-05-31", {"pushed_after": date(2024, 6, 1)}),
        ("orm pushed:>2024", {"pushed_after": date(2025, 1, 1)}),
        ("orm created before February 2020", {"created_before": date(2020, 1, 31)}),
        ("orm created in the last 2 weeks", {"created_after": date(2026, 11, 7)}),
        ("orm updated in the last 2 weeks", {"pushed_within_days": 14}),
        ("orm, actively maintained", {"pushed_within_days": 365}),
        ("orm without GPL", {"excluded_licenses": ("GPL-2.0", "GPL-3.0", "AGPL-3.0")}),
        ("orm in Python", {"platforms": ("python",)}),
        ("orm written in Python", {"languages": ("Python",)}),
        ("orm language:golang", {"languages": ("Go",)}),
        ("orm, not Python, no Django", {"excluded_languages": ("Python",), "excluded_terms": ("Django",)}),
    ],
)
def test_constraints_are_exact(question: str, fields: dict[str, object]) -> None:
    """The numbers and days at the border, which the line does not show."""
    assert _read(question).constraints.model_dump(exclude_defaults=True) == fields


def test_the_upper_end_of_an_intent_is_hard_on_request() -> None:
    """Otherwise "lightweight" would hide a small library that became popular."""
    reading = read_question("lightweight orm", today=TODAY, strict_stars=True)
    assert (reading.constraints.min_stars, reading.constraints.max_stars) == (10, 500)


def test_terms_have_a_class_and_the_order_of_the_question() -> None:
    """By the class a search and the order weigh a term."""
    terms = _read("a modern date picker library for React beginners").terms
    assert [(" ".join(term.words), term.part) for term in terms] == [
        ("modern", "preference"), ("date picker", "subject"), ("library", "form"), ("react", "platform"),
        ("beginners", "context"),
    ]  # fmt: skip
    assert [term.part for term in _read("tools for beginners").terms] == ["form", "subject"]


def test_a_corrected_word_is_searched_for_in_both_spellings() -> None:
    """The answer says so; the names that nothing knows stay as typed."""
    reading = _read("kuberntes, alternative to dashbord", known=KNOWN)
    assert [(term.words, term.typed) for term in reading.terms] == [(("kubernetes",), ("kuberntes",))]
    assert reading.likenesses == ("dashbord",)
    assert "Searched for kubernetes (you typed kuberntes)." in reading.notes


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kubernets", "kubernetes"), ("kubenretes", "kubernetes"), ("migratoin", "migration"), ("srve", "serve"),
        ("notes", "notes"), ("migrations", "migrations"), ("K8S", "k8s"), ("Kbernetes", "kubernetes"),
        ("dashboards2", "dashboards2"), ("nodez", "nodes"), ("dashboar", "dashboard"), ("qqqqqqq", "qqqqqqq"),
        ("subnodes", "subnodes"), ("dshbrd", "dshbrd"),
    ],
)  # fmt: skip
def test_only_misspelled_words_are_corrected(typed: str, meant: str) -> None:
    """Known words, their forms, acronyms and words with digits stay; so does what is too far from any word."""
    assert next(" ".join(term.words) for term in _read(f"{typed} xml", known=KNOWN).terms) == meant


@pytest.mark.parametrize("typed", ["Notoin", "Notino", "Notiom"])
def test_a_misspelled_product_is_corrected(typed: str) -> None:
    """No repository has the name, so a likeness to it would find nothing; a name of a known word stays."""
    reading = _read(f"alternative to {typed} or Motion", known=words_of({"motion": 100}))
    assert reading.likenesses == ("Notion", "Motion")
    assert reading.notes == (f"Searched for notion (you typed {typed}).",)


def test_a_british_spelling_is_searched_for_in_both_and_is_no_mistake() -> None:
    """Repositories write "visualization"; a word whose American form no text has more often stays."""
    known = words_of({"visualization": 100, "visualisation": 6, "analyzer": 40, "tour": 20, "tor": 5, "enterprise": 50})
    reading = _read("visualisation analyser, enterprise tour", known=known)
    assert [(" ".join(term.words), term.typed) for term in reading.terms] == [
        ("visualization", ("visualisation",)), ("analyzer", ("analyser",)), ("enterprise", None), ("tour", None)
    ]  # fmt: skip
    assert {part.kind for part in reading.parts} == {"term"}


def test_parts_that_are_ignored_do_not_apply() -> None:
    """Each id takes away its part, a term its correction too; without that the word is searched for as typed."""
    question = "popular kuberntes date library in Rust, MIT, without Helm, like Rancher"
    reading = _read(question, known=KNOWN)
    for part in reading.parts:
        less = _read(question, (part.id,), KNOWN)
        gone = {part.id, f"correction:{part.value}"}
        kept = [other.value for other in reading.parts if other.id not in gone]
        if part.kind == "correction":
            kept = [value.replace("kubernetes", "kuberntes") for value in kept]
        assert [other.value for other in less.parts] == kept
    bare = _read(question, tuple(part.id for part in reading.parts if part.kind != "term"), KNOWN)
    assert bare.constraints.model_dump(exclude_defaults=True) == {}
    assert [" ".join(term.words) for term in bare.terms] == ["kuberntes", "date", "library"]


def test_another_language_is_named_with_what_a_model_would_add() -> None:
    """The note names the language, what was left out and how to have it read."""
    reading = _read("biblioteca para murciélagos en Python")
    assert "Spanish" in reading.notes[0]
    assert "“murciélagos”" in reading.notes[0]
    assert "DEEPSEEK_API_KEY" in reading.notes[0]


def test_a_question_without_words_says_so() -> None:
    """So the caller can refuse it."""
    assert _read("please find me the best one").empty
    assert _read("🚀").notes == ("The question has no word to search for.",)
    assert not _read("language:rust stars:>10").empty


PIECES = """
without not like alternative to stars > 5k - : .. since 2024 mit license no in go c++ .NET " ' / 日本 sin para
9999999999 99 last years between and language: pushed:2024-99-99 stars:.. … é ٣ ² created: user:x -x topic: 🚀
non- -free zu mais de 02
"""
WORDS = st.sampled_from(PIECES.split())


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=500), st.lists(WORDS, max_size=30).map(" ".join), st.lists(WORDS).map("".join)))
def test_any_text_is_read_and_ids_are_stable(text: str) -> None:
    """No text raises an error; ids are unique, and ignoring all of them leaves nothing."""
    reading = _read(text, known=KNOWN)
    ids = [part.id for part in reading.parts]
    assert len(ids) == len(set(ids))
    assert ids == [part.id for part in _read(text, known=KNOWN).parts]
    assert not _read(text, tuple(part.id for part in _read(text).parts)).parts


def test_every_name_of_a_licence_is_read() -> None:
    """A name that certainly means a licence is a constraint, whatever else the question says."""
    tables = tomllib.loads((Path(licenses.__file__).parent / "licenses.toml").read_text("utf-8"))
    certain = [
        *tables["names"],
        *tables["family_names"],
        *(name for ids in tables["families"].values() for name in ids),
    ]
    named = [name for name in certain if name.lower() not in tables["ambiguous_names"]]
    assert len(named) > 40
    assert not [name for name in named if not _read(f"{name} parser").constraints.licenses]
