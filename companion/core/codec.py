"""Facts and commands of one game to JSON and back, through the game's own tagged union."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import reduce
from typing import Any

import msgspec

from companion.core.facts import (
    Answered,
    Corrected,
    Fact,
    MatchEnded,
    MatchStarted,
    Undone,
)

META: tuple[type[Fact], ...] = (MatchStarted, MatchEnded, Undone, Corrected, Answered)
"""The facts that every match has; all others are the game's and go to its ``apply``."""


def union(types: Iterable[type[Any]]) -> Any:
    """The types as one union that msgspec decodes by their tags."""
    return reduce(operator.or_, dict.fromkeys(types))


def tag(value: msgspec.Struct) -> str:
    """The name a fact or command carries in JSON."""
    return tag_of(type(value))


def tag_of(kind: type[msgspec.Struct]) -> str:
    """The name that facts or commands of this type carry in JSON."""
    return str(kind.__struct_config__.tag)


class Codec:
    """Encodes and decodes the facts of one game, those of every match among them."""

    def __init__(self, facts: Iterable[type[Fact]]) -> None:
        kinds = tuple(dict.fromkeys((*META, *facts)))
        self.kinds: dict[str, type[Fact]] = {tag_of(kind): kind for kind in kinds}
        self._union = union(kinds)
        self._decoder: msgspec.json.Decoder[Fact] = msgspec.json.Decoder(self._union)

    def encode(self, fact: Fact) -> bytes:
        """The fact as JSON."""
        return msgspec.json.encode(fact)

    def decode(self, data: bytes) -> Fact:
        """A fact from JSON; msgspec.ValidationError where it is none of this game."""
        return self._decoder.decode(data)

    def settle(self, fact: Fact) -> Fact:
        """The fact as it will be read back: what is applied live is exactly what a replay applies."""
        return self.decode(self.encode(fact))

    def replacement(self, target: Fact, new: dict[str, Any]) -> Fact:
        """The fact that a correction puts in the place of ``target``, with its id and time.

        Raises msgspec.ValidationError for what is no fact of this game, or has a field the fact does not have.
        """
        data = {"fact": tag(target), **new, "id": target.id, "t_ns": target.t_ns}
        fact: Fact = msgspec.convert(data, self._union)
        unknown = sorted(set(data) - {"fact", *fact.__struct_fields__})
        if unknown:
            raise msgspec.ValidationError(f"{tag(fact)} has no field `{unknown[0]}`")
        return fact


def body(fact: Fact) -> dict[str, Any]:
    """A fact in JSON form without id and time, as ``Corrected`` holds it."""
    data: dict[str, Any] = msgspec.to_builtins(fact)
    del data["id"], data["t_ns"]
    return data
