"""Poses of one round while they are judged (see ``lay``)."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.hook.facts import Pose, SymbolRead, TargetChosen
from companion.games.hook.names import UNNAMED
from companion.games.hook.state import Ask, Conflict


@dataclass(slots=True)
class Laid:
    """A pose on its way to becoming a ``Placement``. ``status`` as there."""

    pose: Pose
    index: int
    seat: str
    card: str | None
    status: str = "counts"
    faults: tuple[str, ...] = ()
    excused: frozenset[str] = frozenset()
    """Faults that the table let pass."""
    facts: list[int] = field(default_factory=list)
    readings: list[SymbolRead] = field(default_factory=list)
    unlisted: bool = False
    """None of the sights offered for it is right."""

    @property
    def unnamed(self) -> bool:
        """Whether nobody can tell which tile of its seat it is."""
        return self.pose.tile.startswith(UNNAMED)

    @property
    def wrong(self) -> frozenset[str]:
        """Faults that nobody has let pass."""
        return frozenset(self.faults) - self.excused


@dataclass(slots=True)
class Layout:
    """The tiles of one round. ``active``: the pose that counts or is asked about, per seat."""

    laid: list[Laid] = field(default_factory=list)
    active: dict[str, Laid] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    chosen: list[TargetChosen] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    open: bool = False
    """A placement waits for the answer about another one."""
    conflicts: list[Conflict] = field(default_factory=list)
