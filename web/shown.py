"""What a form showed when it was drawn: only what was changed on it is written down, and nothing if it is too old."""

from __future__ import annotations

import json
from collections.abc import Mapping

from flask import request

Values = Mapping[str, int | str]
"""The fields of a form by name, as they are filled in when it is drawn."""


def text(now: Values) -> str:
    """What the form sends back in its hidden field ``shown``."""
    return json.dumps(now)


def out_of_date(now: Values) -> bool:
    """Whether the form that was sent showed something else. One that does not say what it showed did not."""
    return request.form.get("shown", text(now)) != text(now)


def numbers(now: Values, *, every: bool = False) -> dict[str, int]:
    """The numbers that were changed on the form that was sent, or every one that it has."""
    found = {}
    for name, was in now.items():
        value = request.form.get(name, type=int) if isinstance(was, int) else None
        if value is not None and (every or value != was):
            found[name] = value
    return found
