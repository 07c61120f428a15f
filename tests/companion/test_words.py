import ast
import string
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion import words
from companion.words import Text, _, n_

ROOT = Path(words.__file__).parent.parent
PACKAGES = ("companion", "vision", "hardware", "web")
MARKERS = {"_": 1, "n_": 2}


def sentences() -> Iterator[tuple[str, str]]:
    """Every marked sentence in the code: (where, msgid)."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKERS:
                    first = node.args[0] if node.args else None
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", first.value


def fields(pattern: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(pattern) if name}


def test_english_is_the_original() -> None:
    assert _("{who} is out", who="Red Pirate").to("en") == "Red Pirate is out"


def test_values_may_be_sentences_themselves_also_after_json() -> None:
    inner = _("Red Pirate")
    outer = _("{who} is out", who=inner)
    back = msgspec.json.decode(msgspec.json.encode(outer), type=Text)
    assert back.to("de") == outer.to("de")


def test_plurals_go_by_the_count() -> None:
    assert n_("{count} ball", "{count} balls", 1).to("en") == "1 ball"
    assert n_("{count} ball", "{count} balls", 3).to("en") == "3 balls"


def test_an_unknown_language_speaks_english() -> None:
    assert _("Undo").to("xx") == "Undo"


def test_every_sentence_is_translated_into_german() -> None:
    german = words.catalogue("de")
    missing = [f"{where}: {msgid}" for where, msgid in sentences() if not german.get(msgid)]
    assert not missing, "\n".join(missing)


def test_translations_use_the_values_of_their_original() -> None:
    wrong = []
    for msgid, said in words.catalogue("de").items():
        for pattern in (said,) if isinstance(said, str) else said:
            if not fields(pattern) <= fields(msgid) | {"count"}:
                wrong.append(f"{msgid!r} -> {pattern!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_ours(package: str) -> None:
    module = __import__(package)
    assert Path(str(module.__file__)).parent == ROOT / package


def test_what_only_looks_like_a_sentence_is_left_as_it_is() -> None:
    plain = {"msgid": 1, "values": 2}
    assert words.spoken({"parrots": plain}, "de") == {"parrots": plain}
    assert _("{what}", what=plain).to("en") == str(plain)


def test_sentences_inside_plain_json_are_said() -> None:
    plain = msgspec.to_builtins({"told": [_("{who} is out", who=_("Red Pirate"))]})
    assert words.spoken(plain, "en") == {"told": ["Red Pirate is out"]}
