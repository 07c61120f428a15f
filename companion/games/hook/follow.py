"""The watcher's memory from scene to scene: what lies where, since when, and what has gone."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from companion.games.hook.memory import CardTrack, Memory, ThingTrack, TileTrack
from companion.games.hook.recorded import Recorded
from companion.games.hook.resting import centre
from companion.games.hook.sighted import Look, Pieces, apart, by_id, is_card, looks, nameless
from companion.world import Quad, Scene, Sighting

NAMELESS_AT = 0.35
"""Something nameless lies on a card when their middles are nearer than this, in sides."""
AMONG = 2.0
"""The round is played within this many times the distance of its outermost card from the middle of all."""


def in_round(memory: Memory, known: Recorded) -> Memory:
    """Forget what belonged to another round."""
    if memory.round == known.round:
        return memory
    return msgspec.structs.replace(
        memory,
        round=known.round,
        told=(),
        earlier=memory.told,
        things=(),
        places=tuple(
            (c.card, c.quad) for c in memory.cards if c.card not in known.used
        ),  # the new ones may lie already
        homes=(),
        waiting=(),
        said=frozenset(words for words in memory.said if words[1] == str(known.round)),
        cleared=0,
    )


def follow(memory: Memory, scene: Scene, known: Recorded, pieces: Pieces) -> Memory:
    """Take in a scene."""
    found = by_id(scene)
    cards, places = _cards(memory, found, known)
    seen = looks(scene, pieces, places.keys() | known.cards, known.used)  # those recorded, too: before a restart
    earlier = tuple(told for told in memory.earlier if any(_still_there(look, told.tile, told.at) for look in seen))
    tiles = []
    for look in seen:
        if (look.tile, look.card) in known.before and look.card in known.used:
            continue  # left over from the round before
        if any(_still_there(look, told.tile, told.at) for told in earlier):
            continue
        before = memory.track(look.tile)
        first = TileTrack(look) if look.fresh else TileTrack(look, 0, 0)
        tiles.append(before.after(look) if before is not None else first)
    homes = dict(memory.homes)
    if not known.cards and not places:
        homes |= {track.look.tile: track.look.at for track in tiles if track.look.loose}
    gone = not any(lies(memory, track.look, known) for track in tiles) and not any(
        id in known.cards for id, sighting in found.items() if is_card(sighting)
    )
    covered = {track.look.card for track in tiles if track.look.card is not None}
    return msgspec.structs.replace(
        memory,
        tiles=tuple(tiles),
        cards=cards,
        places=tuple(sorted(places.items())),
        things=_things(memory, scene, {card: quad for card, quad in places.items() if card not in covered}, pieces),
        homes=tuple(sorted(homes.items())),
        waiting=_waiting(memory, tiles, known),
        earlier=earlier,
        still=0 if scene.moving or scene.hands else memory.still + 1,
        cleared=memory.cleared + 1 if gone else 0,
    )


def lies(memory: Memory, look: Look, known: Recorded) -> bool:
    """Whether a tile of this round still rests where the round is played."""
    if look.tile not in known.placed:
        return False
    if look.card is not None:
        return look.card in known.cards
    told = memory.told_of(look.tile)
    return told is not None and _still_there(look, told.tile, told.at)


def among_cards(memory: Memory, look: Look) -> bool:
    """Whether a tile beside the cards has newly come, and lies where the round is played."""
    if any(_still_there(look, tile, at) for tile, at in memory.homes) or len(memory.places) < 2:
        return False
    middles = [centre(quad) for _card, quad in memory.places]
    middle = (sum(x for x, _y in middles) / len(middles), sum(y for _x, y in middles) / len(middles))
    return math.dist(look.at, middle) <= AMONG * max(math.dist(m, middle) for m in middles)


def _still_there(look: Look, tile: str, at: tuple[float, float]) -> bool:
    return look.tile == tile and math.dist(look.at, at) < 0.15 * look.side


def _cards(
    memory: Memory, found: Mapping[str, Sighting], known: Recorded
) -> tuple[tuple[CardTrack, ...], dict[str, Quad]]:
    cards: list[CardTrack] = []
    places = dict(memory.places)
    olds = {card.card: card for card in memory.cards}
    for id, card in found.items():
        if not is_card(card):
            continue
        old = olds.get(id)
        if card.covered_by is not None:
            if old is not None:
                cards.append(old)
            continue
        same = old is not None and apart(old.quad, card.corners) < 0.2
        lain = (old.lain if old is not None and same else 0) + card.fresh  # what moves over it does not take it away
        cards.append(CardTrack(id, card.corners, lain, card.sure, card.confidence))
        if id not in known.used:
            places[id] = card.corners
    return tuple(cards), places


def _things(memory: Memory, scene: Scene, places: Mapping[str, Quad], pieces: Pieces) -> tuple[ThingTrack, ...]:
    things: dict[str, ThingTrack] = {}
    for sighting in nameless(scene):
        away, card = min(((apart(quad, sighting.corners), card) for card, quad in places.items()), default=(1.0, ""))
        if away < NAMELESS_AT:
            old = next((t for t in memory.things if t.card == card), None)
            back = sighting.kind == "sight-tile" or (old is not None and old.back)
            named = (pieces.owner(name) for name, p in sighting.ranked if p > 0.02 and name in pieces.owners)
            owners = tuple(dict.fromkeys(named)) or (old.owners if old is not None else ())
            things[card] = ThingTrack(card, back, (old.lain if old is not None else 0) + 1, owners)
    return tuple(things[card] for card in sorted(things))


def _waiting(memory: Memory, tiles: list[TileTrack], known: Recorded) -> tuple[Look, ...]:
    waiting = {look.tile: look for look in memory.waiting}
    for track in tiles:
        if track.rested >= 1 and track.look.card in known.cards:
            waiting[track.look.tile] = track.look
    return tuple(look for tile, look in sorted(waiting.items()) if tile not in known.placed)
