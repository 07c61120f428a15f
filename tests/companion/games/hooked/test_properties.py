"""What holds for every game of Hooked!, whatever is played, told, corrected or taken back."""

import msgspec
from hooked_table import MS, HookedTable, seat_id, started
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.facts import RuleBroken
from companion.games.hooked import facts as f
from companion.games.hooked.names import ACTIONS
from companion.games.hooked.rules import RULES, verdicts
from companion.games.hooked.sentences import headline, tell
from companion.words import spoken


class Counted(HookedTable):
    """After every single fact, of whatever kind, all cards are somewhere."""

    def tell(self, fact, t_ms=None):
        number = super().tell(fact, t_ms)
        assert self.accounted() == self.state.setup.total
        return number


FEW = settings(max_examples=60)

NUMBERS = st.integers(1, 6)  # few kinds, so that they meet
CARDS = st.one_of(NUMBERS, st.sampled_from(ACTIONS))
SEATS = st.integers(1, 6)
RULES_OF_THE_HOUSE = st.fixed_dictionaries(
    {},
    optional={
        "empty_hook": st.sampled_from(("locks", "both")),
        "false_start": st.sampled_from(("ignored", "wrong")),
        "dead_heat": st.sampled_from(("next-flip", "share", "nearest")),
    },
)
PRESS = st.tuples(st.just("press"), SEATS, st.sampled_from((-66.2, -65.8, -40, 20, 80, 250, 251, 290, 400)))
UNSURE = st.tuples(st.just("unsure"), CARDS, CARDS)
MOVES = st.one_of(
    st.tuples(st.just("flip"), CARDS, st.sampled_from((300, 3000))),
    st.tuples(st.just("flip"), CARDS, st.sampled_from((300, 3000))),
    PRESS,
    PRESS,
    st.tuples(st.just("late-frame"), CARDS, st.integers(66, 700)),
    UNSURE,
    st.tuples(st.just("wrong-seat"), CARDS, SEATS),
    st.tuples(st.just("tap"), CARDS, st.just(0)),
    st.tuples(st.just("tell"), SEATS, st.integers(0, 30)),
    st.tuples(st.just("pass"), st.just(0), st.integers(0, 30)),
    st.tuples(st.just("veto"), st.just(0), st.just(0)),
    st.tuples(st.just("answer"), st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.just("undo"), st.integers(0, 40), st.just(0)),
    st.tuples(st.just("correct"), st.integers(0, 40), CARDS),
    st.tuples(st.just("recount"), SEATS, st.integers(0, 30)),
)


def card_of(card):
    return f"fish-{card}" if isinstance(card, int) else card


def make(table, move):
    """One move of a game; the rules may refuse it."""
    what, a, b = move
    players = len(table.state.seats)
    flips = [n for n, fact in table.facts.items() if isinstance(fact, f.CardFlipped)]
    match what:
        case "flip":
            table.flip(a, after=b)
        case "late-frame":
            table.flip(a, before=b)
        case "unsure":
            table.flip(a, card_sure=False, cards=((card_of(a), 0.5), (card_of(b), 0.4)))
        case "wrong-seat":
            table.flip(a, (b - 1) % players + 1)
        case "tap":
            table.tap(a)
        case "press":
            table.press((a - 1) % players + 1, b)
        case "tell":
            table.do(f.TellSlap(seat=seat_id((a - 1) % players + 1), flip=b))
        case "pass":
            table.do(f.PassCard(flip=b))
        case "veto":
            table.do(f.Veto())
        case "answer":
            questions = RULES.questions(table.state)
            if questions:
                question = questions[a % len(questions)]
                choice = question.choices[b % len(question.choices)]
                for fact in RULES.answer(table.state, question, choice.value):
                    table.tell(fact)
        case "undo":
            standing = [n for n in table.facts if n not in table.undone]
            if standing:
                table.undo(standing[a % len(standing)])
        case "correct":
            if flips:
                table.correct(flips[a % len(flips)], card=card_of(b), card_sure=True)
        case "recount":
            table.do(f.Recount(stacks={seat_id((a - 1) % players + 1): b}))


def sound(table, total=62):
    state = table.state
    assert table.accounted() == total
    assert all(n >= 0 for n in table.stacks())
    assert state.under >= 0
    assert all(1 <= left <= 3 for _seat, left in state.locks)
    assert all(state.stack(seat) == 0 for seat in state.out)
    assert state.turn is None or state.stack(state.turn) > 0
    assert not state.over or state.winner is None or state.stack(state.winner) > 0
    for slap in state.slaps:
        assert slap.winner is None or slap.right
        seats = [p.seat for p in slap.presses if p.verdict == "won"]
        assert seats == ([] if slap.winner is None else [slap.winner])


def plays(table, moves):
    for move in moves:
        try:
            make(table, move)
        except RuleBroken as refusal:
            assert refusal.sentence.to("de")
        yield move


@FEW
@given(st.integers(2, 6), RULES_OF_THE_HOUSE, st.lists(MOVES, max_size=40))
def test_all_cards_are_accounted_for_after_every_fact(players, house, moves):
    table = Counted(players, **house)
    for _move in plays(table, moves):
        sound(table)
    assert table.fold() == table.state
    page = (headline(table.state), tell(table.state), RULES.questions(table.state), verdicts(table.state))
    for language in ("en", "de"):
        assert spoken(msgspec.to_builtins(page), language)


@FEW
@given(st.integers(2, 6), st.lists(st.integers(0, 10), min_size=6, max_size=6), st.lists(MOVES, max_size=30))
def test_small_stacks_come_to_an_end(players, stacks, moves):
    stacks = [n or 1 for n in stacks[:players]]
    table = Counted(players, stacks=stacks)
    for _move in plays(table, moves):
        sound(table, sum(stacks))


@FEW
@given(st.lists(MOVES, min_size=1, max_size=25), st.data())
def test_undo_and_redo_is_identity(moves, data):
    table = Counted(3)
    list(plays(table, moves))
    standing = [n for n in table.facts if n not in table.undone]
    if standing:
        target = data.draw(st.sampled_from(standing))
        before = table.state
        table.undo(target)
        sound(table)
        table.redo(target)
        assert table.state == before


@FEW
@given(st.lists(MOVES, max_size=25), st.randoms(use_true_random=False))
def test_nobody_gains_by_the_order_in_which_observations_arrive(moves, random):
    table = Counted(4)
    list(plays(table, moves))
    observed = [
        (n, fact)
        for n, fact in table.facts.items()
        if n not in table.undone and isinstance(fact, f.CardFlipped | f.Pressed | f.Recounted)
    ]
    states = []
    for _time in range(3):
        state = RULES.start(table.started)
        for _n, fact in observed:
            state = RULES.apply(state, fact)
        states.append(msgspec.structs.replace(state, edges={}))
        random.shuffle(observed)
    assert states[0] == states[1] == states[2]


MANY = {f"fish-{number}": {"kind": "fish", "number": number, "copies": 9} for number in range(1, 7)}
MANY |= {action: {"kind": "action", "copies": 9} for action in ACTIONS}
"""A deck in which no card of a short game is the last of its kind."""


def swapped(fact):
    """The fact with what else the card could be as the likely card."""
    if not isinstance(fact, f.CardFlipped) or fact.card_sure or len(fact.cards) != 2:
        return fact
    first, second = fact.cards
    return msgspec.structs.replace(fact, card=second[0], cards=(second, first))


def outcome(state):
    """Where all cards are, who may slap, what came of every slap, and what is asked."""
    slaps = [
        (slap.id, slap.winner, slap.dead_heat, slap.moved, slap.final_ns, [(p.seat, p.verdict) for p in slap.presses])
        for slap in state.slaps
    ]
    table = (state.stacks, state.lake_size, state.direction, state.turn, state.locks, state.out, state.over)
    return table, slaps, [question.key for question in RULES.questions(state)]


@FEW
@given(RULES_OF_THE_HOUSE, st.lists(st.one_of(UNSURE, PRESS, PRESS, MOVES), max_size=25))
def test_which_of_its_cards_one_looks_like_most_decides_nothing(house, moves):
    table = Counted(3, cards=MANY, **house)
    list(plays(table, moves))
    state = RULES.start(table.started)
    for number, fact in table.facts.items():
        if number not in table.undone:
            state = RULES.apply(state, swapped(fact))
    assert outcome(state) == outcome(table.state)


@FEW
@given(st.lists(st.tuples(st.integers(0, 400), SEATS, st.integers(0, 1)), max_size=60), st.data())
def test_raw_edges_in_any_order_with_any_bounce(edges, data):
    edges = [f.Pressed(seat=seat_id(seat), level=level, t_ns=(20_000 + ms) * MS) for ms, seat, level in edges]
    flips = [
        f.CardFlipped(id=2 + n, seat=seat_id(n + 1), card="fish-4", seen_ns=ms * MS, before_ns=(ms - 66) * MS)
        for n, ms in enumerate((17_000, 20_000))
    ]
    states = []
    for _time in range(2):
        state = RULES.start(started(6))
        for fact in data.draw(st.permutations((*flips, *edges))):
            state = RULES.apply(state, fact)
        states.append(msgspec.structs.replace(state, edges={}))
    assert states[0] == states[1]
