"""What goes wrong, said in a sentence: as JSON to programs, as a page to people."""

from __future__ import annotations

import logging

from flask import Flask, jsonify
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from companion.words import Text, _
from web.act import wants_json
from web.context import language, page
from web.guard import Refused

log = logging.getLogger(__name__)

SENTENCES = {
    400: _("This request is not one of ours. Open the page anew."),
    404: _("There is no such page. It may belong to a game that has ended."),
    405: _("This address is not for that. Use the buttons of the page."),
    413: _("That is too much to send at once."),
    500: _("Something went wrong inside the companion. The game is safe; try again."),
}


def sentence_for(error: HTTPException) -> Text:
    """The sentence people are told."""
    if isinstance(error, Refused):
        return error.sentence
    return SENTENCES.get(error.code or 500, SENTENCES[400])


def install(app: Flask) -> None:
    """Answer every error with its sentence."""

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response | tuple[str, int]:
        code = error.code or 500
        if code < 400:
            return error.get_response()
        sentence = sentence_for(error)
        if wants_json():
            answer = jsonify(accepted=False, stale=False, sentence=sentence.to(language()))
            answer.status_code = code
            return answer
        return page("message.html", sentence=sentence, back="/", code=code), code

    @app.errorhandler(Exception)
    def broken(error: Exception) -> Response | tuple[str, int]:
        log.error("a page failed", exc_info=error)
        sentence = SENTENCES[500]
        if wants_json():
            answer = jsonify(accepted=False, stale=False, sentence=sentence.to(language()))
            answer.status_code = 500
            return answer
        return sentence.to(language()), 500
