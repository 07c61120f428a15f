"""Hooked!: fish cards are flipped into the Lake, and whoever slaps the right ones first reels them all in."""
