"""The suite of ``buttons_suite`` over every back end there is here."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator

import pytest

from tests.hardware.buttons_suite import SUITE, Driver
from tests.hardware.support.mock_driver import MockDriver

DRIVERS: dict[str, Callable[[], Driver]] = {"mock": MockDriver}
if named := os.environ.get("COMPANION_BUTTONS_DRIVER"):
    module, _, maker = named.partition(":")
    DRIVERS[named] = getattr(importlib.import_module(module), maker)


@pytest.fixture(params=sorted(DRIVERS))
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    made = DRIVERS[request.param]()
    yield made
    made.close()


@pytest.mark.parametrize("check", SUITE, ids=lambda check: check.__name__)
def test_buttons(check: Callable[[Driver], None], driver: Driver) -> None:
    check(driver)
