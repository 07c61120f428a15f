"""A flip of Hooked! as the referee had it, against the truth: which card, whose, when it was seen, who was first.

Pure. What a question was asked about is not wrong; what nobody was asked about is either right or bad.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec

from companion.app.hooked_truth import Truth
from companion.core.facts import Question
from companion.games.hooked.script import STEP_NS, SlapTruth
from companion.games.hooked.state import LakeCard, Slap

Read = Literal["right", "asked", "wrong", "missed"]
TIE_NS = 1_300_000
"""Slaps so close together may be a dead heat or not: contacts bounce."""
FALSE_NS = 100_000_000
"""Who presses earlier than this is too early; one frame less, and no camera can tell."""
OF_CARD, OF_SEAT = frozenset({"card", "copies"}), frozenset({"turn", "flipper"})
"""The kinds of questions about a flip: which card it is, and who flipped it."""


class Reading(msgspec.Struct, frozen=True):
    """How a flip was told. ``bad`` are sentences about what was wrong and nobody was asked about."""

    read: Read
    bad: tuple[str, ...] = ()


class Judgement(msgspec.Struct, frozen=True):
    """What was made of a flip's slaps; ``read`` None: nobody pressed anything that counts."""

    read: Read | None
    bad: tuple[str, ...] = ()


def reading(truth: Truth, told: Sequence[LakeCard], asked: Collection[str]) -> Reading:
    """How the cards that were told of a flip compare with it; ``asked`` are the kinds of questions about them."""
    if not told:
        return Reading("missed", (f"{truth.card} was not seen, and nobody was asked",))
    cards = ", ".join(card.card for card in told)
    if OF_CARD & set(asked):
        read: Read = "asked"
    elif [card.card for card in told] == [truth.card]:
        read = "right"
    else:
        return Reading("wrong", (f"{truth.card} was told as {cards}",))
    bad = []
    if told[0].seat != truth.seat and not OF_SEAT & set(asked):
        bad.append(f"{truth.seat} flipped {truth.card}, told as {told[0].seat}")
    off = off_ns(truth, told[-1])
    if read == "right" and off > FALSE_NS:
        bad.append(f"{truth.card} could be seen {off / 1e6:.0f} ms beside the time told")
    return Reading("wrong" if bad else read, tuple(bad))


def unasked(told: Sequence[LakeCard], questions: Iterable[Question]) -> list[LakeCard]:
    """Those of the cards told of which nobody was asked whether they are right."""
    about = {question.about.get("flip") for question in questions if question.kind in OF_CARD}
    return [card for card in told if card.fact not in about]


def off_ns(truth: Truth, card: LakeCard) -> int:
    """How far the moment from which people could see a card lies outside the stretch that was told for it."""
    return max(card.before_ns - truth.shown_ns, truth.shown_ns - card.seen_ns, 0)


def judgement(
    truth: Truth, slap: Slap | None, *, asked: bool, only: Collection[str] | None = None, swept: bool = False
) -> Judgement:
    """How the verdict stands once everything was answered. ``only``: a dead heat is decided among these seats;
    ``swept``: the card was won with the Lake before it, by somebody who was early for this one.

    Several who were as good as equally quick may each be first, and who was early by less than a frame may have been
    in time.
    """
    wrong = {s.seat for s in truth.slaps if s.sort == "wrong"}
    early = {s.seat for s in truth.slaps if s.sort == "early"}
    close = {s.seat for s in truth.slaps if s.sort == "early" and s.after_ns > FALSE_NS - STEP_NS}
    right = _first(truth, only)
    first = {s.seat for s in right if s.t_ns - right[0].t_ns <= TIE_NS}
    fined = {p.seat for p in slap.presses if p.verdict == "wrong"} if slap is not None else set()
    won = (set(slap.dead_heat) or {slap.winner} - {None}) if slap is not None else set()
    if not (first or wrong or won or fined):
        return Judgement(None)
    if swept:
        fine = bool(early) and not won and not fined
    elif only is not None:
        fine = won <= first | close and fined <= wrong | close | {s.seat for s in truth.right}
    else:
        winners = (won <= first and bool(won) == bool(first)) or (bool(won) and won <= close and truth.why is not None)
        fine = winners and wrong - early <= fined <= wrong | close
    if fine:
        return Judgement("asked" if asked else "right")
    said = f"slap of {truth.card} ({truth.why or '-'}): {_slaps(truth.slaps)}, judged {_told(slap)}"
    return Judgement("wrong", (said,))


def _first(truth: Truth, only: Collection[str] | None) -> list[SlapTruth]:
    """The slaps that may win, the earliest first. While a dead heat is decided any card may be slapped."""
    if only is None or truth.why is not None:
        return truth.right
    found = [s for s in truth.slaps if s.seat in only and s.sort in ("right", "wrong")]
    return sorted(found, key=lambda slap: slap.t_ns)


def _slaps(slaps: Sequence[SlapTruth]) -> str:
    return ", ".join(f"{s.seat} {s.sort} {s.after_ns / 1e6:.0f} ms ({s.button})" for s in slaps) or "-"


def _told(slap: Slap | None) -> str:
    if slap is None:
        return "-"
    first = slap.winner or " = ".join(slap.dead_heat) or "-"
    return f"{first} ({', '.join(f'{p.seat} {p.verdict}' for p in slap.presses)})"
