"""The states that are kept on the way through a long match: enough to undo quickly, and few."""

from companion.core.fold import NEAR, STRIDE, _worth_keeping

LONG = 20_000


def test_many_recent_states_are_kept_and_few_old_ones():
    kept = []
    for now in range(STRIDE, LONG, STRIDE):
        kept = [number for number in kept if _worth_keeping(number, now)] + [now]
        assert len(kept) < 200
        assert kept[-NEAR:] == list(range(now, 0, -STRIDE))[:NEAR][::-1]
        for older, newer in zip([0, *kept], kept, strict=False):
            assert newer - older <= max(STRIDE, (now - older) // 4)
