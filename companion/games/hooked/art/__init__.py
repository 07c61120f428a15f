"""Our own vector art for Hooked!: eighteen game fish, four action cards, the back.

Cards are whole SVG documents on a 126 x 176 view box (half millimetres), ``fish_svg`` and ``action_svg`` stand alone
on 100 x 100. None has ids, styles or fonts, so that a page can inline any number of them. With a ``title`` they are
announced by a screen reader; without one they are decoration.
"""

from __future__ import annotations

from companion.games.hook.art.palette import document, group, number
from companion.games.hooked.art import cards
from companion.games.hooked.art.actions import ACTIONS, DRAWINGS
from companion.games.hooked.art.species import SPECIES

__all__ = ["ACTIONS", "NAMES", "SPECIES", "action_svg", "back_svg", "card_svg", "fish_svg"]

_SPECIES = {species.id: species for species in SPECIES}
_ACTIONS = {action.id: action for action in ACTIONS}
NAMES = {card.id: card.name for card in (*SPECIES, *ACTIONS)}
"""What is printed on each card, by its id."""


def card_svg(id: str, title: str | None = None) -> str:
    """The face of a card; KeyError where there is no such card."""
    if id in _SPECIES:
        return cards.fish_card(_SPECIES[id], title)
    return cards.action_card(_ACTIONS[id], title)


def fish_svg(id: str, title: str | None = None) -> str:
    """A fish alone, looking to the left; KeyError where there is no such species."""
    species = _SPECIES[id]
    scale = f"translate(50 {number(50 + 0.3 * species.fish.arch)}) scale(0.92)"
    return document(group(cards.fish_shapes(species), scale), title=title)


def action_svg(id: str, title: str | None = None) -> str:
    """An action card's drawing alone; KeyError where there is no such card."""
    return document(group(DRAWINGS[_ACTIONS[id].id](), "translate(7 7) scale(0.86)"), title=title)


def back_svg(title: str | None = None) -> str:
    """The back of every card."""
    return cards.card_back(title)
