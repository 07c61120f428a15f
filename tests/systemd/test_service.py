"""The unit as systemd reads it, and what installing it puts where."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"


def entries(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_finds_nothing_to_complain_about():
    done = subprocess.run(
        ["systemd-analyze", "verify", str(SYSTEMD / "companion.service")], capture_output=True, text=True, check=False
    )
    about_us = [line for line in done.stderr.splitlines() if "companion" in line]
    assert about_us == []
    assert done.returncode == 0, done.stderr


def test_camera_and_gpio_are_not_shut_out():
    unit = entries((SYSTEMD / "companion.service").read_text(encoding="utf-8"))
    assert {"gpio", "video"} <= set(unit["SupplementaryGroups"][0].split())
    # each of these closes /dev, ProtectClock by a device list of its own
    for closing in ("PrivateDevices", "ProtectClock", "DevicePolicy", "DeviceAllow", "RootDirectory"):
        assert closing not in unit
    assert unit["WorkingDirectory"] == ["%t/" + unit["RuntimeDirectory"][0]]
    assert "AF_UNIX" in unit["RestrictAddressFamilies"][0].split()  # the notify socket


def test_what_stays_wrong_is_not_tried_again():
    """The status of ``companion run`` for a wrong config file or deck: tests/companion/app/test_run.py."""
    unit = entries((SYSTEMD / "companion.service").read_text(encoding="utf-8"))
    assert unit["RestartPreventExitStatus"] == ["2"]


def install(tmp_path: Path, *arguments: str, umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SYSTEMD / "install"), *arguments],
        env={**os.environ, "DESTDIR": str(tmp_path), "NO_START": "1"},
        capture_output=True,
        text=True,
        check=False,
        umask=umask,
    )


def test_the_unit_is_installed_and_settings_are_kept(tmp_path):
    assert install(tmp_path, "service", "/srv/companion").returncode == 0
    unit = entries((tmp_path / "etc/systemd/system/companion.service").read_text(encoding="utf-8"))
    assert "PATH=/srv/companion/bin:/usr/bin:/bin" in unit["Environment"]
    settings = tmp_path / "etc/xdg/tabletop-companion/companion.toml"
    assert settings.read_text(encoding="utf-8") == (SYSTEMD / "companion.toml").read_text(encoding="utf-8")
    settings.write_text('game = "hook"\n', encoding="utf-8")
    assert install(tmp_path, "service").returncode == 0
    assert settings.read_text(encoding="utf-8") == 'game = "hook"\n'


@pytest.mark.parametrize("umask", [0o077, 0o027])
def test_the_service_may_read_its_settings_whatever_root_keeps_to_itself(tmp_path, umask):
    assert install(tmp_path, "service", umask=umask).returncode == 0
    for path in (tmp_path / "etc").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o755 if path.is_dir() else 0o644), path
    folder = tmp_path / "etc/xdg/tabletop-companion"
    folder.chmod(0o700)  # as an installation of before left it
    assert install(tmp_path, "service", umask=umask).returncode == 0
    assert folder.stat().st_mode & 0o777 == 0o755


def test_wrong_use_is_told(tmp_path):
    done = install(tmp_path, "everything")
    assert done.returncode == 2
    assert "systemd/install program" in done.stderr
