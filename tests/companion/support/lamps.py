"""Lights and a buzzer that only remember what they were told."""

from __future__ import annotations


class Lamps:
    """``now`` is what each light shows in the end, ``played`` every pattern with its seat, ``tunes`` every tune."""

    def __init__(self) -> None:
        self.now: dict[str, str] = {}
        self.played: list[tuple[str, str]] = []
        self.tunes: list[str] = []

    def play(self, seat: str, name: str, then: str | None = None) -> None:
        self.played.append((seat, name))
        self.now[seat] = then or name

    def sound(self, name: str) -> None:
        self.tunes.append(name)
