"""What the tiles at rest add to what is recorded: placed, moved, read better, or read otherwise."""

from __future__ import annotations

import math

import msgspec

from companion.core.codec import body
from companion.core.facts import Command, Correct
from companion.games.hook.facts import MoveTile, PlaceTile, Pose, PoseCommand
from companion.games.hook.follow import among_cards
from companion.games.hook.memory import SAME_DEG, SAME_MM, Memory, near
from companion.games.hook.names import UNNAMED
from companion.games.hook.recorded import Recorded
from companion.games.hook.sighted import Look

ONE_THING_MM, ONE_THING_DEG = 3.0, 4.0
"""Two readings of different tiles nearer than this on one card are one tile, read otherwise."""


class PoseNews(msgspec.Struct, frozen=True):
    """A look that is worth remembering, the command it makes (None: it only confirms what is recorded), and the words
    under which it is remembered so that it is never said again. ``remember``: this is its pose from now on."""

    look: Look
    command: Command | None
    words: tuple[str, ...]
    remember: bool = True


def pose_news(memory: Memory, known: Recorded) -> tuple[PoseNews, ...]:
    """What is new about all tiles that lie still, in the order of their ids."""
    found = []
    for track in sorted(memory.tiles, key=lambda t: t.look.tile):
        if track.ready(0 if track.look.tile in known.placed else memory.still):
            news = _news(track.look, memory, known)
            if news is not None and not (news.command is not None and memory.has_said(*news.words)):
                found.append(news)
    return tuple(found)


def _news(look: Look, memory: Memory, known: Recorded) -> PoseNews | None:
    seats = {look.told.seat, *(seat for seat, _p in look.told.seats)}
    if not seats & set(known.playing):
        return None  # a character nobody plays, or who is out
    before = known.placed.get(look.tile)
    if before is not None:
        return _again(look, before, memory, known)
    one = _read_otherwise(look, memory, known)
    if one is not None and (_doubts(one) or one.tile.startswith(UNNAMED)):
        return _renamed(look, one, known)
    if one is not None and look.doubtful:
        return None  # what was surely read lies there; a second tile upon it would have to be as sure
    if look.loose and not among_cards(memory, look):
        return None
    command = msgspec.structs.replace(look.told, round=known.round)
    return PoseNews(look, command, ("place", str(known.round), look.tile, str(look.card)))


def _again(look: Look, before: Pose, memory: Memory, known: Recorded) -> PoseNews | None:
    """A tile that was observed before: moved, or read anew as it lies."""
    if look.card is None:
        return None
    if _moved(look, before, memory):
        fields = {name: getattr(look.told, name) for name in PoseCommand.__struct_fields__}
        command = MoveTile(**(fields | {"round": known.round}))
        return PoseNews(look, command, ("move", str(known.round), look.tile, str(look.card), _spot(look)))
    told = memory.told_of(look.tile)
    if before.source != "camera" or look.tile in known.answered:
        return None if told is not None else PoseNews(look, None, ())
    better = _better(look, before)
    if better is not None:
        replacement = msgspec.structs.replace(before, **better)
        command_ = Correct(target=before.id, replacement=body(replacement))
        words = ("better", str(known.round), look.tile, str(_doubts(replacement)))
        return PoseNews(look, command_, words, remember=told is None)
    if told is None:
        return PoseNews(look, None, ())
    return None


def _moved(look: Look, before: Pose, memory: Memory) -> bool:
    told = memory.told_of(look.tile)
    if told is not None:
        if told.rest is not None and look.rest is not None and told.card == look.card:
            return not near(told.rest, look.rest)
        return math.dist(told.at, look.at) > 0.3 * look.side
    if not look.told.card_sure or before.source != "camera":
        return False
    if before.card is None:
        return before.card_sure
    if before.card != look.card:
        return before.card_sure
    turned = abs(before.turn_off_deg - look.told.turn_off_deg) > SAME_DEG
    return turned or abs(before.bare_mm - look.told.bare_mm) > SAME_MM


def _spot(look: Look) -> str:
    """About where it rests, in a word: the same for readings of one pose, mostly."""
    return "" if look.rest is None else f"{look.rest.quarter} {round(look.rest.turn_off_deg / 10)}"


def _doubts(pose: Pose | PlaceTile) -> int:
    return len(pose.unsure) + 3 * (not pose.card_sure) + 3 * (not pose.seat_sure)


def _better(look: Look, before: Pose) -> dict[str, object] | None:
    """The fields to correct in a recorded pose: a reading with fewer doubts, or two sure ones that disagree."""
    told = look.told
    reading: dict[str, object] = {
        "symbols": told.symbols,
        "unsure": told.unsure,
        "ranked": told.ranked,
        "shares": told.shares,
        "ways": told.ways,
        "seat": told.seat,
        "seat_sure": told.seat_sure,
        "seats": told.seats,
        "card": told.card,
        "card_sure": told.card_sure,
        "cards": told.cards,
    }
    if _doubts(before):
        return reading if _doubts(told) < _doubts(before) and len(told.symbols) == len(before.symbols) else None
    if look.doubtful or len(told.symbols) != len(before.symbols):
        return None
    differ = tuple(i for i, (a, b) in enumerate(zip(before.symbols, told.symbols, strict=True)) if a != b)
    other_card = before.card is not None and told.card != before.card
    if not differ and not other_card:
        return None
    contested: dict[str, object] = {"unsure": differ, "ranked": _both(before, told, differ)}
    if other_card:
        assert before.card is not None and told.card is not None
        contested |= {"card_sure": False, "cards": ((before.card, 0.5), (told.card, 0.5))}
    return contested


def _both(before: Pose, told: PlaceTile, differ: tuple[int, ...]) -> tuple[tuple[tuple[str, float], ...], ...]:
    """For the holes that differ, both names; for the others what was there."""
    ranked = list(before.ranked) or [((symbol, 1.0),) for symbol in before.symbols]
    for i in differ:
        ranked[i] = ((before.symbols[i], 0.5), (told.symbols[i], 0.5))
    return tuple(ranked)


def _read_otherwise(look: Look, memory: Memory, known: Recorded) -> Pose | None:
    """The recorded pose that is this very tile under another name: at its place, and no longer seen itself."""
    for tile, pose in sorted(known.placed.items()):
        if pose.card is None or pose.card != look.card or memory.track(tile) is not None:
            continue
        if pose.source != "camera" or tile in known.answered:
            continue
        if tile.startswith(UNNAMED):
            return pose
        told = memory.told_of(tile)
        if told is not None and told.rest is not None and look.rest is not None:
            millimetres, degrees = told.rest.apart(look.rest)
            if millimetres < ONE_THING_MM and min(degrees % 90, 90 - degrees % 90) < ONE_THING_DEG:
                return pose
    return None


def _renamed(look: Look, one: Pose, known: Recorded) -> PoseNews | None:
    """The same pose by its new name, once that is sure."""
    if look.doubtful:
        return None
    words = ("rename", str(known.round), one.tile, look.tile)
    fields = {name: getattr(look.told, name) for name in Pose.__struct_fields__ if hasattr(look.told, name)}
    fields |= {"id": one.id, "t_ns": one.t_ns, "v": one.v, "round": known.round, "picture": one.picture}
    return PoseNews(look, Correct(target=one.id, replacement=body(type(one)(**fields))), words)
