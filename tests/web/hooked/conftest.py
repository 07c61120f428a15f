"""A game of Hooked! on a real table, the application over it, and browsers that are or are not paired."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from angling import Angling
from flask import Flask
from flask.testing import FlaskClient
from playing import PIN, settings

from web import create_app
from web.app import live_of


@pytest.fixture
def angling(tmp_path: Path) -> Iterator[Angling]:
    game = Angling(tmp_path)
    yield game
    game.stop()


@pytest.fixture
def app(angling: Angling) -> Iterator[Flask]:
    app = create_app(angling.table, settings(game="hooked", decks={}))
    app.testing = True
    yield app
    live_of(app).close()


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert client.post("/pair", data={"pin": PIN}).status_code == 303
    return client
