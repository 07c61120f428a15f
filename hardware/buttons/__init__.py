"""Slap buttons: raw edges with their time, and how each button is.

``Buttons`` is the protocol; behind it are GPIO lines (``gpiozero_buttons``) or USB buttons (``evdev_buttons``), as
``opening.open_buttons`` chooses by the configuration. Buttons on a page are none of these: they send commands.
"""

from hardware.buttons.health import ButtonHealth
from hardware.buttons.protocol import Buttons, ButtonsConfig, ButtonsError, ButtonSpec, UsbButton

__all__ = ["ButtonHealth", "ButtonSpec", "Buttons", "ButtonsConfig", "ButtonsError", "UsbButton"]
