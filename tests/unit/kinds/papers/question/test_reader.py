"""What questions of researchers, students and engineers are read as."""

from datetime import date
from typing import Any

import pytest
from goldpan.kinds.papers.intent import IntentParser, Reading
from hypothesis import given
from hypothesis import strategies as st

TODAY = date(2026, 8, 22)


def read(question: str, *ignore: str) -> Reading:
    """Read a question."""
    return IntentParser(TODAY).parse(question, ignore)


@pytest.mark.parametrize(
    ("question", "concepts", "constraints"),
    [
        ("graph neural networks for drug discovery since 2022", ["graph neural networks", "drug discovery"],
         {"year_from": 2022}),
        ("papers about retrieval augmented generation (RAG), no surveys", ["retrieval augmented generation"],
         {"excluded_types": ("review",)}),
        ("Surveys of federated learning from 2020-2024, open access", ["federated learning"],
         {"year_from": 2020, "year_to": 2024, "types": ("review",), "open_access": True}),
        ("recent work on CRISPR off-target effects, not in plants", ["CRISPR", "off-target", "effects"],
         {"excluded_terms": ("plants",)}),
        ("systematic reviews and meta-analyses of mindfulness for anxiety in the last five years",
         ["mindfulness", "anxiety"], {"year_from": 2021, "types": ("review",)}),
        ("Hinton et al. 2006 deep belief nets", ["deep belief nets"],
         {"authors": ("Hinton",), "year_from": 2006, "year_to": 2006}),
        ("articles by yann lecun on self supervised learning before 2015", ["self supervised learning"],
         {"authors": ("yann lecun",), "year_to": 2014}),
        ("publications of Yoshua Bengio and Aaron Courville about generative models 2014", ["generative models"],
         {"authors": ("Yoshua Bengio", "Aaron Courville"), "year_from": 2014, "year_to": 2014}),
        ('"few-shot learning" medical imaging -GAN', ["few-shot learning", "medical imaging"],
         {"excluded_terms": ("GAN",)}),
        ("best paper at ACL 2023 about bias", ["bias"], {"venues": ("ACL",), "year_from": 2023, "year_to": 2023}),
        ("preprints about long covid fatigue since march 2023, free pdf", ["long covid", "fatigue"],
         {"types": ("preprint",), "open_access": True, "year_from": 2023}),
        ("query optimization for database systems in Proc. VLDB Endow.",
         ["query optimization", "database", "systems"], {"venues": ("VLDB",)}),
        ("superconductivity PRL 2021", ["superconductivity"],
         {"venues": ("Physical Review Letters",), "year_from": 2021, "year_to": 2021}),
        ("model compression ICML'21", ["model compression"], {"venues": ("ICML",), "year_from": 2021, "year_to": 2021}),
        ("what did Judea Pearl write about causality?", ["causality"], {"authors": ("Judea Pearl",)}),
        ("CVPR 2021 papers about segmentation", ["segmentation"],
         {"venues": ("CVPR",), "year_from": 2021, "year_to": 2021}),
        ("papers in Nature or Science on CRISPR", ["CRISPR"], {"venues": ("Nature", "Science")}),
        ("deep learning papers by Yann LeCun published in ICML", ["deep learning"],
         {"authors": ("Yann LeCun",), "venues": ("ICML",)}),
        ("articles or preprints on dark matter, 2022 or 2023", ["dark matter"], {"year_from": 2022, "year_to": 2023}),
        ("diffusion models 2019 or earlier", ["diffusion models"], {"year_to": 2019}),
        ("Yann LeCun and Yoshua Bengio's papers on attention", ["attention"],
         {"authors": ("Yann LeCun", "Yoshua Bengio")}),
        ("vision transformers, no customer reviews", ["vision transformers"],
         {"excluded_terms": ("customer reviews",)}),
        ("papers by O'Neil on hashing", ["hashing"], {"authors": ("O'Neil",)}),
        ("Drosophila & Anopheles genomes", ["Drosophila", "Anopheles genomes"], {}),
        ("author:Hinton dropout year:2014", ["dropout"], {"authors": ("Hinton",), "year_from": 2014, "year_to": 2014}),
        ("papers by 王小云 on hash functions", ["hash functions"], {"authors": ("王小云",)}),
        ("(Kahneman & Tversky, 1979) prospect theory", ["prospect theory"],
         {"authors": ("Kahneman", "Tversky"), "year_from": 1979, "year_to": 1979}),
        ("knowledge graphs published anywhere but arXiv", ["knowledge graphs"], {"excluded_venues": ("arXiv",)}),
        ("knowledge graphs, closed access prohibited", ["knowledge graphs"], {}),
        ("knowledge graphs, not open access", ["knowledge graphs"], {"open_access": False}),
        ("papers on knowledge graphs that are not behind a paywall", ["knowledge graphs"], {"open_access": True}),
        # what looks like a constraint and is none
        ("Brexit (2016) on trade", ["Brexit", "trade"], {"year_from": 2016, "year_to": 2016}),
        ("HIV prevention in New York and Great Britain", ["HIV", "prevention", "New York", "Great Britain"], {}),
        ("irony in J. Austen", ["irony", "Austen"], {}),
        ("knee ACL since 2020", ["knee", "ACL"], {"year_from": 2020}),
        ("patients not using insulin", ["patients"], {}),
        ("Sorting by Natural Selection", ["sorting", "Natural Selection"], {}),
        ("does sleep deprivation not affect memory", ["sleep deprivation", "memory", "affect"], {}),
        ("monetary policy after the 2008 financial crisis", ["monetary policy", "financial crisis"], {}),
        ("low-resource languages and nature-based solutions", ["low-resource languages", "nature-based", "solutions"],
         {}),
        # sentences about the world
        ("Sleep does not improve memory.", ["sleep", "memory", "improve"], {}),
        ("Incidence of heart failure in women has risen since 1979.",
         ["incidence", "heart failure", "women", "risen"], {}),
        # other languages
        ("обзоры по машинному обучению в медицине с 2020",  # noqa: RUF001 - Cyrillic
         ["machine learning", "medicine"],
         {"year_from": 2020, "types": ("review",)}),
        ("redes neuronales de 2015 a 2018", ["neural network"], {"year_from": 2015, "year_to": 2018}),
        ("apprentissage profond, à l'exception de 2021", ["deep learning"], {"excluded_years": (2021,)}),
        ("vaccine hesitancy with 2020 and 2021 left out", ["vaccine hesitancy"], {"excluded_years": (2020, 2021)}),
        ("protein folding, published in any year apart from 2021", ["protein folding"], {"excluded_years": (2021,)}),
        ("non-Hodgkin lymphoma in adults", ["non-Hodgkin lymphoma", "adults"], {}),
        ("sans-papiers et accès aux soins", ["sans-papiers", "accès", "soins"], {}),
        ("imágenes médicas sin supervisión", ["medical image", "unsupervised"], {}),
        ("NOT gate built with DNA", ["NOT gate built", "DNA"], {}),
        ("知识图谱补全，2021年的论文不要", ["知识图谱补全"], {"excluded_years": (2021,)}),  # noqa: RUF001
        ("I'm a nurse, so open access please; it's about pressure ulcers", ["pressure ulcers"], {"open_access": True}),
        ("celiac disease, it must not sit behind a paywall", ["celiac disease"], {"open_access": True}),
        ("Nur Übersichtsarbeiten, bitte. Thema: Borkenkäfer.", ["Borkenkäfer"], {"types": ("review",)}),
        ("history of the zero in Indian mathematics", ["history", "zero", "Indian mathematics"], {}),
        ("sleep deprivation in residents: no case reports, English", ["sleep deprivation", "residents", "English"],
         {"excluded_terms": ("case reports",)}),
        ("efectos del cambio climático en la viticultura", ["climate change", "viticultura", "effect"], {}),
        ("mining law NOT (Clarion-Clipperton)", ["mining law"], {"excluded_terms": ("Clarion-Clipperton",)}),
        ("machine learning, exclude: 2012, 2013", ["machine learning"], {"excluded_years": (2012, 2013)}),
        ("обучение с подкреплением с 2019 по 2022",  # noqa: RUF001 - Cyrillic
         ["reinforcement learning"], {"year_from": 2019, "year_to": 2022}),
        ("딥러닝 2015년부터 2018년까지", ["deep learning"], {"year_from": 2015, "year_to": 2018}),
        ("हिंदी में मशीन अनुवाद", ["हिंदी", "मशीन", "अनुवाद"], {}),
    ],
)  # fmt: skip
def test_a_question_is_read_as_concepts_and_constraints(
    question: str, concepts: list[str], constraints: dict[str, Any]
) -> None:
    """Request words, constraints and exclusions are never searched for."""
    intent = read(question).intent
    assert list(intent.concepts) == concepts
    assert intent.constraints.model_dump(exclude_defaults=True) == constraints


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("x after 2019", (2020, None)), ("x until 2015", (None, 2015)), ("x between 2015 and 2020", (2015, 2020)),
        ("x published in 2021", (2021, 2021)), ("x 2015-19", (2015, 2019)), ("x from 2015 onwards", (2015, None)),
        ("x not after 2018", (None, 2018)), ("x early 2000s", (2000, 2004)), ("x last year", (2025, 2025)),
        ("x since the 80s", (1980, None)), ("x in the past decade", (2016, None)), ("x 1850 to 1900", (1850, 1900)),
        ("x since last year", (2025, None)), ("x from last year", (2025, 2025)),
        ("x from 2018 and 2021", (2018, 2021)), ("x 2010-2012 or 2018-2020", (2010, 2020)),
        ("x from Jan 2020 to March 2021", (2020, 2021)),
        ("x 2020-01 to 2021-03", (2020, 2021)), ("x since Q3 2022", (2022, None)),
        ("x since March 15, 2020", (2020, None)), ("x after March 2020", (2020, None)),
        ("x before the end of 2019", (None, 2019)), ("x published by 2015", (None, 2015)), ("2015-19", (2015, 2019)),
        ("x no older than 5 years", (2021, None)),
        ("x over the last 5-10 years", (2016, None)), ("x around 2010", (2008, 2012)),
        ("x in 2020 on y", (2020, 2020)), ("papers from 2020 on x", (2020, 2020)), ("x from 2015 on", (2015, None)),
        ("x, 2020 papers on y", (2020, 2020)), ("and the 2017 Transformer paper", (2017, 2017)),
        ("x before the pandemic", (None, None)), ("x after the pandemic, 2021 to 2023", (2021, 2023)),
        ("x in the 2008 crisis published after 2012", (2013, None)), ("protests since 2019", (2019, None)),
        ("x and the war 1939-1945", (None, None)), ("less than 5 years after surgery", (None, None)),
    ],
)  # fmt: skip
def test_years_are_exact(question: str, years: tuple[int | None, int | None]) -> None:
    """The years at the border, which a reader of the results would not notice."""
    constraints = read(f"sepsis {question}").intent.constraints
    assert (constraints.year_from, constraints.year_to) == years


def test_years_that_exclude_each_other_limit_nothing_and_the_answer_says_so() -> None:
    """No range holds what the question asks for, and any other would hide what it asks for."""
    reading = read("machine translation before 2000 and after 2020")
    assert (reading.intent.constraints.year_from, reading.intent.constraints.year_to) == (None, None)
    unread = [("unread", "until 1999"), ("unread", "since 2021")]
    assert [(part.kind, part.value) for part in reading.parts[1:]] == unread
    assert reading.notes == ("The years are not used, since no paper has both: until 1999, since 2021.",)


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("the ten most cited papers on CRISPR", "ten"), ("top 10 papers on CRISPR", "top 10"),
        ("CRISPR sorted by citations", "sorted by citations"), ("newest papers first on CRISPR", "newest papers first"),
        ("conference papers on CRISPR but no workshop papers", "not conference"),
        ("early work on CRISPR", "early work"), ("CRISPR papers from MIT", "from MIT"), ("title:CRISPR", "title:"),
        ("papers citing CRISPR", "papers citing"), ("CRISPR PMID 31452104", "PMID 31452104"),
    ],
)  # fmt: skip
def test_what_a_question_cannot_set_is_said_and_not_searched_for(question: str, unread: str) -> None:
    """The number of papers and their order are fields of the request; a type is not asked for and excluded at once."""
    reading = read(question)
    assert reading.intent.concepts == ("CRISPR",)
    assert reading.intent.constraints.excluded_types == ()
    assert [part.value for part in reading.parts if part.kind == "unread"] == [unread]
    assert len(reading.notes) == 1


def test_the_year_of_a_statement_is_said_to_limit_nothing() -> None:
    """It may be that of what is stated; the question is the same without its full stop, which limits."""
    stated = read("Incidence of heart failure in women has risen since 1979.")
    assert [(part.kind, part.value) for part in stated.parts if part.kind != "term"] == [("unread", "since 1979")]
    assert stated.notes[0].startswith("“since 1979” does not limit the papers")
    assert read("heart failure in women since 1979").intent.constraints.year_from == 1979


@pytest.mark.parametrize(
    "question",
    [
        "image captioning, not from 2011 or 2012", "sleep, excluding 2018, 2019 or 2020",
        "flu forecasting as a replacement for 2012", "skogsdöd, förutom 2012", "florestas que não precise de 2012",
        "reconnaissance vocale en écartant les synthèses de 2012", "zeytinyağı, 2020 yılı dışında",  # noqa: RUF001
        "batterie al litio, 2021 non lo voglio vedere", "bees, bar anything that only ever showed up in 2012",
    ],
)  # fmt: skip
def test_a_year_that_may_be_refused_is_never_required(question: str) -> None:
    """Years have no letters to tell a name, so that what stands before them decides."""
    limits = read(question).intent.constraints
    assert (limits.year_from, limits.year_to) == (None, None)


@pytest.mark.parametrize(
    ("question", "concept", "wording"),
    [
        ("effects of sleep on teenagers or adolescents", "teenagers", "adolescents"),
        ("federated learning a.k.a. collaborative learning", "federated learning", "collaborative learning"),
        ("emission trading system (ETS) in Europe", "emission trading system", "ETS"),
        ("AR/VR for surgery", "augmented reality", "virtual reality"),
        ("LLM hallucination", "large language model", "LLM"),
        ("grpah transfomers", "transformers", "transfomers"),
    ],
)
def test_another_wording_is_searched_for_beside_its_own_concept(question: str, concept: str, wording: str) -> None:
    """Synonyms that the question gives, acronyms, and the word as typed where a typo was corrected."""
    intent = read(question).intent
    assert concept in intent.concepts
    assert wording not in intent.concepts
    assert [one for one, wordings in intent.synonyms.items() if wording in wordings] == [concept]


def test_an_acronym_that_stands_for_other_things_too_is_not_searched_for() -> None:
    """One of two letters stands for many things, and one in lower case may be a word."""
    synonyms = read("federated learning with large language models").intent.synonyms
    assert "FL" not in synonyms.get("federated learning", ())
    assert "LLM" in synonyms["large language models"]
    for question, is_known in (("RAG for law", True), ("rag rugs in Sweden", False)):
        intent = read(question).intent
        assert any("retrieval" in one for one in (*intent.concepts, *sum(intent.synonyms.values(), ()))) == is_known


def test_a_corrected_word_is_said_and_another_spelling_or_a_rare_word_is_no_mistake() -> None:
    """British spellings, and words of science that no table has, are searched for as typed."""
    words = ("statins", "atrial", "plasmid", "phage", "genomic", "cortical", "animals", "precession")
    for question in ("bayesian optimisation", *(f"{word} dynamics" for word in words)):
        assert read(question).notes == (), question
    assert read("reinforcment learning").notes == ("Searched for reinforcement (you typed reinforcment).",)
    ignoring = read("reinforcment learning", "correction:reinforcement").intent
    assert ignoring.concepts == ("reinforcment", "learning") or "reinforcment learning" in ignoring.concepts


@pytest.mark.parametrize(
    ("question", "likes"),
    [
        ("papers like 'Attention is all you need' for audio", ("Attention is all you need",)),
        ("similar to https://arxiv.org/abs/1706.03762v5 but for vision", ("arXiv:1706.03762",)),
        ("https://doi.org/10.1038/NATURE14539", ("10.1038/nature14539",)),
        ("doi 10.1038/nature14539", ("10.1038/nature14539",)), ("1706.03762v5", ("arXiv:1706.03762",)),
        ("arxiv 1706.03762", ("arXiv:1706.03762",)), ("papers like hep-th/9901001", ("arXiv:hep-th/9901001",)),
        ("2048.1024 resolution images", ()),
        ("papers similar to Deep Residual Learning for Image Recognition but for audio",
         ("Deep Residual Learning for Image Recognition",)),
    ],
)  # fmt: skip
def test_a_liked_paper_is_known_by_its_title_or_id(question: str, likes: tuple[str, ...]) -> None:
    """What asks for likeness, and an id, are no subject."""
    intent = read(question).intent
    assert intent.likes == likes
    assert not {"papers", "similar", "like", "arxiv", "doi"} & {word for one in intent.concepts for word in one.split()}


def test_the_title_of_a_liked_paper_says_what_is_searched_for() -> None:
    """The paper itself is not what is asked for; an id alone is that of the paper that is wanted."""
    like = read("papers like 'Graph neural networks for drug discovery' since 2022").intent
    assert (like.concepts, like.wanted) == (("graph neural networks", "drug discovery"), ())
    assert like.meaning == "Graph neural networks for drug discovery"
    assert read("10.1038/nature14539").intent.wanted == ("10.1038/nature14539",)
    assert read("more like 10.1038/nature14539").intent.wanted == ()


def test_influential_and_recent_change_the_order_only() -> None:
    """They are shown, and a name that has such a word is none."""
    reading = read("influential papers by Geoffrey Hinton on capsule networks, recent")
    assert reading.intent.preferences == ("influential", "recent")
    assert reading.intent.concepts == ("capsule networks",)
    assert read("influential users on Twitter").intent.preferences == ()


def test_every_part_is_shown_and_can_be_taken_away() -> None:
    """Without its part a constraint does not apply, and a term is not searched for."""
    subject = "influential surveys of graph neural networks"
    reading = read(question := f"{subject} by Ada Lovelace at NeurIPS since 2020, not medical, in English")
    assert {part.id for part in reading.parts} == {
        "term:graph-neural-networks", "constraint:influential-first", "constraint:type-review",
        "constraint:by-ada-lovelace", "constraint:in-neurips", "constraint:since-2020", "exclusion:not-medical",
        "unread:in-english",
    }  # fmt: skip
    for part in reading.parts:
        kept = [other for other in reading.parts if other.id != part.id]
        assert list(read(question, part.id).parts) == kept
    bare = read(question, *(part.id for part in reading.parts if part.kind != "term")).intent
    assert bare.constraints.model_dump(exclude_defaults=True) == {}


def test_another_language_is_named_with_what_was_not_read() -> None:
    """Its own words are kept for a query of their own."""
    reading = read("Wirkung von Schlafmangel auf das Gedächtnis bei Jugendlichen")
    assert "Schlafmangel" in [part.value for part in reading.parts if part.kind == "term"]
    assert "“Schlafmangel”" in reading.notes[0]
    assert "read as German" in reading.notes[0]
    assert reading.intent.original == ("Schlafmangel", "Gedächtnis", "Jugendlichen")


@pytest.mark.parametrize(
    ("question", "searched", "constraints"),
    [
        ("résumé automatique de textes juridiques, sans BERT, par Yann LeCun dans Nature",
         ("résumé automatique", "textes", "juridiques"),
         {"authors": ("Yann LeCun",), "venues": ("Nature",), "excluded_terms": ("BERT",)}),
        ("aprendizaje profundo para el sueño sin imágenes, no revisiones", ("aprendizaje profundo", "sueño"),
         {"excluded_terms": ("image",), "excluded_types": ("review",)}),
        ("машинный перевод без нейронных сетей", ("машинный перевод",), {"excluded_terms": ("neural network",)}),
        ("深度学习 机器翻译 2020年以后", ("深度学习", "机器翻译"), {"year_from": 2020}),
    ],
)  # fmt: skip
def test_limits_in_another_language_are_never_searched_for(
    question: str, searched: tuple[str, ...], constraints: dict[str, Any]
) -> None:
    """The words as typed are a query of their own, without what is left out, authors, venues and years."""
    intent = read(question).intent
    assert intent.original == searched
    assert intent.constraints.model_dump(exclude_defaults=True) == constraints


def test_the_field_decides_what_the_prompt_adds() -> None:
    """By the concepts that are known."""
    questions = ("object detection", "type 2 diabetes", "dark matter", "knot theory", "gender pay gap", "flower pots")
    fields = [read(question).intent.domain for question in questions]
    assert fields == ["computer_science", "medicine", "physics", "mathematics", "social_science", "general"]


def test_a_text_of_demands_is_read_at_once() -> None:
    """A pattern that tried every split of these words would need years."""
    assert "bees" in read(f"bees. We never must be {'written in ' * 40}hives since 2012").intent.concepts


@given(st.text(max_size=500))
def test_any_text_is_read_within_the_bounds(question: str) -> None:
    """Nothing in a question fails, and no reading outgrows what an answer carries."""
    reading = read(question)
    assert len(reading.parts) <= 40
    assert sum(len(one) for one in reading.intent.concepts) <= 1000
