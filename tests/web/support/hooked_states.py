"""Frozen moments of Hooked! to be looked at, and a table that shows them: no rules are needed for these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion import deck
from companion.core.facts import Choice, Command, Doubt, Fact, MatchStarted, Question
from companion.core.fold import Entry
from companion.core.race import Onset
from companion.games.hooked.facts import CardFlipped, FlipRuled, Pressed, Vetoed
from companion.games.hooked.setup import setup
from companion.games.hooked.state import LakeCard, Replay, Slap, Slapped, State
from companion.table import About, Reply, Snapshot
from companion.table.api import CameraStatus
from companion.table.subscription import Subscription
from companion.words import _
from companion.world import Player

MS = 1_000_000
T0 = 10_000 * MS
FISH = (
    "Yellow Perch", "Bluegill", "Black Crappie", "Arctic Grayling", "Smallmouth Bass", "Brook Trout", "Largemouth Bass",
    "Walleye", "Coho Salmon", "Brown Trout", "Northern Pike", "Rainbow Trout", "Channel Catfish", "Muskellunge",
    "Striped Bass", "Chinook Salmon", "Alligator Gar", "White Sturgeon",
)  # fmt: skip
ACTIONS = ("empty-hook", "catch-and-release", "net-cast", "current-shift")
CARDS: dict[str, dict[str, Any]] = {
    name.lower().replace(" ", "-"): {"kind": "fish", "number": n, "name": name, "copies": 3}
    for n, name in enumerate(FISH, 1)
} | {id: {"kind": "action", "number": 0, "name": id.replace("-", " ").title(), "copies": 2} for id in ACTIONS}
NAMES = ("Anna", "Bartholomäus", "Chloé", "Davy", "Elif", "Finn")


SETUP = setup(
    MatchStarted(
        game="hooked", rules=1, players=tuple(Player(f"seat-{n}", "") for n in range(1, 7)), options={"cards": CARDS}
    )
)


def presses(*told: tuple[str, float, str]) -> tuple[Slapped, ...]:
    """``("seat-1", 312.0, "won")``: presses by their ms after the card; gaps are to the earliest counted one."""
    counted = [ms for _seat, ms, verdict in told if verdict in ("won", "tied", "late")] or [told[0][1]]
    return tuple(Slapped(s, T0 + round(ms * MS), max(0, round((ms - min(counted)) * MS)), v) for s, ms, v in told)


def slap_of(cards: tuple[str, ...], why: Any, right: bool, **more: Any) -> Slap:
    """A judged moment of the flip that is fact 4; the card was seen at T0, 33 ms after the last picture without it."""
    flips = tuple(range(5 - len(cards), 5))
    values: dict[str, Any] = {"seen_ns": T0, "before_ns": T0 - 33 * MS, "flips": flips, "moment": 4, **more}
    return Slap(4, cards, why, right, **values)


def snapshot(
    state: State | None,
    *,
    names: Sequence[str] = NAMES,
    facts: Sequence[Fact] = (),
    camera: str = "watching",
    software: Sequence[str] = (),
    **more: Any,
) -> Snapshot:
    """A snapshot of a match in that state; its presses are written down as facts."""
    status = CameraStatus(camera, _("Watching the table"), 0, 0)  # type: ignore[arg-type]
    if state is None:
        return Snapshot(1, "boot", T0, status)
    last = state.slaps[-1] if state.slaps else None
    edges = [
        Pressed(seat=one.seat, level=1, clock="software" if one.seat in software else "kernel", t_ns=one.t_ns)
        for one in (last.presses if last else ())
    ]
    players = tuple(Player(seat, names[int(seat[-1]) - 1]) for seat in state.seats)
    flips = [CardFlipped(seat=c.seat, card=c.card, seen_ns=c.seen_ns, before_ns=c.before_ns) for c in state.lake]
    started = MatchStarted(game="hooked", rules=1, players=players, options={"cards": CARDS}, deck="fish")
    told: list[Fact] = [started, *flips, *edges, *facts]
    written = tuple(Entry(msgspec.structs.replace(fact, id=n), step=n, version=n) for n, fact in enumerate(told, 1))
    state = msgspec.structs.replace(
        state,
        onsets=tuple(Onset(edge.seat, edge.t_ns, edge.clock) for edge in sorted(edges, key=lambda edge: edge.t_ns)),
        words=tuple(one.fact for one in written if getattr(one.fact, "flip", 0)),
    )
    return Snapshot(
        1, "boot", T0 + 5000 * MS, status, match=1, game="hooked", started=started, state=state, over=state.over,
        facts=written, **more,
    )  # fmt: skip


class Shown:
    """A table that shows one snapshot and writes down what it is asked, without doing it."""

    def __init__(self, now: Snapshot, pictures: dict[str, bytes] | None = None) -> None:
        self.now = now
        self.pictures = pictures or {}
        self.asked: list[Any] = []
        self.abouts: list[About | None] = []
        self._open: list[Subscription] = []

    def snapshot(self) -> Snapshot:
        return self.now

    def put(self, now: Snapshot) -> None:
        """Show this from now on."""
        self.now = msgspec.structs.replace(now, version=self.now.version + 1)
        for one in list(self._open):
            one.ring()

    def subscribe(self) -> Subscription:
        found = Subscription(self.snapshot, self._open.remove)
        self._open.append(found)
        return found

    def ask(self, command: Command | dict[str, Any], *, about: About | None = None, match: int | None = None) -> Reply:
        self.asked.append(command)
        self.abouts.append(about)
        return Reply(True, None, False, self.now, 1)

    def picture(self, name: str) -> bytes | None:
        return self.pictures.get(name)

    def matches(self) -> tuple[Any, ...]:
        return ()

    def press(self, press: Any) -> None:
        self.asked.append(press)


def decks() -> dict[str, Any]:
    """The practice deck of Hooked!, where there is one, so that cards have faces."""
    try:
        from companion.games.hooked import practice_deck
    except ImportError:
        return {}
    return {"fish": lambda: deck.load(practice_deck.folder())}


SEATS = tuple(f"seat-{n}" for n in range(1, 7))


def lake(*cards: str, seats: Sequence[str] = SEATS) -> tuple[LakeCard, ...]:
    return tuple(LakeCard(n + 2, card, seats[n % len(seats)], T0, T0 - 33 * MS) for n, card in enumerate(cards))


def stacks(*counts: int, seats: Sequence[str] = SEATS) -> tuple[tuple[str, int], ...]:
    return tuple(zip(seats, counts, strict=False))


def won(players: int = 6, **more: Any) -> State:
    """A photo finish: four presses, 14.8 ms between the first two."""
    seats = SEATS[:players]
    told = [("seat-2", 312.4, "won"), ("seat-3", 327.2, "late"), ("seat-1", 355.0, "late")]
    if players > 3:
        told += [("seat-6", 402.0, "late")]
    slap = slap_of(("walleye", "coho-salmon", "walleye"), "sandwich", True, presses=presses(*told), winner="seat-2",
                final_ns=T0 + 352 * MS, moved=(("seat-2", 14),))  # fmt: skip
    counts = (9, 21, 4, 7, 12, 6) if players > 3 else (15, 30, 14)
    values: dict[str, Any] = {
        "setup": SETUP, "seats": seats, "stacks": stacks(*counts, seats=seats),
        "lake": lake("brook-trout", "net-cast", seats=seats),
        "under": 0, "turn": seats[2], "slaps": (slap,), "fastest": ("seat-1", 271_300_000),
    }  # fmt: skip
    return State(**{**values, **more})


def tied(players: int = 6) -> State:
    slap = slap_of(("walleye", "muskellunge", "muskellunge"), "twins", True, final_ns=T0 + 400 * MS,
                dead_heat=("seat-1", "seat-3"),
                presses=presses(("seat-3", 288.1, "tied"), ("seat-1", 288.5, "tied"),
                                ("seat-2", 361.0, "late")))  # fmt: skip
    cards = lake("walleye", "muskellunge", "muskellunge", seats=SEATS[:players])
    return won(players, slaps=(slap,), lake=cards, under=6, replay=Replay(slap.dead_heat, "twins"))


def middle() -> State:
    """Masts near the middle of the line, and a slap that was told."""
    told = presses(
        ("seat-1", 230.0, "locked"), ("seat-3", 300.0, "won"), ("seat-4", 318.0, "late"), ("seat-2", 550.0, "late")
    )
    told += (msgspec.structs.replace(presses(("seat-6", 9000.0, "late"))[0], told=True),)
    slap = slap_of(("walleye",) * 2, "twins", True, final_ns=T0 + 400 * MS, clock="software", presses=told,
                winner="seat-3", moved=(("seat-3", 2),))  # fmt: skip
    return won(6, slaps=(slap,), lake=())


def wrong(players: int = 6) -> State:
    slap = slap_of(("striped-bass", "brook-trout", "walleye"), None, False, final_ns=T0 + 400 * MS,
                presses=presses(("seat-2", 401.0, "wrong")), moved=(("seat-2", -2),))  # fmt: skip
    return won(players, slaps=(slap,), lake=lake("striped-bass", "brook-trout", "walleye"), under=8)


def locked() -> State:
    """An Empty Hook was slapped; then somebody locked pressed first, and one press came from a phone."""
    slap = slap_of(("yellow-perch", "empty-hook", "current-shift"), "current-shift", True, final_ns=T0 + 400 * MS,
                clock="software",
                presses=presses(("seat-5", -12.0, "early"), ("seat-1", 244.0, "locked"), ("seat-4", 299.0, "won"),
                                ("seat-6", 303.4, "late")), winner="seat-4", moved=(("seat-4", 9),))  # fmt: skip
    return won(6, slaps=(slap,), locks=(("seat-1", 2), ("seat-2", 2)), direction=-1, turn="seat-2",
               lake=lake("northern-pike", "bluegill"))  # fmt: skip


def out() -> State:
    """Somebody is out, somebody has no cards left, six presses."""
    told = presses(
        ("seat-1", 250.0, "won"), ("seat-2", 262.0, "late"), ("seat-3", 280.5, "late"),
        ("seat-4", 291.0, "late"), ("seat-5", 340.0, "late"), ("seat-6", 344.2, "out"),
    )  # fmt: skip
    cards = ("bluegill", "walleye", "coho-salmon")
    slap = slap_of(cards, "streak", True, presses=told, winner="seat-1", final_ns=T0, moved=(("seat-1", 3),))
    return won(6, slaps=(slap,), out=("seat-6",), stacks=stacks(31, 9, 0, 12, 10, 0), lake=(), turn="seat-2")


def start() -> State:
    return won(6, slaps=(), lake=(), stacks=stacks(11, 11, 10, 10, 10, 10), turn="seat-1", fastest=None)


def over() -> State:
    return won(
        6, over=True, winner="seat-2", turn=None, stacks=stacks(0, 62, 0, 0, 0, 0), out=("seat-6", "seat-4"), lake=()
    )


LONG = (
    "Maximiliane-Josephine", "Bartholomäus der Schreckliche", "Wilhelmina", "Kapitänleutnant Davy", "Abdurrahmanoğlu",
    "Jo",
)  # fmt: skip


def question() -> Doubt:
    ask = Question("card:4", "card", _("Which card was flipped?"), (
        Choice("walleye", _("Walleye"), "walleye"), Choice("coho-salmon", _("Coho Salmon"), "coho-salmon"),
        Choice("none", _("Neither"))))  # fmt: skip
    return Doubt(1, T0, ask)


def situations() -> dict[str, Snapshot]:
    """All moments to be looked at, by name."""
    return {
        "hooked-setup": snapshot(None),
        "hooked-start": snapshot(start()),
        "hooked-six": snapshot(won(6)),
        "hooked-three": snapshot(won(3)),
        "hooked-tied": snapshot(tied(6)),
        "hooked-tied3": snapshot(tied(3)),
        "hooked-middle": snapshot(middle(), names=LONG, software=("seat-2", "seat-3", "seat-4")),
        "hooked-wrong": snapshot(wrong(6)),
        "hooked-locked": snapshot(locked(), software=("seat-6",)),
        "hooked-out": snapshot(out()),
        "hooked-long": snapshot(out(), names=LONG, camera="none"),
        "hooked-doubt": snapshot(tied(6), doubts=(question(),)),
        "hooked-lost": snapshot(won(6), camera="lost"),
        "hooked-over": snapshot(over()),
    }


__all__ = ["CardFlipped", "FlipRuled", "LakeCard", "Pressed", "Slap", "State", "Vetoed"]
