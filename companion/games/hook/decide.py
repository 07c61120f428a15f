"""What a command leads to: facts, or a refusal in a sentence.

The camera's observations are written down whether legal or not (what is wrong with them becomes a question); a tap
that the rulebook does not allow is refused. Observations that say nothing new lead to no facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.facts import Command, Fact, RuleBroken
from companion.games.hook.derive import MOST_ROUNDS
from companion.games.hook.facts import (
    CardIdentified,
    CardRevealed,
    ChooseTarget,
    CloseRound,
    IdentifyCard,
    IdentifyTile,
    MoveTile,
    NextRound,
    PlacementRuled,
    PlaceTile,
    PoseCommand,
    ReadSymbol,
    Recount,
    Recounted,
    RevealCard,
    RoundClosed,
    RoundStarted,
    RulePlacement,
    SymbolRead,
    TargetChosen,
    TileIdentified,
    TileMoved,
    TilePlaced,
    TileWaived,
    WaiveTile,
)
from companion.games.hook.names import BLACK_PIRATE, HOLES, MOST_PARROTS, READABLE, SPACES, seat_name
from companion.games.hook.recount import check, recounted
from companion.games.hook.state import Placement, Round, State
from companion.words import _
from companion.world import NOTHING


def decide(state: State, command: Command) -> Sequence[Fact]:
    """The facts that follow from a command; RuleBroken where the rules do not allow it."""
    match command:
        case NextRound():
            return _next_round(state, command)
        case RevealCard():
            return _reveal(state, command)
        case PoseCommand():
            return _pose(state, command)
        case WaiveTile():
            return _waive(state, command)
        case CloseRound():
            return _close(state, command)
        case ChooseTarget():
            return _choose(state, command)
        case Recount():
            return _recount(state, command)
        case RulePlacement() | ReadSymbol() | IdentifyTile() | IdentifyCard():
            return _say(state, command)
        case _:
            raise RuleBroken(_("Hook! does not know this command."))


def _round(state: State, number: int) -> Round:
    """The round a command is about; 0 is the present one."""
    number = number or state.round
    if not 1 <= number <= state.round:
        raise RuleBroken(_("There is no such round."))
    return state.rounds[number - 1]


def _next_round(state: State, command: NextRound) -> Sequence[Fact]:
    now = state.now
    seen = command.source == "camera"
    if state.over or now.last:
        if seen:
            return ()
        over = _("The game is over.") if state.over else _("This was the last round. A question is still open.")
        raise RuleBroken(over)
    if not now.complete and not seen:
        raise RuleBroken(_missing(now))
    closed = (RoundClosed(round=now.number, seats=now.begin.playing),) if now.complete else ()
    return (*closed, RoundStarted(round=now.number + 1, source=command.source))


def _missing(now: Round) -> Any:
    if len(now.missing) == 1:
        return _("{seat} has not placed a Sight tile yet.", seat=seat_name(now.missing[0]))
    return _("{count} Sight tiles are still missing.", count=len(now.missing))


def _reveal(state: State, command: RevealCard) -> Sequence[Fact]:
    now = _round(state, command.round)
    tap = command.source == "tap"
    if tap and state.setup.parrots and command.card not in state.setup.parrots:
        raise RuleBroken(_("The deck has no Target card of this name."))
    if tap and state.over:
        raise RuleBroken(_("The game is over."))
    if state.over or command.card in now.cards:
        return ()
    by = command.by if command.by in state.setup.seats else None
    return (CardRevealed(round=now.number, card=command.card, by=by, source=command.source),)


def _pose(state: State, command: PoseCommand) -> Sequence[Fact]:
    now = _round(state, command.round)
    if command.source == "camera" and not command.symbols:  # nothing could be read, as of a tile's back
        command = msgspec.structs.replace(command, symbols=(NOTHING,) * HOLES, unsure=tuple(range(HOLES)))
    fields: dict[str, Any] = {
        name: getattr(command, name) for name in command.__struct_fields__ if name not in ("t_ns", "round", "tile")
    }
    fields["tile"] = command.tile or _tile(now, command.seat)
    fields["round"] = now.number
    kind = TileMoved if isinstance(command, MoveTile) else TilePlaced
    if len(command.symbols) > HOLES:
        raise RuleBroken(_("A Sight tile shows at most three of the twelve symbols."))
    if command.source == "camera":
        return (kind(**fields),) if _is_news(state, now, command) else ()
    _check_tap(state, now, command)
    return (kind(**fields),)


def _tile(now: Round, seat: str) -> str:
    """The tile a tap means that names none: the one of this seat that was seen, whatever was wrong with it."""
    seen = [p.tile for p in now.placements if p.seat == seat and p.status != "ignored"]
    return seen[-1] if seen else f"sight-{seat}"


def _is_news(state: State, now: Round, command: PoseCommand) -> bool:
    """Whether the camera tells something that is not known yet, about somebody who plays."""
    seats = state.setup.seats
    known = command.seat in seats or (not command.seat_sure and any(seat in seats for seat, _p in command.seats))
    if not known or now.dead or (state.over and command.round in (0, state.round)):
        return False
    if isinstance(command, MoveTile):
        return command.card is not None or not command.card_sure  # else it was taken up again
    before = now.placement_of(command.seat)
    if before is None or before.tile != command.tile:
        return True
    return (before.card, before.seen) != (command.card, command.symbols)


def _check_tap(state: State, now: Round, command: PoseCommand) -> None:
    who = seat_name(command.seat)
    if command.seat not in state.setup.seats:
        raise RuleBroken(_("{seat} does not play.", seat=who))
    if command.seat not in now.begin.playing:
        raise RuleBroken(_("{seat} is out.", seat=who))
    if any(symbol not in READABLE for symbol in command.symbols):
        raise RuleBroken(_("A Sight tile shows at most three of the twelve symbols."))
    if command.card is not None and state.setup.parrots and command.card not in state.setup.parrots:
        raise RuleBroken(_("The deck has no Target card of this name."))
    if command.parrots is not None and not 0 <= command.parrots <= MOST_PARROTS:
        raise RuleBroken(_("So many parrots are printed on no Target card."))
    before = now.placement_of(command.seat)
    if isinstance(command, PlaceTile) and before is not None:
        raise RuleBroken(_("{seat} has placed a Sight tile already; correct that one.", seat=who))
    if isinstance(command, MoveTile) and before is None:
        raise RuleBroken(_("{seat} has not placed a Sight tile yet.", seat=who))
    for placement in now.placements:
        taken = placement.status == "counts" and placement.card is not None and placement.card == command.card
        if taken and placement.seat != command.seat:
            other = seat_name(placement.seat)
            raise RuleBroken(_("There is a Sight tile on this Target card already ({seat}).", seat=other))


def _waive(state: State, command: WaiveTile) -> Sequence[Fact]:
    now = _round(state, command.round)
    who = seat_name(command.seat)
    if command.seat not in now.begin.playing:
        raise RuleBroken(_("{seat} is not in this round.", seat=who))
    if now.placement_of(command.seat) is not None:
        raise RuleBroken(_("{seat} has placed a Sight tile already; correct that one.", seat=who))
    return () if command.seat in now.waived else (TileWaived(round=now.number, seat=command.seat),)


def _close(state: State, command: CloseRound) -> Sequence[Fact]:
    now = _round(state, command.round)
    waived = [TileWaived(round=now.number, seat=seat) for seat in now.missing]
    return (*waived, RoundClosed(round=now.number, seats=now.begin.playing))


def _choose(state: State, command: ChooseTarget) -> Sequence[Fact]:
    now = _round(state, command.round)
    placement = next((p for p in now.placements if p.tile == command.tile and p.status == "counts"), None)
    hole = command.hole
    if placement is None or not 0 <= hole < len(placement.symbols) or placement.symbols[hole] != BLACK_PIRATE:
        raise RuleBroken(_("There is no Black Pirate in this hole."))
    if command.victim not in now.begin.playing:
        raise RuleBroken(_("{seat} is not in this round and cannot be hit.", seat=seat_name(command.victim)))
    if placement.victims[hole] is None:
        if not now.complete:
            raise RuleBroken(_("The Black Pirate shoots when all Sight tiles are placed."))
        turn = next((ask for ask in now.asks if ask.kind == "victim"), None)
        if turn is None:
            raise RuleBroken(_("First another question of this round has to be answered."))
        if turn.seat != placement.seat:
            raise RuleBroken(_("It is up to {seat} to choose first.", seat=seat_name(turn.seat)))
    chosen = TargetChosen(round=now.number, tile=command.tile, hole=hole, victim=command.victim, placement=placement.id)
    return (chosen,)


def _placement(now: Round, tile: str, id: int) -> Placement:
    """The pose a command names; without an id the one that counts, else the last of this tile."""
    found = [p for p in now.placements if p.tile == tile and id in (0, p.id)]
    if not found:
        raise RuleBroken(_("There is no such Sight tile in this round."))
    return next((p for p in found if p.status == "counts"), found[-1])


def _say(state: State, command: RulePlacement | ReadSymbol | IdentifyTile | IdentifyCard) -> Sequence[Fact]:
    now = _round(state, command.round)
    pose = _placement(now, command.tile, command.placement)
    number, tile = now.number, command.tile
    match command:
        case RulePlacement():
            return (PlacementRuled(round=number, tile=tile, allowed=command.allowed, placement=pose.id),)
        case IdentifyTile():
            if command.seat is not None and command.seat not in state.setup.seats:
                raise RuleBroken(_("{seat} does not play.", seat=seat_name(command.seat)))
            return (TileIdentified(round=number, tile=tile, seat=command.seat, placement=pose.id),)
        case IdentifyCard():
            known = command.card is None or not state.setup.parrots or command.card in state.setup.parrots
            if not known:
                raise RuleBroken(_("The deck has no Target card of this name."))
            return (CardIdentified(round=number, tile=tile, card=command.card, placement=pose.id),)
        case ReadSymbol():
            if command.symbol not in READABLE:
                raise RuleBroken(_("This is none of the twelve symbols."))
            if not 0 <= command.hole < len(pose.seen):
                raise RuleBroken(_("This Sight tile has no such hole."))
            seen = pose.seen[command.hole]
            read = SymbolRead(
                round=number,
                tile=tile,
                hole=command.hole,
                symbol=command.symbol,
                placement=pose.id,
                instead_of=seen if seen in READABLE else None,
            )
            return (read,)


def _recount(state: State, command: Recount) -> Sequence[Fact]:
    now = _round(state, command.round)
    played = now.settled and bool(now.tally)  # a recount before it may have ended the game
    after = played if command.after is None else command.after
    before = now.end if after else now.begin
    check(state.setup, before, command)
    if command.out is not None:
        for seat, balls in command.balls.items():
            if balls == SPACES and seat not in command.out:
                raise RuleBroken(_("{seat} has 9 Cannonballs and is out.", seat=seat_name(seat)))
    up = 1 if now.turned_up and not after else 0  # the card in the middle belongs to the round that is counted
    fact = Recounted(
        round=now.number,
        after=after,
        balls=command.balls,
        won=command.won,
        parrots=command.parrots,
        stacks={seat: n + up for seat, n in command.stacks.items()},
        compass=command.compass,
        out=command.out,
    )
    moment = recounted(state.setup, before, fact, now.number, {})
    if moment is None:
        raise RuleBroken(_("That would be more than 96 Target cards."))
    if command.compass is not None and moment.playing and command.compass not in moment.playing:
        raise RuleBroken(_("{seat} is out and cannot have the Compass.", seat=seat_name(command.compass)))
    if now.number >= MOST_ROUNDS and after:
        raise RuleBroken(_("There is no such round."))
    return (fact,)
