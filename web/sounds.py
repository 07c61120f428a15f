"""Sound cues as data: the browser plays them with a few sine waves, when an element that asks for one appears.

An element asks with ``data-sound`` (one of these names) and ``data-sound-key`` (what has happened: heard once). Cues
differ in pitch and in rhythm, so that they are told apart without looking. Off on phones until somebody turns them on.
"""

from __future__ import annotations

Tone = tuple[int, int, int]
"""Hertz, milliseconds from the start, milliseconds long."""

SOUNDS: dict[str, tuple[Tone, ...]] = {
    "start": ((523, 0, 110), (523, 220, 110), (784, 440, 320)),
    "won": ((659, 0, 90), (880, 100, 90), (1175, 200, 260)),
    "tied": ((659, 0, 160), (659, 200, 160), (622, 400, 240)),
    "wrong": ((233, 0, 260), (185, 280, 380)),
    "lockout": ((330, 0, 80), (262, 100, 80), (330, 200, 80), (262, 300, 200)),
    "over": ((523, 0, 140), (659, 150, 140), (784, 300, 140), (1047, 450, 480)),
}
