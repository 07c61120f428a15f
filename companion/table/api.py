"""The plain data that goes over the edge of the table: what it is given, what it answers, what everyone sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from companion.core.facts import Command, Doubt, MatchStarted
from companion.core.fold import Entry
from companion.core.game import Rules, Watcher
from companion.words import Text
from companion.world import Press, Scene

Camera = Literal["none", "watching", "reading", "waiting", "lost"]
"""``none``: plays without a camera; ``reading``: something new was just read; ``waiting``: for hands to leave."""


@dataclass(frozen=True, slots=True)
class GameKit:
    """What the table needs of one game. ``older`` has rules of earlier versions that can still be folded.

    ``press`` makes the command that a raw button edge is; None: the game has no buttons. ``verdicts`` lists what a
    state judges of presses, as a replay prints it, oldest first: dicts with at least ``verdict`` and ``t_ns``, and
    with ``id`` (what it is about) and ``final_ns`` (from when on it stands, None: open) where the game knows them.
    ``public`` is what of a state is worth printing; None: all of it. ``options`` are what a match is started with where
    its command does not say otherwise.
    """

    rules: Rules[Any]
    watcher: Watcher[Any, Any] | None = None
    older: tuple[Rules[Any], ...] = ()
    press: Callable[[Press], Command] | None = None
    verdicts: Callable[[Any], Sequence[dict[str, Any]]] | None = None
    public: Callable[[Any], Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def rules_of(self, version: int) -> Rules[Any]:
        """The rules of that version if there are any, else the present ones."""
        return next((rules for rules in self.older if rules.version == version), self.rules)


class About(msgspec.Struct, frozen=True):
    """Which fact or doubt a command is about, and the version of it that its sender saw."""

    kind: Literal["fact", "doubt"]
    id: int
    version: int


class CameraStatus(msgspec.Struct, frozen=True):
    """What the camera is doing, since when, and when it was last heard of (monotonic ns)."""

    camera: Camera
    sentence: Text
    since_ns: int
    heard_ns: int


class Note(msgspec.Struct, frozen=True):
    """Something the camera saw that the rules do not allow, or that went wrong. ``count``: so often in a row."""

    t_ns: int
    sentence: Text
    count: int = 1


class View(msgspec.Struct, frozen=True):
    """The newest picture of the table that pages may show, and the scene that belongs to it."""

    picture: str
    scene: Scene


class MatchLine(msgspec.Struct, frozen=True):
    """A match of the journal, for a list. ``created`` is a label in UTC."""

    id: int
    game: str
    rules: int
    created: str
    ended: bool


class ButtonLine(msgspec.Struct, frozen=True):
    """One slap button. ``seen``: it was pressed since the program began; ``sentence``: how it is, and what to do."""

    seat: str
    seen: bool
    ok: bool
    sentence: Text


class Snapshot(msgspec.Struct, frozen=True):
    """Everything there is to see at one moment. Frozen: anyone may keep it.

    ``version`` grows with every change, within one run of the program, which ``boot`` names. ``match`` is None
    when no game is on the table; ``state`` is the game's own. ``facts`` are all facts in the order of their ids,
    ``doubts`` the open ones in the order in which they should be asked, ``settled`` those that are closed.
    ``trouble`` is a sentence while something does not work; ``notices`` are sentences about the start, and about
    what does not work as it should beside the camera (buttons). ``buttons`` are those on the table.
    """

    version: int
    boot: str
    t_ns: int
    camera: CameraStatus
    match: int | None = None
    game: str | None = None
    started: MatchStarted | None = None
    state: Any = None
    over: bool = False
    facts: Sequence[Entry] = ()
    doubts: tuple[Doubt, ...] = ()
    settled: tuple[Doubt, ...] = ()
    conflicts: tuple[Any, ...] = ()
    scene: Scene | None = None
    view: View | None = None
    notes: tuple[Note, ...] = ()
    trouble: Text | None = None
    notices: tuple[Text, ...] = ()
    buttons: tuple[ButtonLine, ...] = ()


class Reply(msgspec.Struct, frozen=True):
    """What became of a command. ``stale``: things had changed since its sender looked; look at the snapshot.

    ``step`` is the number of the step that was written (for ``UndoStep``), None when nothing was.
    """

    accepted: bool
    sentence: Text | None
    stale: bool
    snapshot: Snapshot
    step: int | None = None


class Pulse(msgspec.Struct, frozen=True):
    """Signs of life, in monotonic ns: now, the owner's last round, and when the camera was last heard of."""

    now_ns: int
    owner_ns: int
    camera_ns: int | None
