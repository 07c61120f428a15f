"""This machine's address in the local network, as it is now: the network may come up after the program, or change."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
import time
from collections.abc import Callable, Iterable

HERE = "127.0.0.1"
KEPT_NS = 3_000_000_000
"""So long an address is believed before it is looked up again."""

_INTERFACE, _ADDRESS_OF = struct.Struct("=16s4s4s16x"), 0x8915
"""Linux' ``struct ifreq`` (name, the head of a socket address, the IPv4 address) and the request SIOCGIFADDR."""


def by_route() -> str | None:
    """The address from which this machine speaks to the world; None where no way leads there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; a datagram socket sends nothing on connect
            return str(probe.getsockname()[0])
        except OSError:
            return None


def of_interfaces() -> tuple[str, ...]:
    """The first IPv4 address of each network interface that has one, in the kernel's order."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _index, name in socket.if_nameindex():
            request = _INTERFACE.pack(name.encode(), b"", b"")
            try:
                answer = fcntl.ioctl(asking, _ADDRESS_OF, request)
            except OSError:
                continue  # it has none
            found.append(socket.inet_ntoa(_INTERFACE.unpack(answer)[2]))
    return tuple(found)


def own_address(
    route: Callable[[], str | None] = by_route, interfaces: Callable[[], Iterable[str]] = of_interfaces
) -> str:
    """This machine's address as a phone in its network can reach it; localhost when there is none.

    A Pi that is its own hotspot has no way out: its address is that of the first interface which leads off this
    machine.
    """
    return route() or next((found for found in interfaces() if _leads_off(found)), HERE)


class Lately:
    """The address as ``look`` gave it in the last few seconds: every drawing of a page asks. ``clock`` is in ns."""

    def __init__(self, look: Callable[[], str], clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._look, self._clock = look, clock
        self._known: tuple[str, int] | None = None

    def __call__(self) -> str:
        now = self._clock()
        if self._known is None or now - self._known[1] >= KEPT_NS:
            self._known = self._look(), now
        return self._known[0]


def _leads_off(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_link_local)
