"""The referee: games, journal, match, and the program that wires cameras, buttons and pages to them."""
