"""The drawings that only the pages of Hooked! need: the marks of the seats, the sign of the game, small signs."""

from __future__ import annotations

_LINE = 'fill="none" stroke="currentColor" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"'
_MARK = 'fill="var(--own)" stroke="currentColor" stroke-width="6" stroke-linejoin="round"'
_HOOK = "M58 14v44a20 20 0 0 1-40 0v-6l14 12"

_SHAPES = (
    '<circle cx="50" cy="50" r="38"/>',
    '<path d="M50 10 92 84H8z"/>',
    '<rect x="14" y="14" width="72" height="72"/>',
    '<path d="M50 4 92 50 50 96 8 50z"/>',
    '<path d="M50 6 62 38l34 2-27 21 9 33-28-19-28 19 9-33L4 40l34-2z"/>',
    '<path d="M36 8h28v28h28v28H64v28H36V64H8V36h28z"/>',
)

_SIGNS = {
    "clockwise": '<path d="M84 50a34 34 0 1 1-10-24M78 6v22H56"/>',
    "anticlockwise": '<path d="M16 50a34 34 0 1 0 10-24M22 6v22h22"/>',
    "lock": '<rect x="20" y="44" width="60" height="44" rx="8"/><path d="M32 44V30a18 18 0 0 1 36 0v14M50 60v12"/>',
    "slap": (
        '<path d="M34 56V24a7 7 0 0 1 14 0v22V16a7 7 0 0 1 14 0v30V22a7 7 0 0 1 14 0v40'
        'c0 20-12 30-28 30-14 0-20-8-26-20L14 56a7 7 0 0 1 12-6l8 10"/>'
    ),
    "turn": '<path d="M14 50h66M56 24l26 26-26 26"/>',
    "fish": (
        '<path d="M8 50c14-26 46-30 66-8l18-16v48L74 58C54 80 22 76 8 50z"/><circle cx="28" cy="45" r="2.5"/>'
        '<path d="M46 36c6 8 6 20 0 28"/>'
    ),
    "empty-hook": f'<path d="{_HOOK}"/><circle cx="58" cy="9" r="5"/>',
    "catch-and-release": '<path d="M16 58a34 34 0 0 0 66 4M84 42a34 34 0 0 0-66-4M18 16v24h24M82 84V60H58"/>',
    "net-cast": '<path d="M12 20h76L70 86H30zM16 42h68M24 64h52M36 20l6 66M64 20l-6 66"/>',
    "current-shift": (
        '<path d="M10 34c14-12 26 12 40 0s26 12 34 4M72 16l16 20-22 8"/>'
        '<path d="M90 66c-14 12-26-12-40 0s-26-12-34-4M28 84 12 64l22-8"/>'
    ),
    "watch": '<circle cx="50" cy="56" r="34"/><path d="M50 36v20l12 8M40 8h20M50 8v14"/>',
}

DRAWINGS: dict[str, str] = {
    "hooked": (
        '<rect x="2" y="2" width="96" height="96" rx="20" fill="#0e6a7c"/>'
        '<path d="M10 78c14-9 26 9 40 0s26 9 40 0" fill="none" stroke="#8fd0c7" stroke-width="6"/>'
        '<path d="M60 16v36a18 18 0 0 1-36 0v-6l13 11" fill="none" stroke="#fff3d9" stroke-width="9" '
        'stroke-linecap="round" stroke-linejoin="round"/><circle cx="60" cy="15" r="7" fill="#fff3d9"/>'
        '<path d="M66 42c8-8 16-8 22 0-6 8-14 8-22 0z" fill="#e69f00"/>'
    ),
    **{f"m-{index}": f"<g {_MARK}>{shape}</g>" for index, shape in enumerate(_SHAPES, 1)},
    **{name: f"<g {_LINE}>{shapes}</g>" for name, shapes in _SIGNS.items()},
}
