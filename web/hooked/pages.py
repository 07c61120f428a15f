"""Hooked! as one of the games that have pages."""

from web.game import Pages
from web.hooked.build import GAME, build
from web.hooked.drawings import DRAWINGS
from web.hooked.history import TONGUE

HOOKED = Pages(game=GAME, title="Hooked!", brand="hooked", build=build, tongue=TONGUE, drawings=DRAWINGS)
