"""From keyframes to a film: hands and what they carry travel between one table pose and the next."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from hardware.simulated.poses import HandPose, PiecePose, TablePose

AWAY_MM = 320.0
"""Hands come from, and go, this far back along their forearm."""
TRAVEL_S = 0.45
EXPOSURE_S = 1 / 60


def between(before: TablePose, after: TablePose, share: float) -> TablePose:
    """The table on its way from one pose to the next, ``share`` (0 to 1) of the way. Nothing has motion blur yet."""
    if share <= 0 or before == after:
        return before
    if share >= 1:
        return after
    eased = share * share * (3 - 2 * share)
    old_hands, new_hands = {_whose(h): h for h in before.hands}, {_whose(h): h for h in after.hands}
    hands = []
    for key in old_hands | new_hands:
        old, new = old_hands.get(key), new_hands.get(key)
        if old is not None and new is not None:
            hands.append(_hand(old, new, eased))
        elif new is not None:
            hands.append(_hand(_gone(new), new, eased))
        elif old is not None:
            hands.append(_hand(old, _gone(old), eased))
    old_pieces, new_pieces = _by_copy(before.pieces), _by_copy(after.pieces)
    pieces = []
    for copy in old_pieces | new_pieces:
        there, here = old_pieces.get(copy), new_pieces.get(copy)
        if there is not None and here is not None:
            pieces.append(_piece(there, here, eased))
        elif here is not None and here.lift_mm > 0:
            pieces.append(_piece(_with(here, new_hands.values()), here, eased))
        elif here is not None and share >= 0.5:
            pieces.append(here)
        elif there is not None and here is None and share < 0.5:
            pieces.append(there)
    return TablePose(tuple(pieces), tuple(hands), after.clutter if share >= 0.5 else before.clutter)


def film(keyframes: Sequence[tuple[int, TablePose]], fps: float = 15.0) -> Iterator[tuple[int, TablePose]]:
    """Times (ns) and poses at a steady rate: each keyframe lies still, then everything travels to the next.

    What travels has the motion blur of ``EXPOSURE_S``.
    """
    if not keyframes:
        return
    step = round(1e9 / fps)
    t_ns, last = keyframes[0][0], keyframes[0][1]
    for (start, pose), (end, following) in pairwise(keyframes):
        travel = min(int(TRAVEL_S * 1e9), end - start)
        while t_ns < end:
            now = between(pose, following, 1 - (end - t_ns) / travel) if t_ns > end - travel else _stopped(pose)
            yield t_ns, _blurred(last, now, EXPOSURE_S * fps)
            last, t_ns = now, t_ns + step
    yield keyframes[-1][0], _stopped(keyframes[-1][1])


def _by_copy(pieces: Iterable[PiecePose]) -> dict[tuple[str, int], PiecePose]:
    """Pieces by their id and which copy of it they are, in their order."""
    found: dict[tuple[str, int], PiecePose] = {}
    counts = Counter[str]()
    for piece in pieces:
        found[piece.id, counts[piece.id]] = piece
        counts[piece.id] += 1
    return found


def _whose(hand: HandPose) -> tuple[object, ...]:
    return hand.look, hand.skin, hand.sleeve, hand.left


def _mix(a: float, b: float, share: float) -> float:
    return round(a + (b - a) * share, 2)


def _turn(a: float, b: float, share: float) -> float:
    return round(a + ((b - a + 180) % 360 - 180) * share, 2)


def _hand(a: HandPose, b: HandPose, share: float) -> HandPose:
    return replace(
        b if share > 0.5 else a,
        x_mm=_mix(a.x_mm, b.x_mm, share),
        y_mm=_mix(a.y_mm, b.y_mm, share),
        from_deg=_turn(a.from_deg, b.from_deg, share),
        height_mm=_mix(a.height_mm, b.height_mm, share),
        moving=(0.0, 0.0),
    )


def _gone(hand: HandPose) -> HandPose:
    back = math.radians(hand.from_deg)
    return replace(
        hand, x_mm=hand.x_mm + AWAY_MM * math.cos(back), y_mm=hand.y_mm + AWAY_MM * math.sin(back), moving=(0.0, 0.0)
    )


def _with(piece: PiecePose, hands: Iterable[HandPose]) -> PiecePose:
    """Where a carried piece was when the hand that is nearest to it was still away."""
    near = min(hands, key=lambda h: math.hypot(h.x_mm - piece.x_mm, h.y_mm - piece.y_mm), default=None)
    if near is None:
        return piece
    away = _gone(near)
    return replace(piece, x_mm=piece.x_mm + away.x_mm - near.x_mm, y_mm=piece.y_mm + away.y_mm - near.y_mm)


def _piece(a: PiecePose, b: PiecePose, share: float) -> PiecePose:
    if (a.x_mm, a.y_mm, a.turn_deg, a.lift_mm) == (b.x_mm, b.y_mm, b.turn_deg, b.lift_mm):
        return replace(b, moving=(0.0, 0.0))
    return replace(
        b if share > 0.5 or a.lift_mm <= 0 else a,
        x_mm=_mix(a.x_mm, b.x_mm, share),
        y_mm=_mix(a.y_mm, b.y_mm, share),
        turn_deg=_turn(a.turn_deg, b.turn_deg, share),
        lift_mm=_mix(a.lift_mm, b.lift_mm, share) or 0.01,
        moving=(0.0, 0.0),
    )


def _stopped(pose: TablePose) -> TablePose:
    return TablePose(
        tuple(replace(p, moving=(0.0, 0.0)) for p in pose.pieces),
        tuple(replace(h, moving=(0.0, 0.0)) for h in pose.hands),
        pose.clutter,
    )


def _blurred(last: TablePose, now: TablePose, share: float) -> TablePose:
    """What moved since the last frame, smeared by the part of it that happened while the frame was exposed."""
    old_pieces, old_hands = _by_copy(last.pieces), {_whose(h): h for h in last.hands}
    pieces = tuple(
        replace(p, moving=_way(old_pieces[copy], p, share)) if p.lift_mm > 0 and copy in old_pieces else p
        for copy, p in _by_copy(now.pieces).items()
    )
    hands = tuple(
        replace(h, moving=_way(old_hands[_whose(h)], h, share)) if _whose(h) in old_hands else h for h in now.hands
    )
    return TablePose(pieces, hands, now.clutter)


def _way(a: PiecePose | HandPose, b: PiecePose | HandPose, share: float) -> tuple[float, float]:
    return round((b.x_mm - a.x_mm) * share, 2), round((b.y_mm - a.y_mm) * share, 2)
