"""Who slaps a card and when: what the players see, how fast they are, and what they do wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from companion.deck import Deck
from companion.games.hooked.buttons import INTERRUPT_NS, MS, Buttons
from companion.games.hooked.habits import Habits, Reflexes
from companion.games.hooked.scripted import SlapTruth, Sort
from companion.world import Press

GIVES_UP_MS = 190.0
"""Whoever would press so long after the first one mostly leaves it."""


def reason(cards: Sequence[str], deck: Deck) -> str | None:
    """Why the last of the Lake's cards (newest last) may be slapped, in the script's own judgement."""
    top = cards[-1]
    kinds = {piece.id: piece.kind for piece in deck.pieces}
    if kinds[top] == "action-card":
        return None if top == "empty-hook" else top
    if len(cards) > 1 and cards[-2] == top:
        return "twins"
    if len(cards) > 2 and cards[-3] == top:
        return "sandwich"
    if len(cards) > 1 and kinds[cards[-2]] == "fish-card":
        apart = int(deck.piece(top).values["number"]) - int(deck.piece(cards[-2]).values["number"])
        return "streak" if abs(apart) == 1 else None
    return None


def slaps(
    people: dict[str, Reflexes],
    habits: Habits,
    buttons: Buttons,
    *,
    why: str | None,
    tempting: bool,
    shown_ns: int,
    locked: Collection[str],
    out: Collection[str],
    random: Random,
) -> tuple[list[SlapTruth], list[Press]]:
    """All presses about one card, earliest first, and their edges. ``tempting``: it nearly is one to be slapped."""
    meant = _meant(people, habits, why, tempting, locked, out, random)
    if len(meant) > 1 and random.random() < habits.one_interrupt:
        (first, _, _), (other, sort, _) = sorted(meant.values(), key=lambda press: press[2])[:2]
        meant[other] = (other, sort, meant[first][2] + random.randrange(1, INTERRUPT_NS))
    order = sorted(meant.values(), key=lambda press: press[2])
    found: list[SlapTruth] = []
    edges: list[Press] = []
    for seat, sort, after in order:
        t_ns = shown_ns + after
        if not buttons.free(seat, t_ns):
            continue
        button, its = buttons.press(seat, t_ns, random)
        near = any(o != seat and abs(a - after) < INTERRUPT_NS for o, _, a in order)
        found.append(SlapTruth(seat, t_ns, after, sort, button, near))
        edges += its
    return found, edges


def _meant(
    people: dict[str, Reflexes], habits: Habits, why: str | None, tempting: bool, locked: Collection[str],
    out: Collection[str], random: Random,
) -> dict[str, tuple[str, Sort, int]]:  # fmt: skip
    """Seat, sort and time after the card was seen of every press that somebody makes."""
    meant: dict[str, tuple[str, Sort, int]] = {}
    asleep = random.random() < habits.asleep
    for seat, own in people.items():
        after = own.reaction_ns(random)
        sort: Sort = "right" if why else "wrong"
        if random.random() < habits.early:
            sort, after = "early", round(random.uniform(-120, 95) * MS)
        elif why is None:
            if random.random() >= habits.wrong * (6 if tempting else 1):
                continue
        elif asleep or random.random() >= habits.notices:
            continue
        if seat in out:
            if random.random() > 0.03:
                continue
            sort = "out"
        elif seat in locked:
            if random.random() >= habits.locked_press:
                continue
            sort = "locked"
        meant[seat] = (seat, sort, after)
    first = min((after for _, sort, after in meant.values() if sort == "right"), default=0)
    return {
        seat: press
        for seat, press in meant.items()
        if press[1] != "right" or press[2] - first < GIVES_UP_MS * MS or random.random() < 0.3
    }
