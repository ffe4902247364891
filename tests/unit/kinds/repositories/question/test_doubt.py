"""A limit that the question may mean as a refusal limits nothing: an inverted reading is the worst mistake."""

from datetime import date

import pytest
from goldpan.kinds.repositories.question.reader import read_question


@pytest.mark.parametrize(
    "question",
    [
        "leave java out, build tool", "replace our java one, build tool", "java was a mistake, build tool",
        "build tool wo java", "we dropped java years ago, build tool", "build tool, rather Kotlin, screw java",
        "gpl scares legal, pdf library", "can't do without java, build tool", "don't exclude java, build tool",
        "I'm not a java developer but need a build tool", "odio java ma cerco un build tool",
        "build tool, written in java? then no",
        "java kann ich nicht ausstehen, build tool", "parser, exclude repos under 500 stars",
        "parser, don't want more than 500 stars", "build tool in a language different from java",
        "build tool with little java", "emulador de terminal, java no", "nobody on our team codes in java, parser",
        "build tool, java not supported", "build tool !java", "build tool, i would die before using java",
        "menedżer haseł nienapisany w Javie", "非Javaのデータベース", "byggverktyg, absolut inte java",
        "editör, Java hariç",
        "build tool, java (please no)", "build tool; java, god no",
        "build tool, zero tolerance for java", "build tool so long as java is nowhere near it",
        "build tool, our security team blocks java", "Bauwerkzeug; Java: nein",
        "parser, java implementations are of no use to me", "générateur de mots croisés, Java exclu d'office",
        "java I refuse to touch; charts for a dashboard", "weg met java! parsergenerators graag",
        "Chess engine. C++ is out, and so is java.", "cualquier motor de ajedrez menos los escritos en java",
        "build tool, java I'm not interested in", "build tool, java ones have got to go", "parser, keep out java",
        "公司不允许用GPL协议的代码，求一个音频处理库", "java lisanslı olmayan harita kütüphanesi",  # noqa: RUF001
        "libreria pdf purché non abbia licenza GPL", "парсер сайтов, только java уже поперёк горла",
    ],
)  # fmt: skip
def test_a_doubtful_limit_is_never_required(question: str) -> None:
    """Whatever the words around it mean, it does not surely describe what is asked for."""
    found = read_question(question, today=date(2026, 1, 15)).constraints.model_dump(exclude_defaults=True)
    assert "java" not in str((found.get("languages"), found.get("platforms"))).lower()
    assert not {"licenses", "min_stars", "max_stars"} & found.keys()
