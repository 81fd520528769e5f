"""All words of Tak together."""

from takmail.blocks import Message, message
from takmail.games.tak.wording.boards import BoardWords
from takmail.games.tak.wording.coins import CoinWords
from takmail.games.tak.wording.lessons import LessonWords
from takmail.games.tak.wording.reviews import ReviewWords
from takmail.games.tak.wording.rules import RuleWords
from takmail.games.tak.wording.typing import TypingWords
from takmail.games.wording import Wording


class TakWording(LessonWords, TypingWords, CoinWords, BoardWords, RuleWords, ReviewWords, Wording):
    """The words of Tak, in parts by topic."""

    example = "new 5 vs ben@example.org"
    seek_example = "seek 5"
    proposal = "propose board white"
    whose = "white to move"

    @property
    def name(self) -> Message:
        """The name of the game."""
        return message("tak_name")
