"""How well a round was read: what the journal holds, compared placement by placement with the script's truth.

Definitions, all of them strict:

right               owner, tile, card, turn and all symbols are recorded as they truly are; of an illegal placement: it
                    is recorded and the table is asked about what is wrong with it.
sure                recorded, and nobody is asked anything that better eyes would have spared them.
wrong and sure      something recorded is wrong, and nobody is asked about that very thing.
missed and silent   no record of it, nobody is asked, and the round does not wait for it.
phantom             a placement counts that nobody made.
avoidable doubt     a question that was ever opened, other than those the truth obliges to: a Black Pirate's victim,
                    a symbol that shows by 40 to 60 %, what is wrong with an illegal placement, a tile that never came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from companion.core.facts import Question
from companion.games.hook.facts import Pose, TileMoved
from companion.games.hook.names import BARE_MM, CROOKED_DEG, HOLES, SHARE_ASKED, SHARE_COUNTS, UNNAMED, UNREAD
from companion.games.hook.resting import Rest
from companion.games.hook.script import PlacementTruth, RoundScript
from companion.games.hook.sights import partly
from companion.games.hook.state import Round
from companion.world import NOTHING

SAME_TURN_DEG = 8.0
"""A turn is right within this: far less than lies between quarter turns, more than a corner's noise."""


class Outcome(msgspec.Struct, frozen=True):
    """One true placement and what became of it. ``wrong`` names what is wrong in the record."""

    seat: str
    tile: str
    legal: bool
    right: bool
    sure: bool
    wrong_and_sure: bool
    missed: bool
    silent: bool
    confidence: float
    wrong: tuple[str, ...] = ()
    latency: int | None = None
    """Frames from the last movement before it could be read to the frame that recorded it."""


class Tally(msgspec.Struct, frozen=True):
    """Counts over rounds. They add."""

    rounds: int = 0
    placements: int = 0
    right: int = 0
    sure: int = 0
    wrong_and_sure: int = 0
    missed: int = 0
    missed_and_silent: int = 0
    phantom: int = 0
    avoidable: int = 0
    obliged: int = 0
    frames: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            *(a + b for a, b in zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True))
        )


class Evidence(msgspec.Struct, frozen=True):
    """What was noted while a round was watched, by tile: where the watcher saw it rest, how confident the vision was;
    and by the index of a placement: after how many frames it was told."""

    rests: Mapping[str, Rest] = {}
    confidence: Mapping[str, float] = {}
    latency: Mapping[int, int] = {}


class RoundScore(msgspec.Struct, frozen=True):
    """One round compared with its truth. ``remarks`` say in words what was not as it should be."""

    number: int
    outcomes: tuple[Outcome, ...]
    tally: Tally
    remarks: tuple[str, ...]


def score(
    now: Round,
    asked: Sequence[Question],
    opened: Iterable[Question],
    truth: RoundScript,
    noted: Evidence,
) -> RoundScore:
    """Compare a round. ``asked`` are its questions open now, ``opened`` all that were ever opened."""
    poses = [fact for fact in now.raw if isinstance(fact, Pose)]
    matched = match(truth, poses)
    outcomes: list[Outcome] = []
    remarks: list[str] = []
    for index, placement in enumerate(truth.placements):
        pose = matched.get(index)
        about = [q for q in asked if pose is not None and q.about.get("placement") == pose.id]
        if "second-tile" in placement.faults:
            about += [q for q in asked if q.kind == "second-tile" and q.about.get("seat") == placement.seat]
        outcome = _outcome(placement, pose, now, about, truth, noted)
        outcome = msgspec.structs.replace(outcome, latency=noted.latency.get(index))
        outcomes.append(outcome)
        remarks += _remarks(placement, pose, outcome, about)
    ids = {pose.id for pose in matched.values()}
    counting = {p.id for p in now.placements if p.status == "counts"}
    phantoms = [pose for pose in poses if pose.id not in ids and pose.id in counting]
    remarks += [f"phantom {pose.tile} on {pose.card}" for pose in phantoms]
    avoidable, obliged = 0, 0
    by_pose = {pose.id: truth.placements[index] for index, pose in matched.items()}
    for question in opened:
        if is_obliged(question, by_pose, truth):
            obliged += 1
        else:
            avoidable += 1
            remarks.append(f"asked {question.key}")
    tally = Tally(
        rounds=1,
        placements=len(outcomes),
        right=sum(o.right for o in outcomes),
        sure=sum(o.sure for o in outcomes),
        wrong_and_sure=sum(o.wrong_and_sure for o in outcomes),
        missed=sum(o.missed for o in outcomes),
        missed_and_silent=sum(o.missed and o.silent for o in outcomes),
        phantom=len(phantoms),
        avoidable=avoidable,
        obliged=obliged,
        frames=len(truth.frames),
    )
    return RoundScore(truth.number, tuple(outcomes), tally, tuple(remarks))


def match(truth: RoundScript, poses: Sequence[Pose]) -> dict[int, Pose]:
    """The record of each true placement (by its index): by its tile, in order; what is left by its card."""
    found: dict[int, Pose] = {}
    free = list(poses)
    for index, placement in enumerate(truth.placements):
        mine = [p for p in free if p.tile == placement.tile and isinstance(p, TileMoved) == placement.moved]
        if mine:
            found[index] = mine[0]
            free.remove(mine[0])
    for index, placement in enumerate(truth.placements):
        if index in found or placement.moved or placement.card is None:
            continue
        others = [p for p in free if p.card == placement.card]  # read as another tile, or as none that has a name
        if others:
            found[index] = others[0]
            free.remove(others[0])
    return found


def is_obliged(question: Question, by_pose: Mapping[int, PlacementTruth], truth: RoundScript) -> bool:
    """Whether the truth itself obliges to ask this."""
    placement = by_pose.get(question.about.get("placement", 0))
    match question.kind:
        case "victim":
            return True
        case "missing":
            return question.about.get("seat") in truth.missing or any(
                p.seat == question.about.get("seat") and not p.legal for p in truth.placements
            )
        case "symbol":
            hole = question.about.get("hole", -1)
            if placement is None or not 0 <= hole < len(placement.shares):
                return False
            return not placement.legal or by_half(placement.shares[hole])
        case _:
            return placement is not None and not lawful(placement, truth)


def lawful(placement: PlacementTruth, truth: RoundScript) -> bool:
    """Whether nothing about a placement has to be asked. Of two tiles of one seat, laid in one moment, the table has to
    say which was first."""
    second = any(p.seat == placement.seat and "second-tile" in p.faults for p in truth.placements)
    return placement.legal and not second


def by_half(share: float) -> bool:
    """Whether so much of a symbol shows that the table must be asked."""
    return SHARE_ASKED <= share <= SHARE_COUNTS


def _outcome(
    placement: PlacementTruth,
    pose: Pose | None,
    now: Round,
    about: Sequence[Question],
    truth: RoundScript,
    noted: Evidence,
) -> Outcome:
    seat, tile = placement.seat, placement.tile
    if pose is None:
        silent = not placement.moved and seat not in now.missing and now.placement_of(seat) is not None
        silent = silent or (placement.moved and not about)
        return Outcome(seat, tile, placement.legal, False, False, False, True, silent, 0.0, ("missed",))
    wrong = _wrong(placement, pose, noted.rests.get(pose.tile))
    kinds = {q.kind for q in about}
    placed = next((p for p in now.placements if p.id == pose.id and p.status == "counts"), None)
    unread = placed.symbols if placed is not None else ()
    asked_holes = {hole for hole, symbol in enumerate(unread) if symbol == UNREAD}
    if ("tile" in kinds and "seat" in wrong) or ("card" in kinds and "card" in wrong) or "no-card" in kinds:
        asked_holes = set(range(HOLES))  # they will be, once it is known whose tile it is, or on which card it lies
    elif kinds & {"crooked", "bare"}:  # those will be which were seen to show too little, once the tile counts
        asked_holes |= {hole for hole, seen in enumerate(pose.symbols) if partly(pose, hole, seen)}
    unnamed = pose.tile.startswith(UNNAMED) and bool(kinds)  # the picture of it is asked about as a whole
    open_wrong = [] if unnamed else [w for w in wrong if not _asked(w, kinds, asked_holes)]
    if placement.legal:
        right = not wrong
        avoidable = [q for q in about if not is_obliged(q, {pose.id: placement}, truth)]
        sure = not avoidable
        wrong_and_sure = bool(open_wrong)
    else:
        flagged = unnamed or bool(kinds & {*_FAULTS, "moved", "tile", "placement"})
        if "card" in kinds:  # "which card is under it?", and then whether it is taken
            flagged = flagged or bool({"no-card", "taken"} & set(placement.faults))
        flagged = flagged or ("no-card" in placement.faults and "sight" in kinds)  # "It lies on no card" is one answer
        right = flagged and ("black-side" in placement.faults or not {"tile", "seat"} & set(wrong))
        sure = flagged
        wrong_and_sure = not flagged
        wrong = wrong if flagged else [*wrong, "fault not seen"]
    confidence = noted.confidence.get(pose.tile, 0.0)
    return Outcome(seat, tile, placement.legal, right, sure, wrong_and_sure, False, False, confidence, tuple(wrong))


_FAULTS = ("black-side", "second-tile", "taken", "no-card", "crooked", "bare")


def _asked(wrong: str, kinds: set[str], holes: set[int]) -> bool:
    what, _, hole = wrong.partition(" ")
    match what:
        case "symbol":
            return int(hole) in holes
        case "card":
            return "card" in kinds or bool(kinds & set(_FAULTS))
        case "seat":
            return "tile" in kinds
        case "tile":
            return "tile" in kinds or len(holes) == 3
        case _:
            return bool(kinds & set(_FAULTS))


def _wrong(placement: PlacementTruth, pose: Pose, rest: Rest | None) -> list[str]:
    """What differs between record and truth."""
    wrong = []
    if pose.seat != placement.seat:
        wrong.append("seat")
    if pose.tile != placement.tile:
        wrong.append("tile")
    if pose.card != placement.card:
        wrong.append("card")
    if len(pose.symbols) != len(placement.symbols):
        wrong += [f"symbol {i}" for i in range(len(placement.symbols))]
    else:
        for i, (told, true) in enumerate(zip(pose.symbols, placement.symbols, strict=True)):
            share = pose.shares[i] if i < len(pose.shares) else 1.0
            counts = told if share > SHARE_COUNTS else NOTHING
            if by_half(share):  # asked anyway: the name must be right
                counts = told if placement.symbols[i] != NOTHING else NOTHING
            if counts != true and not (by_half(placement.shares[i]) and by_half(share)):
                wrong.append(f"symbol {i}")
    if rest is not None and pose.card == placement.card and not placement.moved:
        apart = abs((rest.turn_deg - placement.turn_deg + 180) % 360 - 180)
        if apart > SAME_TURN_DEG:
            wrong.append("turn")
    faulty = (pose.turn_off_deg > CROOKED_DEG) or (pose.bare_mm > BARE_MM) or not pose.face_up
    if placement.legal and faulty:
        wrong.append("pose")
    return wrong


def _remarks(
    placement: PlacementTruth, pose: Pose | None, outcome: Outcome, about: Sequence[Question]
) -> Iterable[str]:
    if outcome.missed:
        how = "missed silently" if outcome.silent else "missed"
        yield f"{how} {placement.tile} on {placement.card} {placement.faults or ''}"
    elif outcome.wrong:
        assert pose is not None
        loud = "WRONG AND SURE" if outcome.wrong_and_sure else "wrong, asked"
        asked = ",".join(q.kind for q in about)
        yield (
            f"{loud} {', '.join(outcome.wrong)}: {placement.tile} on {placement.card} {placement.symbols} "
            f"{placement.shares} {placement.faults or ''} read as {pose.tile} on {pose.card} {pose.symbols} "
            f"{tuple(round(s, 2) for s in pose.shares)} off {pose.turn_off_deg} bare {pose.bare_mm} [{asked}]"
        )
