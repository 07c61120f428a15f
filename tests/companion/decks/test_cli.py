"""``companion deck`` at the command line: what it says, where, and its exit status."""

from __future__ import annotations

from click.testing import CliRunner

from companion.cli.deck import command


def _run(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_check_of_a_sound_deck(maker):
    result = _run("check", maker.folder)
    assert result.exit_code == 0
    assert "OK: Ours (game hook): 2 target-card, 1 sight-tile." in result.stdout
    assert "in 100.0% of 8 placements" in result.stdout
    assert result.stdout.count("warning: ") == 7


def test_check_lists_every_problem(maker):
    (maker.folder / "faces/one.png").unlink()
    (maker.folder / "faces/two.png").write_bytes(b"")
    maker.replace('"red-pirate" }', '"nobody" }')
    result = _run("check", maker.folder)
    assert result.exit_code == 1
    assert "faces/one.png is missing" in result.stderr
    assert "faces/two.png is empty" in result.stderr
    assert "its owner 'nobody' is no character" in result.stderr
    assert "3 problems, as listed above." in result.stderr
    assert "OK" not in result.stdout


def test_check_of_nothing(tmp_path):
    result = _run("check", tmp_path / "none")
    assert result.exit_code == 1
    assert "there is no such folder. Give the folder that holds deck.toml." in result.stderr
    assert "1 problem, as listed above." in result.stderr


def test_export_import_list(maker, tmp_path):
    out = tmp_path / "ours.zip"
    assert _run("export", maker.folder, out).stdout == f"{out}: 4 files.\n"
    imported = _run("import", out)
    assert imported.stdout == "ours: imported. Use it with --deck ours.\n"
    again = _run("import", out)
    assert again.exit_code == 1
    assert "a deck of that name is here already" in again.stderr
    assert _run("import", out, "--replace").exit_code == 0
    assert _run("import", out, "--name", "second").exit_code == 0
    listed = _run("list").stdout.splitlines()
    assert [line.partition(":")[0] for line in listed[:2]] == ["practice-hook", "practice-hooked"]
    assert listed[2:] == [
        "ours: Ours (game hook): 2 target-card, 1 sight-tile",
        "second: Ours (game hook): 2 target-card, 1 sight-tile",
    ]


def test_a_deck_damaged_since_is_listed_as_such(maker, tmp_path):
    _run("export", maker.folder, tmp_path / "ours.zip")
    _run("import", tmp_path / "ours.zip")
    (tmp_path / "data/tabletop-companion/decks/ours/faces/one.png").unlink()
    assert "ours: cannot be used." in _run("list").stdout


def test_wrong_use_and_places_that_cannot_be_written(maker, tmp_path):
    assert _run("export", maker.folder).exit_code == 2
    assert _run("check").exit_code == 2
    result = _run("export", maker.folder, tmp_path / "no/where.zip")
    assert result.exit_code == 1
    assert "cannot be written (No such file or directory)" in result.stderr
    assert "no deck of that name" in _run("export", "nothing", tmp_path / "a.zip").stderr
