"""One flip: a card is taken from the stack, turned over away from its player, and comes to lie on the Lake."""

from __future__ import annotations

from companion.games.hooked.moves import CardMove, HandMove, Track, bringing, palm
from companion.games.hooked.stage import MS, SECOND, Place, Stage


def landing(stage: Stage, seat: str) -> Place:
    """Where this seat's card comes to lie."""
    random, habits, lake = stage.random, stage.habits, stage.lake
    turn = stage.people[seat].angle_deg - 90 + random.gauss(0, habits.askew_deg)
    if random.random() < habits.any_angle:
        turn = random.uniform(0, 360)
    most = 3 * habits.scatter_mm
    dx, dy = (max(-most, min(most, random.gauss(0, habits.scatter_mm))) for _ in range(2))
    return round(lake.x_mm + dx, 2), round(lake.y_mm + dy, 2), round(turn % 360, 2)


def turning(stage: Stage, seat: str, id: str, place: Place) -> tuple[CardMove, HandMove]:
    """The card on its way from the stack to its place, turned over as it comes, and the hand that does it."""
    random, own, high = stage.random, stage.reflexes[seat], stage.lake.high_mm
    pace = own.pace * random.uniform(0.85, 1.15)
    x, y, turn = stage.table.stack_spot(seat)
    to_x, to_y, end_turn = place
    end_turn = turn + (end_turn - turn + 180) % 360 - 180
    start = stage.t_ns + round((random.uniform(0.2, 0.9) * stage.habits.quick + 0.36 * pace) * SECOND)
    brought = start + round(random.uniform(0.26, 0.42) * pace * SECOND)
    over = brought + round(random.uniform(0.20, 0.30) * pace * SECOND)
    nx, ny = stage.near(seat, 0.0, 0.0, 5.0)
    way = 0.72
    keys = [
        (start, (x, y, turn, 4.0 + 0.3 * len(stage.stacks[seat]), 0.0)),
        (brought, (x + (to_x - x) * way, y + (to_y - y) * way, turn + (end_turn - turn) * 0.6, 34.0 + high, 24.0)),
        (over, (to_x + nx, to_y + ny, end_turn, 14.0, 152.0)),
        (over + 70 * MS, (to_x, to_y, end_turn, 0.3, 180.0)),
    ]
    move = CardMove(id, Track(keys))
    before, after = (round(share * pace * SECOND) for share in (0.34, 0.4))
    return move, bringing(stage.people[seat], move, before_ns=before, after_ns=after, reach=own.reach)


def slapping_palm(stage: Stage, seat: str, on_ns: int, order: int, *, busy: bool) -> HandMove:
    """A palm that comes down on the Lake, over the ``order`` others that are there already."""
    random, lake = stage.random, stage.lake
    return palm(
        stage.people[seat],
        lake.x_mm + random.gauss(0, 10),
        lake.y_mm + random.gauss(0, 10),
        on_ns=on_ns,
        stays_ns=round(random.uniform(0.35, 0.9) * SECOND),
        high=15 + lake.high_mm + 13 * order,
        other=busy,
    )


def shove(stage: Stage, share: float) -> tuple[float, float, float]:
    """How far cards give way when something comes down on them: x, y, turn."""
    most = stage.habits.shove_mm * share
    dx, dy, turn = (stage.random.gauss(0, most / 2) for _ in range(3))
    return dx, dy, turn
