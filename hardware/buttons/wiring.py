"""The pins we recommend for six seats (BCM numbers): docs/wiring.md draws them.

Buttons stand in the left column of the header, lights in the right, each with grounds among them. I2C (2, 3), SPI (7 to
11), UART (14, 15) and the HAT's own pins (0, 1) stay free. All lights are on pins that are pulled down at boot, so that
no light comes on by itself.
"""

from __future__ import annotations

from hardware.buttons.protocol import ButtonSpec

WIRING = (
    ButtonSpec("seat-1", 17, light_pin=23),
    ButtonSpec("seat-2", 27, light_pin=24),
    ButtonSpec("seat-3", 22, light_pin=25),
    ButtonSpec("seat-4", 5, light_pin=12),
    ButtonSpec("seat-5", 6, light_pin=16),
    ButtonSpec("seat-6", 26, light_pin=20),
)
BUZZER_PIN = 13
