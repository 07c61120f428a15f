"""What counts in a sight: the symbols of a placement after all answers, and the questions about them."""

from __future__ import annotations

import math

import msgspec

from companion.games.hook.facts import Pose, SymbolRead, TargetChosen
from companion.games.hook.laid import Laid, Layout
from companion.games.hook.names import BLACK_PIRATE, READABLE, SHARE_ASKED, SHARE_COUNTS, SYMBOLS, UNREAD
from companion.games.hook.state import Ask, Placement
from companion.world import NOTHING


def placed(laid: Laid, number: int, layout: Layout, playing: tuple[str, ...]) -> tuple[Placement, list[Ask]]:
    """The finished placement, and what must be asked about its symbols (only when it counts)."""
    pose = laid.pose
    symbols: list[str] = []
    asks: list[Ask] = []
    facts = list(laid.facts)
    counts = laid.status == "counts"
    for hole, seen in enumerate(pose.symbols):
        reading = _reading(laid, hole, seen)
        if reading is not None:
            symbols.append(reading.symbol)
            facts.append(reading.id)
            continue
        symbol, half = _seen(pose, hole, seen)
        # Another seat's tile has its holes elsewhere than where they were looked for.
        misread = laid.seat != pose.seat or _unseen_card(laid) or _another_card(laid)
        if misread or (_seen_askew(laid) and partly(pose, hole, seen)):
            symbol, half = UNREAD, False
        symbols.append(symbol)
        if symbol == UNREAD and counts:
            asks.append(_ask(laid, number, hole, half))
    asks = _together(laid, asks)
    victims: list[str | None] = []
    for hole, symbol in enumerate(symbols):
        choice = choice_for(layout, pose.id, pose.tile, hole) if symbol == BLACK_PIRATE and counts else None
        possible = choice is not None and choice.victim in playing
        victims.append(choice.victim if choice is not None and possible else None)
        if choice is not None and possible:
            facts.append(choice.id)
    placement = Placement(
        id=pose.id,
        seat=laid.seat,
        tile=pose.tile,
        card=laid.card,
        status=laid.status,  # type: ignore[arg-type]
        faults=laid.faults,
        symbols=tuple(symbols),
        seen=pose.symbols,
        victims=tuple(victims),
        printed=pose.parrots,
        picture=pose.picture,
        facts=tuple(facts),
    )
    return placement, asks


def _together(laid: Laid, asks: list[Ask]) -> list[Ask]:
    """One question for all holes, where none is read, and how the seat's tile may lie on its card is known."""
    pose = laid.pose
    apart = laid.unlisted or laid.seat != pose.seat or len(asks) < len(pose.symbols) or any(a.obliged for a in asks)
    if len(asks) < 2 or apart:
        return asks
    if "which-card" in laid.wrong and any(card in pose.ways for card, _p in pose.cards):
        return []  # the card first: it says what can show
    sights = pose.ways.get(laid.card or "") or pose.ways.get("", ())
    if not sights and _another_card(laid) and set(pose.symbols) <= set(READABLE):
        sights = (pose.symbols,)
    if not sights:
        return asks
    return [msgspec.structs.replace(asks[0], kind="sight", hole=-1, options=(), sights=sights)]


def choice_for(layout: Layout, placement: int, tile: str, hole: int) -> TargetChosen | None:
    """The last choice for this hole: of this pose, or of the tile before it was moved or named anew."""
    others = {laid.pose.id for laid in layout.laid if laid.status == "counts" and laid.pose.id != placement}
    for choice in reversed(layout.chosen):
        mine = choice.tile == tile or (placement and choice.placement == placement)
        if mine and choice.hole == hole and choice.placement not in others:
            return choice
    return None


def _reading(laid: Laid, hole: int, seen: str) -> SymbolRead | None:
    """The last answer about a hole that still holds."""
    for reading in reversed(laid.readings):
        if reading.hole == hole and reading.symbol in READABLE and reading.instead_of in (None, seen):
            return reading
    return None


def _unseen_card(laid: Laid) -> bool:
    """Whether a tile counts that was seen on no card: then there is one, and what shows of it was not read either."""
    return laid.pose.source == "camera" and laid.pose.card is None and "no-card" in laid.excused


def _another_card(laid: Laid) -> bool:
    """Whether a person named another card than the camera: what shows was read with the wrong one in mind."""
    return laid.pose.source == "camera" and laid.pose.card is not None and laid.card != laid.pose.card


def _seen_askew(laid: Laid) -> bool:
    """Whether a tile counts that was seen to lie crooked or to leave its card bare: perhaps it lies rightly, and what
    was seen of it is not to be trusted where that matters."""
    return laid.pose.source == "camera" and bool({"crooked", "bare"} & set(laid.faults) & laid.excused)


def partly(pose: Pose, hole: int, seen: str) -> bool:
    """Whether a symbol was ``seen`` in a hole, but too little of it to count."""
    return seen != NOTHING and _share(pose, hole) <= SHARE_COUNTS


def _share(pose: Pose, hole: int) -> float:
    share = pose.shares[hole] if hole < len(pose.shares) else 1.0
    return share if math.isfinite(share) else 0.5


def _seen(pose: Pose, hole: int, seen: str) -> tuple[str, bool]:
    """What the camera's reading of a hole counts as, and whether it is asked because the symbol shows by half."""
    share = _share(pose, hole)
    half = SHARE_ASKED <= share <= SHARE_COUNTS
    if half or hole in pose.unsure or seen not in READABLE:
        return UNREAD, half
    return (seen if share > SHARE_COUNTS else NOTHING), False


def _ask(laid: Laid, number: int, hole: int, half: bool) -> Ask:
    pose = laid.pose
    seen = pose.symbols[hole]
    ranked = [name for name, _p in pose.ranked[hole]] if hole < len(pose.ranked) else []
    first = [name for name in (seen, *ranked) if name in READABLE]
    options = (*first, NOTHING, *SYMBOLS)
    return Ask(
        kind="symbol",
        round=number,
        seat=laid.seat,
        tile=pose.tile,
        placement=pose.id,
        hole=hole,
        card=laid.card,
        options=tuple(dict.fromkeys(options)),
        obliged=half,
        picture=pose.picture,
        other=next((name for name in first if name != NOTHING), None) if half else None,
    )
