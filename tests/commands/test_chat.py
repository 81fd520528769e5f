"""Chat between the players of a game."""

from dataclasses import replace

import pytest

from takmail.commands.answers import ChatResult, ChatStatus, Reported, Told, refused, told
from takmail.commands.chat import chat, fit, is_heard
from takmail.commands.context import Context, OutsideGames, Progress
from takmail.commands.grammar.arguments import Play, Say
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.games.interface import Seat
from takmail.limits.words import MAX_CHAT_CHARS, MAX_WAITING_CHAT_CHARS
from takmail.world import events
from takmail.world.game import Game
from takmail.world.kinds import MessageId, Standing
from takmail.world.letters import Correspondence, WaitingChat
from takmail.world.players import Player
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, after, context, first, game, gone, kinds, news_of
from tests.commands.offering import GAME, TWO
from tests.support.orders import do, order
from tests.support.tables import each_row

SAID = events.ChatQueued(game=GAME, seat=Seat.FIRST, words="hi")
SENT = events.ChatSent(game=GAME, seat=Seat.FIRST, words="hi")
LONG = "long words " * 500


def with_words(table: Game, *words: str, seat: Seat = Seat.FIRST) -> Game:
    return replace(
        table,
        correspondence=Correspondence(
            waiting_chat=tuple(WaitingChat(at, seat, one) for at, one in enumerate(words, 30))
        ),
    )


def said(before: Context) -> tuple[tuple[events.Event, ...], list[tuple[Seat, str]]]:
    """Return the news of `say hi`, and the words that wait after it."""
    answer = do(before, Say("hi"))
    return news_of(answer), [
        (one.seat, one.words) for one in after(before, answer).game.correspondence.waiting_chat
    ]


def test_words_are_sent_on_at_once() -> None:
    assert said(context(game(*TWO))) == ((SENT, SAID), [(Seat.FIRST, "hi")])


def test_words_that_wait_already_are_not_doubled() -> None:
    assert said(context(with_words(game(*TWO), "hi"))) == ((SENT,), [(Seat.FIRST, "hi")])
    other = context(with_words(game(*TWO), "hi", seat=Seat.SECOND))
    assert said(other) == ((SENT, SAID), [(Seat.SECOND, "hi"), (Seat.FIRST, "hi")])


def test_words_to_who_is_only_invited_wait() -> None:
    invited = game(standing=Standing.INVITED)
    assert said(context(invited)) == ((SAID,), [(Seat.FIRST, "hi")])
    assert do(context(with_words(invited, "hi")), Say("hi")) == Told("said_later", {"words": "hi"})
    assert kinds(do(context(invited, AS_BEN), Say("hi"))) == ["ChatSent", "ChatQueued"]


def test_words_that_are_too_long_are_cut() -> None:
    before = context(game(*TWO))
    answer = do(before, Say(LONG))
    sent, queued = news_of(answer)
    assert isinstance(queued, events.ChatQueued)
    assert isinstance(sent, events.ChatSent)
    assert (sent.is_cut, queued.is_cut, queued.words) == (True, True, fit(before, LONG))
    assert len(queued.words) < len(LONG)
    assert [one.words for one in after(before, answer).game.correspondence.waiting_chat] == [queued.words]


@pytest.mark.parametrize(
    ("table", "words", "reason"),
    [
        (game(players=(AS_ADA, gone(2, "A player"))), "hi", "not_heard"),
        (game(standing=Standing.DECLINED), "hi", "not_heard"),
        (with_words(game(), "x" * (MAX_WAITING_CHAT_CHARS - 1)), "hi", "said_too_much"),
    ],
)
def test_words_that_reach_nobody(table: Game, words: str, reason: str) -> None:
    assert kinds(do(context(table), Say(words))) == [reason]


def test_words_to_who_does_not_take_them() -> None:
    before = context(game(), is_heard=False)
    assert kinds(do(before, Say("hi"))) == ["words_refused"]
    assert chat(before, chatting("hello there")) == ChatResult(ChatStatus.REFUSED)


def test_there_is_room_up_to_the_limit() -> None:
    table = with_words(game(), "x" * (MAX_WAITING_CHAT_CHARS - 2))
    assert kinds(do(context(table), Say("hi"))) == ["ChatSent", "ChatQueued"]


def test_addresses_stay_here() -> None:
    words = fit(context(game()), f"I am {ADA} and you are {BEN}")
    assert ADA not in words
    assert BEN not in words


@pytest.mark.parametrize(
    ("standing", "is_so"),
    [
        (Standing.OPEN, False),
        (Standing.OVER, False),
        # A guest who has not accepted does not reveal a block.
        (Standing.INVITED, True),
    ],
)
def test_who_is_heard(standing: Standing, *, is_so: bool) -> None:
    assert is_heard(context(game(standing=standing)))
    assert is_heard(context(game(standing=standing), is_heard=False)) == is_so


# The chat of a mail.


def chatting(words: str, *keywords: str) -> Understood:
    return of_orders([order(one, line=one) for one in keywords], words)


LOG = ("log",)


@each_row(
    ("table", "by", "commands", "fate", "happened"),
    [
        # A mail of only chat gets a separate letter. In a mail with a command, chat waits for the next letter.
        (game(*TWO), AS_ADA, (), ChatStatus.SENT, ["ChatQueued", "ChatSent"]),
        (game(*TWO), AS_ADA, LOG, ChatStatus.WAIT, ["ChatQueued"]),
        (game(*TWO, standing=Standing.OVER), AS_ADA, LOG, ChatStatus.SENT, ["ChatQueued", "ChatSent"]),
        (game(standing=Standing.INVITED), AS_ADA, (), ChatStatus.WAIT, ["ChatQueued"]),
        # The guest's comes with the answer to the invitation.
        (game(standing=Standing.INVITED), AS_BEN, (), ChatStatus.WAIT, ["ChatQueued"]),
        (with_words(game(), "hello there"), AS_ADA, (), ChatStatus.SENT, ["ChatSent"]),
        (with_words(game(), "hello there"), AS_ADA, LOG, ChatStatus.WAIT, []),
        # Waiting chat is sent even if there is no room for more.
        (with_words(game(), "x" * MAX_WAITING_CHAT_CHARS), AS_ADA, (), ChatStatus.FULL, ["ChatSent"]),
        (with_words(game(), "x" * MAX_WAITING_CHAT_CHARS), AS_ADA, LOG, ChatStatus.FULL, []),
        (game(players=(AS_ADA, gone(2, "A player"))), AS_ADA, (), ChatStatus.LEFT, []),
        (game(standing=Standing.DECLINED), AS_ADA, (), ChatStatus.LEFT, []),
    ],
)
def test_the_chat_of_a_mail(
    table: Game, by: Player, commands: tuple[str, ...], fate: ChatStatus, happened: list[str]
) -> None:
    found = chat(context(table, by), chatting("hello there", *commands))
    assert (found.status, kinds(found.effects)) == (fate, happened)
    assert not any(
        one.is_cut for one in found.effects if isinstance(one, events.ChatQueued | events.ChatSent)
    )


def test_chat_about_no_game() -> None:
    assert chat(context(), chatting("hello there")) == ChatResult(ChatStatus.LEFT)
    corrupt = replace(context(), outside=OutsideGames(words=ChatStatus.BROKEN))
    assert chat(corrupt, chatting("hello there")) == ChatResult(ChatStatus.BROKEN)


def test_chat_that_is_too_long_is_cut() -> None:
    found = chat(context(game()), chatting("hello there " * MAX_CHAT_CHARS))
    queued = first(found.effects)
    assert isinstance(queued, events.ChatQueued)
    assert queued.is_cut


def test_chat_goes_along_with_what_the_mail_has_done() -> None:
    before = context(game(*TWO))
    played = after(before, do(before, Play("ps c3", None), line="ps c3"))
    assert chat(played, chatting("hello there", *LOG)).status is ChatStatus.SENT


def test_words_come_with_a_refusal() -> None:
    before = context(game(standing=Standing.INVITED), AS_BEN)
    declined = after(before, do(before, "decline"))
    assert chat(declined, chatting("sorry, no time", "decline")).status is ChatStatus.SENT
    assert kinds(do(declined, Say("sorry")))[0] == "ChatSent"
    stopped = after(before, do(before, "stop"))
    assert chat(stopped, chatting("sorry, no time", "stop")).status is ChatStatus.LEFT


REPEATED = Reported("ps e5", told("already_played", turn=2, text="ps e5"))


@pytest.mark.parametrize(
    ("words", "brought", "commands", "reports", "is_so"),
    [
        ("hello there", "hello there", (), (), False),
        ("hello there", "hello there", LOG, (REPEATED,), True),
        ("hello there", "others", LOG, (REPEATED,), False),
        ("hello there", "hello there", LOG, (REPEATED, Reported("", refused("over"))), False),
    ],
)
def test_a_mail_that_came_before(
    words: str,
    brought: str,
    commands: tuple[str, ...],
    reports: tuple[Reported, ...],
    *,
    is_so: bool,
) -> None:
    table = replace(game(*TWO), correspondence=Correspondence(last_chat=(brought, None)))
    found = chat(replace(context(table), so_far=Progress(reports=reports)), chatting(words, *commands))
    assert (found == ChatResult(ChatStatus.HEARD)) == is_so


def test_words_that_a_letter_postponed_count_as_waiting() -> None:
    put_off = WaitingChat(30, Seat.FIRST, "hello there", MessageId("<chat@example.test>"))
    found = chat(
        context(replace(game(), correspondence=Correspondence(waiting_chat=(put_off,)))),
        chatting("hello there", *LOG),
    )
    assert (found.status, found.effects) == (ChatStatus.WAIT, ())
