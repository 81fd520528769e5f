"""The HTML part of a letter about any position."""

from dataclasses import replace
from functools import cache

from takmail.blocks import message
from takmail.commands.answers import ChatStatus
from takmail.commands.view import View, look
from takmail.games.interface import Seat
from takmail.games.shown import Shown
from takmail.games.tak.state import TakState
from takmail.letters.catalogue import Speaker
from takmail.letters.contents import MailAnswer, resync
from takmail.letters.mailto_links import mailto_links
from takmail.letters.page import HtmlPage
from takmail.letters.passages.words import MailWords
from takmail.letters.reader import Lobby, Reader
from takmail.letters.templates import Templates, folder
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA

KEEP_ONE = Templates(folder()).said(message("keep_one_line"))
"""The line above the moves of a touched stack."""
NUMBER = 87
"""The number that the next turn has in the links of `page`."""
_ADDRESS = "tak+123456.abcdefghijklmnop@mail.a-club-of-players.example.org"


@cache
def _view() -> View:
    """Return a game as Ada sees it."""
    harness = MemoryHarness()
    harness.begin("8")
    harness.send(ADA, "say " + "and so on " * 350, harness.last(ADA))
    return look(harness.table(), Seat.FIRST)


def page(game: TakState, last: str | None = None) -> HtmlPage:
    """Return the HTML part of the letter that shows a position to the player to move, or a final one to the other.

    `last` is the turn that led to the position.
    """
    view, you = _view(), game.to_move if game.result is None else game.to_move.other
    position = Shown.board_of(game, view.turns, last)
    shown = replace(view, seat=you, shown=replace(position, is_current=True))
    services = BOTH_SIDES
    speaker = Speaker(services.templates.words("en"), {"opponent": "Ben", "service": "Tak by Mail"})
    nothing = MailAnswer((), MailWords(ChatStatus.NONE, ""))
    blocks = resync(Reader(shown, "tak", Lobby(services.games)), nothing)
    touch = mailto_links(_ADDRESS, "[tak #123456]", NUMBER, KEEP_ONE)
    subject = "[tak #123456] Ada - Ben, 8x8"
    return services.templates.pages.page(blocks, speaker, services.games.wording, touch, subject)
