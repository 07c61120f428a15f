"""What truly happens at a simulated table of Hooked!, against what was made of it.

The players know which card they flipped and what they meant by their presses: they answer what is asked, put right
what was misread, and then do with their cards what the referee says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import pairwise

import msgspec

from companion.app.truthful import MOST_ANSWERS, AtTable, Say
from companion.core.facts import Answer, Command, Question
from companion.games.hooked.facts import CardFlipped, Flip, Recount, RuleFlip
from companion.games.hooked.names import EMPTY_HOOK
from companion.games.hooked.questions import BACK, NOBODY
from companion.games.hooked.script import FlipScript, MoveScript, Script
from companion.games.hooked.scripted import SlapTruth
from companion.games.hooked.state import LakeCard, State

NEAR_NS = 60_000_000
"""A press and the onset that the referee makes of it are no farther apart: bounces, late edges."""


class Truth(msgspec.Struct, frozen=True):
    """One flip as it was: times on the clock of the table."""

    seat: str
    card: str
    why: str | None
    start_ns: int
    shown_ns: int
    slaps: tuple[SlapTruth, ...]

    @property
    def right(self) -> list[SlapTruth]:
        """The slaps that may win, earliest first."""
        return sorted((slap for slap in self.slaps if slap.sort == "right"), key=lambda slap: slap.t_ns)

    def press(self, seat: str, t_ns: int) -> SlapTruth | None:
        """What a seat meant by its press at that time."""
        return next((s for s in self.slaps if s.seat == seat and abs(s.t_ns - t_ns) <= NEAR_NS), None)


def truth_of(flip: FlipScript, later_ns: int = 0) -> Truth:
    """The truth of a script's flip that is acted so much later."""
    slaps = tuple(msgspec.structs.replace(slap, t_ns=slap.t_ns + later_ns) for slap in flip.slaps)
    return Truth(flip.seat, flip.card, flip.why, flip.frames[0].t_ns + later_ns, flip.shown_ns + later_ns, slaps)


def barred(script: Script, state: State, seat: str) -> Collection[str]:
    """Who may not slap the card that ``seat`` is about to flip."""
    hook = script.stage.stacks[seat][:1] == [EMPTY_HOOK]
    return {other for other, left in state.locks if left > 1} | ({seat} if hook else set())


def landed(state: State, truth: Truth) -> list[LakeCard]:
    """The cards that are counted as flipped since the truth's flip began."""
    found = []
    for n in range(len(state.stages) - 1, -1, -1):
        fact, top = state.stages[n].fact, state.stages[n].landed.top
        if not isinstance(fact, CardFlipped) or (fact.seen_ns or fact.t_ns) < truth.start_ns:
            break
        if top is not None and top.fact == fact.id:
            found.append(top)
        elif n and state.stages[n - 1].swept:
            found.append(LakeCard(fact.id, fact.card, fact.seat, fact.seen_ns, fact.before_ns))
    return found[::-1]


def swept(state: State, truth: Truth) -> bool:
    """Whether the truth's card was won with the Lake before it: somebody slapped the card before it, late."""
    ids = {card.fact for card in landed(state, truth)}
    return any(one.swept and other.fact.id in ids for one, other in pairwise(state.stages))


def put_right(say: Say, match: Callable[[], AtTable], truth: Truth) -> None:
    """Answer every open question about a flip and correct what was misread, until the table knows it as it was."""
    for _ in range(MOST_ANSWERS):
        now = match()
        command = _correction(now, truth) or _answer(now, truth)
        if command is None or not say(command):
            return


def _correction(now: AtTable, truth: Truth) -> Command | None:
    state: State = now.state
    if state.over:
        return None
    cards = landed(state, truth)
    if not cards:
        tapped = Flip(seat=truth.seat, card=truth.card, seen_ns=truth.shown_ns, before_ns=truth.shown_ns, source="tap")
        return None if any(doubt.question.kind != "end" for doubt in now.doubts) else tapped
    asked = {doubt.question.about.get("flip") for doubt in now.doubts}
    best = next((card for card in cards if card.card == truth.card), cards[0])
    for card in cards:
        if card is not best:
            return RuleFlip(flip=card.fact, counts=False)
    if best.fact in asked:
        return None
    if best.card != truth.card:
        return RuleFlip(flip=best.fact, card=truth.card)
    return RuleFlip(flip=best.fact, seat=truth.seat) if best.seat != truth.seat else None


def _answer(now: AtTable, truth: Truth) -> Command | None:
    for doubt in now.doubts:
        return Answer(doubt=doubt.id, value=answer(doubt.question, now.state, truth))
    return None


def answer(question: Question, state: State, truth: Truth) -> str:
    """What the players say."""
    values = [choice.value for choice in question.choices]
    about = question.about
    cards = landed(state, truth)
    ours = not cards or any(card.fact == about.get("flip") for card in cards)
    slap = truth.press(str(about.get("seat", "")), int(about.get("press_ns", 0)))
    match question.kind:
        case "card" | "copies":
            wanted = truth.card if ours else BACK
        case "turn" | "flipper":
            wanted = truth.seat if ours else BACK
        case "press":
            wanted = "slap" if slap is not None and slap.sort != "early" else "early"
        case "late-tap":
            wanted = "slap" if slap is not None else "before"
        case "pressed":
            wanted = "slap" if slap is not None and slap.sort != "early" else "nothing"
        case "first" | "unslapped":
            wanted = next((right.seat for right in truth.right if right.seat in values), NOBODY)
        case _:
            wanted = "over"
    return wanted if wanted in values else values[0]


def carried_out(script: Script, state: State) -> Iterator[MoveScript]:
    """What the players do with their cards so that they lie as the referee says."""
    target = dict(state.stacks)
    if not state.lake and script.stage.faces:
        winner = max(target, key=lambda seat: target[seat] - script.stacks[seat])
        yield script.take(winner)
    for seat in script.seats:
        spare = script.stacks[seat] - target[seat]
        paid = min(spare, state.lake_size - script.lake)
        if paid > 0:
            yield script.pay(seat, paid)
    for seat in script.seats:
        for other in script.seats:
            spare = script.stacks[seat] - target[seat]
            lacks = target[other] - script.stacks[other]
            if spare > 0 and lacks > 0:
                yield script.give(seat, other, min(spare, lacks))


def imagined(state: State, truth: Truth, known: Collection[int]) -> list[LakeCard]:
    """Cards that were told after all about a flip was settled (``known``: its cards), though none was flipped."""
    return [card for card in landed(state, truth) if card.fact not in known]


def recount(script: Script, state: State) -> Recount | None:
    """What the players say when screen and table have drifted apart all the same."""
    return None if script.stacks == dict(state.stacks) else Recount(stacks=script.stacks, turn=state.turn)
