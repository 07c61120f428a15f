"""Every sentence of the pages has its German, with the same values in it."""

import ast
import re
from pathlib import Path

import pytest

from companion.words import catalogue
from web.hook.told import FATES, MINOR

WEB = Path(__file__).parents[2] / "web"
CALL = re.compile(r"""\b(tn?)\(\s*(["'])(.+?)\2(?:,\s*(["'])(.+?)\4)?""")


def sentences() -> set[str]:
    found: set[str] = set()
    for path in WEB.rglob("*.html"):
        for match in CALL.finditer(path.read_text(encoding="utf-8")):
            found.add(match[3])
    for path in WEB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "n_"}:
                first = node.args[0]
                assert isinstance(first, ast.Constant), f"{path.name}: a sentence must stand there as it is"
                found.add(first.value)
    return found


def test_there_are_sentences() -> None:
    assert len(sentences()) > 100


@pytest.mark.parametrize("msgid", sorted(sentences()))
def test_is_said_in_german_with_the_same_values(msgid: str) -> None:
    german = catalogue("de").get(msgid)
    assert german, f"no German for {msgid!r}"
    names = set(re.findall(r"\{(\w+)\}", msgid))
    for said in german if isinstance(german, tuple) else (german,):
        assert set(re.findall(r"\{(\w+)\}", said)) - {"count"} == names - {"count"}


def test_the_sentences_that_the_tv_ranks_are_the_rules_own() -> None:
    source = (WEB.parent / "companion" / "games" / "hook" / "sentences.py").read_text(encoding="utf-8")
    for msgid in MINOR | FATES:
        assert f'_("{msgid}"' in source
