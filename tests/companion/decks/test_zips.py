"""A deck goes out as one zip and comes back the same; a zip that is wrong or unsafe changes nothing."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

from companion import deck
from companion.deck import DeckError
from companion.decks import store, swap, zips


def _files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_round_trip(maker, tmp_path):
    (maker.folder / "notes.txt").write_text("not part of the deck")
    out = tmp_path / "ours.zip"
    assert zips.export(maker.folder, out) == 4
    name = zips.take_in(out)
    assert name == "ours"
    assert store.names() == ["ours"]
    assert store.find("ours") == store.place() / "ours"
    expected = _files(maker.folder)
    del expected["notes.txt"]
    assert _files(store.place() / "ours") == expected
    assert deck.load(store.place() / "ours").pieces == deck.load(maker.folder).pieces
    assert list(store.place().iterdir()) == [store.place() / "ours"]


def test_one_deck_always_gives_the_same_zip(maker, tmp_path):
    zips.export(maker.folder, tmp_path / "a.zip")
    zips.export(maker.folder, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_zip_made_by_hand_with_a_folder_around_and_other_things(maker, tmp_path):
    out = tmp_path / "hand.zip"
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in _files(maker.folder).items():
            archive.writestr(f"my deck/{name}", data)
        archive.writestr("my deck/run.sh", "echo no")
        archive.writestr("__MACOSX/my deck/._deck.toml", "x")
        archive.writestr("elsewhere/photo.jpg", "x")
    zips.take_in(out, "by-hand")
    assert _files(store.place() / "by-hand") == _files(maker.folder)


def test_a_wrong_deck_is_not_exported(maker, tmp_path):
    (maker.folder / "faces/one.png").unlink()
    with pytest.raises(DeckError, match=r"faces/one\.png is missing"):
        zips.export(maker.folder, tmp_path / "a.zip")
    assert list(tmp_path.glob("*.zip")) == []


@pytest.fixture
def replacement(maker, tmp_path):
    """A deck is here, and a zip of a newer one."""
    out = tmp_path / "ours.zip"
    zips.export(maker.folder, out)
    zips.take_in(out)
    maker.replace('name = "Ours"', 'name = "OURS!"')
    zips.export(maker.folder, out)
    return out


def test_a_name_that_is_taken(replacement):
    with pytest.raises(DeckError, match=r"ours: a deck of that name is here already\. Give another --name"):
        zips.take_in(replacement)
    assert deck.load(store.place() / "ours").name == "Ours"
    zips.take_in(replacement, replace=True)
    assert deck.load(store.place() / "ours").name == "OURS!"
    assert [entry.name for entry in store.place().iterdir()] == ["ours"]


class PowerCut(BaseException):
    """Nothing runs after it."""


def test_a_power_cut_leaves_the_old_deck_or_the_new_one(replacement, monkeypatch):
    """At whatever step of the swap it comes."""
    for steps in range(3):
        left = iter([None] * steps)

        def cut(doing, left=left):
            def until_cut(*given, **named):
                if next(left, PowerCut) is PowerCut:
                    raise PowerCut
                return doing(*given, **named)

            return until_cut

        with monkeypatch.context() as patch:
            patch.setattr(swap.Path, "rename", cut(swap.Path.rename))
            patch.setattr(swap.shutil, "rmtree", cut(swap.shutil.rmtree))
            with pytest.raises(PowerCut):
                zips.take_in(replacement, "ours", replace=True)
        assert store.names() == ["ours"]
        assert deck.load(store.find("ours")).name == ("Ours" if steps < 2 else "OURS!")
        with pytest.raises(DeckError, match="a deck of that name is here already"):
            zips.take_in(replacement, "ours")
        assert (store.place() / "ours").is_dir()


def test_a_deck_is_on_the_disk_before_the_old_one_goes(replacement, monkeypatch):
    done = []

    def noted(name, doing, path_of):
        def do(*given, **named):
            done.append((name, path_of(given[0])))
            return doing(*given, **named)

        return do

    monkeypatch.setattr(os, "fsync", noted("sync", os.fsync, lambda handle: Path(f"/proc/self/fd/{handle}").readlink()))
    monkeypatch.setattr(Path, "rename", noted("rename", Path.rename, Path))
    monkeypatch.setattr(swap.shutil, "rmtree", noted("remove", swap.shutil.rmtree, Path))
    zips.take_in(replacement, "ours", replace=True)
    names = [name for name, _path in done]
    swapped = names.index("rename")
    synced = {path for name, path in done[:swapped] if name == "sync"}
    draft = done[swapped + 1][1]
    assert {str(path.relative_to(draft)) for path in synced} == {".", "faces", *_files(store.place() / "ours")}
    assert names[swapped:][:4] == ["rename", "rename", "sync", "remove"]
    assert done[swapped + 2][1] == store.place()


def test_what_an_import_left_behind_is_removed_by_the_next(replacement):
    old, other = store.place() / ".import-abcdefgh", store.place() / ".import-12345678"
    for left in (old, other):
        (left / "faces").mkdir(parents=True)
    os.utime(old, (1, 1))
    zips.take_in(replacement, "ours", replace=True)
    assert {entry.name for entry in store.place().iterdir()} == {"ours", other.name}  # which may still be at work


@pytest.mark.parametrize("name", ["Ours", "../ours", "", "a b", "practice-hook", "-x"])
def test_a_name_that_cannot_be(maker, tmp_path, name):
    zips.export(maker.folder, tmp_path / "ours.zip")
    with pytest.raises(DeckError, match="cannot be a deck's name"):
        zips.take_in(tmp_path / "ours.zip", name)


def test_names_from_titles():
    assert store.name_for("Hook! (our copy)") == "hook-our-copy"
    assert store.name_for("Größe 2") == "groe-2"
    assert store.name_for("海") == "deck"
    assert store.is_name(store.name_for("x" * 200))


def _zip(path, entries):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(
    "evil", ["../evil.png", "/evil.png", "faces/../../evil.png", "faces\\..\\..\\evil.png", "C:evil.png"]
)
def test_a_zip_that_would_write_elsewhere(maker, tmp_path, evil):
    files = _files(maker.folder) | {evil: b"x"}
    with pytest.raises(DeckError, match=r"would be written outside the deck\. Do not use this zip"):
        zips.take_in(_zip(tmp_path / "a.zip", files))
    assert list(tmp_path.rglob("evil.png")) == []
    assert store.names() == []


def test_a_zip_with_a_link(maker, tmp_path):
    out = _zip(tmp_path / "a.zip", _files(maker.folder))
    with zipfile.ZipFile(out, "a") as archive:
        link = zipfile.ZipInfo("faces/link.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(DeckError, match=r"is a link\. A deck's zip holds files only"):
        zips.take_in(out)


def test_a_zip_that_grows_too_large(maker, tmp_path, monkeypatch):
    monkeypatch.setattr(zips, "MOST_BYTES", 2**20)
    out = tmp_path / "bomb.zip"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _files(maker.folder).items():
            archive.writestr(name, data)
        archive.writestr("faces/huge.png", bytes(2**21))
    assert out.stat().st_size < 2**18
    with pytest.raises(DeckError, match="unpacks to more than 1 MB"):
        zips.take_in(out)
    assert list(store.place().iterdir()) == []


def test_a_zip_with_too_many_files(maker, tmp_path, monkeypatch):
    monkeypatch.setattr(zips, "MOST_FILES", 3)
    with pytest.raises(DeckError, match="4 files, more than a deck needs"):
        zips.take_in(_zip(tmp_path / "a.zip", _files(maker.folder)))


def test_no_zip_no_deck_two_decks(maker, tmp_path):
    with pytest.raises(DeckError, match="there is no such file"):
        zips.take_in(tmp_path / "none.zip")
    (tmp_path / "text.zip").write_text("hello")
    with pytest.raises(DeckError, match="not a zip, or a damaged one"):
        zips.take_in(tmp_path / "text.zip")
    with pytest.raises(DeckError, match=r"no deck\.toml in this zip"):
        zips.take_in(_zip(tmp_path / "a.zip", {"a.png": b"x"}))
    with pytest.raises(DeckError, match="2 decks in this zip"):
        zips.take_in(_zip(tmp_path / "b.zip", {"a/deck.toml": b"x", "b/deck.toml": b"x"}))
    assert list(store.place().iterdir()) == []


def test_a_damaged_zip(maker, tmp_path):
    out = tmp_path / "a.zip"
    zips.export(maker.folder, out)
    data = bytearray(out.read_bytes())
    middle = data.index(b"IDAT") + 20
    data[middle] ^= 0xFF
    out.write_bytes(data)
    with pytest.raises(DeckError, match="damaged"):
        zips.take_in(out)
    out.write_bytes(data[: len(data) // 2])
    with pytest.raises(DeckError, match="damaged"):
        zips.take_in(out)


def test_a_wrong_deck_in_a_zip_is_refused_with_the_zips_name(maker, tmp_path):
    files = _files(maker.folder)
    del files["faces/two.png"]
    out = _zip(tmp_path / "a.zip", files)
    with pytest.raises(DeckError) as refused:
        zips.take_in(out)
    assert str(refused.value) == (
        f"{out}: deck.toml: piece target-002: the picture faces/two.png is missing. Add it or mend the face line."
    )
    assert list(store.place().iterdir()) == []


def test_finding_a_deck(maker):
    assert store.find(str(maker.folder)) == maker.folder
    with pytest.raises(
        DeckError, match=r"nothing: no deck of that name, .* There are: practice-hook, practice-hooked\."
    ):
        store.find("nothing")
