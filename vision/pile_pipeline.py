"""From frames to Scenes where pieces are laid onto one another: one pile is followed, whatever lies beside it is not.

    pipeline = PilePipeline(catalog)
    for frame in frames:
        scene = pipeline.step(frame)

Pure in its input, like ``vision.pipeline``, whose place it takes for games with a pile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.world import Frame, Image, Pile, PileChange, Scene, Sighting
from vision import hands as hand_finder
from vision.catalog import Catalog
from vision.hands import Hands
from vision.hiding import blocked_pixels, cells_at, cells_in, grown, hidden_cells, share_blocked, touched_cells
from vision.layers import Layers
from vision.levelling import Levelling
from vision.light import Mask
from vision.motion import CELL, Motion, MotionWatch
from vision.pile import PileFollower, zone
from vision.pile_reading import CALM, PileReader, cards_among
from vision.pipeline import STALE_FRAMES, unreadable
from vision.plane import Plane
from vision.reading import Reader, StillReader
from vision.track import corners_of
from vision.uppermost import arts_of
from vision.visit import Glimpse, Visit, hands_at, shrunk

PATIENCE = 8
"""So often, in frames, those are read while a pile stays hidden."""
TOUCHED = 0.1
"""Share of the uppermost card that must have been hidden for something to have come unnoticed."""
CLEAR = 0.3
"""Share of the pile's uppermost place that may be hidden for it to be worth reading."""
BARE = 0.7
"""Share of the place that must look like the empty table for the pile to be gone."""
TOLD = 4
"""Changes that a Scene tells: some Scenes are never read."""
RECENT = 40
"""Frames of an empty table in which something moved that are kept: when the first card came."""
MOST_TRIES = 5
"""Readings of a pile at rest that do not tell what it is, after which nothing is read until something moves."""


class PilePipeline:
    """Follows the pile of one table. ``plane`` is given where it is known."""

    def __init__(self, catalog: Catalog | None, plane: Plane | None = None, *, reader: Reader | None = None) -> None:
        if reader is None:
            assert catalog is not None
            reader = StillReader(catalog)
        self._cards = PileReader(reader, arts_of(catalog))
        self._given = plane
        self._last: Scene | None = None
        self._stale = self._sequence = 0
        self._changes: list[PileChange] = []
        self._begin()

    def _begin(self) -> None:
        self._watch = MotionWatch()
        self._level = Levelling(self._given)
        self._size: tuple[int, int] | None = None
        self._follower: PileFollower | None = None
        self._recent: deque[tuple[int, Image, Hands]] = deque(maxlen=RECENT)
        self._open = self._touched = True
        self._held = False
        self._tries = 0
        self._hidden_for = 0
        self._bare_table: tuple[int, Image] | None = None
        self._side = 0.0

    def expect(self, ids: Iterable[str] | None) -> None:
        """Which ids may lie on the table; None: every piece of the deck."""
        self._cards.expected = None if ids is None else frozenset(ids)

    def forget(self) -> None:
        """Start anew, as with the first frame."""
        self._begin()

    @property
    def plane(self) -> Plane | None:
        """The table plane, as far as it is known."""
        return self._level.plane

    @property
    def follower(self) -> PileFollower | None:
        """What is known of the pile, for whoever wants to look at it."""
        return self._follower

    def step(self, frame: Frame) -> Scene:
        """The Scene after a frame. A frame that is no newer than the last changes nothing: the last Scene again."""
        if self._last is not None and frame.t_ns <= self._last.t_ns:
            self._stale += 1
            if self._stale < STALE_FRAMES:
                return self._last
            self._begin()
        self._stale = 0
        image = frame.image
        sentence = unreadable(image)
        if sentence is not None:
            self._watch = MotionWatch()
            return self._publish(frame, Hands((), _none(), _none()), False, False, str(sentence))
        size = (image.shape[1], image.shape[0])
        if self._size is not None and self._size != size:
            self._begin()
        self._size = size
        motion = self._watch.step(image)
        hands = hand_finder.find(motion, self._watch, self._side or 0.12 * size[0])
        blocked = hidden_cells(hands, motion) | (motion.still < 1) | motion.flipped
        if not motion.flipped and not motion.moving.any():
            self._level.look(image)
        read = False
        if self._follower is None:
            if motion.moving.any() or not self._recent:
                half = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
                self._recent.append((frame.t_ns, half, hands))
            read = self._first(frame, motion, hands, blocked)
        else:
            read = self._follow(frame, motion, hands, blocked)
        self._settle(motion, touched_cells(hands, motion), read=read and not hands.hands and not motion.moving.any())
        moving = bool(np.count_nonzero(motion.moving) > 0.002 * motion.moving.size)
        return self._publish(frame, hands, moving, read, None)

    def _first(self, frame: Frame, motion: Motion, hands: Hands, blocked: Mask) -> bool:
        """Look for the first card of a pile in what has changed and lies still."""
        ready = motion.changed & ~blocked
        if not ready.any():
            return False
        image = frame.image
        rows, columns = np.nonzero(ready)
        cell = CELL / motion.scale
        room = self._side or 0.12 * image.shape[1]
        box = (
            max(0, int(columns.min() * cell - room)),
            max(0, int(rows.min() * cell - room)),
            min(image.shape[1], int((columns.max() + 1) * cell + room)),
            min(image.shape[0], int((rows.max() + 1) * cell + room)),
        )
        calm = not hands.hands and not motion.moving.any()
        seen = self._cards.seen(image, box)
        found = [s for s in cards_among(seen) if calm or self._cards.plain(image, s)]
        top = max(found, key=lambda s: s.confidence, default=None)
        if top is not None and share_blocked(np.array(top.corners), blocked, motion.scale) <= CALM:
            quad = np.array(top.corners, np.float64)
            layers = Layers(self._cards.reader.pieces, zone(quad, (image.shape[1], image.shape[0])))
            layers.was_bare = self._watch.has_come(cells_at(quad, motion))
            if layers.was_bare and self._bare_table is not None:
                layers.lay_bare(self._bare_table[1], self._bare_table[0])
            self._follower = PileFollower(layers)
            self._follower.visit = self._arrival()
            self._side = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
            self._take(self._crop(image), frame.t_ns, top, None, open=True)
        elif top is None and calm:
            for place in (cells_at(grown(np.array(s.corners)), motion) for s in seen):
                if self._watch.has_come(place):
                    ready = ready & ~place  # cards put there face down are no table
            self._watch.empty(ready)
            self._bare_table = frame.t_ns, image.copy()
        return True

    def _arrival(self) -> Visit:
        """What was seen while the first card came, of the pile's part of the picture."""
        assert self._follower is not None
        first = self._recent[0][0] if self._recent else 0
        visit = Visit(first)
        left, top, right, bottom = self._follower.box
        for t_ns, half, hands in self._recent:
            size = (half.shape[1], half.shape[0])
            here = (slice(top // 2, -(-bottom // 2)), slice(left // 2, -(-right // 2)))
            at = hands_at(hands.hands, self._follower.place, (size[0] * 2, size[1] * 2)) if hands.hands else ()
            glimpse = Glimpse(t_ns, half[here], at)
            if hands.hands:
                glimpse.palms = np.ascontiguousarray(shrunk(hands.mask, half)[here])
            visit.add(glimpse)
        self._recent.clear()
        return visit

    def _follow(self, frame: Frame, motion: Motion, hands: Hands, blocked: Mask) -> bool:
        follower = self._follower
        assert follower is not None
        core, here = cells_at(grown(follower.place), motion), cells_in(follower.box, motion)
        if motion.moving[here if self._held else core].any():
            self._tries = 0
        if not (blocked & core).any() and not (motion.changed & ~blocked & here).any() and not self._open:
            return False
        self._open = True
        follower.glimpse(frame.image, frame.t_ns, hands.hands, hands.mask if hands.hands else None)
        hidden = share_blocked(follower.place, blocked, motion.scale)
        self._touched |= hidden > TOUCHED
        self._hidden_for = self._hidden_for + 1 if hidden > CLEAR else 0
        if hidden > CLEAR:
            if self._hidden_for == 1:
                follower.close()
            return self._hidden_for % PATIENCE == 0 and self._recall()
        if not self._touched and not (motion.changed & ~blocked & here).any():
            self._open = bool((blocked & core).any())
            return False  # a hand only passes by
        if self._tries >= MOST_TRIES:
            return False
        self._tries += 1
        top, self._held = self._cards.uppermost(follower, frame.image, motion, blocked)
        if self._held:
            return True  # a card that a hand is about to let go
        if top is None:
            if (blocked & core).any():
                return True
            if self._bare(motion):
                self._gone(frame)
                return True
        open = top is None or share_blocked(grown(np.array(top.corners)), blocked, motion.scale) == 0
        covered = None if open else blocked_pixels(follower.box, blocked, motion)
        self._take(self._crop(frame.image), frame.t_ns, top, covered, open=open)
        return True

    def _crop(self, image: Image) -> Image:
        assert self._follower is not None
        left, top, right, bottom = self._follower.box
        return image[top:bottom, left:right].copy()

    def _take(
        self, crop: Image, t_ns: int, top: Sighting | None, hidden: NDArray[np.uint8] | None, *, open: bool
    ) -> None:
        follower = self._follower
        assert follower is not None
        follower.look(crop, t_ns, top, hidden, open=open)
        if follower.decide():
            self._open = not open
            self._touched = False
            self._tries = 0

    def _recall(self) -> bool:
        """The pile is hidden: read what was seen of it before."""
        assert self._follower is not None
        read = False
        for glimpse, crop, top in self._cards.recalled(self._follower):
            self._take(crop, glimpse.t_ns, top, glimpse.hidden, open=False)
            read = True
        return read

    def _gone(self, frame: Frame) -> None:
        """The pile has been taken: the table is bare where it lay."""
        assert self._follower is not None
        self._recall()
        self._follower.decide(last=True)
        visit = self._follower.visit
        hands = visit.directions(frame.t_ns)
        gone = PileChange(frame.t_ns, gone=True, seen_ns=frame.t_ns, before_ns=visit.rested_ns, hands=hands)
        self._changes = [*self._follower.changes[-TOLD:], gone]
        self._follower = None
        self._open, self._tries = True, 0

    def _bare(self, motion: Motion) -> bool:
        assert self._follower is not None
        quad = self._follower.rest.quad if self._follower.rest is not None else None
        if quad is None:
            return True
        return self._watch.bare_again(cells_at(quad, motion)) > BARE

    def _settle(self, motion: Motion, touched: Mask, *, read: bool) -> None:
        """What lies still and is no hand has settled; around a pile only once it is known what became of it, and where
        one may begin only when it was read with no hand about."""
        done = motion.changed & (motion.still >= 1) & ~touched
        if self._follower is None and not read:
            return
        if self._follower is not None and self._open:
            done &= ~cells_in(self._follower.box, motion)
        if done.any():
            self._watch.settle(done)

    def _publish(self, frame: Frame, hands: Hands, moving: bool, read: bool, lost: str | None) -> Scene:
        self._sequence += 1
        plane = self._level.plane
        follower = self._follower
        top = follower.rest.top if follower is not None and follower.rest is not None else None
        if top is not None:
            mm = None if plane is None else corners_of(plane.to_mm(np.array(top.corners)))
            top = msgspec.structs.replace(top, fresh=not self._open, corners_mm=mm)
        changes = self._changes + (follower.changes if follower is not None else [])
        pile = Pile(top, tuple(changes[-TOLD:])) if changes else None
        self._last = Scene(
            t_ns=frame.t_ns,
            sequence=self._sequence,
            size=(frame.image.shape[1], frame.image.shape[0]) if frame.image.ndim == 3 else (0, 0),
            sightings=() if top is None else (top,),
            hands=hands.hands,
            moving=moving,
            plane=plane.row() if plane is not None else None,
            read=read,
            lost=lost,
            pile=pile,
        )
        return self._last


def _none() -> NDArray[np.uint8]:
    return np.zeros((1, 1), np.uint8)
