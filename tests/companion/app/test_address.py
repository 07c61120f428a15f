"""Where this machine is in the network: by its way out, else by its interfaces; looked up anew every few seconds."""

from __future__ import annotations

import ipaddress

import pytest

from companion.app import address


@pytest.mark.parametrize(
    ("route", "interfaces", "found"),
    [
        ("192.168.1.20", ("127.0.0.1", "10.0.0.1"), "192.168.1.20"),
        (None, ("127.0.0.1", "169.254.7.7", "10.42.0.1", "172.17.0.1"), "10.42.0.1"),  # its own hotspot
        (None, ("127.0.0.1",), "127.0.0.1"),
        (None, (), "127.0.0.1"),
    ],
)
def test_its_own_address(route: str | None, interfaces: tuple[str, ...], found: str) -> None:
    assert address.own_address(lambda: route, lambda: interfaces) == found


def test_the_interfaces_of_this_machine_have_addresses() -> None:
    found = address.of_interfaces()
    assert "127.0.0.1" in found
    assert all(ipaddress.ip_address(one).version == 4 for one in found)


def test_it_is_looked_up_again_after_a_few_seconds() -> None:
    now, looked = [0], []
    lately = address.Lately(lambda: looked.append(now[0]) or f"10.0.0.{len(looked)}", lambda: now[0])
    assert [lately(), lately()] == ["10.0.0.1", "10.0.0.1"]
    now[0] = address.KEPT_NS - 1
    assert lately() == "10.0.0.1"
    now[0] = address.KEPT_NS
    assert lately() == "10.0.0.2"
    assert looked == [0, address.KEPT_NS]
