"""Another program that holds a GPIO line, asked of the kernel as any program would.

usage: python -m tests.virtual_pi.holder CHIP LINE NAME     says "held", and holds the line until its input ends
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys

GET_LINE = 0xC250B407
INPUT = 1 << 2
REQUEST = struct.Struct("=256s32sQ264xII20xi")
"""gpio_v2_line_request: offsets, consumer, flags of the configuration, lines, size of the buffer, descriptor."""


def hold(chip: int, line: int, name: str) -> int:
    """Take a line as an input under a name; the descriptor that holds it."""
    request = REQUEST.pack(struct.pack("=I", line), name.encode(), INPUT, 1, 0, 0)
    device = os.open(f"/dev/gpiochip{chip}", os.O_RDONLY)
    descriptor: int = REQUEST.unpack(fcntl.ioctl(device, GET_LINE, request))[-1]
    return descriptor


if __name__ == "__main__":
    hold(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    sys.stdout.write("held\n")
    sys.stdout.flush()
    sys.stdin.read()
