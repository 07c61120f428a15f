"""What holds for every game of Hook!, legal or not."""

import msgspec
from hook_table import HookTable, started
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.facts import RuleBroken
from companion.games.hook import facts as f
from companion.games.hook.names import CHARACTERS, ROUNDS, SYMBOLS
from companion.games.hook.rules import RULES
from companion.games.hook.sentences import headline, result, sums, tell
from web.hook.decks import DeckBook
from web.hook.told import why

HOLES = st.sampled_from((*SYMBOLS, "none", "none", "none"))
SIGHT = st.tuples(HOLES, HOLES, HOLES)
SEATS = st.lists(st.sampled_from(CHARACTERS), min_size=3, max_size=6, unique=True)
FEW = settings(max_examples=60)


@st.composite
def rounds(draw, most=6):
    """Seats, and for each round a sight and a victim for everybody."""
    seats = draw(SEATS)
    count = draw(st.integers(1, most))
    play = [
        {seat: (draw(SIGHT), draw(st.sampled_from(seats))) for seat in draw(st.permutations(seats))}
        for _ in range(count)
    ]
    return seats, play


def victims(table):
    """Answer every Black Pirate with the first possible choice."""
    while table.kinds():
        question = table.questions()[0]
        assert question.kind == "victim"
        table.answer(question.choices[0].value)


def play(table, sights, next_round=True):
    for seat in tuple(sights):
        if seat in table.state.now.missing:
            table.place(seat, *sights[seat][0])
    victims(table)
    if next_round and not table.state.over:
        table.next()


def sound(table):
    state = table.state
    assert all(0 <= s.balls <= 9 for s in state.seats)
    assert all(s.out is not None for s in state.seats if s.balls == 9 and state.certain)
    assert table.accounted() == 96
    assert all(min(s.won, s.parrots, s.stack) >= 0 for s in state.seats)
    assert state.over == (state.phase == "over")
    assert all(seat in state.setup.seats for seat in state.winners)


@FEW
@given(rounds())
def test_cannonballs_and_cards_are_accounted_for(game):
    seats, plays = game
    table = HookTable(*seats)
    for sights in plays:
        if table.state.over:
            break
        play(table, sights)
        sound(table)
    assert table.fold() == table.state


@FEW
@given(rounds(most=2), st.randoms(use_true_random=False))
def test_the_order_of_observations_within_a_round_changes_nothing(game, random):
    seats, plays = game
    table = HookTable(*seats)
    for sights in plays:
        if not table.state.over:
            play(table, sights, next_round=False)
            if not table.state.over:
                table.next()
    want = table.state
    groups = [[fact for fact in table.facts.values() if fact.round == n] for n in range(1, len(want.rounds) + 1)]
    state = RULES.start(table.started)
    for group in groups:
        random.shuffle(group)
        for fact in group:
            state = RULES.apply(state, fact)
    assert state.seats == want.seats
    assert (state.compass, state.phase, state.winners, state.boxed) == (
        want.compass,
        want.phase,
        want.winners,
        want.boxed,
    )
    assert [r.tally for r in state.rounds] == [r.tally for r in want.rounds]


@FEW
@given(rounds(most=1), st.integers(0, 5))
def test_nobody_gains_by_the_order_of_turns(game, turn):
    """Whoever has the Compass, the same sights and choices have the same result."""
    seats, (sights,) = game
    turned = seats[turn % len(seats) :] + seats[: turn % len(seats)]
    balls = []
    for order in (seats, turned):
        table = HookTable(*order)
        for seat in sights:
            table.place(seat, *sights[seat][0])
        while table.kinds():
            table.answer(sights[table.ask().seat][1])
        balls.append({s.seat: (s.balls, s.won, s.parrots, s.out) for s in table.state.seats})
    assert balls[0] == balls[1]


@FEW
@given(rounds(most=3), st.data())
def test_undo_and_redo_leave_everything_as_it_was(game, data):
    seats, plays = game
    table = HookTable(*seats)
    for sights in plays:
        if not table.state.over:
            play(table, sights)
    want = table.state
    gone = data.draw(st.lists(st.sampled_from(sorted(table.facts)), min_size=1, max_size=4, unique=True))
    table.undo(*gone)
    sound(table)
    assert all(number not in table.conflicts() for number in gone)
    table.redo(*gone)
    assert table.state == want


@FEW
@given(rounds(most=3), st.data())
def test_derived_step_by_step_is_derived_at_once(game, data):
    """A fact that reaches an earlier round gives the same as if it had been there in time."""
    seats, plays = game
    table = HookTable(*seats)
    for sights in plays:
        if not table.state.over:
            play(table, sights)
    poses = [n for n, fact in table.facts.items() if isinstance(fact, f.TilePlaced)]
    number = data.draw(st.sampled_from(poses))
    pose = table.facts[number]
    late = f.SymbolRead(round=pose.round, tile=pose.tile, hole=data.draw(st.integers(0, 2)), symbol=data.draw(HOLES))
    late = msgspec.structs.replace(late, id=1000)
    after = RULES.apply(table.state, late)
    state = RULES.start(table.started)
    told = False
    for at, fact in table.facts.items():
        if not told and (fact.round > pose.round or at > number):
            state, told = RULES.apply(state, late), True
        state = RULES.apply(state, fact)
    if not told:
        state = RULES.apply(state, late)
    assert state.seats == after.seats
    assert (state.phase, state.compass, state.winners) == (after.phase, after.compass, after.winners)
    assert [(r.tally, r.asks) for r in state.rounds] == [(r.tally, r.asks) for r in after.rounds]


# Total, for whatever facts there are

NAMES = st.sampled_from((*CHARACTERS, "kraken", ""))
TILES = st.sampled_from(("t1", "t2", "t3", ""))
CARDS = st.sampled_from(("c1", "c2", None, ""))
SMALL = st.integers(-2, 5)
NUMBER = st.one_of(st.integers(-1, 4), st.sampled_from((97, 10**12)))
COUNT = st.dictionaries(NAMES, st.integers(-5, 120), max_size=3)
SHARE = st.one_of(st.floats(0, 1), st.just(float("nan")), st.just(float("inf")))
ANY_SYMBOL = st.sampled_from((*SYMBOLS, "none", "octopus"))


def pose(kind):
    return st.builds(
        kind,
        round=NUMBER,
        seat=NAMES,
        tile=TILES,
        card=CARDS,
        symbols=st.lists(ANY_SYMBOL, max_size=4).map(tuple),
        unsure=st.lists(SMALL, max_size=3).map(tuple),
        ranked=st.lists(st.lists(st.tuples(ANY_SYMBOL, SHARE), max_size=2).map(tuple), max_size=3).map(tuple),
        shares=st.lists(SHARE, max_size=4).map(tuple),
        turn_off_deg=SHARE.map(lambda x: x * 30),
        bare_mm=SHARE.map(lambda x: x * 10),
        face_up=st.booleans(),
        seat_sure=st.booleans(),
        seats=st.lists(st.tuples(NAMES, SHARE), max_size=2).map(tuple),
        card_sure=st.booleans(),
        cards=st.lists(st.tuples(st.sampled_from(("c1", "c2")), SHARE), max_size=2).map(tuple),
        parrots=st.one_of(st.none(), SMALL),
        source=st.sampled_from(("camera", "tap")),
    )


ID = st.integers(0, 12)
FACT = st.one_of(
    pose(f.TilePlaced),
    pose(f.TilePlaced),
    pose(f.TileMoved),
    st.builds(f.RoundStarted, round=NUMBER),
    st.builds(f.CardRevealed, round=NUMBER, card=st.sampled_from(("c1", "c2")), by=st.one_of(st.none(), NAMES)),
    st.builds(f.TileWaived, round=NUMBER, seat=NAMES),
    st.builds(f.PlacementRuled, round=NUMBER, tile=TILES, allowed=st.booleans(), placement=ID),
    st.builds(f.SymbolRead, round=NUMBER, tile=TILES, hole=SMALL, symbol=ANY_SYMBOL, placement=ID),
    st.builds(f.TileIdentified, round=NUMBER, tile=TILES, seat=st.one_of(st.none(), NAMES), placement=ID),
    st.builds(f.CardIdentified, round=NUMBER, tile=TILES, card=CARDS, placement=ID),
    st.builds(f.TargetChosen, round=NUMBER, tile=TILES, hole=SMALL, victim=NAMES, placement=ID),
    st.builds(f.RoundClosed, round=NUMBER, seats=st.lists(NAMES, max_size=3).map(tuple)),
    st.builds(
        f.Recounted,
        round=NUMBER,
        after=st.booleans(),
        balls=COUNT,
        won=COUNT,
        parrots=COUNT,
        stacks=COUNT,
        compass=st.one_of(st.none(), NAMES),
        out=st.one_of(st.none(), st.lists(NAMES, max_size=6).map(tuple)),
    ),
)


def never_silent(past):
    """What is wrong or unsure about a pose that counts was ruled on or answered."""
    ruled = any(isinstance(fact, f.PlacementRuled) and fact.allowed for fact in past.raw)
    read = {fact.hole for fact in past.raw if isinstance(fact, f.SymbolRead)}
    poses = {fact.id: fact for fact in past.raw if isinstance(fact, f.Pose)}
    for placement in past.placements:
        pose = poses[placement.id]
        if placement.status != "counts":
            continue
        wrong = not pose.face_up or pose.turn_off_deg > 10 or pose.bare_mm > 4
        assert not wrong or ruled
        assert pose.seat_sure or any(isinstance(fact, f.TileIdentified) for fact in past.raw)
        for hole, symbol in enumerate(placement.symbols):
            doubtful = hole in pose.unsure or pose.symbols[hole] == "octopus"
            assert not doubtful or symbol == "unread" or hole in read
    taken = [p.card for p in past.placements if p.status == "counts" and p.card is not None]
    unsure = {p.card for p in past.placements if "which-card" in p.faults}
    assert len(taken) == len(set(taken)) or unsure
    seats = [p.seat for p in past.placements if p.status == "counts"]
    assert len(seats) == len(set(seats))


@settings(max_examples=150)
@given(SEATS, st.lists(FACT, max_size=14))
def test_apply_is_total(seats, facts):
    table = HookTable(*seats)
    for fact in facts:
        table.tell(fact)
    sound(table)
    state = table.state
    for past in state.rounds:
        never_silent(past)
    assert msgspec.json.encode(state)
    assert headline(state).to("de")
    assert bool(result(state).to("de")) == state.over
    for past in state.rounds:
        assert all(told.text.to("de") for told in (*tell(state.setup, past), *sums(state.setup, past)))
    keys = [question.key for question in RULES.questions(state)]
    assert len(keys) == len(set(keys))
    for question in RULES.questions(state):
        assert len({choice.value for choice in question.choices}) == len(question.choices) > 0
        for choice in question.choices:
            made = RULES.answer(state, question, choice.value)
            after = state
            for fact in made:
                after = RULES.apply(after, msgspec.structs.replace(fact, id=999))
            assert question.key not in {q.key for q in RULES.questions(after)}
    for seat in seats:
        numbers = [reason.number for reason in why(state, seat, DeckBook(None))]
        assert numbers == sorted(set(numbers), reverse=True)
    known = set(table.facts)
    assert set(table.conflicts()) <= known


COMMAND = st.one_of(
    st.builds(f.NextRound, source=st.sampled_from(("camera", "tap"))),
    st.builds(f.CloseRound, round=NUMBER),
    st.builds(f.WaiveTile, seat=NAMES, round=NUMBER),
    st.builds(f.RevealCard, card=st.sampled_from(("c1", "c2")), round=NUMBER),
    pose(f.PlaceTile),
    pose(f.MoveTile),
    st.builds(f.ReadSymbol, tile=TILES, hole=SMALL, symbol=ANY_SYMBOL, round=NUMBER),
    st.builds(f.RulePlacement, tile=TILES, allowed=st.booleans(), round=NUMBER),
    st.builds(f.IdentifyTile, tile=TILES, seat=st.one_of(st.none(), NAMES), round=NUMBER),
    st.builds(f.IdentifyCard, tile=TILES, card=CARDS, round=NUMBER),
    st.builds(f.ChooseTarget, tile=TILES, hole=SMALL, victim=NAMES, round=NUMBER),
    st.builds(f.Recount, balls=COUNT, won=COUNT, parrots=COUNT, stacks=COUNT, out=st.one_of(st.none(), st.just(()))),
)


@FEW
@given(SEATS, st.lists(COMMAND, max_size=12))
def test_a_command_is_taken_or_refused_with_a_sentence(seats, commands):
    table = HookTable(*seats)
    for command in commands:
        try:
            table.do(command)
        except RuleBroken as refusal:
            assert str(refusal)
        sound(table)
    assert table.fold() == table.state


def test_a_long_game_folds_quickly():
    """Sixteen rounds of six players are derived round by round, not all of them with every fact."""
    table = HookTable(*CHARACTERS)
    sights = {seat: (("rum", "barrel", "parrot"), seat) for seat in CHARACTERS}
    for _ in range(ROUNDS[6]):
        play(table, sights)
    assert table.state.over
    derived = []
    from companion.games.hook import derive

    real = derive.derive_round

    def counted(*args, **kwargs):
        derived.append(1)
        return real(*args, **kwargs)

    derive.derive_round = counted
    try:
        table.fold()
    finally:
        derive.derive_round = real
    assert len(derived) <= 2 * len(table.facts)


def test_the_set_up_of_any_start_is_total():
    assert RULES.start(started("RP", "BP", "YS", parrots="nonsense")).of == 32
