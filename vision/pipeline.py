"""From frames to Scenes: reads a part of the table only when nothing moves there, and remembers the rest.

    pipeline = Pipeline(catalog)
    for frame in frames:
        scene = pipeline.step(frame)

Pure in its input: the same frames give the same Scenes, whatever the machine's speed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.words import Text, _
from companion.world import Frame, Hand, Image, Scene, Sighting
from vision import hands as hand_finder
from vision.arrived import EmptyTable, framed
from vision.catalog import Catalog
from vision.levelling import Levelling
from vision.light import Mask
from vision.lying import StillThings
from vision.motion import Motion, MotionWatch, cells_of
from vision.places import BARE, Places
from vision.plane import Plane
from vision.reading import Keep, Reader, StillReader, look_in
from vision.regions import Box, Region, to_read
from vision.track import MOST, VOTES, Corners
from vision.tracks import Tracks

DARK = 7.0
"""Mean brightness (0 to 255) below which nothing can be seen."""
SMALLEST = 64
"""Sides of the smallest frame that is looked at, in pixels."""
NAMED = 0.6
"""Confidence from which a name alone says that something is a piece."""
WORTH = 0.3
"""Share of an outline that must have changed for it to be read."""
LEFT = 0.3
"""How much of what has come to a region may stay without an outline, in pieces, before edges are searched as well."""
STALE_FRAMES = 30
"""So many frames in a row with an older time than the last mean that the camera's clock began anew."""


class Pipeline:
    """Follows one table. ``plane`` is given where it is known; ``reader`` stands in for the usual one over the
    catalog."""

    def __init__(self, catalog: Catalog | None, plane: Plane | None = None, *, reader: Reader | None = None) -> None:
        if reader is None:
            assert catalog is not None
            reader = StillReader(catalog)
        self._reader = reader
        self._given = plane
        self._expected: frozenset[str] | None = None
        self._last: Scene | None = None
        self._stale = 0
        self._sequence = self._frames = 0
        self._begin()

    def _begin(self) -> None:
        self._watch = MotionWatch()
        self._empty = EmptyTable()
        self._lying = StillThings()
        self._tracks = Tracks(self._reader.pieces)
        self._level = Levelling(self._given)
        self._size: tuple[int, int] | None = None
        self._tries: NDArray[np.int32] | None = None
        self._side = 0.0
        self._calm = False
        self._fresh_look = True
        self._published: tuple[Sighting, ...] = ()
        self._published_plane: Plane | None = None

    def expect(self, ids: Iterable[str] | None) -> None:
        """Which ids may lie on the table; None: every piece of the deck."""
        self._expected = None if ids is None else frozenset(ids)

    def forget(self) -> None:
        """Start anew, as with the first frame (after a restart, or when the table was changed out of sight)."""
        self._begin()

    @property
    def plane(self) -> Plane | None:
        """The table plane, as far as it is known."""
        return self._level.plane

    def step(self, frame: Frame) -> Scene:
        """The Scene after a frame. A frame that is no newer than the last changes nothing: the last Scene again."""
        if self._last is not None and frame.t_ns <= self._last.t_ns:
            self._stale += 1
            if self._stale < STALE_FRAMES:
                return self._last
            self._begin()
        self._stale = 0
        self._frames += 1
        image = frame.image
        sentence = unreadable(image)
        if sentence is not None:
            self._watch = MotionWatch()
            return self._publish(frame, (), moving=False, read=False, lost=sentence)
        size = (image.shape[1], image.shape[0])
        if self._size is not None and self._size != size:
            self._begin()
        self._size = size
        motion = self._motion = self._watch.step(image)
        side = self._side or 0.12 * size[0]
        found = hand_finder.find(motion, self._watch, side, lambda blob: self._pieces_in(blob, image, motion))
        under_hands = cells_of(found.mask, motion.changed.shape) > 0.1 if found.hands else ~motion.changed
        places = Places(motion, self._watch, found)
        self._disturb(places)
        self._clear(places)
        regions = to_read(motion, under_hands, size, 1.2 * side)
        if motion.flipped:
            self._level.shaken()
        elif np.count_nonzero(motion.moving) < 0.05 * motion.moving.size and self._level.look(image):
            self._watch.disturb()
        if regions:
            self._read(image, regions, places)
        moving = bool(np.count_nonzero(motion.moving) > 0.002 * motion.moving.size)
        return self._publish(frame, found.hands, moving=moving, read=bool(regions), lost=None)

    def _pieces_in(self, blob: NDArray[np.uint8], image: Image, motion: Motion) -> NDArray[np.uint8] | None:
        """The pieces in a still thing that reaches in from the edge: it may be no hand but pieces side by side."""

        def look(box: Box) -> tuple[Sighting, ...]:
            return look_in(
                self._reader,
                image,
                box,
                expected=self._expected,
                plane=self._level.plane,
                keep=lambda _quad: True,
                known=(),
                search=True,
                below=lambda _quad: None,
            )

        return self._lying.pieces(blob, motion, look)

    def _disturb(self, places: Places) -> None:
        """Mark the pieces at which something moves, lies or has changed."""
        motion = places.motion
        if self._tries is None or self._tries.shape != places.grid:
            self._tries = np.zeros(places.grid, np.int32)
        quiet = not places.hands.hands and not motion.moving.any()
        if quiet and not motion.changed.any() and self._calm:
            return
        self._calm = quiet and not motion.changed.any()
        self._fresh_look = True
        self._tries[motion.still == 0] = 0
        for track in [*self._tracks.all, *self._tracks.unknown]:
            cells = places.cells(track.quad)
            track.hidden = places.hides(track)
            if track.hidden or (motion.still[cells] == 0).any():
                track.disturbed = True
            elif not track.disturbed and places.gone(track):
                track.disturbed = track.doubted = True
                motion.changed[cells] = True
                self._watch.disturb(cells)
                self._tries[cells] = 0
            elif not motion.changed[cells].any() and not track.doubted:
                track.disturbed = False  # whatever was here has gone again and left the piece as it was
            elif (motion.changed[cells] & (self._tries[cells] == 0)).any():
                track.disturbed = True

    def _clear(self, places: Places) -> None:
        """Forget pieces whose place is bare table again and lies still, whether or not it is about to be read: what
        was taken away must not stand in for a hand, nor wait for a hand beside it to go."""
        if places.motion.flipped or not places.motion.changed.any():
            return
        for quad in self._tracks.drop_bare(places.cleared):
            self._watch.settle(places.cells(quad) & (places.motion.still >= 1))
            self._fresh_look = True

    def _read(self, image: Image, regions: list[Region], places: Places) -> None:
        """Read regions, update the pieces, and settle what needs no further look."""
        assert self._tries is not None
        for region in regions:
            self._read_region(image, region, places)
            self._tries[region.cells] += 1
        for track in self._tracks.all:
            if track.read_in == self._frames and track.covered_by is None:
                track.portrait = self._watch.portrait(track.quad * places.motion.scale)
        self._side = self._tracks.side(0.0)
        self._settle(image, regions, places)
        self._level.learn(self._tracks.all, self._reader.pieces, (image.shape[1], image.shape[0]))

    def _read_region(self, image: Image, region: Region, places: Places) -> None:
        readable = places.readable(region.box)
        expected = self._expected
        lying = self._tracks.elsewhere(readable)
        if lying:
            expected = (expected if expected is not None else frozenset(self._reader.pieces)) - lying
        known = [
            track.quad
            for track in self._tracks.all
            if not track.settled
            and (track.covered_by is None or self._tracks.uncertain(track.covered_by))
            and readable(track.quad)
        ]
        search = self._unexplained(region, known, places)
        known += [thing.quad for thing in self._tracks.unknown if readable(thing.quad)]
        if search:
            arrivals = self._empty.arrivals(image, region.box, self._side or 0.12 * image.shape[1])
            known += [quad for quad in arrivals.quads if readable(quad) and not self._tracks.settled_at(quad)]
            search = not arrivals.known or arrivals.left > LEFT
        look = partial(
            look_in,
            self._reader,
            image,
            region.box,
            expected=expected,
            plane=self._level.plane,
            keep=lambda quad: places.share(quad, region.cells) > WORTH and not self._tracks.settled_at(quad),
            known=known,
            below=self._tracks.card_at,
        )
        seen = look(search=search)
        if not search and self._mistaken(seen, known, places):
            seen = look(search=True)
        usable = tuple(one for one in seen if self._usable(one, image, places, readable))
        self._tracks.update(usable, self._frames, readable, places.bare)

    def _usable(self, sighting: Sighting, image: Image, places: Places, readable: Keep) -> bool:
        """Whether a sighting counts: it lay still, and what is hardly named or not at all is as large as a piece and
        has come to a table that was seen empty, or over a piece. What was there from the first, a check of the cloth,
        is the table."""
        quad = np.array(sighting.corners, np.float64)
        if not readable(quad):
            return False
        if not sighting.face_up or (sighting.id is not None and (sighting.covered_by or sighting.confidence > NAMED)):
            return True
        sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        sized = not self._side or bool(0.75 * self._side < sides.min() and sides.max() < 1.7 * self._side)
        if sighting.id is None and not sized:
            return False
        return places.has_come(quad) or (self._tracks.disturbed_at(quad) and framed(image, quad))

    def _mistaken(self, seen: tuple[Sighting, ...], known: list[Corners], places: Places) -> bool:
        """Whether a piece at whose place something has moved was not found in its outline again, nor the empty table:
        another may lie there now, a little aside."""
        named = [np.array(s.corners, np.float64).mean(axis=0) for s in seen if s.id is not None]
        for track in self._tracks.all:
            if not track.disturbed or not any(quad is track.quad for quad in known):
                continue
            near = any(np.linalg.norm(middle - track.middle) < 0.5 * track.side for middle in named)
            if not near and places.bare(track.quad) <= BARE:
                return True
        return False

    def _unexplained(self, region: Region, known: list[Corners], places: Places) -> bool:
        """Whether a region read before may still hold a piece that was not found."""
        assert self._tries is not None
        left = region.cells & (self._tries > 0)
        if not known or (region.cells & (self._tries == 0)).any():
            return True
        for quad in [*known, *(track.quad for track in self._tracks.all if track.settled)]:
            left &= ~places.cells(quad)
        return int(left.sum()) >= 6

    def _settle(self, image: Image, regions: list[Region], places: Places) -> None:
        assert self._tries is not None
        read, wanted, pieces = (np.zeros(places.grid, bool) for _mask in range(3))
        for region in regions:
            read |= region.cells
        for thing in self._tracks.unknown:
            pieces |= places.cells(thing.quad)
        for track in self._tracks.all:
            cells = places.cells(track.quad)
            pieces |= cells
            if not track.settled and track.covered_by is None:
                wanted |= cells
        empty = read & ~_grown(pieces)
        if empty.any():
            self._watch.empty(empty)
            self._empty.take(image, empty)
        done = read & (((self._tries >= VOTES) & ~wanted) | (self._tries >= MOST))
        if done.any():
            self._tracks.drop_unseen(self._frames, lambda quad: places.share(quad, done) > 0.6)
            self._watch.settle(done)

    def _publish(self, frame: Frame, hands: tuple[Hand, ...], *, moving: bool, read: bool, lost: Text | None) -> Scene:
        self._sequence += 1
        plane = self._level.plane
        if self._fresh_look or read or plane is not self._published_plane or lost is not None:
            self._published, self._published_plane = self._tracks.published(plane), plane
        self._fresh_look = lost is not None
        sightings = self._published
        if lost is not None:
            sightings = tuple(msgspec.structs.replace(sighting, fresh=False) for sighting in sightings)
        self._last = Scene(
            t_ns=frame.t_ns,
            sequence=self._sequence,
            size=(frame.image.shape[1], frame.image.shape[0]) if frame.image.ndim == 3 else (0, 0),
            sightings=sightings,
            hands=hands,
            moving=moving,
            plane=plane.row() if plane is not None else None,
            read=read,
            lost=str(lost) if lost is not None else None,
        )
        return self._last


def _grown(cells: Mask) -> Mask:
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def unreadable(image: NDArray[np.generic]) -> Text | None:
    """Why a frame cannot be read at all, in a sentence; None when it can."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        return _("The camera gives pictures of an unknown kind.")
    if min(image.shape[:2]) < SMALLEST:
        return _("The camera's picture is too small.")
    if float(image[::16, ::16].mean()) < DARK:
        return _("It is too dark to see the table.")
    return None
