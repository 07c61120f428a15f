"""One time for a journal, though the kernel's clock begins anew at every boot.

Rules compare times: which card lay there when a button was pressed. So what a program hears after a boot must not seem
to have been before what was written down in an earlier one.
"""

from __future__ import annotations

import msgspec

from companion.world import Press, Scene

APART_NS = 60_000_000_000
"""So much later than all before seems what comes after a boot: nothing of then is in the same race."""


def ahead_ns(latest_ns: int, now_ns: int) -> int:
    """How far the table's clock is ahead of the kernel's (``now_ns``), so that it is after the latest time written."""
    return 0 if latest_ns <= now_ns else latest_ns + APART_NS - now_ns


def later_press(press: Press, by_ns: int) -> Press:
    """An edge with its time on a clock that is so far ahead."""
    return press if by_ns == 0 else Press(press.seat, press.t_ns + by_ns, press.level, press.clock)


def later_scene(scene: Scene, by_ns: int) -> Scene:
    """A scene with all its times on a clock that is so far ahead; 0 stays what is not known."""
    if by_ns == 0:
        return scene
    replace, pile = msgspec.structs.replace, scene.pile
    if pile is not None:
        changes = tuple(
            replace(
                change,
                t_ns=change.t_ns + by_ns,
                seen_ns=change.seen_ns and change.seen_ns + by_ns,
                before_ns=change.before_ns and change.before_ns + by_ns,
            )
            for change in pile.changes
        )
        pile = replace(pile, changes=changes)
    return replace(scene, t_ns=scene.t_ns + by_ns, pile=pile)
