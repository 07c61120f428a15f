from __future__ import annotations

import pytest

from companion.world import HoleReading, Sighting
from vision.look import LEAST
from vision.reading import NAMED, _identity_alone
from vision.track import nothing_below

QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def tile(own, *holes):
    readings = tuple(HoleReading("rum", hole, hole > 0.9) for hole in holes)
    return Sighting("tile", "sight-tile", QUAD, own * max(min(holes), LEAST), False, holes=readings, over="card")


@pytest.mark.parametrize("hole", [1.0, 0.6, 0.01, 1e-9, 1e-20, 0.0])
def test_a_tile_is_as_sure_as_its_face_whatever_its_holes_show(hole):
    named = _identity_alone(tile(0.95, 0.99, hole))
    assert named.id == "tile" and named.sure
    assert named.confidence == pytest.approx(0.95)
    assert len(named.holes) == 2


def test_what_is_hardly_known_is_not_named():
    weak = _identity_alone(tile(NAMED - 0.05, 0.9))
    assert weak.id is None and weak.holes == () and not weak.sure
    card = Sighting("card", "card", QUAD, NAMED - 0.05, False)
    assert _identity_alone(card).id is None
    below = Sighting("card", "card", QUAD, NAMED - 0.05, False, covered_by="tile")
    assert _identity_alone(below) is below


def test_through_a_tile_on_the_bare_table_a_faint_symbol_is_more_likely_nothing():
    faint = nothing_below(HoleReading("rum", 0.1, False, 0.7, (("rum", 0.1),)))
    assert (faint.symbol, faint.sure, faint.share) == ("none", False, 0.0)
    assert [name for name, _ in faint.ranked] == ["none", "rum"]
    for clear in (HoleReading("rum", 0.95, True), HoleReading("rum", 0.6, False), HoleReading("none", 0.1, False)):
        assert nothing_below(clear) is clear
