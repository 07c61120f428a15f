"""A doubt as a card of the page: its sentence, its picture, its answers, and who may give one."""

from __future__ import annotations

from companion.core.facts import Doubt
from companion.words import Text, _
from web.decks import DeckBook
from web.model import ChoiceView, DoubtView


def doubt_view(
    doubt: Doubt, decides: Text | str | None, book: DeckBook, ring: tuple[float, float, float] | None = None
) -> DoubtView:
    """What the page shows of a doubt. ``decides`` is the name of whoever alone may answer; ``ring`` the part of the
    picture that it is about."""
    question = doubt.question
    return DoubtView(
        id=doubt.id,
        version=doubt.version,
        kind=question.kind,
        sentence=question.sentence,
        picture=doubt.picture,
        choices=tuple(
            ChoiceView(
                choice.value,
                choice.label,
                choice.symbol,
                likely=index == 0 and not question.obliged,
                face=choice.symbol is not None and book.face(choice.symbol) is not None,
                symbols=choice.symbols or (),
            )
            for index, choice in enumerate(question.choices)
        ),
        asks=None if question.seat is None else _("{name} decides.", name=decides),
        seat=question.seat,
        ring=ring,
    )
