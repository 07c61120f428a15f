"""The referee's memory, the same for every game: facts, doubts, journal, match. Pure over an append-only log."""
