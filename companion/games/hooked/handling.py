"""What is done with cards beside flipping: the Lake taken, cards paid under it or handed over, the Lake nudged."""

from __future__ import annotations

from functools import partial

from companion.games.hooked.moves import CardMove, HandMove, Track, home, palm, through
from companion.games.hooked.scripted import MoveScript, Nudge
from companion.games.hooked.stage import MS, SECOND, STEP_NS, Event, Stage, offset
from hardware.simulated.poses import PiecePose


def take(stage: Stage, winner: str) -> MoveScript:
    """The winner draws the whole Lake to its stack and puts it face down under it; all other hands go."""
    lake, person = stage.lake, stage.people[winner]
    start = stage.soon(0.25, 0.5)
    end = start + round(stage.random.uniform(0.5, 0.8) * SECOND)
    own = [pose for move in stage.hands if move.person is person and (pose := move.pose(stage.t_ns)) is not None]
    stage.hands = [_leaving(move, stage.t_ns, start) for move in stage.hands if move.person is not person]
    begin = (own[-1].x_mm, own[-1].y_mm) if own else home(person)
    tips = stage.near(winner, lake.x_mm, lake.y_mm, -30)
    x, y, _ = stage.table.stack_spot(winner)
    x, y = x - 0.12 * person.x_mm, y - 0.12 * person.y_mm
    gone = tips[0] + x - lake.x_mm, tips[1] + y - lake.y_mm
    high = 16 + lake.high_mm
    keys = [
        (stage.t_ns, (*begin, high + 10)),
        (start, (*tips, high)),
        (end, (*gone, high)),
        (end + 250 * MS, (*home(person), 45.0)),
    ]
    stage.hands.append(HandMove(person, "flat", Track(keys)))
    moves = []
    for level, card in enumerate(lake.cards):
        rest = (card.turn_deg, 0.4 + 0.3 * level, 180.0 if card.face_up else 0.0)
        gathered = (x + 0.5 * (card.x_mm - lake.x_mm), y + 0.5 * (card.y_mm - lake.y_mm), *rest)
        moves.append((CardMove(card.id, Track([(start, (card.x_mm, card.y_mm, *rest)), (end, gathered)])), level))
    won = [card.id for card in lake.cards]
    events: list[Event] = [(start, stage.empty_lake), (end, lambda: stage.stacks[winner].extend(won))]
    return MoveScript("take", winner, stage.film(end + 300 * MS, lambda _: "take", moves, events))


def _leaving(move: HandMove, now_ns: int, gone_ns: int) -> HandMove:
    """The same hand on its way home, if it is there."""
    pose = move.pose(now_ns)
    if pose is None:
        return move
    keys = [(now_ns, (pose.x_mm, pose.y_mm, pose.height_mm)), (gone_ns, (*home(move.person), 50.0))]
    return HandMove(move.person, move.kind, Track(keys), move.other)


def pay(stage: Stage, seat: str, count: int) -> MoveScript:
    """A seat slides its top cards face down under the Lake; fewer when it has not so many."""
    lake = stage.lake
    x, y, turn = stage.table.stack_spot(seat)
    start = stage.soon(0.35, 0.8)
    end = start + round(0.5 * SECOND)
    to_x, to_y = lake.x_mm + stage.random.gauss(0, 9), lake.y_mm + stage.random.gauss(0, 9)
    hand = through(stage.people[seat], "pinch", [(start, x, y, 24.0), (end, *stage.near(seat, to_x, to_y, 40), 20.0)])
    stage.hands.append(hand)
    track = Track([(start, (x, y)), (end, (to_x, to_y))])
    paid: list[str] = []

    def leave_stack() -> None:
        paid.extend(stage.draw(seat, count))
        for k, id in enumerate(paid):
            lake.slip_under(id, x + 2 * k, y - 2 * k, turn + 3 * k)

    def slide(t_ns: int) -> None:
        at_x, at_y = track.at(min(t_ns, end)) or (to_x, to_y)
        moving = track.moving(t_ns) if t_ns < end else (0.0, 0.0)
        for k in range(len(paid)):
            i = len(paid) - 1 - k
            old = lake.cards[i]
            lake.cards[i] = PiecePose(
                old.id, round(at_x + 2 * k, 2), round(at_y - 2 * k, 2), old.turn_deg, False, i, moving=moving
            )

    events: list[Event] = [(start, leave_stack)]
    events += [(t, partial(slide, t)) for t in range(start + MS, end + 2 * STEP_NS, STEP_NS // 4)]
    return MoveScript("pay", seat, stage.film(hand.track.end_ns, lambda _: "pay", (), events))


def give(stage: Stage, seat: str, winner: str, count: int) -> MoveScript:
    """A seat hands its top cards over, face down, to the bottom of the winner's stack."""
    x, y, turn = stage.table.stack_spot(seat)
    to_x, to_y, end_turn = stage.table.stack_spot(winner)
    end_turn = turn + (end_turn - turn + 180) % 360 - 180
    start = stage.soon(0.35, 0.7)
    end = start + round(0.6 * SECOND)
    cards = stage.stacks[seat][:count]
    moves = []
    for k, id in enumerate(cards):
        keys = [(start, (x + k, y, turn, 14.0, 0.0)), (end, (to_x + k, to_y, end_turn, 6.0, 0.0))]
        moves.append((CardMove(id, Track(keys)), 90 + k))
    hand = through(stage.people[seat], "pinch", [(start, x, y, 30.0), (end, to_x, to_y, 30.0)])
    stage.hands.append(hand)
    events: list[Event] = [
        (start, lambda: stage.draw(seat, count)),
        (end, lambda: stage.stacks[winner].extend(cards)),
    ]
    return MoveScript("give", seat, stage.film(hand.track.end_ns, lambda _: "pay", moves, events))


def nudge(stage: Stage, kind: Nudge, seat: str, mm: float, deg: float) -> MoveScript:
    """Nothing is flipped: the Lake is pushed, a palm comes down on it, or its uppermost card is straightened."""
    lake = stage.lake
    if not lake.cards:
        raise ValueError("there is no card in the Lake")
    before = lake.cards[-1]
    start = stage.soon(0.4, 0.7)
    end = start + (80 if kind == "slap" else 350) * MS
    dx, dy = stage.near(seat, 0.0, 0.0, -mm)
    first = {"push": 0, "slap": len(lake.cards) - 3, "straighten": len(lake.cards) - 1}[kind]
    steps = 1 if kind == "slap" else 6
    events: list[Event] = [
        (start + (end - start) * (k + 1) // steps, lambda: lake.shift(first, dx / steps, dy / steps, deg / steps))
        for k in range(steps)
    ]
    person, high = stage.people[seat], 14 + lake.high_mm
    if kind == "slap":
        hand = palm(person, before.x_mm, before.y_mm, on_ns=start, stays_ns=500 * MS, high=high)
    else:
        x, y = stage.near(seat, before.x_mm, before.y_mm, 40 if kind == "straighten" else 25)
        places = [(start, x, y, high), (end, x + dx, y + dy, high)]
        hand = through(person, "pinch" if kind == "straighten" else "fist", places)
    stage.hands.append(hand)
    frames = stage.film(hand.track.end_ns + 2 * STEP_NS, lambda _: "nudge", (), events)
    top = lake.cards[-1]
    return MoveScript(kind, seat, frames, *offset(before, (top.x_mm, top.y_mm, top.turn_deg)))
