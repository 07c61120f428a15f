"""What one frame's masks say about a place on the table: whether it lies still, is hidden, is bare, has changed.

A place is a quad, 4 x 2 pixels of the frame.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.hands import Hands
from vision.light import Mask
from vision.motion import Motion, MotionWatch
from vision.portrait import alike
from vision.reading import Keep
from vision.regions import Box, cells_under, share_in, share_under
from vision.track import Corners, Track

HIDES = 0.04
"""Share of a piece that a hand may lie over without hiding it."""
SHADED = 0.2
"""Share of a piece under a hand or its shadow from which it is looked at whether it still looks as it did."""
SAME_LOOK, GONE = 0.7, 0.35
"""Correlation with its portrait from which a shaded piece is the same, and below which it is not there any more."""
BARE = 0.7
"""Share of a place that must look like the empty table for whatever lay there to be gone."""


@dataclass(frozen=True)
class Places:
    """The places of one frame."""

    motion: Motion
    watch: MotionWatch
    hands: Hands

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the cells."""
        return self.motion.still.shape[0], self.motion.still.shape[1]

    def cells(self, quad: Corners) -> Mask:
        """The cells that a place covers by half or more."""
        return cells_under(quad, self.grid, self.motion.scale)

    def share(self, quad: Corners, cells: Mask) -> float:
        """The share of a place's cells that are set."""
        return share_in(quad, cells, self.motion.scale)

    def still(self, quad: Corners) -> bool:
        """Whether nothing has moved there since the frame before."""
        still = self.motion.still >= 1
        return bool(still.all() or still[self.cells(quad)].all())

    def covered(self, quad: Corners) -> bool:
        """Whether a hand, and not only its shadow, is over it."""
        return share_under(quad, self.hands.solid, self.motion.scale) > HIDES

    def readable(self, box: Box) -> Keep:
        """Which places can be read in a box of the frame: they lie in it, still, and under no hand."""
        left, top, right, bottom = box

        def told(quad: Corners) -> bool:
            x, y = quad.mean(axis=0)
            return bool(left <= x <= right and top <= y <= bottom) and not self.covered(quad) and self.still(quad)

        return told

    def bare(self, quad: Corners) -> float:
        """How much of it (0 to 1) looks like the empty table once seen there."""
        return self.watch.bare_again(self.cells(quad))

    def cleared(self, quad: Corners) -> bool:
        """Whether whatever lay there has gone and the table shows, and nothing moves there any more."""
        cells = self.cells(quad)
        if not cells.any() or (self.motion.still[cells] < 1).any() or self.motion.changed[cells].mean() < BARE:
            return False
        return self.watch.bare_again(cells) > BARE

    def has_come(self, quad: Corners) -> bool:
        """Whether something lies there that did not when the table was seen empty."""
        return self.watch.has_come(self.cells(quad))

    def hides(self, track: Track) -> bool:
        """Whether a hand is over a piece; where only its shadow may be, the piece still looks like itself."""
        if not self.hands.hands:
            return False
        if self.covered(track.quad):
            return True
        shaded = share_under(track.quad, self.hands.mask, self.motion.scale)
        return shaded > SHADED and self._likeness(track) < SAME_LOOK

    def gone(self, track: Track) -> bool:
        """Whether its place looks nothing like the piece that was read there, whatever the masks of change say."""
        return self._likeness(track) < GONE

    def _likeness(self, track: Track) -> float:
        if track.portrait is None or track.covered_by is not None:
            return 1.0
        return alike(track.portrait, self.watch.portrait(track.quad * self.motion.scale))
