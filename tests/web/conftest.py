"""A real table in a temporary folder, the application over it, and browsers that are or are not paired."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

sys.path.insert(0, str(Path(__file__).parent / "support"))

from browser import chromium, missing
from playing import PIN, Playing, settings

from web import create_app
from web.app import live_of


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    assert missing() is None, missing()
    with chromium() as running:
        yield running


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Playing]:
    game = Playing(tmp_path)
    yield game
    game.stop()


@pytest.fixture
def app(playing: Playing) -> Iterator[Flask]:
    app = create_app(playing.table, settings())
    app.testing = True
    yield app
    live_of(app).close()


@pytest.fixture
def viewer(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert client.post("/pair", data={"pin": PIN}).status_code == 303
    return client
