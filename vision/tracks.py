"""All pieces on the table, kept from frame to frame: matching readings to them, covering, leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
import numpy as np

from companion.deck import Piece
from companion.world import HoleReading, Quad, Sighting
from vision.beneath import shown
from vision.plane import Plane
from vision.track import Corners, Track, compared, corners_of, holes_over_time, nothing_below, overlap_share

SAME_PLACE = 0.3
"""Pieces whose middles are nearer than this (in sides) are at one place."""
COVERS = 0.5
"""A tile that hides more than this of a card's area lies on it."""
CROWDS = 0.15
"""Two pieces that lie on the table cannot share more than this of their area."""
ON_TOP = 0.25
"""A nameless thing whose middle is farther off (in sides) does not lie on a piece but where it lay."""
TOUCHES = 0.05
"""Share of a card that a tile beside it may seem to hide: it stands higher, and neighbours nearly touch."""
PATIENCE = 2
"""Readings without a piece after which it is gone."""


class Tracks:
    """The pieces. ``pieces`` is what the deck says about each id."""

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        self.pieces = pieces
        self.all: list[Track] = []
        self.unknown: list[Track] = []

    def side(self, default: float) -> float:
        """The usual side of a piece in pixels."""
        sides = [track.side for track in self.all if track.id is not None]
        return float(np.median(sides)) if sides else default

    def is_tile(self, id: str | None) -> bool:
        """Whether a piece has holes."""
        return id is not None and id in self.pieces and bool(self.pieces[id].holes)

    def card_at(self, quad: Corners) -> tuple[str, Corners] | None:
        """The card (id and outline) that surely lay open where a tile now lies."""
        lain = [t for t in self.all if t.open_quad is not None and t.open_named and not self.is_tile(t.id)]
        shares = [(overlap_share(t.open_quad, quad), t) for t in lain if t.open_quad is not None]
        share, card = max(shares, key=lambda item: item[0], default=(0.0, None))
        if card is None or card.id is None or card.open_quad is None or share < COVERS:
            return None
        return card.id, card.open_quad

    def settled_at(self, quad: Corners) -> bool:
        """Whether a piece that needs no further reading lies about there, with nothing on it that does."""
        middle = quad.mean(axis=0)
        near = [t for t in self.all if float(np.linalg.norm(t.middle - middle)) < SAME_PLACE * t.side]
        return bool(near) and all(track.settled or track.covered_by is not None for track in near)

    def disturbed_at(self, quad: Corners) -> bool:
        """Whether a piece at which something has moved lies about there."""
        return any(track.disturbed and overlap_share(track.quad, quad) > COVERS for track in self.all)

    def uncertain(self, id: str) -> bool:
        """Whether something has moved at a piece since it was last read."""
        return any(track.disturbed for track in self.all if track.id == id)

    def elsewhere(self, read: Callable[[Corners], bool]) -> frozenset[str]:
        """Ids of which every copy surely lies outside the parts that ``read`` says are being read."""
        lying: dict[str, int] = {}
        for track in self.all:
            if track.id is None or track.id not in self.pieces or (read(track.quad) and not track.settled):
                continue
            if track.sure and not track.disturbed:
                lying[track.id] = lying.get(track.id, 0) + 1
        return frozenset(id for id, count in lying.items() if count >= self.pieces[id].copies)

    def update(
        self,
        sightings: tuple[Sighting, ...],
        frame: int,
        was_read: Callable[[Corners], bool],
        bare: Callable[[Corners], float],
    ) -> None:
        """Take in one reading of the frame with that number. ``was_read`` tells whether a quad lay wholly in what was
        read, and nothing hid it; ``bare`` how much (0 to 1) the place looks like the empty table."""
        voted: set[int] = set()
        unnamed: list[Sighting] = []
        self.unknown = [track for track in self.unknown if not was_read(track.quad)]
        ordered = sorted(sightings, key=lambda s: (s.covered_by is not None, not self.is_tile(s.id), -s.confidence))
        for sighting in ordered:
            if sighting.id is None:
                unnamed.append(sighting)
            elif sighting.covered_by is None:
                track = self._vote(sighting, voted)
                track.read_in = frame
                voted.add(id(track))
        for sighting in unnamed:
            self._unnamed(sighting, frame)
        self._one_of_each()
        self._uncrowd(frame)
        self._stack()
        for sighting in ordered:
            if sighting.id is not None and sighting.covered_by is not None:
                self._beneath(sighting)
        # Tiles first: a card is looked for once nothing lies on it any more.
        for track in sorted(self.all, key=lambda track: not self.is_tile(track.id)):
            if id(track) in voted or track not in self.all or track.hidden or not was_read(track.quad):
                continue
            if track.settled:
                continue  # it was left out of this reading
            above = next((tile for tile in self.all if tile.id == track.covered_by), None) if track.covered_by else None
            if above is not None and above.misses == 0:
                continue
            if not track.disturbed and above is None:
                track.blanks += 1  # nothing has moved since it was read: it is there, however badly it is seen
                if track.blanks > len(track.spell):
                    self._remove(track)
                continue
            if self._under_nameless(track):
                track.disturbed = True
                for piece in (track, *(card for card in self.all if track.id and card.covered_by == track.id)):
                    piece.mistrust()
                continue
            track.misses += 1
            if track.misses >= PATIENCE or bare(track.quad) > 0.75:
                self._remove(track)

    def drop_unseen(self, frame: int, settled: Callable[[Corners], bool]) -> None:
        """Places that are settled hold only what was read there in this frame."""
        for track in sorted(self.all, key=lambda track: not self.is_tile(track.id)):
            gone = track.read_in != frame and track.covered_by is None and not track.hidden and track.disturbed
            if gone and settled(track.quad):
                if self._under_nameless(track):
                    track.doubted = True
                else:
                    self._remove(track)

    def drop_bare(self, bare: Callable[[Corners], bool]) -> list[Corners]:
        """Pieces where something has moved and the table is ``bare`` again are gone. Gives their outlines."""
        gone = []
        for track in sorted(self.all, key=lambda track: not self.is_tile(track.id)):
            if track in self.all and track.disturbed and track.covered_by is None and bare(track.quad):
                gone.append(track.quad)
                self._remove(track)
        return gone

    def _vote(self, sighting: Sighting, voted: set[int]) -> Track:
        quad = np.array(sighting.corners, np.float64)
        tile = self.is_tile(sighting.id)
        middle = quad.mean(axis=0)
        near = [
            (float(np.linalg.norm(track.middle - middle)) / max(track.side, 1.0), track)
            for track in self.all
            if self.is_tile(track.id) == tile and track.covered_by is None and id(track) not in voted
        ]
        near = [(apart, track) for apart, track in near if apart < SAME_PLACE]
        same = [(apart, track) for apart, track in near if track.id == sighting.id]
        if same or near:
            track = min(same or near, key=lambda item: item[0])[1]
        else:
            track = Track(sighting.id, sighting.kind, quad)
            self.all.append(track)
        track.vote(sighting)
        return track

    def _under_nameless(self, track: Track) -> bool:
        """Whether something that no face explains lies on it (a tile's black side, a tile that glare hides)."""
        return any(
            overlap_share(track.quad, thing.quad) > COVERS
            and float(np.linalg.norm(track.middle - thing.middle)) < ON_TOP * track.side
            for thing in self.unknown
        )

    def _unnamed(self, sighting: Sighting, frame: int) -> None:
        quad = np.array(sighting.corners, np.float64)
        here = (track for track in self.all if track.read_in == frame or not track.disturbed)
        if not any(np.linalg.norm(track.middle - quad.mean(axis=0)) < SAME_PLACE * track.side for track in here):
            self.unknown.append(Track(None, sighting.kind, quad, [sighting]))

    def _stack(self) -> None:
        """Which tile lies on which card."""
        tiles = [track for track in self.all if self.is_tile(track.id)]
        for track in self.all:
            track.over = None
        for card in self.all:
            if self.is_tile(card.id):
                continue
            shares = [
                (overlap_share(card.open_quad if card.open_quad is not None else card.quad, t.quad), t) for t in tiles
            ]
            share, tile = max(shares, key=lambda item: item[0], default=(0.0, None))
            if tile is not None and share > COVERS:
                card.covered_by, tile.over = tile.id, card.id
            elif card.spell or card.covered_by is None:
                if not card.disturbed and card.spell and share < TOUCHES:
                    card.lies_open()
                card.covered_by = None
        for tile in tiles:
            if tile.over is None:
                best = max(
                    ((overlap_share(c.quad, tile.quad), c) for c in self.all if not self.is_tile(c.id)),
                    key=lambda item: item[0],
                    default=(0.0, None),
                )
                if best[1] is not None and best[0] > 0.1:
                    tile.over = best[1].id

    def _beneath(self, sighting: Sighting) -> None:
        """A card seen only at a tile's rim and through its holes: a second opinion on what lies there."""
        if not any(tile.id == sighting.covered_by for tile in self.all):
            return  # the tile itself was too uncertain to be followed
        card = next((t for t in self.all if t.covered_by == sighting.covered_by and not self.is_tile(t.id)), None)
        if card is None:
            card = Track(sighting.id, sighting.kind, np.array(sighting.corners, np.float64), guessed=True)
            card.covered_by = sighting.covered_by
            self.all.append(card)
            for tile in self.all:
                if tile.id == sighting.covered_by:
                    tile.over = sighting.id
        if card.guessed:
            card.vote(sighting)
        elif sighting.id == card.id and card.lay_at(np.array(sighting.corners, np.float64)):
            card.confirmed = True
        elif sighting.sure:
            card.contested = True

    def _remove(self, track: Track) -> None:
        if track not in self.all:
            return
        self.all.remove(track)
        if self.is_tile(track.id):
            for card in list(self.all):
                if card.covered_by == track.id:
                    card.covered_by, card.disturbed = None, True
                    if card.guessed:
                        self.all.remove(card)

    def _one_of_each(self) -> None:
        """No more of a piece than the deck has: the places read last and most surely stay."""
        counts: dict[str, list[Track]] = {}
        for track in self.all:
            if track.id is not None:
                counts.setdefault(track.id, []).append(track)
        for id, tracks in counts.items():
            extra = len(tracks) - (self.pieces[id].copies if id in self.pieces else 1)
            if extra > 0:
                tracks.sort(key=lambda t: (not t.disturbed and t.misses == 0, not t.guessed, t.sure, t.confidence))
                for track in tracks[:extra]:
                    self._remove(track)

    def _uncrowd(self, frame: int) -> None:
        """Where a piece was read, others of its layer that were not cannot lie any more."""
        here = [track for track in self.all if track.read_in == frame]
        for old in [track for track in self.all if track.read_in != frame]:
            for new in here:
                apart = self.is_tile(new.id) and not self.is_tile(old.id)  # a tile may well lie on a card
                if not apart and new.id is not None and overlap_share(old.quad, new.quad) > CROWDS:
                    self._remove(old)
                    break

    def published(self, plane: Plane | None) -> tuple[Sighting, ...]:
        """Everything as Sightings: cards before the tiles on them, then what nobody can name."""
        ordered = sorted(self.all, key=lambda track: (self.is_tile(track.id), track.id or ""))
        named = [self._sighting(track, plane) for track in ordered if track.spell]
        loose = [
            msgspec.structs.replace(track.spell[-1], corners_mm=_in_mm(track.quad, plane), fresh=not track.disturbed)
            for track in self.unknown
        ]
        return tuple(named + loose)

    def _sighting(self, track: Track, plane: Plane | None) -> Sighting:
        tile = self.is_tile(track.id)
        quad = track.open_quad if track.covered_by is not None and track.open_quad is not None else track.quad
        above = next((t for t in self.all if t.id == track.covered_by), None) if track.covered_by else None
        still = not track.disturbed and not track.hidden
        if above is not None:
            still = not above.disturbed and not above.hidden
        agreeing = track.agreeing()
        return Sighting(
            id=track.id,
            kind=track.kind,
            corners=corners_of(quad),
            confidence=track.confidence,
            sure=track.sure if track.covered_by is None or track.guessed else track.sure_below,
            corners_mm=_in_mm(quad, plane),
            covered_by=track.covered_by,
            over=track.over if tile else None,
            holes=self._holes(track, plane) if tile else (),
            ranked=agreeing[-1].ranked if agreeing else (),
            face_up=agreeing[-1].face_up if agreeing else True,
            fresh=still,
        )

    def _holes(self, track: Track, plane: Plane | None) -> tuple[HoleReading, ...]:
        assert track.id is not None
        tile = self.pieces[track.id]
        seen = holes_over_time(track, tile)
        card = next((t for t in self.all if t.covered_by == track.id and t.id == track.over), None)
        if card is None and track.over is None:
            return tuple(nothing_below(hole) for hole in seen)
        if card is None or card.id is None or card.guessed or card.open_quad is None:
            return seen
        known = shown(tile, corners_of(track.quad), self.pieces[card.id], corners_of(card.open_quad), plane)
        return compared(seen, known, card.sure_below)


def _in_mm(quad: Corners, plane: Plane | None) -> Quad | None:
    if plane is None:
        return None
    return corners_of(plane.to_mm(quad))
