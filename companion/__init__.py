"""The referee: games, journal, match, and the program that wires cameras, buttons and pages to them."""

import os

# The matrices here are small: one thread multiplies them faster than several that wait for each other (measured:
# a photo costs a quarter of the processor time). numpy reads this once, when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
