"""Languages of the window: `tr()` texts from `resources/translations`, Phrases from their catalogues, one switch.

A translation file is JSON, source text -> text in the language, so that no build step stands between a sentence and the
screen. A test demands that every `tr()` text of the code has its translation.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from core.phrase import Phrase, render

LANGUAGES = ("en", "zh_CN")
NAMES = {"en": "English", "zh_CN": "简体中文"}


@cache
def texts(language: str) -> dict[str, str]:
    """Source text -> text; empty for English, which the code is written in."""
    if language == "en":
        return {}
    item = files("resources") / "translations" / f"{language}.json"
    found: dict[str, str] = json.loads(item.read_text(encoding="utf-8"))
    return found


class Translator(QTranslator):
    """Answers Qt's questions from one dictionary, whatever the context."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._texts = texts(language)

    def isEmpty(self) -> bool:
        return not self._texts

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        return self._texts.get(source)


_current = ["en"]
_installed: list[Translator] = []


def use(language: str) -> None:
    """Switch the application to `language` (of LANGUAGES); widgets built from now on speak it."""
    for translator in _installed:
        QCoreApplication.removeTranslator(translator)
    _installed.clear()
    _current[0] = language
    QLocale.setDefault(QLocale("zh_CN" if language == "zh_CN" else "en_US"))
    if language != "en":
        translator = Translator(language)
        _installed.append(translator)
        QCoreApplication.installTranslator(translator)


def language() -> str:
    """The language in use."""
    return _current[0]


def system_language() -> str:
    return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def say(phrase: Phrase) -> str:
    """A Phrase in the language in use."""
    return render(phrase, _current[0])
