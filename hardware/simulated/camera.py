"""The simulated camera: frames of poses it is given, and the truth about them.

camera = SimulatedCamera(deck, EVENING, seed=7)
frame = camera.look(pose, t_ns=0)
camera.truth(pose).pieces
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Deck
from companion.world import Frame
from hardware.simulated import clutter, hands, pieces, tilted
from hardware.simulated import markers as marks
from hardware.simulated.cloths import KINDS, Surface, TableKind, surface
from hardware.simulated.conditions import Condition
from hardware.simulated.faces import Faces, size_of
from hardware.simulated.layers import Desk, Layer, Rect, bands, cut, grow
from hardware.simulated.lens import Floats, Lens, hang
from hardware.simulated.light import Light, light
from hardware.simulated.poses import HandPose, PiecePose, TablePose
from hardware.simulated.sensor import Sensor, encode
from hardware.simulated.stacking import covered, undersides
from hardware.simulated.truth import TableTruth, table_truth

Layers = tuple[Layer, ...]
SIZE = (1280, 960)
_BRIGHTEST = 60.0
_KEPT = 160
_CLUTTER_LEVEL, _HELD_LEVEL, _HAND_LEVEL = 100, 200, 400
"""Above any card of a pile."""


class SimulatedCamera:
    """One camera over one table for one evening, all drawn from ``seed``: lens, lamps, table, exposure, noise.

    ``table`` fixes what the table is made of. ``clock`` of the noise is the number of frames taken, so the same
    sequence of calls gives the same pixels.
    """

    def __init__(
        self,
        deck: Deck,
        condition: Condition,
        seed: int,
        *,
        table: TableKind | None = None,
        size: tuple[int, int] = SIZE,
        markers: bool = False,
    ) -> None:
        rng = np.random.default_rng(seed)
        self.condition = condition
        self.lens = _hang(condition, size, deck, markers, rng)
        self.table: Surface = surface(self.lens, table or KINDS[int(rng.integers(len(KINDS)))], rng)
        self.light: Light = light(self.lens, condition, rng, float(self.table.albedo[::16, ::16].mean()))
        self.sensor = Sensor(size, condition, rng)
        self._noise = np.random.default_rng(rng.integers(2**63))
        self.faces = Faces(deck, self.lens.scale(0, 0) * 1.15)
        self._lit = self._light_table()
        if markers:
            marks.lay(self._lit, self.lens, self.light)
        self._margin = 1 + int(np.ceil(3 * condition.blur_px))
        self._desk = Desk(size, 2 * self._margin)
        self._coded = np.empty((size[1], size[0], 3), np.int16)
        self._shown: dict[Hashable, Layers] | None = None
        self._pile: tuple[tuple[PiecePose, ...], list[float], frozenset[int]] | None = None
        self._layers: OrderedDict[Hashable, Layers] = OrderedDict()

    def look(self, pose: TablePose, t_ns: int) -> Frame:
        """Take a picture. ``t_ns`` stamps it and says how far exposure and white balance have drifted."""
        self._expose(pose)
        image, jpeg = self.sensor.develop(self._coded, t_ns, self._noise)
        return Frame(t_ns, image, jpeg)

    def truth(self, pose: TablePose) -> TableTruth:
        """What is true of a frame of this pose."""
        hands_drawn = [self._hand(hand) for hand in pose.hands]
        carried = [self._piece(piece, piece.lift_mm, False) for piece in pose.pieces if piece.lift_mm > 0]
        by_hands = self._covered(hands_drawn)
        return table_truth(pose, self.faces, self.lens, by_hands, self._covered([*hands_drawn, *carried]))

    def _covered(self, things: Sequence[Layers]) -> Floats | None:
        """How much of each pixel is covered by any of the things; None when there are none."""
        if not any(things):
            return None
        covered = np.zeros(self._lit.shape[:2], np.float32)
        for layer in (layer for layers in things for layer in layers):
            part = cut(covered, layer.rect)
            np.maximum(part, 1 - layer.keep[..., 1], out=part)
        return covered

    def forget(self) -> None:
        """Draw everything anew next time: after ``light`` or ``table`` was changed from outside."""
        self._layers.clear()
        self._shown = None
        self._lit = self._light_table()

    def plane(self) -> NDArray[np.float64]:
        """The homography from pixels to table millimetres that fits best (the lens bends lines a little)."""
        x, y = np.meshgrid(np.linspace(-150, 150, 9), np.linspace(-110, 110, 9))
        table = np.stack([x.ravel(), y.ravel()], -1)
        pixels = self.lens.project(np.hstack([table, np.zeros((len(table), 1))]))
        return np.asarray(cv2.findHomography(pixels, table)[0], float)

    def _expose(self, pose: TablePose) -> None:
        layers = self._layers_of(pose)
        size = self.lens.size
        if self._shown is None:
            changed: list[Rect] = [(0, 0, *size)]
        else:
            keys = self._shown.keys() ^ layers.keys()
            parts = [layer for key in keys for layer in (layers[key] if key in layers else self._shown[key])]
            changed = [grow(layer.rect, self._margin, size) for layer in parts]
        everything = [layer for part in layers.values() for layer in part]
        for rect in bands(changed, size):
            wide = grow(rect, self._margin, size)
            light_here = self._desk.compose(self._lit, everything, wide)
            np.minimum(light_here, _BRIGHTEST, out=light_here)
            blurred = self._desk.blur(light_here, self.condition.blur_px)
            inner = (rect[0] - wide[0], rect[1] - wide[1], rect[2] - wide[0], rect[3] - wide[1])
            encode(cut(blurred, inner), self._coded[rect[1] : rect[3], rect[0] : rect[2]])
        self._shown = layers

    def _layers_of(self, pose: TablePose) -> dict[Hashable, Layers]:
        """All layers of a pose by what they depend on, in drawing order."""
        found: dict[Hashable, Layers] = {}
        bottoms, below = self._piled(pose.pieces)
        shining = self._shining(pose.pieces)
        for thing in pose.clutter:
            found[thing] = self._layer(
                thing, partial(clutter.draw, self.lens, self.light, self.faces, thing, _CLUTTER_LEVEL)
            )
        for i, (piece, bottom) in enumerate(zip(pose.pieces, bottoms, strict=True)):
            if i in below:
                continue
            found[piece, bottom, i in shining] = self._piece(piece, bottom, i in shining)
        for hand in pose.hands:
            found[hand] = self._hand(hand)
        return found

    def _piled(self, placed: tuple[PiecePose, ...]) -> tuple[list[float], frozenset[int]]:
        """How high each piece lies, and which are covered by others altogether."""
        if self._pile is None or self._pile[0] != placed:
            bottoms = undersides(placed, self.faces)
            self._pile = placed, bottoms, covered(placed, bottoms, self.faces, self.lens)
        return self._pile[1:]

    def _piece(self, piece: PiecePose, bottom: float, glare: bool) -> Layers:
        body = self.faces.body(piece.id, piece.face_up)
        level = _HELD_LEVEL + piece.level if piece.lift_mm > 0 else piece.level
        if piece.tilt_deg:
            return self._layer(
                (piece, bottom), partial(tilted.draw, self.lens, self.light, body, piece, bottom=bottom, level=level)
            )
        draw = partial(pieces.draw, self.lens, self.light, body, piece, bottom=bottom, level=level, glare=glare)
        return self._layer((piece, bottom, glare), draw)

    def _hand(self, hand: HandPose) -> Layers:
        return self._layer(hand, partial(hands.draw, self.lens, self.light, hand, _HAND_LEVEL))

    def _layer(self, key: Hashable, draw: Callable[[], Layers]) -> Layers:
        if key in self._layers:
            self._layers.move_to_end(key)
            return self._layers[key]
        layer = self._layers[key] = draw()
        while len(self._layers) > _KEPT:
            self._layers.popitem(last=False)
        return layer

    def _shining(self, placed: tuple[PiecePose, ...]) -> frozenset[int]:
        """Which pieces a reflection may lie on: those nearest to one, as many places as the condition allows."""
        near = []
        for i, piece in enumerate(placed):
            for glare in self.light.glares:
                distance = float(np.hypot(piece.x_mm - glare.place[0], piece.y_mm - glare.place[1]))
                if distance < glare.radius_mm + 40:
                    near.append((distance, i))
        chosen: list[int] = []
        spots: list[tuple[float, float]] = []
        for _, i in sorted(near):
            here = (placed[i].x_mm, placed[i].y_mm)
            known = any(np.hypot(here[0] - x, here[1] - y) < 25 for x, y in spots)
            if not known and len(spots) >= self.condition.glare_cards:
                continue
            chosen.append(i)
            if not known:
                spots.append(here)
        return frozenset(chosen)

    def _light_table(self) -> Floats:
        lit = self.table.albedo * self.light.field
        shine = self.light.mirrored(self.lens.ground)
        if shine is not None:
            lit += shine * self.table.gloss
        return np.asarray(lit, np.float32)


def _hang(condition: Condition, size: tuple[int, int], deck: Deck, marked: bool, rng: np.random.Generator) -> Lens:
    cards = [size_of(piece)[0] for piece in deck.pieces if piece.kind != "sight-tile"] or [57.0]
    while True:
        scale = float(rng.uniform(*(marks.CARD_PX if marked else condition.card_px))) / float(np.median(cards))
        lens = hang(
            size,
            pixels_per_mm=scale * size[0] / SIZE[0],
            height_mm=float(rng.uniform(450, 750)),
            tilt_deg=condition.tilt_deg,
            tilt_to_deg=float(rng.uniform(0, 360)),
            roll_deg=float(rng.uniform(-4, 4)),
            k1=float(rng.uniform(-0.12, 0.02)),
            k2=float(rng.uniform(-0.01, 0.03)),
        )
        if not marked or marks.all_seen(lens):
            return lens
