"""The eighteen game fish, numbered by the weight of the North American record, and how each is drawn.

No two share their outline, pose, pattern and water: whoever does not see colours, and a camera in a bad light, tells
them apart all the same.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.hook.art.palette import IVORY, path
from companion.games.hooked.art.fish import (
    Body,
    Fin,
    Fish,
    barbels,
    bars,
    blotches,
    lines,
    open_line,
    scales,
    spots,
    stripe,
    worms,
)


class Species(NamedTuple):
    """A species: its number, name, drawing, how it stands on the card (turn in degrees, mirrored, size, middle) and its
    water: ground and motif (numbers of ``waters``)."""

    id: str
    number: int
    name: str
    fish: Fish
    turn_deg: float
    mirrored: bool
    size: float
    at: tuple[float, float]
    ground: int
    motif: int


def _jaw(body: Body) -> str:
    """A hooked lower jaw."""
    x, y = body.at(0.0, 0.0)
    hook = [(x - 1.5, y - 1), (x - 3, y + 4.5), (x + 3, y + 5.5), (x + 8, y + 5)]
    return path(open_line(hook), body.fish.belly, 2.1)


def _beak(body: Body) -> str:
    """Teeth along a long beak."""
    teeth = ""
    for i in range(9):
        x, y = body.at(0.02 + 0.017 * i, 0.0)
        teeth += f"M{x:.2f} {y:.2f} l1 {2 if i % 2 else -2}"
    return path(open_line(body.line(0.0, 0.0, 0.2, 8)), width=1.2) + path(teeth, width=0.9, stroke=IVORY)


def _scutes(body: Body) -> str:
    """Rows of bony diamonds along a sturgeon."""
    return blotches("#e9dcc0", [(0.27 + 0.068 * i, -0.78, 0.026, 0.2) for i in range(11)])(body) + blotches(
        "#d8c8a4", [(0.29 + 0.06 * i, 0.08, 0.018, 0.22) for i in range(12)]
    )(body)


_PERCH = Fish(
    ((0, 1, 1), (0.12, 8, 6), (0.35, 15, 12), (0.6, 12, 10.5), (0.85, 5.5, 5), (1, 4, 4)),
    "#6c7a2a", "#e3b53a", "#fbeec2", "#ef8a2c",
    (Fin(0.32, 0.62, 13, "spiny"), Fin(0.66, 0.86, 9), Fin(0.66, 0.84, 9, below=True), Fin(0.36, 0.46, 10, below=True)),
    "fork", 13, (bars("#3d4a1c", (0.34, 0.46, 0.58, 0.7, 0.82, 0.93), 0.034, high=0.62),), mouth=0.08,
)  # fmt: skip
_BLUEGILL = Fish(
    ((0, 2, 2), (0.1, 14, 11), (0.35, 28, 25), (0.6, 26, 24), (0.85, 10, 9), (1, 5, 5)),
    "#2f4a63", "#5b84a6", "#ee9a4a", "#33506b",
    (Fin(0.3, 0.64, 10, "spiny"), Fin(0.64, 0.9, 13), Fin(0.6, 0.88, 13, below=True), Fin(0.36, 0.48, 13, below=True)),
    "square", 15,
    (bars("#3a5f80", (0.4, 0.52, 0.64, 0.76, 0.87), 0.022, low=-0.9, high=0.6),
     blotches("#141820", ((0.31, -0.16, 0.055, 0.2),))),
    eye=(0.13, -0.32, 3.2), mouth=0.05,
)  # fmt: skip
_CRAPPIE = Fish(
    ((0, 1, 1), (0.14, 9, 9), (0.4, 23, 22), (0.62, 22, 21), (0.86, 9, 8), (1, 5, 5)),
    "#4e5a52", "#d7dccb", "#f4f2e4", "#aeb8a4",
    (Fin(0.42, 0.9, 19, "sail"), Fin(0.42, 0.9, 19, "sail", below=True), Fin(0.3, 0.38, 9, below=True)),
    "square", 15, (spots("#2a2f2c", 62, (0.9, 2.5), (0.22, 0.98, -0.92, 0.7), 5),),
    eye=(0.14, -0.35, 3.4), mouth=0.09, pectoral=(0.3, 10),
)  # fmt: skip
_GRAYLING = Fish(
    ((0, 1, 1), (0.12, 7, 6), (0.35, 11, 11), (0.6, 10, 10), (0.85, 5, 5), (1, 4, 4)),
    "#5a5a86", "#9fa6c4", "#e6e2ea", "#6d5f9c",
    (Fin(0.26, 0.66, 27, "sail"), Fin(0.8, 0.87, 6, "lobe"), Fin(0.7, 0.82, 9, below=True),
     Fin(0.46, 0.56, 11, below=True)),
    "fork", 14,
    (spots("#262440", 14, (0.9, 1.5), (0.26, 0.5, -0.7, 0.5), 3), scales("#7d83a8", (-0.5, -0.15, 0.2, 0.5), 12, 0.34)),
    mouth=0.06,
)  # fmt: skip
_SMALLMOUTH = Fish(
    ((0, 2, 3), (0.12, 10, 9), (0.35, 17, 15), (0.6, 15, 13), (0.85, 7, 6.5), (1, 5, 5)),
    "#5d4a22", "#a8843c", "#e8d9a4", "#7a5f2c",
    (Fin(0.32, 0.56, 8, "spiny"), Fin(0.57, 0.84, 13), Fin(0.64, 0.84, 11, below=True),
     Fin(0.36, 0.46, 11, below=True)),
    "square", 14,
    (bars("#4b3916", (0.33, 0.42, 0.51, 0.6, 0.69, 0.78, 0.87), 0.017, low=-0.85, high=0.55, lean=0.035),
     lines("#4b3916", (-0.15, 0.12), 2.2, 0.06, 0.22)),
    arch=9, eye=(0.13, -0.38, 2.8), mouth=0.11,
)  # fmt: skip
_BROOK = Fish(
    ((0, 1, 1), (0.12, 8, 7), (0.35, 13, 13), (0.6, 12, 12), (0.85, 6, 6), (1, 5, 5)),
    "#2f4f3f", "#4f7f66", "#ee6f2d", "#e8552a",
    (Fin(0.44, 0.6, 11), Fin(0.8, 0.87, 6, "lobe"), Fin(0.7, 0.84, 11, below=True), Fin(0.46, 0.57, 11, below=True)),
    "square", 13,
    (worms("#c3d36c", 26, (0.24, 0.9, -0.85, -0.25), 4), spots("#f2d95c", 16, (1.1, 1.7), (0.3, 0.92, -0.1, 0.4), 8),
     spots("#d8352a", 7, (1.0, 1.3), (0.3, 0.9, -0.15, 0.35), 2, halo="#8fb7e8"),
     lines("#fdf5e3", (0.97,), 2.4, 0.45, 0.6)),
    arch=-11, mouth=0.12,
)  # fmt: skip
_LARGEMOUTH = Fish(
    ((0, 4, 8), (0.14, 13, 16), (0.35, 21, 20), (0.6, 17, 16), (0.85, 7, 7), (1, 5, 5)),
    "#38562c", "#7ea055", "#f2f0d2", "#4b6c38",
    (Fin(0.3, 0.5, 8, "spiny"), Fin(0.57, 0.84, 14), Fin(0.64, 0.84, 12, below=True), Fin(0.36, 0.46, 12, below=True)),
    "square", 15, (blotches("#22361a", [(0.3 + 0.085 * i, 0.02 + 0.06 * (i % 2), 0.056, 0.2) for i in range(9)]),
                   lines("#b9c98a", (-0.5, -0.32), 1.0, 0.3, 0.9, 9)),
    arch=-5, wave=-4, eye=(0.15, -0.42, 3.0), mouth=0.19,
)  # fmt: skip
_WALLEYE = Fish(
    ((0, 1, 1.5), (0.12, 6, 6), (0.35, 11, 10.5), (0.6, 10, 9), (0.85, 5, 4.5), (1, 3.5, 3.5)),
    "#4d4a22", "#b59a3c", "#f6f0d8", "#8a7a3a",
    (Fin(0.3, 0.5, 14, "spiny"), Fin(0.58, 0.78, 11), Fin(0.62, 0.78, 9, below=True), Fin(0.34, 0.44, 10, below=True)),
    "fork", 13,
    (bars("#3d3818", (0.33, 0.47, 0.6, 0.73, 0.86), 0.03, low=-0.98, high=-0.1),
     spots("#e9cf6a", 26, (0.7, 1.1), (0.27, 0.95, -0.3, 0.35), 9)),
    eye=(0.13, -0.35, 4.2), mouth=0.14, wave=3,
)  # fmt: skip
_COHO = Fish(
    ((0, 2, 2), (0.12, 9, 8), (0.35, 15, 14), (0.6, 14, 13), (0.85, 6, 6), (1, 4.5, 4.5)),
    "#26476e", "#c9d6de", "#f7f8f4", "#5b7f9c",
    (Fin(0.46, 0.6, 11, "sharp"), Fin(0.8, 0.86, 6, "lobe"), Fin(0.7, 0.84, 10, "sharp", below=True),
     Fin(0.48, 0.57, 9, "sharp", below=True)),
    "moon", 16,
    (scales("#8fa5b4", (-0.25, 0.0, 0.25, 0.5), 15), spots("#10233a", 18, (0.8, 1.3), (0.2, 0.95, -0.9, -0.45), 4)),
    (_jaw,), arch=-16, mouth=0.12,
)  # fmt: skip
_BROWN = Fish(
    ((0, 2, 2), (0.12, 9, 9), (0.35, 15, 15), (0.6, 14, 14), (0.85, 7.5, 7.5), (1, 6.5, 6.5)),
    "#6a4a1e", "#c08a3a", "#f3dc9a", "#a06a2a",
    (Fin(0.42, 0.6, 12), Fin(0.79, 0.87, 7, "lobe"), Fin(0.7, 0.84, 11, below=True), Fin(0.46, 0.57, 10, below=True)),
    "square", 14,
    (spots("#2a1a0c", 20, (1.5, 2.3), (0.24, 0.95, -0.85, 0.35), 12, halo="#ecd08a"),
     spots("#c8261c", 7, (1.2, 1.6), (0.3, 0.9, -0.2, 0.4), 7, halo="#f4e6c0")),
    wave=7, mouth=0.13,
)  # fmt: skip
_PIKE = Fish(
    ((0, 1.5, 1.5), (0.08, 3, 3.5), (0.2, 6, 6), (0.4, 9, 9), (0.7, 9, 8.5), (0.88, 5, 5), (1, 4, 4)),
    "#31512c", "#5f8a44", "#eef0cc", "#a8662e",
    (Fin(0.74, 0.92, 13), Fin(0.74, 0.92, 12, below=True), Fin(0.48, 0.56, 8, below=True)),
    "fork", 13, (lines("#dfe79a", (-0.5, -0.12, 0.26), 2.1, 0.27, 0.95, 9),),
    eye=(0.16, -0.4, 2.2), mouth=0.14, gill=0.26, pectoral=(0.28, 9),
)  # fmt: skip
_RAINBOW = Fish(
    ((0, 2, 2), (0.12, 9, 8), (0.35, 14, 14), (0.6, 13, 13), (0.85, 6, 6), (1, 5, 5)),
    "#4f7a52", "#b9cfa8", "#f4f4ea", "#7c9a70",
    (Fin(0.44, 0.6, 11), Fin(0.8, 0.87, 6, "lobe"), Fin(0.7, 0.84, 10, below=True), Fin(0.48, 0.58, 9, below=True)),
    "fork", 15, (stripe("#e0527a", -0.22, 0.26, 0.1), spots("#22301f", 60, (0.55, 1.0), (0.16, 0.98, -0.95, -0.25), 6)),
    arch=13, mouth=0.09,
)  # fmt: skip
_CATFISH = Fish(
    ((0, 5, 4), (0.1, 9, 9), (0.3, 14, 17), (0.6, 10, 10), (0.85, 5, 5), (1, 4, 4)),
    "#4a5360", "#7f8a94", "#e6e6dc", "#5b6570",
    (Fin(0.34, 0.44, 15, "sharp"), Fin(0.78, 0.88, 5, "lobe"), Fin(0.6, 0.88, 9, below=True),
     Fin(0.46, 0.54, 9, below=True)),
    "fork", 15, (spots("#2e363f", 16, (0.9, 1.7), (0.28, 0.92, -0.6, 0.3), 14),),
    (barbels(((0.02, 0.3, -14, 8), (0.05, 0.6, -10, 15), (0.09, 0.8, -3, 17), (0.03, -0.6, -9, -13))),),
    eye=(0.13, -0.3, 2.0), mouth=0.1, wave=-5,
)  # fmt: skip
_MUSKY = Fish(
    ((0, 1.5, 2), (0.1, 3.5, 5), (0.22, 7, 7), (0.45, 11, 10), (0.72, 10, 9), (0.88, 5.5, 5.5), (1, 4.5, 4.5)),
    "#5f5a34", "#b9ae7e", "#f1ecd4", "#8e5a34",
    (Fin(0.73, 0.92, 14), Fin(0.73, 0.92, 14, below=True), Fin(0.47, 0.56, 9, below=True)),
    "moon", 16, (bars("#4c4423", [0.29 + 0.052 * i for i in range(13)], 0.011, low=-0.85, high=0.75, lean=-0.01),),
    arch=-9, wave=4, eye=(0.16, -0.45, 2.2), mouth=0.15, gill=0.26, pectoral=(0.28, 10),
)  # fmt: skip
_STRIPER = Fish(
    ((0, 1.5, 2), (0.12, 9, 9), (0.35, 16, 15), (0.6, 14, 13), (0.85, 6, 6), (1, 4.5, 4.5)),
    "#46606a", "#d9e2dc", "#ffffff", "#7d939a",
    (Fin(0.3, 0.5, 13, "spiny"), Fin(0.56, 0.76, 11, "sharp"), Fin(0.64, 0.8, 10, "sharp", below=True),
     Fin(0.36, 0.45, 10, below=True)),
    "fork", 16, (lines("#1d2b33", (-0.66, -0.42, -0.18, 0.06, 0.3, 0.52), 1.9),),
    mouth=0.12,
)  # fmt: skip
_CHINOOK = Fish(
    ((0, 3, 3), (0.1, 10, 9), (0.28, 21, 15), (0.5, 19, 17), (0.82, 8, 8), (1, 6, 6)),
    "#3c2a2a", "#a4463a", "#d98a6a", "#7a3430",
    (Fin(0.46, 0.6, 12, "sharp"), Fin(0.79, 0.86, 7, "lobe"), Fin(0.7, 0.84, 11, below=True),
     Fin(0.46, 0.56, 10, below=True)),
    "moon", 19, (spots("#1c1212", 34, (0.9, 1.7), (0.16, 0.97, -0.95, -0.2), 10),
                 blotches("#7f2f2a", [(0.36 + 0.12 * i, 0.12, 0.05, 0.3) for i in range(5)])),
    (_jaw,), arch=6, wave=-4, mouth=0.14,
)  # fmt: skip
_GAR = Fish(
    ((0, 1.6, 1.6), (0.18, 3, 3), (0.24, 6, 6), (0.4, 8.5, 8.5), (0.75, 8, 8), (0.9, 5, 5), (1, 4.5, 4.5)),
    "#3f4a33", "#7d8458", "#dcd6ac", "#5d6440",
    (Fin(0.8, 0.94, 11), Fin(0.78, 0.92, 11, below=True), Fin(0.55, 0.62, 7, below=True)),
    "round", 11, (blotches("#333b28", [(0.36 + 0.075 * i, 0.1 * (-1) ** i, 0.022, 0.3) for i in range(9)]),
                  scales("#565d3c", (-0.6, -0.3, 0.0, 0.3, 0.6), 16, 0.3)),
    (_beak,), eye=(0.215, -0.3, 1.9), mouth=0.0, gill=0.28, pectoral=(0.31, 8),
)  # fmt: skip
_STURGEON = Fish(
    ((0, 1, 1), (0.1, 5, 4), (0.24, 9, 7), (0.4, 11, 9), (0.65, 9, 7.5), (0.88, 4, 4), (1, 3, 3)),
    "#5c6470", "#98a0a6", "#f0ece0", "#6a727c",
    (Fin(0.76, 0.88, 10, "sharp"), Fin(0.78, 0.88, 8, "sharp", below=True), Fin(0.62, 0.7, 7, below=True)),
    "shark", 13, (_scutes,),
    (barbels(((0.07, 0.9, -2, 7), (0.09, 0.9, 0, 8), (0.11, 0.9, 2, 7))),),
    arch=14, eye=(0.13, -0.3, 1.7), mouth=0.0, pectoral=(0.28, 15),
)  # fmt: skip

SPECIES = (
    Species("yellow-perch", 1, "Yellow Perch", _PERCH, 0, False, 1.1, (63, 88), 0, 0),
    Species("bluegill", 2, "Bluegill", _BLUEGILL, -8, True, 1.1, (62, 87), 1, 1),
    Species("black-crappie", 3, "Black Crappie", _CRAPPIE, 14, False, 1.1, (62, 85), 2, 2),
    Species("arctic-grayling", 4, "Arctic Grayling", _GRAYLING, -22, True, 1.13, (65, 89), 3, 3),
    Species("smallmouth-bass", 5, "Smallmouth Bass", _SMALLMOUTH, 36, False, 1.22, (55, 90), 4, 4),
    Species("brook-trout", 6, "Brook Trout", _BROOK, -48, True, 1.38, (58, 71), 5, 5),
    Species("largemouth-bass", 7, "Largemouth Bass", _LARGEMOUTH, 74, False, 1.29, (78, 74), 6, 6),
    Species("walleye", 8, "Walleye", _WALLEYE, -56, True, 1.52, (69, 77), 7, 7),
    Species("coho-salmon", 9, "Coho Salmon", _COHO, 0, True, 1.03, (61, 85), 8, 8),
    Species("brown-trout", 10, "Brown Trout", _BROWN, -58, True, 1.4, (66, 74), 4, 1),
    Species("northern-pike", 11, "Northern Pike", _PIKE, 98, False, 1.3, (76, 76), 1, 0),
    Species("rainbow-trout", 12, "Rainbow Trout", _RAINBOW, 12, True, 1.07, (61, 89), 7, 2),
    Species("channel-catfish", 13, "Channel Catfish", _CATFISH, -24, False, 1.0, (67, 85), 2, 7),
    Species("muskellunge", 14, "Muskellunge", _MUSKY, -58, True, 1.5, (61, 72), 3, 6),
    Species("striped-bass", 15, "Striped Bass", _STRIPER, 50, False, 1.24, (54, 90), 8, 5),
    Species("chinook-salmon", 16, "Chinook Salmon", _CHINOOK, 72, False, 1.32, (66, 78), 0, 4),
    Species("alligator-gar", 17, "Alligator Gar", _GAR, -58, False, 1.45, (61, 75), 6, 8),
    Species("white-sturgeon", 18, "White Sturgeon", _STURGEON, -66, True, 1.38, (82, 83), 5, 3),
)
"""In the order of their numbers."""
