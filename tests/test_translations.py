"""Everything that is said on screen is said in both languages."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest

from core.phrase import LANGUAGES, catalogue, phrase, render
from gui.translation import texts

ROOT = Path(__file__).parent.parent


def said_in_code() -> dict[str, str]:
    """Every literal handed to tr() or translate(), with the place where it stands."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "gui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = {"tr": 0, "t": 0, "translate": 1}.get(name)
            if at is None or len(node.args) <= at:
                continue
            words = node.args[at]
            if isinstance(words, ast.Constant) and isinstance(words.value, str):
                found[words.value] = f"{path.relative_to(ROOT)}:{node.lineno}"
    return found


def phrases_in_code() -> dict[str, str]:
    """Every literal id handed to phrase() or Phrase(), with the place where it stands."""
    found: dict[str, str] = {}
    for folder in ("core", "gui"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("phrase", "Phrase") and node.args:
                    id = node.args[0]
                    if isinstance(id, ast.Constant) and isinstance(id.value, str):
                        found[id.value] = f"{path.relative_to(ROOT)}:{node.lineno}"
    return found


def fields(template: object) -> set[str]:
    texts = template.values() if isinstance(template, dict) else [template]
    return {field for text in texts for _, field, _, _ in Formatter().parse(str(text)) if field}


def test_every_tr_text_has_its_chinese() -> None:
    """A text without translation would stand in English in the middle of a Chinese window."""
    known = texts("zh_CN")
    missing = {words: place for words, place in said_in_code().items() if words not in known}
    assert not missing


def test_no_translation_is_left_over() -> None:
    """A translation that no code says is either a typing error or dead."""
    assert set(texts("zh_CN")) <= set(said_in_code())


def test_translations_keep_their_placeholders() -> None:
    """`{count}` in the source must stand in the translation too."""
    for source, translated in texts("zh_CN").items():
        assert sorted(re.findall(r"\{\w+\}", source)) == sorted(re.findall(r"\{\w+\}", translated)), source


def test_every_phrase_id_of_the_code_is_in_the_catalogue() -> None:
    """An unknown id would show itself on screen."""
    known = catalogue("en")
    assert not {id: place for id, place in phrases_in_code().items() if id not in known}


def test_both_catalogues_have_the_same_ids() -> None:
    """What can be said in English can be said in Chinese, and the other way round."""
    assert set(catalogue("en")) == set(catalogue("zh_CN"))


def test_both_catalogues_fill_the_same_fields() -> None:
    """A sentence that loses a number in translation says less."""
    chinese = catalogue("zh_CN")
    for id, template in catalogue("en").items():
        assert fields(chinese[id]) <= fields(template), id
        assert fields(template) - fields(chinese[id]) <= {"n"} or fields(chinese[id]) == fields(template), id


def test_templates_use_known_formats() -> None:
    """A format that the renderer does not know would raise only when it is shown."""
    known = {"", "plain", "count", "short", "signed", "percent", "percent1", "money", "duration", "bytes"}
    for language in LANGUAGES:
        for id, template in catalogue(language).items():
            for text in template.values() if isinstance(template, dict) else [template]:
                assert {form for _, field, form, _ in Formatter().parse(text) if field} <= known, id


@pytest.mark.parametrize("language", LANGUAGES)
def test_chinese_punctuation_and_han_spacing(language: str) -> None:
    """Chinese sentences end in full-width stops; English ones hold no Han characters."""
    for id, template in catalogue(language).items():
        for text in template.values() if isinstance(template, dict) else [template]:
            has_han = re.search("[\u4e00-\u9fff]", text) is not None
            assert language == "zh_CN" or not has_han, id
            assert not (language == "zh_CN" and has_han and re.search("[\u4e00-\u9fff][,;:!?](?!\\d)", text)), id


def test_a_missing_id_shows_itself() -> None:
    """No exception may come from a sentence: the id is better than a crash."""
    assert "no.such" in render(phrase("no.such", n=1), "en")


def test_catalogue_files_parse_in_pairs() -> None:
    """Each catalogue file has its twin in the other language."""
    names = {path.name for path in (ROOT / "resources" / "phrases").glob("*.toml")}
    english = {name.replace("en.toml", "") for name in names if name.endswith("en.toml")}
    assert english == {name.replace("zh_CN.toml", "") for name in names if name.endswith("zh_CN.toml")}
    for path in (ROOT / "resources" / "phrases").glob("*.toml"):
        tomllib.loads(path.read_text(encoding="utf-8"))
