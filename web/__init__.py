"""What people see and touch: the board on the TV and on phones, set-up, corrections, and the HTTP interface."""

from web.app import create_app
from web.server import serve
from web.settings import Settings

__all__ = ["Settings", "create_app", "serve"]
