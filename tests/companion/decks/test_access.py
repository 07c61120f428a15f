"""Decks that this user may not read, and those that every user may: the service is another user than the family."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from stranger import stranger

from companion import deck
from companion.app import games
from companion.cli.deck import command
from companion.deck import DeckError
from companion.decks import check, store, zips

WHO = r"the user \S+ may not"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody may look into, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize(
    ("shut", "refused"),
    [
        ("home", "look into {place}/home"),
        ("home/ours", "look into {place}/home/ours"),
        ("home/ours/deck.toml", "read it"),
    ],
)
def test_a_deck_that_may_not_be_read_says_who_may_not_and_what_to_do(
    place: Path, deck_in: Any, shut: str, refused: str
) -> None:
    ours = deck_in(place / "home" / "ours").folder
    (place / shut).chmod(0)
    with stranger(), pytest.raises(DeckError, match=WHO) as caught:
        games.load("hook", str(ours))
    (place / shut).chmod(0o755)
    said = str(caught.value)
    assert said.startswith(f"{ours}/deck.toml: the user ")
    assert refused.format(place=place) in said
    assert said.endswith("then with sudo companion deck import --system deck.zip")


def test_a_deck_whose_pictures_may_not_be_read_is_checked_all_the_same(place: Path, deck_in: Any) -> None:
    ours = deck_in(place / "ours").folder
    (ours / "faces").chmod(0)
    with stranger():
        problems = check.examine(ours).problems
    (ours / "faces").chmod(0o755)
    assert len(problems) == 3
    assert all("cannot be read (Permission denied)" in problem for problem in problems)


def test_another_users_decks_are_no_error(place: Path, deck_in: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a service that was given somebody's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(place / "home"))
    monkeypatch.setattr(store, "SYSTEM", place / "system")
    deck_in(store.place() / "mine")
    deck_in(store.SYSTEM / "ours")
    assert store.names() == ["mine", "ours"]
    (place / "home").chmod(0)
    with stranger():
        assert store.names() == ["ours"]
        assert games.load("hook", "ours").folder == store.SYSTEM / "ours"
        with pytest.raises(DeckError, match=r"There are: practice-hook, practice-hooked, ours\. Another user's are"):
            games.load("hook", "mine")
    (place / "home").chmod(0o755)


def _import(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(command, ["import", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_deck_for_every_user_is_found_by_each(maker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zips.export(maker.folder, tmp_path / "ours.zip")
    before = os.umask(0o077)
    try:
        status, said = _import("--system", tmp_path / "ours.zip")
    finally:
        os.umask(before)
    assert (status, said) == (0, "ours: imported for every user of this machine. Use it with --deck ours.\n")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another user"))
    assert store.find("ours") == store.SYSTEM / "ours"
    assert deck.load(store.find("ours")).name == "Ours"
    assert "ours: Ours (game hook)" in CliRunner().invoke(command, ["list"]).output
    for path in (store.SYSTEM.parent, store.SYSTEM, *store.SYSTEM.rglob("*")):
        assert path.stat().st_mode & 0o777 == (0o755 if path.is_dir() else 0o644), path


def test_this_users_deck_counts_more_than_the_systems(maker: Any, tmp_path: Path) -> None:
    zips.export(maker.folder, tmp_path / "ours.zip")
    assert _import("--system", tmp_path / "ours.zip")[0] == 0
    assert _import(tmp_path / "ours.zip")[0] == 0
    assert store.find("ours") == store.place() / "ours"
    assert store.names() == ["ours"]


def test_a_deck_that_somebody_has_put_there_by_hand_is_listed_and_found(deck_in: Any) -> None:
    deck_in(store.SYSTEM / "Our deck")
    assert "Our deck: Ours (game hook)" in CliRunner().invoke(command, ["list"]).output
    assert games.load("hook", "Our deck").folder == store.SYSTEM / "Our deck"


def test_a_deck_for_every_user_needs_an_administrator(
    place: Path, deck_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SYSTEM", place / "shut" / "decks")
    zips.export(deck_in(place / "ours").folder, place / "ours.zip")
    (place / "shut").mkdir(mode=0o555)
    with stranger():
        status, said = _import("--system", place / "ours.zip")
    assert status == 1
    assert f"{store.SYSTEM}: only an administrator may put decks there. Do the same with sudo: sudo " in said
    assert f" deck import --system {place}/ours.zip" in said
