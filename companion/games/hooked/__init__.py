"""Hooked!: cards flipped one by one into the Lake, and who slaps first."""
