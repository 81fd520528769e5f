"""A closing formula and a name below the orders of a mail are no words for the other player."""

import pytest

from takmail.commands.grammar.understand import understand
from tests.commands.grammar.reading import ANYWHERE

NAMES = ("Ada Miller", "Ben")


@pytest.mark.parametrize(
    "signature",
    [
        "Best,\nAda",
        "Best regards,\n\nDr. Zoe Carter",
        "Mit freundlichen Grüßen\nAda Miller",
        "С уважением, Ольга",
        "Ваша Ольга",
        "此致\n敬礼\n王小明",
        "祝好，小明",
    ],
)
def test_a_signature_is_no_words(signature: str) -> None:
    assert understand(f"draw\n\n{signature}", ANYWHERE, names=NAMES).chat == ""


@pytest.mark.parametrize(
    "words",
    [
        "Good luck!",
        "best wishes for your exam",
        "Yours is the better position",
        "Твоя стена хороша",
        "Thanks for the game.\n\nBest,\nAda",
        "祝好运",
        "Ada",
    ],
)
def test_words_are_kept_with_their_signature(words: str) -> None:
    assert understand(f"draw\n\n{words}", ANYWHERE, names=NAMES).chat == words


def test_a_mail_that_is_only_a_signature_is_words() -> None:
    assert understand("Best,\nAda", ANYWHERE, names=NAMES).chat == "Best,\nAda"
