"""A game of Hooked! told in sentences, each with the facts it rests on and the seats it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.games.hooked.facts import CardFlipped, Recounted
from companion.games.hooked.names import CATCH_AND_RELEASE, CURRENT_SHIFT, NET_CAST, action_name, seat_name, why_name
from companion.games.hooked.state import Setup, Slap, Stage, State
from companion.words import Text, _, listed, n_, verbatim


class Told(msgspec.Struct, frozen=True):
    """One sentence. ``seats`` are those whose cards it explains; ``symbol`` is a card to show with it."""

    text: Text
    facts: tuple[int, ...] = ()
    seats: tuple[str, ...] = ()
    symbol: str | None = None
    actor: str | None = None


def who(setup: Setup, seat: str) -> Text:
    """A player: "Seat 2 (Ada)", or "Seat 2" when they have no name of their own."""
    name = dict(zip(setup.seats, setup.names, strict=True)).get(seat, "")
    if not name or name in (seat, str(seat_name(seat))):
        return seat_name(seat)
    return _("{seat} ({name})", seat=seat_name(seat), name=name)


def card_name(setup: Setup, card: str) -> Text:
    """A card's name: "Walleye", "Net Cast"."""
    action = action_name(card)
    if action is not None:
        return action
    known = setup.cards.get(card)
    return verbatim(known.name if known is not None else card)


def tell(state: State) -> tuple[Told, ...]:
    """Everything that happened, oldest first."""
    out: list[Told] = []
    for number, stage in enumerate(state.stages):
        out += tell_stage(state.setup, stage)
        if number + 1 < len(state.stages):
            out += _missed(state.setup, stage)
    return tuple(out)


def _missed(setup: Setup, stage: Stage) -> Iterable[Told]:
    """What could have been slapped before the next card came. (Told earlier, it would give the slap away.)"""
    top = stage.landed.top
    if stage.waiting and stage.reason.why is not None and top is not None and not stage.asks:
        cards = tuple(card.card for card in stage.landed.lake)
        text = _("Nobody slapped: {what}", what=_what(setup, stage.reason.why, cards, replay=bool(stage.reason.seats)))
        yield Told(text, (top.fact,), (), top.card)


def tell_stage(setup: Setup, stage: Stage) -> tuple[Told, ...]:
    """One flip or recount, and its slaps."""
    if stage.dead:
        return ()
    out: list[Told] = []
    if isinstance(stage.fact, Recounted) and not stage.conflicts:
        out.append(Told(_("The stacks were put right from what lies on the table"), (stage.fact.id,), setup.seats))
    if isinstance(stage.fact, CardFlipped):
        top = stage.landed.top
        if top is not None and top.fact == stage.fact.id:
            text = _("{seat} flips {card}", seat=who(setup, top.seat), card=card_name(setup, top.card))
            out.append(Told(text, (stage.fact.id,), (top.seat,), top.card, top.seat))
    if stage.slap is not None:
        out += tell_slap(setup, stage.slap)
    return tuple(out)


def tell_slap(setup: Setup, slap: Slap) -> tuple[Told, ...]:
    """One judged moment."""
    out: list[Told] = []
    facts, symbol = (slap.id,), slap.cards[-1] if slap.cards else None
    for seat in slap.vetoed:
        text = _('{seat} did not say "HOOKED!"', seat=who(setup, seat))
        out.append(Told(text, facts, (seat,), symbol, seat))
    touched = tuple(seat for seat, _change in slap.moved)
    if slap.winner is not None:
        out.append(Told(_won(setup, slap), facts, (slap.winner,), symbol, slap.winner))
    elif slap.dead_heat:
        out.append(Told(_dead_heat(setup, slap), facts, slap.dead_heat, symbol))
    if slap.winner is not None or (slap.dead_heat and slap.moved):
        consequence = _consequence(slap.why)
        if consequence is not None:
            out.append(Told(consequence, facts, touched, symbol))
    out += _mistakes(setup, slap)
    return tuple(out)


def _won(setup: Setup, slap: Slap) -> Text:
    seat = who(setup, str(slap.winner))
    cards = dict(slap.moved).get(str(slap.winner), 0)
    what = _what(setup, slap.why, slap.cards, replay=bool(slap.between))
    if slap.dead_heat:
        return n_(
            "Dead heat; {seat} sits nearest to the flipper: {what}. {count} card won.",
            "Dead heat; {seat} sits nearest to the flipper: {what}. {count} cards won.",
            cards,
            seat=seat,
            what=what,
        )
    return n_(
        "{seat} slapped first: {what}. {count} card won.",
        "{seat} slapped first: {what}. {count} cards won.",
        cards,
        seat=seat,
        what=what,
    )


def _what(setup: Setup, why: str | None, cards: Sequence[str], *, replay: bool) -> Text:
    """What was slapped: "twins, Walleye on Walleye". In a replay of a dead heat ``why`` tells of another card."""
    names = [card_name(setup, card) for card in cards]
    if replay and names:
        return _("{card} after the dead heat", card=names[-1])
    match why:
        case "twins" | "streak" if why is not None and len(names) > 1:
            return _("{why}, {card} on {below}", why=why_name(why), card=names[-1], below=names[-2])
        case "sandwich" if len(names) > 2:
            return _("sandwich, {below} between {card} and {card}", card=names[-1], below=names[-2])
        case None:
            return names[-1] if names else Text("")
        case _:
            return why_name(why)


def _dead_heat(setup: Setup, slap: Slap) -> Text:
    all_ = listed([who(setup, seat) for seat in slap.dead_heat])
    if any(change > 0 for seat, change in slap.moved if seat in slap.dead_heat):
        return _("Dead heat, they share the Lake: {all}", all=all_)
    return _("Dead heat, the next flip decides between: {all}", all=all_)


def _consequence(why: str | None) -> Text | None:
    match why:
        case str() if why == CATCH_AND_RELEASE:
            return _("Everybody else puts one card face down under the Lake")
        case str() if why == NET_CAST:
            return _("Everybody else gives one card more")
        case str() if why == CURRENT_SHIFT:
            return _("The direction of play turns")
        case _:
            return None


def _mistakes(setup: Setup, slap: Slap) -> Iterable[Told]:
    facts, symbol = (slap.id,), slap.cards[-1] if slap.cards else None
    card = card_name(setup, symbol or "")
    lost = {seat: -change for seat, change in slap.moved if change < 0}
    for press in slap.presses:
        seat, name = press.seat, who(setup, press.seat)
        text: Text | None = None
        if press.verdict == "wrong" and seat in slap.hooked:
            text = _("{seat} slapped an Empty Hook and may not slap for the next two flips", seat=name)
        elif press.verdict == "wrong" and seat in slap.gone:
            text = _("{seat} slapped {card} without cards and is out", seat=name, card=card)
        elif press.verdict == "wrong" and slap.winner is None:
            text = n_(
                "{seat} slapped {card} wrongly: {count} card goes under the Lake",
                "{seat} slapped {card} wrongly: {count} cards go under the Lake",
                lost.get(seat, 0),
                seat=name,
                card=card,
            )
        elif press.verdict == "wrong":
            text = _("{seat} slapped {card} wrongly", seat=name, card=card)
        elif press.verdict == "early":
            text = _("{seat} slapped before anybody could have seen {card}", seat=name, card=card)
        elif press.verdict == "locked":
            text = _("{seat} is locked by an Empty Hook; the slap is ignored", seat=name)
        if text is not None:
            yield Told(text, facts, (seat,), symbol, seat)


def headline(state: State) -> Text:
    """What the table waits for, or how the game ended."""
    if state.over:
        return result(state)
    if state.turn is None:
        return _("Nobody has a card to flip")
    return _("{seat} flips", seat=who(state.setup, state.turn))


def result(state: State) -> Text:
    """How the game ended, in one sentence; empty before that."""
    if not state.over:
        return Text("")
    if state.winner is None:
        return _("Nobody has a card left: nobody wins")
    seat = who(state.setup, state.winner)
    if state.lake_size == 0:
        return _("{seat} has all the cards and wins", seat=seat)
    return _("Only {seat} has cards left, and wins", seat=seat)
