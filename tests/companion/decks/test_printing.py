"""A deck on paper: a sound PDF with every piece in its true size."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion import deck
from companion.cli.deck import command
from companion.deck import DeckError
from companion.decks import pdf, printing, store

POINT = 72 / 25.4


def _objects(data):
    """The file's objects by number, found through its table of offsets."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])
    assert data[start:].startswith(b"xref\n0 ")
    offsets = [int(m) for m in re.findall(rb"(\d{10}) 00000 n \n", data[start:])]
    found = {}
    for number, offset in enumerate(offsets, 1):
        head = f"{number} 0 obj\n".encode()
        assert data[offset:].startswith(head)
        found[number] = data[offset + len(head) : data.index(b"\nendobj\n", offset)]
    return found


def _pages(data):
    """The drawing commands of each page, in order."""
    objects = _objects(data)
    kids = [int(n) for n in re.search(rb"/Kids \[([^\]]*)\]", objects[2])[1].replace(b" 0 R", b"").split()]
    contents = []
    for kid in kids:
        stream = objects[int(re.search(rb"/Contents (\d+)", objects[kid])[1])]
        length = int(re.search(rb"/Length (\d+)", stream)[1])
        body = stream[stream.index(b"stream\n") + 7 :]
        assert body[length:] == b"\nendstream"
        contents.append(body[:length].decode("latin-1"))
    return contents


def _placed(content):
    """The pictures on a page: name, width, height, left, bottom in millimetres."""
    found = re.findall(r"q ([\d.]+) 0 0 ([\d.]+) ([\d.-]+) ([\d.-]+) cm /(P\d+) Do Q", content)
    return [(name, *(round(float(value) / POINT, 2) for value in values)) for *values, name in found]


def test_pieces_have_their_true_size(maker):
    data = printing.render(deck.load(maker.folder), "a4")
    (content,) = _pages(data)
    assert _placed(content) == [
        ("P0", 60.0, 60.0, 6.0, 231.0),
        ("P2", 60.0, 60.0, 70.0, 231.0),
        ("P1", 60.0, 60.0, 134.0, 231.0),
    ]
    assert f"[0 0 {210 * POINT:.3f} {297 * POINT:.3f}]".encode() in data
    assert content.count(" c S") == 3  # the tile's holes
    assert content.count(" l S") == 3 * 8 + 3  # crop marks and ruler
    assert "(Ours, page 1 of 1. Print at 100 %; the line to the left is 50 mm long.) Tj" in content


def test_pictures_are_the_faces(maker):
    objects = _objects(printing.render(deck.load(maker.folder), "letter"))
    pictures = [body for body in objects.values() if b"/DCTDecode" in body]
    assert len(pictures) == 3
    for body, name in zip(pictures, ("one", "tile", "two"), strict=True):
        stream = body[body.index(b"stream\n") + 7 : -len(b"\nendstream")]
        shown = cv2.imdecode(np.frombuffer(stream, np.uint8), cv2.IMREAD_COLOR)
        face = cv2.imread(str(maker.folder / f"faces/{name}.png"))
        # Another face of this noise differs by about 85; coarse colour in the JPEG costs a little.
        assert np.abs(shown.astype(int) - face).mean() < 15


def test_copies_pages_and_backs(maker):
    maker.picture("faces/back.png")
    maker.replace('face = "faces/one.png"', 'face = "faces/one.png"\nback = "faces/back.png"\ncopies = 13')
    content = deck.load(maker.folder)
    pages = _pages(printing.render(content, "a4"))
    assert [len(_placed(page)) for page in pages] == [12, 3]
    pages = _pages(printing.render(content, "a4", backs=True))
    assert [len(_placed(page)) for page in pages] == [12, 12, 3, 1]
    for (_, *front), (_, *back) in zip(_placed(pages[0]), _placed(pages[1]), strict=True):
        assert front[3] == back[3]
        assert front[2] + front[0] + back[2] == pytest.approx(210, abs=0.02)  # mirrored
    assert pages[1].count(" l S") == 3  # no crop marks behind


def test_pieces_of_other_sizes_and_shapes(maker):
    maker.replace("[60.0, 60.0]", "[63.0, 88.0]")
    maker.replace(
        'kind = "target-card"\nface = "faces/two.png"', 'kind = "target-card"\nshape = "round"\nface = "faces/two.png"'
    )
    (content,) = _pages(printing.render(deck.load(maker.folder), "a4"))
    assert [(width, height, left) for _, width, height, left, _ in _placed(content)] == [
        (63.0, 88.0, 6.0),
        (60.0, 60.0, 6.0),
        (60.0, 60.0, 70.0),
    ]
    assert content.count(" c S") == 4


def test_the_foot_in_german(maker):
    (content,) = _pages(printing.render(deck.load(maker.folder), "a4", language="de"))
    assert "(Ours, Seite 1 von 1. Mit 100 % drucken; die Linie links ist 50 mm lang.) Tj" in content


def test_what_cannot_be_printed(maker):
    maker.replace("size_mm = [60.0, 60.0]\n", "")
    with pytest.raises(DeckError, match="piece target-001 has no size_mm"):
        printing.render(deck.load(maker.folder), "a4")
    maker.replace('face = "faces/one.png"', 'face = "faces/one.png"\nsize_mm = [300.0, 60.0]')
    with pytest.raises(DeckError, match="piece target-001 is 300 x 60 mm, larger than the paper"):
        printing.render(deck.load(maker.folder), "a4")


def test_text_is_escaped():
    page = pdf.Page([pdf.Words(1, 1, "a (b) \\ ü →")])
    (content,) = _pages(pdf.document([page], {}, (50, 50)))
    assert "(a \\(b\\) \\\\ ü ?) Tj" in content


def _run(*arguments):
    return CliRunner().invoke(command, ["print", *(str(argument) for argument in arguments)])


def test_the_command(maker, tmp_path, monkeypatch):
    out = tmp_path / "a.pdf"
    assert _run(maker.folder, out, "--backs").exit_code == 0
    assert len(_pages(out.read_bytes())) == 2

    def write(folder):
        (folder / "faces").mkdir()
        for path in maker.folder.rglob("*.*"):
            (folder / path.relative_to(maker.folder)).write_bytes(path.read_bytes())

    monkeypatch.setitem(store.FOR_PRINT, "hook", write)
    result = _run("hook", out, "--paper", "letter")
    assert result.exit_code == 0
    assert "this takes half a minute" in result.stderr
    assert f"[0 0 {215.9 * POINT:.3f} {279.4 * POINT:.3f}]".encode() in out.read_bytes()


def test_the_command_refuses(maker, tmp_path):
    result = _run("pook", tmp_path / "a.pdf")
    assert result.exit_code == 1
    assert "pook: has no practice deck to print." in result.stderr
    assert "no deck of that name" in _run("nothing", tmp_path / "a.pdf").stderr
    assert "cannot be written" in _run(maker.folder, tmp_path / "no/a.pdf").stderr
    assert _run(maker.folder, tmp_path / "a.pdf", "--paper", "a3").exit_code == 2
    maker.picture("faces/one.png").write_bytes(b"")
    assert "faces/one.png is empty" in _run(maker.folder, tmp_path / "a.pdf").stderr
