"""What is open, in words, and the facts that an answer makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from companion.core.facts import Choice, Fact, Question, RuleBroken
from companion.games.hooked.facts import CardPassed, FlipRuled, PressRuled, SlapTold
from companion.games.hooked.sentences import card_name, who
from companion.games.hooked.state import Ask, Setup, State
from companion.words import Text, _

NOBODY = "nobody"
BACK = "back"
MOST_CHOICES = 5
"""Likely cards that are offered first; then come all others of the deck."""


def questions(state: State) -> tuple[Question, ...]:
    """All open questions, oldest first."""
    return tuple(word(state.setup, ask) for ask in state.asks)


def key(ask: Ask) -> str:
    """The name of a question, the same from one state to the next."""
    parts = [ask.kind, str(ask.flip)]
    if ask.press_ns:
        parts += [ask.seat, str(ask.press_ns)]
    return ":".join(parts)


def word(setup: Setup, ask: Ask) -> Question:
    """A question with its sentence and choices."""
    sentence, choices = _words(setup, ask)
    about: dict[str, Any] = {"flip": ask.flip, "card": ask.card}
    if ask.seat:
        about["seat"] = ask.seat
    if ask.press_ns:
        about["press_ns"] = ask.press_ns
    if ask.picture:
        about["picture"] = ask.picture
    return Question(key=key(ask), kind=ask.kind, sentence=sentence, choices=choices, about=about, facts=(ask.flip,))


def _words(setup: Setup, ask: Ask) -> tuple[Text, tuple[Choice, ...]]:
    card = card_name(setup, ask.card)
    match ask.kind:
        case "card":
            return _("Which card was flipped?"), (*_cards(setup, ask), _taken_back())
        case "copies":
            sentence = _("All cards of this kind lie in the Lake already: {card}. Which card is it?", card=card)
            return sentence, (*_cards(setup, ask), _taken_back())
        case "turn":
            sentence = _(
                "It was {turn}'s turn, but {seat} flipped {card}. Who flipped it?",
                turn=who(setup, ask.other),
                seat=who(setup, ask.seat),
                card=card,
            )
            return sentence, (*_seats(setup, (ask.seat, ask.other)), _taken_back())
        case "flipper":
            first = [seat for seat in (ask.seat, ask.other) if seat in ask.options]
            rest = [seat for seat in ask.options if seat not in first]
            return _("Who flipped {card}?", card=card), (*_seats(setup, (*first, *rest)), _taken_back())
        case "press":
            seat = who(setup, ask.seat)
            sentence = _("{seat} slapped just as {card} was flipped. Was that too early?", seat=seat, card=card)
            early = Choice("early", _("Too early for {card}", card=card))
            return sentence, (Choice("slap", _("It was a slap of {card}", card=card)), early, _no_slap())
        case "late-tap":
            before = card_name(setup, ask.other)
            if ask.card == ask.other:  # two of the same name are told apart by which came later
                card, before = _("the new {card}", card=card), _("the {card} before", card=before)
            sentence = _("{seat} slapped: {before} or {card}?", seat=who(setup, ask.seat), before=before, card=card)
            of = (Choice("slap", card, ask.card), Choice("before", before, ask.other))
            return sentence, (*of, _no_slap())
        case "first":
            return _("Who slapped {card} first?", card=card), (*_seats(setup, ask.options), _none())
        case "pressed":
            sentence = _("Did {seat} slap {card}?", seat=who(setup, ask.seat), card=card)
            return sentence, (Choice("slap", _("It was a slap of {card}", card=card)), _no_slap())
        case "unslapped":
            sentence = _("{card} may still be slapped, and then the game is over. Who slapped it?", card=card)
            return sentence, (_none(), *_seats(setup, ask.options))
        case _:
            if not ask.seat:
                return _("Nobody has a card left. Is the game over?"), (Choice("over", _("It is over")),)
            sentence = _("Only {seat} has cards left. Is the game over?", seat=who(setup, ask.seat))
            return sentence, (Choice("over", _("It is over")),)


def _seats(setup: Setup, seats: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(seat, who(setup, seat), seat) for seat in dict.fromkeys(seats))


def _cards(setup: Setup, ask: Ask) -> tuple[Choice, ...]:
    likely = ask.options[:MOST_CHOICES]
    cards = dict.fromkeys((*likely, *setup.cards))
    return tuple(Choice(id, card_name(setup, id), id) for id in cards)


def _none() -> Choice:
    return Choice(NOBODY, _("Nobody"))


def _no_slap() -> Choice:
    return Choice("nothing", _("It was no slap"))


def _taken_back() -> Choice:
    return Choice(BACK, _("It was taken back and does not count"))


def answer(state: State, question: Question, value: str) -> tuple[Fact, ...]:
    """The facts that an answer makes. RuleBroken when it is none of the choices, or the question is settled."""
    ask = next((ask for ask in state.asks if key(ask) == question.key), None)
    if ask is None:
        raise RuleBroken(_("This question is settled already."))
    if value not in {choice.value for choice in _words(state.setup, ask)[1]}:
        raise RuleBroken(_("That is none of the possible answers."))
    flip = ask.flip
    match ask.kind:
        case "card" | "copies" | "turn" | "flipper" if value == BACK:
            return (FlipRuled(flip=flip, counts=False),)
        case "card" | "copies":
            return (FlipRuled(flip=flip, card=value),)
        case "turn" | "flipper":
            return (FlipRuled(flip=flip, seat=value),)
        case "first" if value == NOBODY:
            return tuple(_ruled(flip, seat, t_ns, "nothing") for seat, t_ns in _presses(state, ask))
        case "first":
            return (SlapTold(flip=flip, seat=value),)
        case "unslapped" if value != NOBODY:
            return (SlapTold(flip=flip, seat=value),)
        case "unslapped" | "end":
            return (CardPassed(flip=flip),)
        case _ if value == "before":
            return (_ruled(ask.other_flip, ask.seat, ask.press_ns, "slap"),)
        case _:
            meant: Literal["slap", "early", "nothing"] = (
                "slap" if value == "slap" else "early" if value == "early" else "nothing"
            )
            return (_ruled(flip, ask.seat, ask.press_ns, meant),)


def _ruled(flip: int, seat: str, press_ns: int, meant: Literal["slap", "early", "nothing"]) -> PressRuled:
    return PressRuled(flip=flip, seat=seat, press_ns=press_ns, meant=meant)


def _presses(state: State, ask: Ask) -> list[tuple[str, int]]:
    """The presses among which the first one was asked for."""
    presses = [press for slap in state.slaps if slap.id == ask.flip for press in slap.presses]
    return [(press.seat, press.t_ns) for press in presses if press.verdict == "unsure"]
