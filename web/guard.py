"""Who may do what: the Host header, the origin of a form, and pairing with a PIN.

Watching is free to everybody in the local network. Changing anything needs a browser that has once been told the
PIN. Nothing here tells people apart by their address.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Callable
from threading import Lock
from urllib.parse import urlsplit

from flask import Flask, Request, abort, request, session
from werkzeug.exceptions import HTTPException

from companion.words import Text, _
from web.settings import Settings

COOKIE = "paired"
FREE_TRIES = 5
FIRST_WAIT_NS = 30_000_000_000
LONGEST_WAIT_NS = 600_000_000_000


class Refused(HTTPException):
    """A request that is not allowed, with the sentence for the person who made it."""

    def __init__(self, code: int, sentence: Text) -> None:
        super().__init__(description=str(sentence))
        self.code = code
        self.sentence = sentence


class Pairing:
    """Checks PINs, and makes guessing slow: after five wrong ones in a row everybody waits, longer each time.

    The count is one for all browsers, since an address proves nothing. ``clock`` is in nanoseconds.
    """

    def __init__(self, pin: str, secret: str, clock: Callable[[], int]) -> None:
        self._pin = pin
        self._token = hmac.new(secret.encode(), b"paired " + pin.encode(), hashlib.sha256).hexdigest()
        self._clock = clock
        self._wrong = 0
        self._until = 0
        self._lock = Lock()

    def wait_s(self) -> int:
        """Seconds until the next try is looked at; 0 when one may try now."""
        return max(0, -(-(self._until - self._clock()) // 1_000_000_000))

    def try_pin(self, pin: str) -> str | None:
        """The token for the cookie when ``pin`` is right. None when it is wrong or may not be tried yet."""
        with self._lock:
            if self.wait_s():
                return None
            if hmac.compare_digest(pin.strip().replace(" ", "").encode(), self._pin.encode()):
                self._wrong = 0
                return self._token
            self._wrong += 1
            if self._wrong >= FREE_TRIES:
                wait = FIRST_WAIT_NS << min(self._wrong - FREE_TRIES, 10)
                self._until = self._clock() + min(wait, LONGEST_WAIT_NS)
            return None

    def holds(self, token: object) -> bool:
        """Whether a cookie's token was given out for the present PIN."""
        return isinstance(token, str) and hmac.compare_digest(token.encode(), self._token.encode())


def host_is_ours(host: str, names: tuple[str, ...]) -> bool:
    """Whether a Host header names an IP, localhost or one of our own names (a port may follow)."""
    name = urlsplit(f"//{host}").hostname if host else None
    if name is None:
        return False
    if name == "localhost" or name in {own.lower() for own in names}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(request: Request) -> bool:
    """Whether a form or script comes from our own page. Programs that send neither header are let through."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host


def is_paired(pairing: Pairing) -> bool:
    """Whether the present request comes from a paired browser."""
    return pairing.holds(session.get(COOKIE))


def is_local() -> bool:
    """Whether the present request was made on this very machine (the TV that hangs on the Pi)."""
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def phones_come_by(host: str) -> bool:
    """Whether a phone in the network finds us by this Host header too: not where it means this machine alone, nor by a
    ``.local`` name, which many phones cannot look up."""
    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost" or name.endswith(".local"):
        return False
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return True
    return not (address.is_loopback or address.is_unspecified)


def install(app: Flask, settings: Settings, pairing: Pairing) -> None:
    """Check every request before any page sees it, and send strict headers with every answer."""

    @app.before_request
    def check() -> None:
        host = request.headers.get("Host", "")
        if not host_is_ours(host, settings.names):
            raise Refused(
                421,
                _("This address is not one of ours. Open the page by the number shown on the TV, or by its own name."),
            )
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return
        if not same_origin(request):
            raise Refused(
                403, _("This came from another page, so nothing was changed. Use the buttons on our own page.")
            )
        if (request.content_length or 0) > (app.config["MAX_CONTENT_LENGTH"] or 0):
            abort(413)

    @app.after_request
    def headers(response):  # type: ignore[no-untyped-def]  # noqa: ANN202, ANN001
        response.headers.setdefault(
            "Content-Security-Policy",
            "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
            "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        )
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def require_paired(pairing: Pairing) -> None:
    """Refuse (403) a change from a browser that is not paired."""
    if not is_paired(pairing):
        raise Refused(403, _("Only paired phones can change the game. Pair this one with the PIN shown on the TV."))
