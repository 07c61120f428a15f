"""The two ways of following a table: pieces laid beside each other (and tiles upon cards), or one pile of cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from companion.world import Frame, Scene
from vision.catalog import Catalog
from vision.pile_pipeline import PilePipeline
from vision.pipeline import Pipeline
from vision.plane import Plane


class Follows(Protocol):
    """What follows a table, frame by frame."""

    def step(self, frame: Frame) -> Scene:
        """The Scene after a frame."""

    def expect(self, ids: Iterable[str] | None) -> None:
        """Which ids may lie on the table; None: every piece of the deck."""

    def forget(self) -> None:
        """Start anew, as with the first frame."""


def following(catalog: Catalog, plane: Plane | None = None, *, pile: bool = False) -> Follows:
    """The pipeline for a table; ``pile``: cards are laid onto one another."""
    return PilePipeline(catalog, plane) if pile else Pipeline(catalog, plane)
