"""The games: one folder each, with its rules, its watcher, its practice deck and its script of players."""
