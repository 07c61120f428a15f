"""Keeping the table plane known while play goes on: markers now and then, pieces of known size until it has settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.deck import Piece
from companion.world import Image
from vision.plane import Plane, PlaneKeeper, from_markers, from_pieces
from vision.track import Track, corners_of

EVERY = 150
"""Frames between two looks for the markers where nothing calls for one."""
ENOUGH = 2
"""Pieces that tell a plane."""


class Levelling:
    """The plane of one camera. ``given`` is used as it is; else markers decide, and pieces where there are none."""

    def __init__(self, given: Plane | None) -> None:
        self._given = given
        self._keeper = PlaneKeeper(given)
        self._markers = False
        self._wait = 0

    @property
    def plane(self) -> Plane | None:
        """The plane as far as it is known."""
        return self._keeper.plane

    def shaken(self) -> None:
        """Most of the picture changed at once: the camera may have been moved."""
        self._wait = 0
        if self.plane is not None and self.plane.source == "pieces":
            self._keeper = PlaneKeeper()

    def look(self, image: Image) -> bool:
        """A still frame. True when the markers show that the camera was moved."""
        if self._given is not None:
            return False
        self._wait -= 1
        unsettled = self._markers and not self._keeper.settled
        if self._wait > 0 and not unsettled:
            return False
        found = from_markers(image)
        before, self._markers = self._markers, found is not None
        moved = self._keeper.offer(found)
        # A plane that contradicts the settled one is looked at again at once, until it is sure.
        doubted = found is not None and self._keeper.doubted
        self._wait = 0 if doubted or (self._markers and not before) else EVERY
        return moved

    def learn(self, tracks: Iterable[Track], pieces: Mapping[str, Piece], size: tuple[int, int]) -> None:
        """What the pieces that lie flat and open tell, until the plane has settled."""
        if self._given is not None or self._markers or self._keeper.settled:
            return
        sized = []
        for track in tracks:
            piece = pieces.get(track.id or "")
            if piece is None or piece.size_mm is None or track.over or track.covered_by or track.disturbed:
                continue
            sized.append((corners_of(track.quad), piece.size_mm))
        if len(sized) >= ENOUGH:
            self._keeper.offer(from_pieces(sized, size))
