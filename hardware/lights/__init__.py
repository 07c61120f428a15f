"""Lights and a buzzer: patterns as data, and one thread that plays them. Nothing here knows a game; names are data."""

from hardware.lights.health import LightHealth
from hardware.lights.patterns import PATTERNS, TUNES, Pattern
from hardware.lights.player import Lights

__all__ = ["PATTERNS", "TUNES", "LightHealth", "Lights", "Pattern"]
