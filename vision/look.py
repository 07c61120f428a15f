"""What lies on the table in one picture: find outlines, name them, read the tiles, sort out contradictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from companion.world import Image, Sighting
from vision.align import EXACT, prepare_alignment
from vision.catalog import Catalog
from vision.compare import prepare_comparing
from vision.find import Found, Outline, complete, find, lined, lines_of, unexplained
from vision.geometry import Array, Matrix, carry, to_quad, turned
from vision.ground import Flat, Ground, learn
from vision.holes import HolesRead, Under, meet, prepare_reading, read_all, read_known
from vision.identify import Pick, View, allowed_faces, first_look, grown, known, laid
from vision.plane import Plane
from vision.pose import Tile
from vision.pyramid import Pyramid
from vision.seen import KNOWN, Seen, settled, taken, turned_over, where, without_copies, without_overlap
from vision.weigh import prepare_weighing

SURE = 0.9
"""Confidence from which a reading is taken without asking."""
TELLING = 0.5
"""Least NCC at which an outline may tell about the ground."""
LEFT_OVER = 0.001
"""Share of the picture that may be edges outside of the pieces before it is looked at again."""
NAMES = 5
"""So many names are told of a piece, at most."""
LEAST = 1e-12
"""A hole makes a tile no less sure than this, so that the tile's own confidence can be told from the product."""
REMEMBERED = 0.4
"""Part of what shows through a tile that a card seen there before may leave unexplained."""


def prepare(catalog: Catalog) -> None:
    """Make now what is otherwise made when a face is first met, so that every picture takes the same time."""
    prepare_comparing(catalog)
    for face in catalog.faces:
        prepare_alignment(catalog, face)
        prepare_weighing(catalog, face.index)
        if face.up and face.piece.holes:
            prepare_reading(catalog, face)


def look(
    image: Image, catalog: Catalog, *, expected: frozenset[str] | None = None, plane: Plane | Matrix | None = None
) -> tuple[Sighting, ...]:
    """All pieces in a BGR picture of any size, named where a face of the deck explains them.

    ``expected`` limits the pieces that may lie there (ids); ``plane`` is the homography from pixels to table
    millimetres, which adds ``corners_mm``. Corners are pixels of ``image``. Things that are card-shaped but no face
    explains have no id. A gray picture, one without pieces, or one too small gives what can be seen, maybe nothing.
    """
    image = as_bgr(image)
    found = find(image, aspects=catalog.aspects, round_too=catalog.has_round)
    return read(image, found, catalog, expected=expected, plane=plane)


def read(
    image: Image,
    found: Found,
    catalog: Catalog,
    *,
    expected: frozenset[str] | None = None,
    plane: Plane | Matrix | None = None,
    below: Callable[[Array], Under | None] | None = None,
) -> tuple[Sighting, ...]:
    """Name the outlines of a picture and read its tiles, as ``look`` does with those it finds itself.

    ``below`` tells for a tile's corners which card was seen there before: if that explains what shows, no other card
    is tried.
    """
    if plane is not None and not isinstance(plane, Plane):
        plane = Plane(np.asarray(plane, np.float64).reshape(3, 3), (image.shape[1], image.shape[0]), "given")
    matrix = None if plane is None else plane.matrix
    view = View(Pyramid(image), catalog, allowed_faces(catalog, expected))
    outlines = _spun(found.outlines)
    picks = first_look(view, outlines)
    ground = _ground(image, outlines, picks, catalog) if plane is None else Flat(plane.matrix)
    view = replace(view, ground=ground)
    seen = settled(view, outlines, picks, [])
    if unexplained(found, taken(seen)) > LEFT_OVER:
        lines = lines_of(found)
        more = lined(found, lines, taken(seen))
        seen = settled(view, more, first_look(view, more), seen)
        scale = ground if ground is not None else _scale(image, seen)
        if scale is not None:
            more = _overlooked(found, lines, view, scale, seen)
            seen = settled(view, more, first_look(view, more), seen)
    named = without_overlap(turned_over(view, seen))
    chosen = without_copies(named, catalog)
    chosen = turned_over(view, chosen, but=named)  # whose best name was another's
    chosen = _laid(view, chosen)
    sightings: list[Sighting] = []
    for one in _tiles_read(view.pyramid, chosen, catalog, below):
        sightings += _sightings(one, matrix)
    return tuple(sightings)


def _spun(outlines: list[Outline]) -> list[Outline]:
    """The outlines, discs at every 15 degrees of a quarter turn: their corners say nothing of how they lie."""
    spun = [outline for outline in outlines if outline.shape == "rectangle"]
    for outline in outlines:
        if outline.shape == "round":
            middle = outline.corners.mean(axis=0)
            right = (outline.corners[1] + outline.corners[2]) / 2 - middle
            down = (outline.corners[2] + outline.corners[3]) / 2 - middle
            for a in np.deg2rad(np.arange(0, 90, 15)):
                u, v = np.cos(a) * right + np.sin(a) * down, np.cos(a) * down - np.sin(a) * right
                corners = np.stack([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
                spun.append(replace(outline, corners=corners.astype(np.float32)))
    return spun


def _overlooked(found: Found, lines: Array, view: View, ground: Ground, seen: list[Seen]) -> list[Outline]:
    """Outlines of pieces of known size at corners outside of what is explained."""
    sizes = sorted({f.size_mm for f in view.catalog.faces if f.size_mm is not None and view.allowed[f.index] > 0})
    both_ways = {pair for wide, tall in sizes for pair in ((wide, tall), (tall, wide))}
    shapes = [partial(ground.from_corner, size=size) for size in sorted(both_ways)]
    return complete(found, lines, shapes, taken(seen))


def _ground(image: Image, outlines: list[Outline], picks: list[Pick | None], catalog: Catalog) -> Ground | None:
    """The ground from outlines that look like a piece of known size."""
    known_size = []
    for outline, pick in zip(outlines, picks, strict=True):
        if pick is None or pick.likeness < TELLING:
            continue
        face = catalog.faces[pick.face]
        if face.size_mm is not None and face.up:  # backs are plain: too much is like them
            known_size.append((turned(grown(outline.corners, pick.scale), -pick.turn), face.size_mm))
    return learn(known_size, image.shape)


def _scale(image: Image, seen: list[Seen]) -> Ground | None:
    """A rougher ground, for looking again only: one surely known piece is enough."""
    sure = [one.candidates[0] for one in seen if one.confidence > SURE]
    sized = [(best.corners, best.face.size_mm) for best in sure if best.face.size_mm is not None and best.face.up]
    return learn(sized, image.shape, fewest=1)


def as_bgr(image: Image) -> Image:
    """A picture with three channels: gray is spread, alpha dropped."""
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] == 1:
        return np.asarray(np.repeat(image, 3, axis=2), np.uint8)
    return np.ascontiguousarray(image[:, :, :3])


def _laid(view: View, chosen: list[Seen]) -> list[Seen]:
    """Tiles with their outlines laid more exactly, for their holes' sake, and their confidence with it."""
    tiles = [k for k, one in enumerate(chosen) if _is_tile(one)]
    if not tiles:
        return chosen
    best = [chosen[k].candidates[0] for k in tiles]
    quads = np.stack([one.corners for one in best])
    moved, likeness = laid(view, quads, [one.face for one in best], EXACT)
    result = list(chosen)
    for k, old, corners, like in zip(tiles, best, moved, likeness.tolist(), strict=True):
        better = replace(old, corners=corners, likeness=like)
        confidence = chosen[k].confidence * known(old.misfit, like) / max(known(old.misfit, old.likeness), 1e-6)
        candidates = (better, *chosen[k].candidates[1:])
        result[k] = replace(chosen[k], candidates=candidates, confidence=min(confidence, 1.0))
    return result


def _tiles_read(
    pyramid: Pyramid, chosen: list[Seen], catalog: Catalog, below: Callable[[Array], Under | None] | None
) -> list[Seen]:
    """Read each tile's holes. A card that lies open, or surely under another tile, is not under this one."""
    # A back names no piece: it is every piece's that looks like it.
    open_cards = {_id(one) for one in chosen if one.confidence >= SURE and _face_up(one) and not _is_tile(one)}
    tiles = [one for one in chosen if _is_tile(one) and _face_up(one)]
    result = [one for one in chosen if not (_is_tile(one) and _face_up(one))]
    met = meet(pyramid, [(where(one), one.candidates[0].face.piece) for one in tiles], catalog)
    first = [_as_remembered(tile, below) for tile in met]
    blind = [(k, tile) for k, tile in enumerate(met) if tile is not None and first[k] is None]
    for (k, _), further in zip(blind, read_all([tile for _, tile in blind], frozenset(open_cards)), strict=True):
        first[k] = further
    waiting = sorted(zip(tiles, met, first, strict=True), key=lambda one: one[2].unexplained if one[2] else np.inf)
    taken: set[str] = set()
    for one, tile, found in waiting:
        holes = found
        if tile is not None and holes is not None and holes.card in taken:
            holes = read_all([tile], frozenset(open_cards | taken))[0]
        if holes is not None and holes.card_probability >= SURE and catalog.deck.piece(holes.card).copies == 1:
            taken.add(holes.card)
        result.append(replace(one, holes=holes))
    return result


def _id(one: Seen) -> str:
    return one.candidates[0].face.piece.id


def _face_up(one: Seen) -> bool:
    return bool(one.candidates) and one.candidates[0].face.up


def _is_tile(one: Seen) -> bool:
    return bool(one.candidates) and one.confidence >= KNOWN and bool(one.candidates[0].face.piece.holes)


def _as_remembered(tile: Tile | None, below: Callable[[Array], Under | None] | None) -> HolesRead | None:
    """The holes as the card that was seen here before shows them; None if it does not explain every one of them."""
    under = below(tile.corners) if tile is not None and below is not None else None
    if tile is None or under is None:
        return None
    holes = read_known(tile, under)
    if holes is None or holes.unexplained > REMEMBERED or any(not reading.sure for reading in holes.readings):
        return None
    return holes


def _sightings(one: Seen, plane: Matrix | None) -> list[Sighting]:
    corners = where(one)
    on_table = to_quad(carry(plane, corners)) if plane is not None else None
    if one.turned is not None:
        kind, maybe = one.turned
        sure = one.confidence >= SURE
        return [Sighting(None, kind, to_quad(corners), one.confidence, sure, on_table, face_up=False, ranked=maybe)]
    if not one.candidates or one.confidence < KNOWN:
        return [Sighting(None, None, to_quad(corners), one.confidence, False, on_table, ranked=_ranked(one))]
    best = one.candidates[0]
    piece = best.face.piece
    if not best.face.up:
        sure = one.confidence >= SURE
        return [Sighting(None, piece.kind, to_quad(corners), one.confidence, sure, on_table, face_up=False)]
    readings = one.holes.readings if one.holes is not None else ()
    confidence = one.confidence * max(min((r.confidence for r in readings), default=1.0), LEAST)
    sure = one.confidence >= SURE and all(r.sure for r in readings)
    below = _below(one, plane)
    over = below[0].id if below else None
    tile = Sighting(
        piece.id,
        piece.kind,
        to_quad(corners),
        confidence,
        sure,
        on_table,
        over=over,
        holes=readings,
        ranked=_ranked(one),
    )
    return [tile, *below]


def _ranked(one: Seen) -> tuple[tuple[str, float], ...]:
    """The likeliest names, of which a back has none."""
    return tuple((c.face.piece.id, c.probability) for c in one.candidates if c.face.up)[:NAMES]


def _below(one: Seen, plane: Matrix | None) -> list[Sighting]:
    """The card that the holes tell of, if they do."""
    if one.holes is None or one.holes.card_probability < 0.5 or one.holes.unexplained > 0.75:
        return []
    card = one.candidates[0].face.piece
    corners, confidence = one.holes.corners, one.holes.card_probability * one.confidence
    on_table = to_quad(carry(plane, corners)) if plane is not None else None
    kind = one.holes.kind
    return [
        Sighting(
            one.holes.card,
            kind,
            to_quad(corners),
            confidence,
            confidence >= SURE,
            on_table,
            covered_by=card.id,
            ranked=one.holes.cards,
        )
    ]
