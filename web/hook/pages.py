"""Hook! as one of the games that have pages."""

from companion.games.hook.names import CHARACTERS, SYMBOLS
from web.game import Pages
from web.hook.build import GAME, build
from web.hook.history import TONGUE

HOOK = Pages(
    game=GAME,
    title="Hook!",
    brand="hook",
    build=lambda snapshot, decks, _now_ns: build(snapshot, decks),
    tongue=TONGUE,
    words={"symbols": SYMBOLS, "characters": CHARACTERS},
)
