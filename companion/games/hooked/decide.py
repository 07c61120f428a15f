"""What a command leads to: facts, or a refusal in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.facts import Command, Fact, Overtaken, RuleBroken
from companion.games.hooked import lake, landing, recount
from companion.games.hooked.derive import add, unslapped
from companion.games.hooked.facts import (
    CardFlipped,
    CardPassed,
    Edge,
    Flip,
    FlipRuled,
    PassCard,
    Pressed,
    PressRuled,
    Recount,
    RuleFlip,
    RulePress,
    SlapTold,
    TellSlap,
    Veto,
    Vetoed,
)
from companion.games.hooked.names import SAY_HOOKED, seat_name
from companion.games.hooked.sentences import card_name
from companion.games.hooked.stages import opening
from companion.games.hooked.state import Stage, State
from companion.words import _

MOST_NS = 2**62
NEXT = 2**62
"""Stands for the id of a fact that is only tried out."""


def decide(state: State, command: Command) -> Sequence[Fact]:
    """The facts that follow from a command; RuleBroken where the rules do not allow it."""
    match command:
        case Flip():
            return _flip(state, command)
        case Edge():
            return _edge(state, command)
        case TellSlap():
            return _tell(state, command)
        case PassCard():
            return _pass(state, command)
        case Veto():
            return _veto(state, command)
        case RuleFlip():
            return _rule_flip(state, command)
        case RulePress():
            return _rule_press(state, command)
        case Recount():
            return (_recount(state, command),)
        case _:
            raise RuleBroken(_("Hooked! does not know this command."))


def known_seat(state: State, seat: str) -> None:
    """Refuse a seat that does not play."""
    if seat not in state.seats:
        raise RuleBroken(_("{seat} does not play.", seat=seat_name(seat)))


def known_card(state: State, card: str) -> None:
    """Refuse a card that the deck does not have."""
    if card not in state.setup.cards:
        raise RuleBroken(_("The deck has no card of this name."))


def newest(state: State) -> int:
    """The id of the flip or recount that was written down last; 0: there is none."""
    return max((flip.id for flip in state.flips), default=0)


def check_flip(state: State, fact: CardFlipped) -> None:
    """Refuse a flip with times that cannot be, or of a seat that does not play."""
    if not 0 <= fact.before_ns <= MOST_NS or not 0 <= fact.seen_ns <= MOST_NS:
        raise RuleBroken(_("No card was flipped at such a time."))
    if fact.seen_ns and fact.before_ns > fact.seen_ns:
        raise RuleBroken(_("The last frame without the card comes before the first one with it."))
    if fact.seat_sure:
        known_seat(state, fact.seat)


def _flip(state: State, command: Flip) -> Sequence[Fact]:
    if command.after is not None and command.after != newest(state):
        raise Overtaken(_("The Lake has changed since you looked. Look again."))
    tap = command.source == "tap"
    fields = {name: getattr(command, name) for name in command.__struct_fields__ if name not in ("t_ns", "after")}
    fact = CardFlipped(**fields)
    if not command.seat:
        fact = msgspec.structs.replace(fact, seat=state.turn or state.seats[0], seat_sure=False)
    check_flip(state, fact)
    if tap:
        known_card(state, command.card)
        if lake.exhausted(state.setup, state.lake, command.card):
            raise RuleBroken(
                _("All cards of this kind lie in the Lake already: {card}.", card=card_name(state.setup, command.card))
            )
        if not state.over and not state.stack(fact.seat):
            raise RuleBroken(_("{seat} has no card to flip.", seat=seat_name(fact.seat)))
    elif any(_same(fact, flip) for flip in state.flips):
        return ()
    if tap or state.over:  # what the camera sees while play goes on may itself end the game: it is not lost
        _refuse_for_nothing(state, fact, command.t_ns)
    return (fact,)


def _refuse_for_nothing(state: State, fact: CardFlipped, t_ns: int) -> None:
    """Refuse a flip that would count for nothing."""
    tried = _tried(state, fact, t_ns)
    conflict = next((c for c in tried.conflicts if c.fact == NEXT), None)
    if conflict is not None:
        card = card_name(state.setup, fact.card)
        raise RuleBroken(_("{card} counts for nothing. {why}", card=card, why=conflict.why))


def _same(fact: CardFlipped, flip: Fact) -> bool:
    """Whether the camera tells of a flip a second time."""
    return (
        isinstance(flip, CardFlipped)
        and fact.seen_ns > 0
        and (flip.seen_ns, flip.card, flip.source) == (fact.seen_ns, fact.card, fact.source)
    )


def _tried(state: State, fact: CardFlipped, t_ns: int) -> State:
    """The state as it would be: a fact without a time is the latest."""
    return add(state, msgspec.structs.replace(fact, id=NEXT, t_ns=t_ns or fact.seen_ns or MOST_NS))


def _edge(state: State, command: Edge) -> Sequence[Fact]:
    known_seat(state, command.seat)
    if command.level not in (0, 1):
        raise RuleBroken(_("A button is down (1) or up (0)."))
    clock = command.clock if command.t_ns else "software"  # an edge without a time is no kernel's
    return (Pressed(seat=command.seat, level=command.level, clock=clock),)


def _stage(state: State, flip: int) -> Stage:
    """The stage of a flip; 0 means the card on top of the Lake, or else the last one that lay there."""
    if flip == 0:
        last = next((stage.fact.id for stage in reversed(state.stages) if stage.counts), 0)
        flip = state.lake[-1].fact if state.lake else last
    found = next((s for s in state.stages if s.fact.id == flip and isinstance(s.fact, CardFlipped)), None)
    if found is None:
        raise RuleBroken(_("No such card was flipped."))
    if found.dead:
        raise RuleBroken(_("The game was over before this card was flipped."))
    return found


def _slapped(state: State, flip: int) -> Stage:
    """The stage of a flip that can have been slapped."""
    stage = _stage(state, flip)
    why = unslapped(state.stages).get(stage.fact.id)
    if why is not None:
        raise RuleBroken(why)
    return stage


def _tell(state: State, command: TellSlap) -> Sequence[Fact]:
    known_seat(state, command.seat)
    stage = _slapped(state, command.flip)
    if state.over and stage is not state.stages[-1]:
        raise RuleBroken(_("The game is over."))
    flip, seat, who = stage.fact.id, command.seat, seat_name(command.seat)
    vetoed = {word.seat for word in state.words if isinstance(word, Vetoed) and word.flip == flip}
    if stage.reason.why in SAY_HOOKED and seat in vetoed:
        raise RuleBroken(_('{seat} did not say "HOOKED!", says the table. Take that back first.', seat=who))
    told = [word.seat for word in landing.slaps_told(state.words, flip)]
    first = [one for one in told if one not in vetoed and stage.reason.may_win(one)]
    wins = stage.reason.may_win(seat)
    if seat in told and not (wins and seat != first[0]):
        return ()
    if seat in stage.landed.out:
        raise RuleBroken(_("{seat} is out.", seat=who))
    if any(seat == one for one, _left in stage.landed.locks):
        raise RuleBroken(_("{seat} is locked by an Empty Hook and may not slap.", seat=who))
    return (SlapTold(flip=flip, seat=seat, instead=tuple(first) if wins else ()),)


def _pass(state: State, command: PassCard) -> Sequence[Fact]:
    stage = _slapped(state, command.flip)
    if stage.slap is not None and (stage.slap.winner or stage.slap.dead_heat):
        raise RuleBroken(_("This card was slapped."))
    said = any(isinstance(word, CardPassed) and word.flip == stage.fact.id for word in state.words)
    return () if said else (CardPassed(flip=stage.fact.id),)


def _veto(state: State, command: Veto) -> Sequence[Fact]:
    first = [slap for slap in state.slaps if slap.winner is not None or slap.dead_heat]
    slap = next((s for s in reversed(first) if command.flip in (0, s.id)), None)
    if slap is None:
        raise RuleBroken(_("Nobody has won this card."))
    if slap.why not in SAY_HOOKED:
        raise RuleBroken(_('"HOOKED!" has to be said only when an action card is slapped.'))
    seat = command.seat or slap.winner
    if seat is None:
        raise RuleBroken(_('Several were first. Say which of them did not say "HOOKED!".'))
    if seat != slap.winner and seat not in slap.dead_heat:
        raise RuleBroken(_("{seat} has not won this card.", seat=seat_name(seat)))
    return (Vetoed(flip=slap.id, seat=seat),)


def _rule_flip(state: State, command: RuleFlip) -> Sequence[Fact]:
    _stage(state, command.flip or -1)
    counts = command.counts
    if command.seat is not None:
        known_seat(state, command.seat)
    if command.card is not None:
        known_card(state, command.card)
    if command.seat is None and command.card is None and command.counts is None:
        raise RuleBroken(_("Say who flipped the card, which one it is, or whether it counts."))
    if counts is None and landing.said(state.words, command.flip).counts is False:
        counts = True
    return (FlipRuled(flip=command.flip, seat=command.seat, card=command.card, counts=counts),)


def _rule_press(state: State, command: RulePress) -> Sequence[Fact]:
    known_seat(state, command.seat)
    _stage(state, command.flip or -1)
    if not any(o.seat == command.seat and o.t_ns == command.press_ns for o in state.onsets):
        raise RuleBroken(_("{seat} did not press at that time.", seat=seat_name(command.seat)))
    return (PressRuled(flip=command.flip, seat=command.seat, press_ns=command.press_ns, meant=command.meant),)


def _recount(state: State, command: Recount) -> Fact:
    table = state.stages[-1].after if state.stages else opening(state.setup)
    return recount.check(state.setup, table, command)
