"""The drawings of the pages, each once as an SVG symbol that everything else refers to.

The game's own art comes from its folder; here are only the small signs of the page itself, in the same one line
weight.
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from companion.games.hook import art
from web.game import Pages

SIGNS = {
    "none": '<circle cx="50" cy="50" r="26" stroke-dasharray="9 14"/>',
    "unread": '<path d="M34 36a17 17 0 1 1 25 15c-6 4-9 7-9 14M50 82v1"/>',
    "card": '<rect x="30" y="14" width="50" height="62" rx="8"/><path d="M20 30v50a8 8 0 0 0 8 8h38"/>',
    "sun": (
        '<circle cx="50" cy="50" r="17"/>'
        '<path d="M50 8v12M50 80v12M8 50h12M80 50h12M20 20l9 9M71 71l9 9M80 20l-9 9M29 71l-9 9"/>'
    ),
    "moon": '<path d="M62 12a40 40 0 1 0 26 56A34 34 0 0 1 62 12z"/>',
    "sound": '<path d="M12 38v24h16l22 18V20L28 38zM64 36a20 20 0 0 1 0 28M76 22a40 40 0 0 1 0 56"/>',
    "silent": '<path d="M12 38v24h16l22 18V20L28 38zM66 38l24 24M90 38 66 62"/>',
    "screen": '<rect x="10" y="18" width="80" height="52" rx="6"/><path d="M34 88h32M50 70v18"/>',
    "s-watching": '<path d="M8 50c22-36 62-36 84 0-22 36-62 36-84 0z"/><circle cx="50" cy="50" r="13"/>',
    "s-reading": '<circle cx="42" cy="42" r="27"/><path d="M62 62l26 26"/>',
    "s-waiting": (
        '<path d="M28 12h44M28 88h44M34 12c0 24 32 28 32 38s-32 14-32 38M66 12c0 24-32 28-32 38s32 14 32 38"/>'
    ),
    "s-unsure": '<path d="M30 34a20 20 0 1 1 30 17c-7 5-10 8-10 17"/><path d="M50 86v1"/>',
    "s-lost": '<path d="M10 32h16l8-12h32l8 12h16v50H10z"/><path d="M14 92 88 10"/>',
    "s-none": '<path d="M36 92V30a9 9 0 0 1 18 0v30l24 6c8 2 10 8 8 16l-3 10"/>',
    "s-corrected": '<path d="M18 84l6-22 46-46 16 16-46 46z"/><path d="M60 26l16 16"/>',
    "s-over": '<path d="M24 92V10M24 14c20-10 30 10 54 0v40c-24 10-34-10-54 0"/>',
    "s-setup": ('<circle cx="36" cy="32" r="16"/><path d="M8 88c0-24 12-34 28-34s28 10 28 34M78 30v36M60 48h36"/>'),
}
_LINE = 'fill="none" stroke="currentColor" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"'


def _inner(document: str) -> str:
    """What an SVG document holds, without its ``<svg>`` element."""
    return re.sub(r"^\s*<svg[^>]*>|</svg>\s*$", "", document)


@cache
def sprite(games: tuple[Pages, ...] = ()) -> Markup:
    """All drawings as hidden SVG symbols; ``<use href="#a-NAME">`` shows one."""
    drawings = {name: f"<g {_LINE}>{shapes}</g>" for name, shapes in SIGNS.items()}
    drawings |= {name: _inner(art.symbol_svg(name)) for name in art.SYMBOLS}
    drawings |= {f"c-{name}": _inner(art.character_svg(name)) for name in art.CHARACTERS}
    drawings |= {
        "compass": _inner(art.compass_svg()),
        "ball": _inner(art.cannonball_svg()),
        "hook": _inner(art.logo_svg()),
    }
    for pages in games:
        drawings |= pages.drawings
    symbols = "".join(
        f'<symbol id="a-{name}" viewBox="0 0 100 100">{inner}</symbol>' for name, inner in drawings.items()
    )
    return Markup(f'<svg width="0" height="0" class="sprite" aria-hidden="true" focusable="false">{symbols}</svg>')
