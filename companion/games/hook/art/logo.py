"""The program's mark: a Sight tile that looks back at you."""

from __future__ import annotations

from companion.games.hook.art.palette import BRASS, INK, IVORY, ORANGE, circle, path


def logo_shapes() -> str:
    """A tile with three holes, through the largest of which an eye looks out."""
    return (
        path(
            "M18 4 L82 4 C91 4 96 9 96 18 L96 82 C96 91 91 96 82 96 L18 96 C9 96 4 91 4 82 L4 18 C4 9 9 4 18 4 Z",
            ORANGE,
        )
        + circle(25, 26, 11, INK, 0)
        + circle(78, 78, 11, INK, 0)
        + circle(50, 50, 29, INK, 0)
        + circle(50, 50, 22, IVORY, 0)
        + circle(53, 49, 12, BRASS, 0)
        + circle(53, 49, 8, INK, 0)
        + circle(57, 45, 3.5, IVORY, 0)
    )
