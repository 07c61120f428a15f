"""The present state as the HTTP interface gives it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.facts import Choice
from companion.table import Snapshot
from companion.words import spoken


def state_json(snapshot: Snapshot, state: Any, build: str, language: str) -> dict[str, Any]:
    """Everything there is to see, in plain JSON values, every sentence in ``language``. ``state`` is the snapshot's as
    its game prints it."""
    return {
        "build": build,
        "boot": snapshot.boot,
        "version": snapshot.version,
        "match": snapshot.match,
        "game": snapshot.game,
        "over": snapshot.over,
        "camera": {"status": snapshot.camera.camera, "sentence": snapshot.camera.sentence.to(language)},
        "trouble": snapshot.trouble.to(language) if snapshot.trouble else None,
        "notices": [notice.to(language) for notice in snapshot.notices],
        "started": _plain(snapshot.started, language),
        "state": _plain(state, language),
        "facts": [
            {
                "id": entry.id,
                "version": entry.version,
                "step": entry.step,
                "undone": entry.undone,
                "corrected": entry.original is not None,
                "fact": _plain(entry.fact, language),
            }
            for entry in snapshot.facts
        ],
        "doubts": [
            {
                "id": doubt.id,
                "version": doubt.version,
                "kind": doubt.question.kind,
                "seat": doubt.question.seat,
                "sentence": doubt.question.sentence.to(language),
                "choices": [_choice(choice, language) for choice in doubt.question.choices],
                "about": _plain(doubt.question.about, language),
                "picture": f"/pictures/{doubt.picture}" if doubt.picture else None,
            }
            for doubt in snapshot.doubts
        ],
        "conflicts": [{"fact": conflict.fact, "why": conflict.why.to(language)} for conflict in snapshot.conflicts],
        "picture": f"/pictures/{snapshot.view.picture}" if snapshot.view else None,
    }


def _choice(choice: Choice, language: str) -> dict[str, Any]:
    said = {"value": choice.value, "label": choice.label.to(language), "symbol": choice.symbol}
    return said | ({"symbols": list(choice.symbols)} if choice.symbols else {})


def _plain(value: Any, language: str) -> Any:
    return spoken(msgspec.to_builtins(value), language)
