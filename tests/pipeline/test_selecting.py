"""The game of a mail: by its headers, by a leading `#12`, or as the only possible one."""

from dataclasses import replace
from typing import Any

import pytest

from takmail.commands.answers import Assurance, ForeignGame, Place, SeatClaim, SeveralGames
from takmail.commands.command_list import COMMANDS
from takmail.commands.context import OutsideGames
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.games.interface import Seat
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.lines_by_game import MailPart
from takmail.mail.message import Dmarc
from takmail.pipeline.interpret import Interpreted, wants_game
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, MailState, Standing
from takmail.world.reading import Reading
from takmail.world.world import World
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, GAMES, context, game
from tests.commands.people import AS_FAY
from tests.pipeline.build import KEY, OTHER, Mailbag, letter, mail, read, traced
from tests.support.corrupt import corrupt
from tests.support.tables import each_row

ONE, TWO = game("ps a1"), game("ps a1", "ps e5", number=2)
BENS = game(number=3, players=(AS_BEN, AS_FAY))
VOUCHED = {"dmarc": Dmarc.PASS}


def found_in(*games: Game, text: str = "show", by: str = ADA, **headers: Any) -> Interpreted:
    """Return how a mail is interpreted in a store with some games."""
    store = Mailbag()
    store.put(*games)
    found = read(store, mail(text, by, **headers)).interpreted
    assert found is not None
    return found


def place(*games: Game, text: str = "show", by: str = ADA, **headers: Any) -> Place:
    """Return what a mail is about in a store with some games."""
    return found_in(*games, text=text, by=by, **headers).place


def is_kept(*games: Game, text: str = "show", **headers: Any) -> bool:
    """Tell whether a mail is kept for the operator because of the first game."""
    store = Mailbag()
    store.put(*games)
    *_, trace = traced(store, mail(text, ADA, **headers))
    assert trace.interpreted is None
    assert trace.outcome is not None
    return (trace.outcome.state, trace.outcome.game) == (MailState.SHUNTED, 1)


def seated(found: Place) -> tuple[int, Seat, Assurance]:
    assert isinstance(found, SeatClaim)
    return found.game, found.seat, found.assurance


def to_seat(number: int, seat: Seat) -> dict[str, Any]:
    return {"recipients": (KEY.reply_address(number, seat),)}


@each_row(
    ("by", "headers", "seat", "assurance"),
    [
        (ADA, to_seat(1, Seat.FIRST), Seat.FIRST, Assurance.PLAYER),
        (OTHER, to_seat(1, Seat.FIRST), Seat.FIRST, Assurance.TOKEN),
        # Ben answers all readers of a mail of Ada's.
        (BEN, to_seat(1, Seat.FIRST), Seat.SECOND, Assurance.FROM),
        (BEN, to_seat(1, Seat.FIRST) | VOUCHED, Seat.SECOND, Assurance.PLAYER),
        (ADA, {"subject": "Re: [tak #1] x"}, Seat.FIRST, Assurance.FROM),
        (BEN, {"subject": "Re: [tak #1] x"}, Seat.SECOND, Assurance.FROM),
        (ADA, {"subject": "[tak #1]", **VOUCHED}, Seat.FIRST, Assurance.PLAYER),
        (BEN, {"text": "#1 show"}, Seat.SECOND, Assurance.FROM),
        (BEN, {"text": "#1 show", **VOUCHED}, Seat.SECOND, Assurance.PLAYER),
        # The answered letter was forwarded to somebody whose own token is also in the mail.
        (
            BEN,
            {"recipients": (KEY.reply_address(1, Seat.FIRST), KEY.reply_address(1, Seat.SECOND))},
            Seat.SECOND,
            Assurance.PLAYER,
        ),
    ],
)
def test_the_seat_that_a_mail_speaks_for(
    by: str, headers: dict[str, Any], seat: Seat, assurance: Assurance
) -> None:
    assert seated(place(ONE, TWO, by=by, **headers)) == (1, seat, assurance)


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ({"subject": "[tak #3]"}, ForeignGame(GameNumber(3))),
        ({"subject": "[tak #7]"}, ForeignGame(GameNumber(7))),
        ({"text": "#3 show"}, ForeignGame(GameNumber(3))),
        ({"text": "#1 show\n#2 show"}, SeveralGames((1, 2), (MailPart(1, "show"), MailPart(2, "show")))),
        ({"text": "#2 show", "subject": "[tak #1]"}, SeveralGames((1, 2))),
        ({"text": "#3 show", **to_seat(1, Seat.FIRST)}, SeveralGames((1, 3))),
    ],
)
def test_a_mail_that_names_no_game_of_its_sender_or_several(headers: dict[str, Any], found: Place) -> None:
    assert place(ONE, TWO, BENS, **headers) == found


@pytest.mark.parametrize("text", ["show", "Hello!", "", "yes", "seeks\nshow"])
def test_a_mail_that_may_need_the_board_of_a_corrupt_game_is_kept(text: str) -> None:
    assert is_kept(corrupt(ONE), TWO, subject="[tak #1]", text=text)


def test_a_mail_that_needs_no_board_of_a_corrupt_game_is_about_no_game() -> None:
    found = found_in(corrupt(ONE), text="seeks", subject="[tak #1]")
    assert (found.place, found.context.game_number, len(found.understood.orders)) == (None, None, 1)


def test_of_several_games_a_corrupt_one_is_not_the_likely_one() -> None:
    assert seated(place(corrupt(ONE), TWO)) == (2, Seat.FIRST, Assurance.FROM)
    assert is_kept(corrupt(ONE))


ADJOURNED, INVITED = (
    game("ps a1", "ps e5", number=number, standing=standing)
    for number, standing in ((4, Standing.ADJOURNED), (5, Standing.INVITED))
)
UNASKED = game(number=6, players=(AS_BEN, AS_ADA), standing=Standing.INVITED, asked_at=None)
OVER = game(number=8, standing=Standing.OVER)


@each_row(
    ("games", "text", "number"),
    [
        ((ONE,), "show", 1),
        ((ONE,), "Do you like it?", 1),
        ((ONE, OVER, BENS, UNASKED), "show", 1),
        # It is the only one of several games in which it is the sender's turn.
        ((ONE, TWO), "show", 2),
        ((ONE, TWO, ADJOURNED, INVITED), "show", 2),
        ((ONE, ADJOURNED), "show", None),
        ((TWO, game(number=9)), "show", None),
        ((ADJOURNED,), "show", 4),
        ((INVITED,), "show", 5),
        ((OVER,), "show", None),
        ((UNASKED,), "show", None),
        ((), "show", None),
        # Commands outside any game do not select one.
        ((ONE,), "seeks", None),
        ((ONE,), "new 5 vs Fay\n\nShall we?", None),
        ((ONE,), "match Ben", None),
        ((ONE,), "match", 1),
        ((ONE,), "", None),
    ],
)
def test_without_any_sign_it_is_the_only_game_that_it_can_be(
    games: tuple[Game, ...], text: str, number: int | None
) -> None:
    found = place(*games, text=text)
    assert found is None if number is None else seated(found) == (number, Seat.FIRST, Assurance.FROM)


def test_a_stranger_has_no_only_game() -> None:
    assert place(ONE, by=OTHER) is None


def test_what_was_named_in_vain_is_not_replaced_by_another_game() -> None:
    shows = understand("show", anywhere(GAMES, COMMANDS))
    assert wants_game(context(), shows)
    assert not wants_game(replace(context(), outside=OutsideGames(GameNumber(3))), shows)


def test_only_so_many_games_are_loaded_that_a_text_names() -> None:
    store = Mailbag()
    store.put(*(game(number=number) for number in range(1, 10)))
    named = "\n".join(f"#{number} show" for number in (99, 2, 3, 4, 5, 6, 7))
    found = read(store, mail(named, ADA)).interpreted
    assert found is not None
    assert isinstance(found.place, SeveralGames)
    assert len(found.context.world.stored.games) <= MAX_NAMED_GAMES == 5


def test_who_is_known_sits_as_they_are_known_at_a_game_that_is_loaded_late() -> None:
    ada = replace(AS_ADA, name="Countess")
    store = Mailbag()
    store.put(game(number=3))
    world = World(Reading(store)).with_player(ada)
    assert world.game(GameNumber(3)).players == (ada, AS_BEN)
    assert world.find_game(GameNumber(99)) is None


def test_a_letter_of_a_game_tells_which_one_though_it_has_no_token_of_the_sender() -> None:
    store = Mailbag()
    store.put(ONE, TWO)
    found = read(store, mail("show", BEN, letter(store, ONE, Seat.SECOND))).interpreted
    assert found is not None
    assert seated(found.place) == (1, Seat.SECOND, Assurance.PLAYER)
