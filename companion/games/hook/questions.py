"""What a round leaves open, in words, and the facts that an answer makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.facts import Choice, Fact, Question, RuleBroken
from companion.games.hook.facts import (
    CardIdentified,
    PlacementRuled,
    SightUnlisted,
    SymbolRead,
    TargetChosen,
    TileIdentified,
    TileWaived,
)
from companion.games.hook.names import POSE_FAULTS, READABLE, seat_name, symbol_name
from companion.games.hook.state import Ask, State
from companion.words import Text, _
from companion.world import NOTHING

NOBODY = "nobody"
UNKNOWN = "unknown"
OWN_CARD = "own-card"
UNLISTED, ON_NO_CARD = "unlisted", "no-card"
ALL = "+"
"""Between the symbols of an answer that says what all holes show."""
OF = "of:"
"""Begins the answer that a second tile of a seat is really another seat's."""

_KIND = ("black-side", "second-tile", "taken", "no-card", "crooked", "bare")


def questions(state: State) -> tuple[Question, ...]:
    """All open questions, earlier rounds first, within a round in the order in which they should be asked."""
    return tuple(word(state, ask) for ask in _asks(state))


def _asks(state: State) -> Iterable[Ask]:
    for round_ in state.rounds:
        yield from round_.asks


def key(ask: Ask) -> str:
    """The name of a question, the same from one state to the next."""
    about = ask.tile or ask.seat
    parts = [kind(ask), str(ask.round), about]
    if ask.placement:
        parts.append(str(ask.placement))
    if ask.hole >= 0:
        parts.append(str(ask.hole))
    return ":".join(parts)


def kind(ask: Ask) -> str:
    """The kind of a question as doubts name it: of a placement, the first thing that is wrong with it."""
    if ask.kind == "placement":
        return next((fault for fault in _KIND if fault in ask.faults), "crooked")
    return ask.kind


def word(state: State, ask: Ask) -> Question:
    """A question with its sentence and choices."""
    sentence, choices = _words(ask)
    about: dict[str, Any] = {"round": ask.round}
    if ask.tile:
        about |= {"tile": ask.tile, "placement": ask.placement, "card": ask.card}
    if ask.hole >= 0:
        about["hole"] = ask.hole
    if ask.faults:
        about["faults"] = list(ask.faults)
    if ask.picture:
        about["picture"] = ask.picture
    about["seat"] = ask.seat
    return Question(
        key=key(ask),
        kind=kind(ask),
        sentence=sentence,
        choices=choices,
        seat=ask.seat if ask.kind == "victim" else None,
        about=about,
        obliged=ask.obliged,
        facts=(ask.placement,) if ask.placement else (),
    )


def _words(ask: Ask) -> tuple[Text, tuple[Choice, ...]]:
    who = seat_name(ask.seat)
    match ask.kind:
        case "symbol":
            return _symbol(ask, who)
        case "sight":
            sentence = _("{seat}: what shows through the holes of this Sight tile?", seat=who)
            bare = () if ask.card is None else (Choice(ON_NO_CARD, _("It lies on no Target card")),)
            return sentence, (*map(_sight, ask.sights), Choice(UNLISTED, _("None of these")), *bare)
        case "victim":
            sentence = _("{seat}: whom does your Black Pirate hit?", seat=who)
            return sentence, _seats(ask.options)
        case "tile":
            sentence = _("Whose Sight tile is this?")
            return sentence, (*_seats(ask.options), Choice(NOBODY, _("Nobody's")))
        case "card":
            return _card(ask, who)
        case "missing":
            sentence = _("{seat}: no Sight tile was seen in round {round}. Was there none?", seat=who, round=ask.round)
            return sentence, (Choice("nothing", _("There was none")),)
        case "moved":
            sentence = _("{seat}: the Sight tile was moved after it lay still. The first place counts.", seat=who)
            return sentence, (
                Choice("keep", _("It counts where it lay first")),
                Choice("allow", _("It counts where it lies now")),
            )
        case _:
            return _placement(ask, who)


def _symbol(ask: Ask, who: Text) -> tuple[Text, tuple[Choice, ...]]:
    if ask.other is not None:
        sentence = _(
            "{seat}: does this symbol count ({symbol})? More than half of it must show.",
            seat=who,
            symbol=symbol_name(ask.other),
        )
    else:
        sentence = _("{seat}: what shows through this hole?", seat=who)
    return sentence, tuple(Choice(name, symbol_name(name), None if name == NOTHING else name) for name in ask.options)


def _sight(symbols: Sequence[str]) -> Choice:
    label = symbol_name(symbols[0])
    for symbol in symbols[1:]:
        label = _("{these}, {symbol}", these=label, symbol=symbol_name(symbol))
    return Choice(ALL.join(symbols), label, symbols=tuple(symbols))


def _card(ask: Ask, who: Text) -> tuple[Text, tuple[Choice, ...]]:
    if ask.other == "used-card":
        sentence = _("{seat}: this Target card was in an earlier round. Which one is it?", seat=who)
    else:
        sentence = _("{seat}: which Target card is under this Sight tile?", seat=who)
    cards = tuple(Choice(card, _("Target card {card}", card=card), card) for card in ask.options)
    return sentence, (*cards, Choice(UNKNOWN, _("None of these")))


def _placement(ask: Ask, who: Text) -> tuple[Text, tuple[Choice, ...]]:
    allow, again, nothing = (
        Choice("allow", _("It counts as it lies")),
        Choice("again", _("It is put down again")),
        Choice("nothing", _("It counts for nothing this round")),
    )
    match kind(ask):
        case "black-side":
            return _("{seat}: the black side of the Sight tile is up.", seat=who), (again, allow, nothing)
        case "second-tile" if ask.other is not None:
            sentence = _("{seat} has put down a second Sight tile. Which one was touched first?", seat=who)
            keep = Choice("keep", _("The first one counts"))
            return sentence, (keep, Choice("allow", _("The second one counts")), *_others(ask))
        case "second-tile":
            sentence = _("{seat} had touched another Sight tile before this one.", seat=who)
            return sentence, (Choice("again", _("The other one has to be used")), allow, nothing, *_others(ask))
        case "taken" if ask.other is not None:
            sentence = _(
                "{seat}: there is a Sight tile on this Target card already ({other}).",
                seat=who,
                other=seat_name(ask.other),
            )
            free = Choice("again", _("It goes to a free card"))
            first = Choice("allow", _("{seat} was first", seat=who))
            return sentence, (free, first, Choice(OWN_CARD, _("It lies on a card of its own")), nothing)
        case "taken":
            sentence = _("{seat}: there is a Sight tile on this Target card already.", seat=who)
            return sentence, (Choice("again", _("It goes to a free card")), allow, nothing)
        case "no-card":
            sentence = _("{seat}: the Sight tile lies on no Target card.", seat=who)
            return sentence, (Choice("again", _("It is still to be placed")), allow, nothing)
        case "bare":
            sentence = _("{seat}: the Sight tile does not cover its Target card completely.", seat=who)
        case _ if "bare" in ask.faults:
            sentence = _("{seat}: the Sight tile lies crooked and does not cover its Target card.", seat=who)
        case _:
            sentence = _("{seat}: the Sight tile lies crooked on its Target card.", seat=who)
    return sentence, (allow, again, nothing)


def _others(ask: Ask) -> tuple[Choice, ...]:
    return tuple(Choice(OF + seat, _("It belongs to {seat}", seat=seat_name(seat)), seat) for seat in ask.options)


def _seats(seats: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(seat, seat_name(seat), seat) for seat in seats)


def answer(state: State, question: Question, value: str) -> tuple[Fact, ...]:
    """The facts that an answer makes. RuleBroken when it is none of the choices, or the question is settled."""
    ask = next((ask for ask in _asks(state) if key(ask) == question.key), None)
    if ask is None:
        raise RuleBroken(_("This question is settled already."))
    if value not in {choice.value for choice in _words(ask)[1]}:
        raise RuleBroken(_("That is none of the possible answers."))
    number, tile, placement = ask.round, ask.tile, ask.placement
    match ask.kind:
        case "symbol":
            return (_read(state, ask, ask.hole, value),)
        case "sight" if value == UNLISTED:
            return (SightUnlisted(round=number, tile=tile, placement=placement),)
        case "sight" if value == ON_NO_CARD:  # it is still to be placed
            return (PlacementRuled(round=number, tile=tile, allowed=False, placement=placement, faults=(ON_NO_CARD,)),)
        case "sight":
            return tuple(_read(state, ask, hole, symbol) for hole, symbol in enumerate(value.split(ALL)))
        case "victim":
            return (TargetChosen(round=number, tile=tile, hole=ask.hole, victim=value, placement=placement),)
        case "tile":
            seat = None if value == NOBODY else value
            return (TileIdentified(round=number, tile=tile, seat=seat, placement=placement),)
        case "card":
            card = None if value == UNKNOWN else value
            return (CardIdentified(round=number, tile=tile, card=card, placement=placement),)
        case "missing":
            return (TileWaived(round=number, seat=ask.seat),)
        case _ if value == OWN_CARD:
            return (CardIdentified(round=number, tile=tile, card=None, placement=placement),)
        case _ if value.startswith(OF):
            return (TileIdentified(round=number, tile=tile, seat=value.removeprefix(OF), placement=placement),)
        case _:
            faults = ask.faults if ask.kind == "placement" else ("moved", *POSE_FAULTS)
            allowed = value == "allow"
            ruled = PlacementRuled(round=number, tile=tile, allowed=allowed, placement=placement, faults=faults)
            return (ruled, TileWaived(round=number, seat=ask.seat)) if value == "nothing" else (ruled,)


def _read(state: State, ask: Ask, hole: int, symbol: str) -> SymbolRead:
    return SymbolRead(
        round=ask.round,
        tile=ask.tile,
        hole=hole,
        symbol=symbol,
        placement=ask.placement,
        instead_of=_seen(state, ask, hole),
    )


def _seen(state: State, ask: Ask, hole: int) -> str | None:
    """What the camera said about a hole of the tile that a question is about."""
    for placement in state.rounds[ask.round - 1].placements:
        if placement.id == ask.placement and placement.tile == ask.tile and hole < len(placement.seen):
            seen = placement.seen[hole]
            return seen if seen in READABLE else None
    return None
