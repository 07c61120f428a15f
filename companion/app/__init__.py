"""The composition root: joins cameras, vision, table, games and pages into a running program."""
