"""The sound cues: short, and different enough to be told apart."""

import re
from pathlib import Path

from web.sounds import SOUNDS

TEMPLATES = Path(__file__).parents[2] / "web" / "templates"


def test_cues_are_short_and_all_different() -> None:
    for name, tones in SOUNDS.items():
        assert max(start + long for _hertz, start, long in tones) <= 1000, name
        assert all(100 <= hertz <= 2000 for hertz, _start, _long in tones), name
    assert len({tuple(tones) for tones in SOUNDS.values()}) == len(SOUNDS)
    rhythms = {tuple(start for _hertz, start, _long in tones) for tones in SOUNDS.values()}
    assert len(rhythms) == len(SOUNDS)


def test_templates_ask_only_for_cues_that_there_are() -> None:
    asked = {
        name
        for path in TEMPLATES.rglob("*.html")
        for name in re.findall(r'data-sound="([a-z]+)"', path.read_text(encoding="utf-8"))
    }
    assert asked and asked <= set(SOUNDS)
