"""How sure a share is: exact (Clopper-Pearson) confidence intervals, without a statistics package."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec


class Share(msgspec.Struct, frozen=True):
    """``hits`` of ``n``."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        """The share itself; NaN when there is nothing to share."""
        return self.hits / self.n if self.n else math.nan

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The Clopper-Pearson interval (Biometrika 26, 1934): the shares that ``hits`` of ``n`` does not contradict."""
        if self.n == 0:
            return 0.0, 1.0
        tail = (1 - level) / 2
        low = 0.0 if self.hits == 0 else _solve(lambda p: 1 - _at_most(self.hits - 1, self.n, p), tail)
        high = 1.0 if self.hits == self.n else _solve(lambda p: -_at_most(self.hits, self.n, p), -tail)
        return low, high

    def reach(self, level: float) -> tuple[float, float]:
        """The least and the most that the share may truly be; without a level both are what was counted."""
        return self.interval(level) if level else (self.value, self.value)

    def percent(self) -> str:
        """``99.5 % (98.9 to 99.8)``."""
        low, high = self.interval()
        return f"{100 * self.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"

    def per_thousand(self) -> str:
        """``2 = 0.7 in 1,000 (0.1 to 2.4)``."""
        low, high = self.interval()
        return f"{self.hits} = {1000 * self.value:.1f} in 1,000 ({1000 * low:.1f} to {1000 * high:.1f})"

    def __add__(self, other: Share) -> Share:
        return Share(self.hits + other.hits, self.n + other.n)


def _at_most(k: int, n: int, p: float) -> float:
    """P(X <= k) for X binomial(n, p)."""
    if p <= 0:
        return 1.0
    if p >= 1:
        return 1.0 if k >= n else 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    return math.fsum(
        math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * log_p + (n - i) * log_q)
        for i in range(k + 1)
    )


def _solve(rising: Callable[[float], float], goal: float) -> float:
    """Where a rising function on 0 to 1 reaches ``goal``."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if rising(middle) < goal:
            low = middle
        else:
            high = middle
    return (low + high) / 2
