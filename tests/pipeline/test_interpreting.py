"""Interpreting a mail: the typed text, the game, and the parsed commands."""

from dataclasses import replace
from typing import Any

import pytest

from takmail.commands.command import LineFault, Unclear
from takmail.commands.grammar import answers
from takmail.commands.grammar.arguments import Name, Play, Show
from takmail.commands.grammar.invitation_forms import SeekGame
from takmail.games.interface import Seat
from takmail.mail.message import Dmarc, Mail, ThreadHeaders
from takmail.pipeline.confirmation import waits_in_game
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.results import seated_context
from takmail.pipeline.typed_text import extract_in_game, extract_reply_text
from takmail.world.kinds import GameNumber, MessageId, PendingId
from takmail.world.letters import Correspondence, SentLetter
from takmail.world.pace import NO_TIMING
from takmail.world.pending import Pending
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, NOW, SERVICES, context, game
from tests.commands.people import question
from tests.pipeline.build import KEY, OTHER, Mailbag, letter, lost, mail, read
from tests.support.orders import ordered
from tests.support.pending import an_offer
from tests.support.players import TAK
from tests.support.tables import each_row

GAME = game("ps a1", "ps e5")
TAGGED = {"subject": "[tak #1]"}
TOLD = "ps e5\n\nBen has played turn 2.\nIt is your turn."
BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 s 0 0\n0 0 0 0 0\n0 0 0 0 s"


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def sent(text: str = TOLD) -> SentLetter:
    return SentLetter(MessageId("<1@x>"), GAME.number, Seat.FIRST, 5, 2, text, None)


# What was typed.


@each_row(
    ("message", "text"),
    [
        (mail("ps b2\n\nGood luck!"), "ps b2\n\nGood luck!"),
        (mail(f"ps b2\n\nOn Sat, Tak by Mail <{TAK}> wrote:\n{quoted(TOLD)}"), "ps b2"),
        (mail(f"ps b2\n\n{TOLD}"), "ps b2"),
        # The Subject counts in a new mail without text if it is a command.
        (mail("", subject="seek 5"), "seek 5"),
        (mail("  \n", subject="help"), "help"),
        (mail("help", subject="seek 5"), "help"),
        (mail("", subject="Hello there"), ""),
        (mail("", subject="Re: seek 5"), ""),
        (mail("", subject="AW: seek 5"), ""),
        (mail("", subject="回复：seek 5"), ""),
        (mail("", subject="seek 5", thread=ThreadHeaders(("<1@x>",))), ""),
        (mail("", subject="seek 5", thread=ThreadHeaders((), ("<1@x>",))), ""),
    ],
)
def test_what_was_typed_now(message: Mail, text: str) -> None:
    assert extract_reply_text(SERVICES, message, sent()).strip() == text


def test_a_board_in_quotes_of_somebody_else_comes_in() -> None:
    from_elsewhere = f"rs\n\n> Ben wrote:\n{quoted(BOARD)}\n"
    in_our_letter = f"rs\n\n{quoted(BOARD)}\n"
    typed = f"rs\n{BOARD}\n\n{quoted(BOARD)}"

    def found(text: str, known: str = TOLD) -> str:
        message, answered = mail(text), sent(known)
        now = extract_reply_text(SERVICES, message, answered)
        return extract_in_game(SERVICES, message, answered, now, GAME, Seat.FIRST)

    assert found(from_elsewhere).count(BOARD) == 1
    assert BOARD not in found(in_our_letter, known=f"{TOLD}\n\n{BOARD}")
    assert found(typed).count(BOARD) == 1
    # A letter whose text is deleted may have contained the same.
    assert BOARD not in found(from_elsewhere, known="")


def test_a_thread_that_is_quoted_with_no_marks_is_left_out() -> None:
    letters = ("Ada, it is your turn.\nps e5\nsay nothing", None), ("Welcome.\nThe game begins.", None)
    thread = replace(GAME.correspondence.threads[0], texts=letters)
    table = replace(GAME, correspondence=Correspondence(threads=(thread, GAME.correspondence.threads[1])))
    text = f"ps b2\n\nOn Sat, Tak by Mail <{TAK}> wrote:\n\n{letters[0][0]}\n"
    assert "say nothing" not in extract_in_game(SERVICES, mail(text), None, text, table, Seat.FIRST)


# The game of a mail.


def put(*questions: Pending, offers: tuple[Pending, ...] = ()) -> Mailbag:
    store = Mailbag()
    asked = tuple(one for one in questions if one.game is not None)
    store.put(replace(GAME, pending=(*asked, *offers)))
    store.questions = [one for one in questions if one.game is None]
    return store


def interpreted(store: Mailbag, message: Mail) -> Interpreted:
    found = read(store, message).interpreted
    assert found is not None
    return found


def commands(store: Mailbag, text: str, by: str = ADA, *answers: Any, **headers: Any) -> list[object]:
    found = interpreted(store, mail(text, by, *answers, **headers))
    return ordered(found.understood.orders)


def test_a_text_is_read_for_its_game() -> None:
    assert commands(put(), "ps b2", **TAGGED) == [Play("ps b2", None)]
    assert commands(put(), "show 1\nseek 5", **TAGGED) == [
        Show(1),
        SeekGame(("5",), None, NO_TIMING, kind="tak"),
    ]
    assert commands(put(), "Ben! ps b2", **TAGGED) == [
        Unclear(LineFault.MEANT, offers=("ps b2",), is_turn=True, needs_game=True)
    ]
    # Only the game tells whose name a line begins with.
    assert commands(put(), "Ben! draw", **TAGGED) == [
        Unclear(LineFault.MEANT, offers=("draw",), needs_game=True)
    ]
    assert commands(put(), "Ben! draw", OTHER) == []
    # Without a sign of a game the only one is chosen.
    assert commands(put(), "ps b2") == [Play("ps b2", None)]
    assert commands(put(), "name Countess\n\nps b2") == [Name("Countess"), Play("ps b2", None)]


def test_the_context_is_that_of_the_seat_and_of_the_answered_letter() -> None:
    store = put()
    tells = letter(store, GAME, Seat.FIRST)
    store.put(game("ps a1", "ps e5", "ps b2"))
    found = interpreted(store, mail("ps b3", ADA, tells)).context
    assert (found.game_number, found.seat, found.player_verified) == (1, Seat.FIRST, True)
    assert (found.answered.version, found.answered.turn) == (tells.about.version, 2)

    new = interpreted(store, mail("ps b3", ADA, **TAGGED)).context
    assert (new.game_number, new.player_verified, new.answered.version, new.answered.turn) == (
        1,
        False,
        None,
        None,
    )


def test_a_letter_about_another_game_shows_nothing_of_this_one() -> None:
    store = put()
    claim = interpreted(store, mail("show", ADA, letter(store, GAME, Seat.FIRST))).context.claim
    assert claim is not None
    bare = context(GAME)
    assert seated_context(bare, claim, sent()).answered.version == 5
    assert seated_context(bare, claim, replace(sent(), game=GameNumber(2))).answered.version is None
    assert seated_context(bare, claim, None).answered.version is None
    # Without a turn, the mail answers somebody's mail, which is newer than the letter.
    assert seated_context(bare, replace(claim, turn=None), sent()).answered.version is None


RESIGN = Pending(PendingId(1), PendingKind.RESIGN, NOW, game=GameNumber(1), seat=Seat.FIRST)
HELD = replace(RESIGN, kind=PendingKind.HELD, words="ps b2")
BENS = replace(RESIGN, seat=Seat.SECOND)
DRAW = an_offer(5, Seat.SECOND, PendingKind.DRAW, 2, NOW)


@pytest.mark.parametrize(
    ("questions", "offers", "awaits"),
    [
        ((), (), False),
        ((RESIGN,), (), True),
        ((HELD,), (), False),
        ((BENS,), (), False),
        ((RESIGN,), (DRAW,), False),
        ((RESIGN,), (replace(DRAW, seat=Seat.FIRST),), True),
    ],
)
def test_a_yes_is_one_wherever_it_gives_the_game_up(
    questions: tuple[Pending, ...], offers: tuple[Pending, ...], awaits: bool
) -> None:
    table = replace(GAME, pending=(*questions, *offers))
    assert (waits_in_game(context(table)) is answers.RESIGNATION) is awaits
    is_one = commands(put(*questions, offers=offers), "yes", dmarc=Dmarc.PASS, **TAGGED) == ["yes"]
    assert is_one is awaits


def test_a_yes_is_one_in_answer_to_a_letter_that_asks() -> None:
    store = put()
    asks, tells = letter(store, GAME, asks=True), letter(store, GAME)
    assert commands(store, "yes", ADA, asks) == ["yes"]
    assert commands(store, "yes", ADA, tells) == []
    assert commands(store, "yes", OTHER, asks) == []
    about_none = letter(store, to=OTHER, asks=True)
    assert commands(store, "yes", OTHER, about_none) == ["yes"]
    assert commands(store, "yes", OTHER) == []
    # The letter is lost, and its name still tells that it asked.
    assert commands(store, "yes", OTHER, lost(store, about_none)) == ["yes"]


def test_the_question_that_a_mail_answers_comes_along() -> None:
    store = put()
    asks = letter(store, to=OTHER, asks=True)
    asked = question(1, address=OTHER, words="seek 5", letter=asks.message_id)
    store.questions = [asked]
    assert interpreted(store, mail("yes", OTHER, asks)).questions.answered == asked
    named = mail("yes", OTHER, recipients=(KEY.letter_address(asks.message_id),))
    assert interpreted(store, named).questions.answered == asked
    # The reply address of other letters says nothing about this one.
    to_own = mail("yes", OTHER, recipients=(KEY.personal_address(OTHER),))
    assert interpreted(store, to_own).questions.answered is None
    assert interpreted(store, mail("yes", ADA, asks)).questions.answered is None
    # The token of another player's seat takes the mail into that game, where its sender is nobody.
    with_token = mail("yes", OTHER, asks, recipients=(KEY.reply_address(1, Seat.FIRST),), dmarc=Dmarc.PASS)
    assert interpreted(store, with_token).questions.answered is None


def test_an_answer_above_commands_for_a_game_that_is_not_named_is_chat() -> None:
    """It still answers its question, whether the mail refers to the letter or only goes to its reply address."""
    store = put()
    asks = letter(store, asks=True)
    asked = question(1, words="seek 5", letter=asks.message_id)
    store.questions = [asked]
    named = (KEY.letter_address(asks.message_id),)
    for message in (mail("yes\nps b2", ADA, asks, recipients=named), mail("yes\nps b2", recipients=named)):
        found = interpreted(store, message)
        assert ordered(found.understood.orders) == [Play("ps b2", None)]
        assert (found.understood.chat, found.questions.answered) == ("yes", asked)


def test_a_yes_above_commands_has_it_asked_again_whether_the_game_is_given_up() -> None:
    found = commands(put(RESIGN), "yes\nps b2", dmarc=Dmarc.PASS, **TAGGED)
    assert found == ["resign", Play("ps b2", None)]
