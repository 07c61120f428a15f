"""A judged moment in sentences: why it was right or wrong to slap, and what followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.games.hooked.names import EMPTY_HOOK, SAY_HOOKED
from companion.games.hooked.state import Slap, State
from companion.games.hooked.written import too_early
from companion.words import Text, _, listed, n_, verbatim
from web.hooked.cards import card_name
from web.hooked.model import CardView

Names = Callable[[str], str]


def sentences(slap: Slap, cards: Sequence[CardView], names: Names, state: State) -> Iterator[Text]:
    """All that is to be said of a moment. ``cards`` are those of the slap.

    Why the card may be slapped, or may not, is said only when somebody's slap of it was judged: earlier it would give
    the slap away, and while a question is open nobody knows.
    """
    verdicts = {press.verdict for press in slap.presses}
    if verdicts & {"won", "tied", "wrong"} and "unsure" not in verdicts:
        yield _why(slap, cards, names)
    replay = _replay(slap, names, state)
    if replay is not None:
        yield replay
    for seat in too_early(slap):
        yield _("{name} slapped too early.", name=names(seat))
    yield from _moved(slap, names)


def _why(slap: Slap, cards: Sequence[CardView], names: Names) -> Text:
    """Why it was right or wrong to slap."""
    said = [card_name(card) for card in cards]
    top = said[-1] if said else _("nothing")
    if slap.between:
        return _("{card} decides the dead heat: only {all} may slap it.", card=top, all=_all(slap.between, names))
    match slap.why if slap.right else None:
        case "twins":
            return _("Fish Twins: {card} twice in a row.", card=top)
        case "sandwich":
            return _("Fish Sandwich: {card} around {middle}.", card=top, middle=said[-2] if len(said) > 1 else "?")
        case "streak":
            return _("Fishing Streak: {first}, then {second}.", first=said[-2] if len(said) > 1 else "?", second=top)
        case action if action in SAY_HOOKED:
            return _("{card}: always there to be slapped.", card=top)
        case _ if slap.right:
            return _("{card} was there to be slapped.", card=top)
    if slap.cards and slap.cards[-1] == EMPTY_HOOK:
        return _("Don’t slap the Empty Hook!")
    if len(said) >= 3:
        return _("{a}, {b}, {c}: no twins, no sandwich, no streak.", a=said[-3], b=said[-2], c=top)
    if len(said) == 2:
        return _("{a}, then {b}: no twins, no streak.", a=said[0], b=top)
    return _("{card} alone is nothing to slap.", card=top)


def _replay(slap: Slap, names: Names, state: State) -> Text | None:
    """Who decides a dead heat, and by which flip; None where it was no dead heat or needs no other flip."""
    won = any(count > 0 for seat, count in slap.moved if seat in slap.dead_heat)
    if not slap.dead_heat or slap.winner is not None or won:
        return None
    said = _all(slap.dead_heat, names)
    last = next(one for one in reversed(state.slaps) if one.dead_heat)
    if state.replay is None or last != slap:
        return _("The next flip was to decide between {all}.", all=said)
    if state.replay.flip == 0:
        return _("The next flip decides between {all}: they may slap any fish.", all=said)
    return _("This flip decides between {all}: they may slap any fish.", all=said)


def _all(seats: Sequence[str], names: Names) -> Text:
    return listed([verbatim(names(seat)) for seat in seats])


def _moved(slap: Slap, names: Names) -> Iterator[Text]:
    for seat, count in slap.moved:
        if count > 0:
            yield n_("{name} wins {count} card.", "{name} wins {count} cards.", count, name=names(seat))
        else:
            yield n_("{name} gives up {count} card.", "{name} gives up {count} cards.", -count, name=names(seat))
    for seat in slap.hooked:
        yield _("{name} may not slap for two flips.", name=names(seat))
    for seat in slap.gone:
        yield _("{name} is out.", name=names(seat))
    for seat in slap.vetoed:
        yield _("{name} did not say “HOOKED!”.", name=names(seat))
