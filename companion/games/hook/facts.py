"""What is written down about a game of Hook!, and what may be asked for.

Facts are observations and choices; whether a placement is legal, who is hit and who is out is derived from them.
Every fact says in which round it belongs, so that a late answer or correction reaches the round it is about.
``placement`` names one resting pose of a Sight tile by the id of the fact that told of it; 0 means the tile
``tile`` however it lies.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.facts import Command, Fact

Source = Literal["camera", "tap"]


class Pose(Fact, frozen=True, kw_only=True):
    """A Sight tile at rest (the common part of placed and moved).

    ``seat`` is the tile's owner; ``seat_sure=False`` asks whose it is (``seats``: candidates with probabilities).
    ``card`` is the Target card underneath: None when the camera sees it on no card, or when a tap does not say;
    ``card_sure=False`` asks which one (``cards``: candidates). ``symbols`` are in the order of the tile's holes,
    "none" for an empty one; ``unsure`` lists the holes whose symbol must be asked, ``ranked`` the candidates
    of each hole, best first, ``shares`` how much of each symbol shows (0 to 1). ``turn_off_deg`` is the angle to
    the nearest quarter turn of the card, ``bare_mm`` the widest strip of the card that is left uncovered.
    ``ways`` is for a tile none of whose holes is read surely, or whose card is not: by card ("": any other), the sights
    that the seat's tiles could show on it, likeliest first. ``parrots`` is the number printed on the card where a
    person says so. ``picture`` names a picture of it.
    """

    round: int
    seat: str
    tile: str
    card: str | None = None
    symbols: tuple[str, ...] = ()
    unsure: tuple[int, ...] = ()
    ranked: tuple[tuple[tuple[str, float], ...], ...] = ()
    shares: tuple[float, ...] = ()
    turn_off_deg: float = 0.0
    bare_mm: float = 0.0
    face_up: bool = True
    seat_sure: bool = True
    seats: tuple[tuple[str, float], ...] = ()
    card_sure: bool = True
    cards: tuple[tuple[str, float], ...] = ()
    ways: dict[str, tuple[tuple[str, ...], ...]] = msgspec.field(default_factory=dict)
    parrots: int | None = None
    source: Source = "camera"
    picture: str | None = None


class RoundStarted(Fact, frozen=True, kw_only=True):
    """The starting signal of a round. (The first round is open from the beginning.)"""

    round: int
    source: Source = "tap"


class CardRevealed(Fact, frozen=True, kw_only=True):
    """A Target card lies face up in the middle."""

    round: int
    card: str
    by: str | None = None
    source: Source = "camera"


class TilePlaced(Pose, frozen=True, kw_only=True):
    """A Sight tile came to rest for the first time in its round, or again after its first pose did not count."""


class TileMoved(Pose, frozen=True, kw_only=True):
    """A Sight tile rests in another place or turn than before."""


class TileWaived(Fact, frozen=True, kw_only=True):
    """The table waits no longer for this seat's tile: it sits the round out unless a tile of it counts."""

    round: int
    seat: str


class Said(Fact, frozen=True, kw_only=True):
    """What people say about a resting pose (the common part)."""

    round: int
    tile: str
    placement: int = 0

    @property
    def about(self) -> int:
        return self.placement


class PlacementRuled(Said, frozen=True, kw_only=True):
    """The table's ruling on a doubtful pose: it counts as it lies, or it counts for nothing.

    ``faults`` are what was wrong with it when it was asked; another fault that a correction brings is asked anew.
    None: it counts whatever is wrong with it.
    """

    allowed: bool
    faults: tuple[str, ...] | None = None


class SymbolRead(Said, frozen=True, kw_only=True):
    """A person says what one hole shows.

    ``instead_of`` is what the camera had said; when the placement has since been corrected to something else,
    the correction holds. None: holds whatever the camera said.
    """

    hole: int
    symbol: str
    instead_of: str | None = None


class SightUnlisted(Said, frozen=True, kw_only=True):
    """A person says that none of the sights offered for a tile is right: its holes are asked one by one."""


class TileIdentified(Said, frozen=True, kw_only=True):
    """A person says whose Sight tile it is (None: nobody's)."""

    seat: str | None


class CardIdentified(Said, frozen=True, kw_only=True):
    """A person says which Target card lies under a tile, or that it is a card we do not know (None)."""

    card: str | None


class TargetChosen(Said, frozen=True, kw_only=True):
    """Whom the Black Pirate in this hole hits, chosen by the tile's owner. The last choice for a hole holds."""

    hole: int
    victim: str


class RoundClosed(Fact, frozen=True, kw_only=True):
    """The table went on. ``seats`` were in at that moment; whoever a correction brings back sat the round out."""

    round: int
    seats: tuple[str, ...] = ()


class Recounted(Fact, frozen=True, kw_only=True):
    """What really lies on the table holds from here on.

    ``after``: it was counted after the round was resolved, else before. Whatever is not named stays as derived.
    ``won`` counts collected Target cards, ``parrots`` the parrots on them, ``stacks`` the face-down cards (before the
    round: with the card that is turned up in it); ``out`` lists everybody who is out.
    """

    round: int
    after: bool = True
    balls: dict[str, int] = msgspec.field(default_factory=dict)
    won: dict[str, int] = msgspec.field(default_factory=dict)
    parrots: dict[str, int] = msgspec.field(default_factory=dict)
    stacks: dict[str, int] = msgspec.field(default_factory=dict)
    compass: str | None = None
    out: tuple[str, ...] | None = None


FACTS: tuple[type[Fact], ...] = (
    RoundStarted,
    CardRevealed,
    TilePlaced,
    TileMoved,
    TileWaived,
    PlacementRuled,
    SymbolRead,
    SightUnlisted,
    TileIdentified,
    CardIdentified,
    TargetChosen,
    RoundClosed,
    Recounted,
)


class NextRound(Command, frozen=True, kw_only=True):
    """Begin the next round. A tap waits for every tile; the camera, which saw the table cleared, does not."""

    source: Source = "tap"


class RevealCard(Command, frozen=True, kw_only=True):
    """A Target card lies face up. ``round`` 0: the present one."""

    card: str
    by: str | None = None
    round: int = 0
    source: Source = "camera"


class PoseCommand(Command, frozen=True, kw_only=True):
    """The common part of placing and moving; the fields are those of ``Pose``. ``round`` 0: the present one."""

    seat: str
    tile: str = ""
    card: str | None = None
    symbols: tuple[str, ...] = ()
    unsure: tuple[int, ...] = ()
    ranked: tuple[tuple[tuple[str, float], ...], ...] = ()
    shares: tuple[float, ...] = ()
    turn_off_deg: float = 0.0
    bare_mm: float = 0.0
    face_up: bool = True
    seat_sure: bool = True
    seats: tuple[tuple[str, float], ...] = ()
    card_sure: bool = True
    cards: tuple[tuple[str, float], ...] = ()
    ways: dict[str, tuple[tuple[str, ...], ...]] = msgspec.field(default_factory=dict)
    parrots: int | None = None
    source: Source = "camera"
    picture: str | None = None
    round: int = 0


class PlaceTile(PoseCommand, frozen=True, kw_only=True):
    """A Sight tile came to rest, or a tap says so."""


class MoveTile(PoseCommand, frozen=True, kw_only=True):
    """A Sight tile that was at rest now rests elsewhere, or turned."""


class WaiveTile(Command, frozen=True, kw_only=True):
    """Wait no longer for this seat's tile."""

    seat: str
    round: int = 0


class RulePlacement(Command, frozen=True, kw_only=True):
    """Say that a pose counts, or that it does not (of any round, also one that was not asked about)."""

    tile: str
    allowed: bool
    placement: int = 0
    round: int = 0


class ReadSymbol(Command, frozen=True, kw_only=True):
    """Say what a hole shows, in this or an earlier round, asked or not."""

    tile: str
    hole: int
    symbol: str
    round: int = 0
    placement: int = 0


class IdentifyTile(Command, frozen=True, kw_only=True):
    """Say whose tile it is."""

    tile: str
    seat: str | None
    round: int = 0
    placement: int = 0


class IdentifyCard(Command, frozen=True, kw_only=True):
    """Say which Target card lies under a tile."""

    tile: str
    card: str | None
    round: int = 0
    placement: int = 0


class ChooseTarget(Command, frozen=True, kw_only=True):
    """Choose (or choose again) whom a Black Pirate hits."""

    tile: str
    hole: int
    victim: str
    round: int = 0


class CloseRound(Command, frozen=True, kw_only=True):
    """Wait no longer for any tile of this round."""

    round: int = 0


class Recount(Command, frozen=True, kw_only=True):
    """Put the score right from what lies on the table.

    ``after`` None: after the present round when it is resolved, else before it. What is not named stays. ``stacks``
    are the face-down cards as they lie, without one that is turned up already.
    """

    round: int = 0
    after: bool | None = None
    balls: dict[str, int] = msgspec.field(default_factory=dict)
    won: dict[str, int] = msgspec.field(default_factory=dict)
    parrots: dict[str, int] = msgspec.field(default_factory=dict)
    stacks: dict[str, int] = msgspec.field(default_factory=dict)
    compass: str | None = None
    out: tuple[str, ...] | None = None


COMMANDS: tuple[type[Command], ...] = (
    NextRound,
    RevealCard,
    PlaceTile,
    MoveTile,
    WaiveTile,
    RulePlacement,
    ReadSymbol,
    IdentifyTile,
    IdentifyCard,
    ChooseTarget,
    CloseRound,
    Recount,
)
