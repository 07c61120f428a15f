"""These measure the machine, so they run only when they are asked for: ``make benchmarks``."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config, items):
    if any("benchmarks" in str(argument) for argument in config.args):
        return
    mine = [item for item in items if HERE in item.path.parents]
    items[:] = [item for item in items if item not in mine]
    config.hook.pytest_deselected(items=mine)
