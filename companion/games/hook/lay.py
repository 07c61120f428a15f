"""Which tile lies where: from the observations of one round to placements that count, and to questions.

The first resting pose of a Sight tile counts. What is not as the rulebook wants it (black side up, turned, card left
bare, a card already taken, a second tile of a seat, moved later, on no card) counts for nothing until somebody ruled on
it; that question is derived here, as is "whose tile" and "which card". Poses are judged in the order in which they
were seen; everything else about a round may come in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.facts import Fact
from companion.games.hook.facts import (
    CardIdentified,
    CardRevealed,
    PlacementRuled,
    Pose,
    RoundClosed,
    SightUnlisted,
    SymbolRead,
    TargetChosen,
    TileIdentified,
    TileMoved,
    TileWaived,
)
from companion.games.hook.laid import Laid, Layout
from companion.games.hook.names import BARE_MM, CROOKED_DEG, FAULTS, seat_name
from companion.games.hook.state import Ask, Conflict, Moment, Setup
from companion.words import _

Answer = PlacementRuled | SymbolRead | SightUnlisted | TileIdentified | CardIdentified


def lay(setup: Setup, raw: Sequence[Fact], begin: Moment, number: int) -> Layout:
    """Judge the poses of one round, given who is in at its beginning."""
    return _Laying(setup, raw, begin, number).run()


class _Laying:
    """The working memory of ``lay``."""

    def __init__(self, setup: Setup, raw: Sequence[Fact], begin: Moment, number: int) -> None:
        self.setup, self.begin, self.number = setup, begin, number
        self.playing = begin.playing
        self.out = Layout()
        self.poses: list[tuple[int, Pose]] = []
        self.answers: list[Answer] = []
        self.waives: dict[str, int] = {}
        self.sat_out: set[str] = set()
        self.held: dict[str, Laid] = {}
        self.touched: dict[str, str] = {}
        self.guessed: set[str] = set()
        self.full_deck = len(setup.parrots) >= setup.rounds * len(setup.seats)
        cards: dict[str, None] = {}
        for index, fact in enumerate(raw):
            match fact:
                case Pose():
                    self.poses.append((index, fact))
                case PlacementRuled() | SymbolRead() | SightUnlisted() | TileIdentified() | CardIdentified():
                    self.answers.append(fact)
                case TileWaived():
                    self.waives[fact.seat] = index
                case TargetChosen():
                    self.out.chosen.append(fact)
                case RoundClosed() if fact.seats:
                    self.sat_out.update(seat for seat in self.playing if seat not in fact.seats)
                case CardRevealed():
                    cards[fact.card] = None
                case _:
                    pass
        self.out.cards = tuple(cards)

    def run(self) -> Layout:
        used: set[int] = set()
        for index, pose in self.poses:
            mine = [i for i, answer in enumerate(self.answers) if _refers(answer, pose)]
            used.update(mine)
            self._judge(index, pose, [self.answers[i] for i in mine])
        out = self.out
        for seat, at in self.waives.items():  # giving up settles what was asked about a tile seen before
            laid = out.active.get(seat)
            if laid is not None and laid.status == "asked" and laid.index < at:
                self._void(laid)
        out.asks = [ask for laid in out.laid for ask in self._asks(laid)]
        resting = out.active.keys() | self.guessed
        out.waived = tuple(s for s in self.playing if s not in out.active and (s in self.waives or s in self.sat_out))
        out.missing = tuple(s for s in self.playing if s not in resting and s not in out.waived)
        gone = _("This tile is no longer part of the round, so the answer about it counts for nothing.")
        out.conflicts += [Conflict(a.id, gone) for i, a in enumerate(self.answers) if i not in used]
        return out

    def _judge(self, index: int, pose: Pose, answers: Iterable[Answer]) -> None:
        laid = Laid(pose, index, pose.seat, pose.card, facts=[pose.id])
        ruled: bool | None = None
        named = carded = False
        for answer in answers:
            match answer:
                case PlacementRuled():
                    ruled = answer.allowed
                    if ruled:
                        laid.excused |= frozenset(FAULTS if answer.faults is None else answer.faults)
                case TileIdentified():
                    laid.seat, named = answer.seat or "", True
                case CardIdentified():
                    laid.card, carded = answer.card, True
                case SymbolRead():
                    laid.readings.append(answer)
                    continue
                case SightUnlisted():
                    laid.unlisted = True
            laid.facts.append(answer.id)
        self.out.laid.append(laid)
        if not pose.seat_sure and not named:
            self._ask_owner(laid)
            return
        if laid.seat not in self.setup.seats:
            laid.status = "ignored"
            return
        if laid.seat not in self.playing:
            laid.status = "ignored"
            why = _("{seat} was out already: the tile counts for nothing.", seat=seat_name(laid.seat))
            self.out.conflicts.append(Conflict(pose.id, why))
            return
        before = self.out.active.get(laid.seat)
        if pose.source == "tap" and before is not None and before.status == "asked" and ruled is not False:
            self._void(before)  # a person says what counts; what the camera was unsure of does not matter
            before = None
        again = before is not None and (before.pose.tile == pose.tile or before.unnamed or laid.unnamed)
        if again and pose.source == "tap" and isinstance(pose, TileMoved) and ruled is None:
            laid.excused = frozenset(FAULTS)
        if ruled is False:
            laid.status = "kept" if again else "void"
            laid.faults = ("second-tile",) if before is not None and not again else ()
            self._touch(laid)
            return
        if ruled is None and before is not None and not again and self._known_second(laid):
            laid.status = "kept"
            return
        if before is not None and again and not self._moves(before, laid):
            return
        self._settle(laid, carded)

    def _ask_owner(self, laid: Laid) -> None:
        names = [seat for seat, _p in laid.pose.seats] or [laid.pose.seat]
        if laid.pose.seats and not any(name in self.setup.seats for name in names):
            laid.status = "ignored"
            return
        laid.status, laid.faults = "asked", ("whose",)
        self.guessed.add(laid.pose.seat)

    def _moves(self, before: Laid, laid: Laid) -> bool:
        """Another pose of the tile that already rests here; True when it is to be judged as if it were the first."""
        if before.status == "asked" and before.wrong <= {"no-card", "taken"}:
            self._void(before)  # beaten to its card, or not on one yet: the same tile goes to a free card
            return True
        if before.unnamed and not before.readings and not before.excused:
            self._void(before)  # nothing was known of it, and now it can be read
            return True
        if "moved" in laid.excused:
            self._void(before)
            return True
        if before.status == "asked" or _same(before, laid):
            laid.status = "again" if _same(before, laid) else "kept"
            return False
        laid.status, laid.faults = "asked", ("moved",)
        return False

    def _settle(self, laid: Laid, carded: bool) -> None:
        pose, seat = laid.pose, laid.seat
        faults = []
        if not pose.face_up:
            faults.append("black-side")
        before = self.out.active.get(seat)
        another = self._touch(laid) != pose.tile and pose.source == "camera"
        if another or (before is not None and before.status == "counts" and before.pose.tile != pose.tile):
            faults.append("second-tile")
        which = self._which_card(laid, carded)
        holder = self.held.get(laid.card) if laid.card is not None and not which else None
        if holder is not None and holder is not before:
            faults.append("taken")
        if laid.card is None and pose.source == "camera" and pose.card_sure and not carded:
            faults.append("no-card")
        if pose.turn_off_deg > CROOKED_DEG:
            faults.append("crooked")
        if pose.bare_mm > BARE_MM:
            faults.append("bare")
        laid.faults = tuple(faults)
        if laid.wrong:
            laid.status = "asked"
            if before is not None:
                return
        else:
            for other in (before, holder):
                if other is not None:
                    self._void(other)
        self.out.active[seat] = laid
        if laid.card is not None and not which:
            self.held.setdefault(laid.card, laid)
        if which:
            laid.faults += (which,)

    def _known_second(self, laid: Laid) -> bool:
        """Whether it was seen before that this is the second tile of its seat: asked about, or answered, then."""
        return any(
            other.seat == laid.seat and other.pose.tile == laid.pose.tile and "second-tile" in other.wrong
            for other in self.out.laid[:-1]
        )

    def _touch(self, laid: Laid) -> str:
        """The tile that this seat touched first; one that was read as another seat's went by a wrong name."""
        if laid.seat != laid.pose.seat or laid.unnamed:
            return laid.pose.tile
        return self.touched.setdefault(laid.seat, laid.pose.tile)

    def _which_card(self, laid: Laid, carded: bool) -> str:
        if carded:
            return ""
        if not laid.pose.card_sure:
            return "which-card"
        return "used-card" if self.full_deck and laid.card in self.begin.gone else ""

    def _void(self, laid: Laid) -> None:
        laid.status = "void"
        if self.out.active.get(laid.seat) is laid:
            del self.out.active[laid.seat]
        if laid.card is not None and self.held.get(laid.card) is laid:
            del self.held[laid.card]

    def _asks(self, laid: Laid) -> Iterable[Ask]:
        pose = laid.pose
        faults = tuple(fault for fault in laid.faults if fault in laid.wrong and fault in FAULTS and fault != "moved")

        def ask(kind: str, options: Iterable[str] = (), other: str | None = None) -> Ask:
            return Ask(
                kind=kind,  # type: ignore[arg-type]
                round=self.number,
                seat=laid.seat,
                tile=pose.tile,
                placement=pose.id,
                card=laid.card,
                options=tuple(dict.fromkeys(options)),
                faults=faults if kind != "moved" else ("moved",),
                picture=pose.picture,
                other=other,
            )

        if laid.status == "asked":
            if "whose" in laid.faults:
                names = [seat for seat, _p in pose.seats] or [pose.seat]
                yield ask("tile", [s for s in (*names, *self.playing) if s in self.playing])
            elif "moved" in laid.faults:
                yield ask("moved")
            else:
                holder = self.held.get(laid.card or "") if "taken" in faults else None
                if holder is not None and holder is not laid and holder.status == "asked":
                    self.out.open = True  # first what is asked about the tile underneath
                else:
                    first = self.out.active.get(laid.seat)
                    in_the_way = holder.seat if holder is not None and holder is not laid else None
                    kept = first.pose.tile if first is not None and first is not laid else None
                    if "second-tile" in faults:  # or it was read as the wrong character's
                        without = [seat for seat in self.playing if seat not in self.out.active]
                        yield ask("placement", [seat for seat in without if seat != laid.seat], other=kept)
                    else:
                        yield ask("placement", other=in_the_way)
        if laid.status in ("asked", "counts"):
            for which in ("which-card", "used-card"):
                if which in laid.faults:
                    names = [card for card, _p in pose.cards] or []
                    fresh = [c for c in names if which == "which-card" or c not in self.begin.gone]
                    yield ask("card", [*fresh, *([pose.card] if pose.card else [])], other=which)


def _refers(answer: Answer, pose: Pose) -> bool:
    return answer.placement == pose.id if answer.placement else answer.tile == pose.tile


def _same(before: Laid, laid: Laid) -> bool:
    """The same pose seen once more, as far as both readings are sure."""
    one, two = before.pose, laid.pose
    if isinstance(two, TileMoved) or before.card != laid.card or len(one.symbols) != len(two.symbols):
        return False
    unsure = {*one.unsure, *two.unsure}
    return all(i in unsure or a == b for i, (a, b) in enumerate(zip(one.symbols, two.symbols, strict=True)))
