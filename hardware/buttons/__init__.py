"""Slap buttons: raw edges with their time, and how each button is.

``Buttons`` is the protocol; behind it are GPIO lines (``gpiozero_buttons``), USB buttons (``evdev_buttons``), and
buttons on a screen or keyboard (``screen_buttons``). ``opening.open_buttons`` chooses by the configuration.
"""

from hardware.buttons.health import ButtonHealth
from hardware.buttons.protocol import Buttons, ButtonsConfig, ButtonsError, ButtonSpec, UsbButton

__all__ = ["ButtonHealth", "ButtonSpec", "Buttons", "ButtonsConfig", "ButtonsError", "UsbButton"]
