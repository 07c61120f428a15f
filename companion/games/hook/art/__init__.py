"""Our own vector art for Hook!: symbols, characters, Compass, Cannonball and the logo, with one line weight.

Every function returns a whole SVG document on a 100 x 100 view box (Hit cards: 100 x 140) without ids, styles or
fonts, so that a page can inline any number of them. With a ``title`` it is announced by a screen reader; without
one it is decoration. ``shapes`` gives the same drawing without its ``<svg>`` for use inside another one.
"""

from __future__ import annotations

from companion.games.hook.art.cards import compass_shapes, hit_card_shapes, placed, portrait_shapes
from companion.games.hook.art.heads import HEADS
from companion.games.hook.art.logo import logo_shapes
from companion.games.hook.art.palette import IVORY, circle, document, group
from companion.games.hook.art.things import THINGS, cannonball
from companion.games.hook.names import CHARACTERS, SYMBOLS

__all__ = [
    "CHARACTERS",
    "SYMBOLS",
    "cannonball_svg",
    "character_svg",
    "compass_svg",
    "hit_card_svg",
    "logo_svg",
    "shapes",
    "symbol_svg",
]


def shapes(name: str) -> str:
    """The drawing of one symbol as a ``<g>`` on the 100 x 100 view box; KeyError where there is no such symbol."""
    draw = HEADS.get(name) or THINGS[name]
    return group(draw())


def symbol_svg(name: str, title: str | None = None, *, paper: bool = False) -> str:
    """One of the twelve symbols of the Target cards; KeyError where there is no such symbol.

    With ``paper`` it stands on a round ivory paper, as on the cards, which keeps its dark lines visible on a dark page.
    """
    if not paper:
        return document(shapes(name), title=title)
    return document(circle(50, 50, 50, IVORY, 0) + placed(shapes(name), 50, 50, 0.88), title=title)


def character_svg(name: str, title: str | None = None) -> str:
    """A character's portrait in a medallion of its colour and pattern; KeyError for anyone else."""
    return document(portrait_shapes(name), title=title)


def hit_card_svg(name: str, title: str | None = None, *, spaces: bool = True) -> str:
    """A Hit card: the nine numbered spaces 9 to 1, or with ``spaces=False`` its other side, the character alone."""
    return document(hit_card_shapes(name, spaces=spaces), 100, 140, title)


def compass_svg(title: str | None = None) -> str:
    """The Compass."""
    return document(compass_shapes(), title=title)


def cannonball_svg(title: str | None = None) -> str:
    """A Cannonball."""
    return document(cannonball(), title=title)


def logo_svg(title: str | None = None) -> str:
    """The program's mark, bold enough for a favicon of 16 pixels."""
    return document(logo_shapes(), title=title)
