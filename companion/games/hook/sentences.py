"""A round told in sentences, each with the facts it rests on and the seats it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.games.hook.facts import Recounted
from companion.games.hook.names import (
    BARREL,
    BLACK_PIRATE,
    BOMB,
    CHARACTERS,
    RUM,
    SPACES,
    seat_name,
    team_name,
)
from companion.games.hook.resolve import turn_order
from companion.games.hook.state import Placement, Round, Setup, Shot, State, Tally
from companion.words import Text, _, listed, n_


class Told(msgspec.Struct, frozen=True):
    """One sentence. ``seats`` are those whose balls or cards it explains; ``symbol`` is a drawing to show with it."""

    text: Text
    facts: tuple[int, ...] = ()
    seats: tuple[str, ...] = ()
    symbol: str | None = None
    actor: str | None = None


def tell(setup: Setup, round_: Round) -> tuple[Told, ...]:
    """What happened in a round, in turn order, then how it went for each player."""
    if round_.dead:
        return ()
    out: list[Told] = []
    playing = round_.begin.playing
    for seat in turn_order(setup.seats, round_.begin.compass):
        if seat not in playing:
            continue
        mine = [shot for shot in round_.shots if shot.seat == seat]
        out += _sight(seat, mine, playing)
        if seat in round_.waived:
            out.append(Told(_("{seat}: no Sight tile this round", seat=seat_name(seat)), seats=(seat,), actor=seat))
        tally, placement = round_.tally_of(seat), round_.placement_of(seat)
        if tally is not None and placement is not None:
            out += _card(seat, tally, placement)
    if round_.settled:
        for tally in _clockwise(setup, round_):
            out += _fate(tally)
    out += _recounts(round_)
    return tuple(out)


def _clockwise(setup: Setup, round_: Round) -> list[Tally]:
    order = turn_order(setup.seats, round_.begin.compass)
    return sorted(round_.tally, key=lambda tally: order.index(tally.seat))


def _sight(seat: str, mine: Sequence[Shot], playing: tuple[str, ...]) -> Iterable[Told]:
    """The symbols of one sight; equal ones that do the same in one sentence."""
    groups: dict[tuple[str, str, str | None, str | None], list[Shot]] = {}
    for shot in mine:
        groups.setdefault((shot.symbol, shot.does, shot.victim, shot.cover), []).append(shot)
    cover_told = False
    for group in groups.values():
        shot, count = group[0], len(group)
        if shot.does == "cover":
            if not cover_told:
                yield Told(_cover(seat, shot.symbol), shot.facts, (seat,), shot.symbol, seat)
            cover_told = True
            continue
        text = _shot(seat, shot, count)
        if text is None:
            continue
        touched: tuple[str, ...] = (seat,)
        if shot.does == "bomb":
            touched = playing
        elif shot.victim is not None:
            touched = (shot.victim,)
        yield Told(text, shot.facts, touched, shot.symbol, seat)


def _cover(seat: str, symbol: str) -> Text:
    if symbol == BARREL:
        return _("{seat} takes cover behind a barrel", seat=seat_name(seat))
    return _("{seat} takes cover behind a bird cage", seat=seat_name(seat))


def _shot(seat: str, shot: Shot, count: int) -> Text | None:
    who = seat_name(seat)
    victim = seat_name(shot.victim) if shot.victim is not None else who
    match shot.does:
        case "bomb":
            return n_(
                "{seat}: bomb, everyone takes a hit",
                "{seat}: {count} bombs, everyone takes {count} hits",
                count,
                seat=who,
            )
        case "rum":
            return n_("{seat} drinks a bottle of rum", "{seat} drinks {count} bottles of rum", count, seat=who)
        case "choosing":
            return n_(
                "{seat}: whom the Black Pirate hits is still to be chosen",
                "{seat}: whom the {count} Black Pirates hit is still to be chosen",
                count,
                seat=who,
            )
        case "unread":
            return n_("{seat}: one symbol is still open", "{seat}: {count} symbols are still open", count, seat=who)
        case "absent":
            return _("{seat} aims at {victim}, but nobody plays that character", seat=who, victim=victim)
        case "gone":
            return _("{seat} aims at {victim}, who is out already", seat=who, victim=victim)
        case "parrot" | "nothing" | "cover":
            return None
    if shot.symbol == BLACK_PIRATE:
        return _black(who, victim, shot, count)
    if shot.does == "own":
        return n_(
            "{seat}: a Cannonball slips and hits their own foot",
            "{seat}: {count} Cannonballs slip and hit their own feet",
            count,
            seat=who,
        )
    if shot.does == "covered":
        return _covered(who, victim, shot.cover)
    return n_("{seat} hits {victim}", "{seat} hits {victim} {count} times", count, seat=who, victim=victim)


def _covered(who: Text, victim: Text, cover: str | None) -> Text:
    if cover == BARREL:
        return _("{seat} aims at {victim}, who hides behind a barrel", seat=who, victim=victim)
    return _("{seat} aims at {victim}, who hides behind a bird cage", seat=who, victim=victim)


def _black(who: Text, victim: Text, shot: Shot, count: int) -> Text:
    if shot.does == "own":
        return n_(
            "{seat}: the Black Pirate hits {seat}",
            "{seat}: the Black Pirate hits {seat} {count} times",
            count,
            seat=who,
        )
    if shot.does == "covered" and shot.cover == BARREL:
        return _("{seat}: Black Pirate at {victim}, who hides behind a barrel", seat=who, victim=victim)
    if shot.does == "covered":
        return _("{seat}: Black Pirate at {victim}, who hides behind a bird cage", seat=who, victim=victim)
    return n_(
        "{seat}: the Black Pirate hits {victim}",
        "{seat}: the Black Pirate hits {victim} {count} times",
        count,
        seat=who,
        victim=victim,
    )


def _card(seat: str, tally: Tally, placement: Placement) -> Iterable[Told]:
    who = seat_name(seat)
    if tally.took is not None:
        text = n_(
            "{seat} takes a Target card with one parrot",
            "{seat} takes a Target card with {count} parrots",
            tally.took.parrots,
            seat=who,
        )
        yield Told(text, placement.facts, (seat,), "parrot", seat)
    elif tally.bombed:
        text = _("{seat}: parrot in sight, but the bomb sends the card back into the box", seat=who)
        yield Told(text, placement.facts, (seat,), BOMB, seat)


def _fate(tally: Tally) -> Iterable[Told]:
    who = seat_name(tally.seat)
    if tally.out:
        text = _("{seat} is knocked out and returns to the cabin; all collected cards go into the box", seat=who)
        yield Told(text, tally.facts, (tally.seat,), None, tally.seat)
    elif tally.before + tally.hits >= SPACES > tally.after:
        yield Told(_("{seat} is saved by the rum", seat=who), tally.facts, (tally.seat,), RUM, tally.seat)


def _recounts(round_: Round) -> Iterable[Told]:
    gone = {conflict.fact for conflict in round_.conflicts}
    for fact in round_.raw:
        if isinstance(fact, Recounted) and fact.id not in gone:
            seats = tuple(s.seat for s in round_.end.standings)
            yield Told(_("The score was put right from what lies on the table"), (fact.id,), seats)


def sums(setup: Setup, round_: Round) -> tuple[Told, ...]:
    """Each player's sum."""
    return tuple(
        Told(sum_of(tally), tally.facts, (tally.seat,), None, tally.seat) for tally in _clockwise(setup, round_)
    )


def sum_of(tally: Tally) -> Text:
    """A sum: "Red Pirate: 8 + 1 − 2 = 7", with the reason where the Hit card has not so many spaces, or so few."""
    total = tally.before + tally.hits - tally.rum
    seat, before, hits, rum = seat_name(tally.seat), tally.before, tally.hits, tally.rum
    if total < 0:
        return _("{seat}: {before} + {hits} − {rum}, but never below 0", seat=seat, before=before, hits=hits, rum=rum)
    if total > SPACES:
        return _("{seat}: {before} + {hits} − {rum}, but never above 9", seat=seat, before=before, hits=hits, rum=rum)
    return _(
        "{seat}: {before} + {hits} − {rum} = {after}", seat=seat, before=before, hits=hits, rum=rum, after=tally.after
    )


def headline(state: State) -> Text:
    """What the table waits for, or how the game ended."""
    now = state.now
    match state.phase:
        case "cards":
            return _("Round {round} of {of}. {seat} gives the starting signal", **_where(state))
        case "tiles":
            if len(now.missing) == 1:
                return _("Waiting for the Sight tile of: {seat}", seat=seat_name(now.missing[0]))
            return _("Place your Sight tiles: {count} still missing", count=len(now.missing))
        case "answers":
            return _("A question is open")
        case "resolved":
            return _("The Compass goes to {seat}", seat=seat_name(state.compass))
        case _:
            return result(state)


def _where(state: State) -> dict[str, object]:
    return {"round": state.round, "of": state.of, "seat": seat_name(state.compass)}


def result(state: State) -> Text:
    """How the game ended, in one sentence; empty before that."""
    if not state.over:
        return Text("")
    names = [team_name(team) for team in state.winning_teams]
    match state.ending:
        case "nobody":
            return _("All are out at once: nobody wins. Treat your maltreated bodies and play again")
        case "shared":
            return _("{all} share the victory", all=listed(names))
        case "last" if state.winning_teams[0] in CHARACTERS:
            return _("Last one standing, and victory: {winner}", winner=names[0])
        case "last":
            return _("Last team standing, and victory: {winner}", winner=names[0])
        case "cards":
            return _("Tie on parrots. Most Target cards, and victory: {winner}", winner=names[0])
        case _:
            return _("Most parrots, and victory: {winner}", winner=names[0])
