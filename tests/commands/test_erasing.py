"""`forget me`: after a confirmation all data of the sender is erased, and the opponents are notified."""

from dataclasses import replace

import pytest

from takmail.commands import turning_away
from takmail.commands.answers import Refusal
from takmail.commands.context import A_PLAYER, Context
from takmail.games.interface import Seat
from takmail.world.events import (
    Event,
    InvitationDeclined,
    InvitationWithdrawn,
    OpponentLeft,
    PlayerErased,
    QuestionAsked,
    SeekOpened,
)
from takmail.world.game import Game
from takmail.world.kinds import RUNNING, GameNumber, MessageId, PlayerId, Standing
from takmail.world.letters import Correspondence, WaitingChat
from takmail.world.operations import ErasePlayer, RememberAddress
from takmail.world.records import Dispute, ShownBoard, Turn
from takmail.world.replay import Run
from takmail.world.waiting import PendingKind
from tests.commands.build import (
    ADA,
    AS_ADA,
    AS_BEN,
    BEN,
    EARLIER,
    NOW,
    SERVICES,
    Stored,
    after,
    context,
    first,
    game,
    kinds,
    news_of,
)
from tests.commands.people import AS_FAY, NEW, by_new, people, question, seek_of
from tests.support.pending import an_offer

LEFT = RememberAddress(marks=SERVICES.key.marks(ADA), left_at=NOW)
LABEL = SERVICES.templates.said(A_PLAYER)
ONE = GameNumber(1)


def confirmed(stored: Stored, table: Game | None = None) -> Context:
    return context(table, AS_ADA, stored=stored)


def test_nobody_is_erased_who_is_not_known() -> None:
    assert turning_away.forget_me(by_new(people())) == Refusal("forget_nobody")


def test_who_has_no_game_just_goes() -> None:
    before = confirmed(people())
    answer = turning_away.forget_me(before)
    erasing = ErasePlayer(player=AS_ADA.id, label=LABEL, addresses=(ADA,), subjects=())
    erased = PlayerErased(erasure=erasing, marks=(LEFT.marks,), left_at=NOW, games=0, keep_days=30)
    assert news_of(answer) == (erased,)
    later = after(before, answer)
    assert later.world.operations == (erasing, LEFT)
    assert later.player is None
    left = later.world.player(AS_ADA.id)
    assert (left.name, left.is_erased, left.mailboxes, left.skeleton) == (LABEL, True, (), None)


@pytest.mark.parametrize("are_new", [False, True])
def test_seeks_and_questions_of_theirs_go_and_those_of_others_stay(are_new: bool) -> None:
    questions = (question(1), question(2, address=NEW, player=AS_ADA.id), question(3, address=BEN))
    seeks = (seek_of(1, AS_ADA.id), seek_of(2, AS_BEN.id))
    stored = people()
    before = confirmed(stored)
    if are_new:
        opened = (SeekOpened(seek=seek) for seek in seeks)
        asked = (QuestionAsked(question=one) for one in questions)
        before = after(before, (*asked, *opened))
    else:
        stored.put(*seeks).questions += questions
    later = after(before, turning_away.forget_me(before)).world
    assert [seek.number for seek in later.every_seek()] == [2]
    new = (asked for asked in later.questions.values() if asked is not None)
    assert [asked.id for asked in (*later.questions_to(ADA, NEW, BEN), *new)] == [3]


@pytest.mark.parametrize(
    ("standing", "is_host", "ends", "then", "resigned", "is_told"),
    [
        (Standing.OPEN, True, None, Standing.OVER, Seat.FIRST, True),
        (Standing.ADJOURNED, False, None, Standing.OVER, Seat.SECOND, True),
        (
            Standing.INVITED,
            False,
            InvitationDeclined(game=ONE, seat=Seat.SECOND),
            Standing.DECLINED,
            None,
            True,
        ),
        (
            Standing.INVITED,
            True,
            InvitationWithdrawn(game=ONE, seat=Seat.SECOND),
            Standing.DECLINED,
            None,
            False,
        ),
        (Standing.OVER, True, None, Standing.OVER, None, False),
        (Standing.DECLINED, False, None, Standing.DECLINED, None, False),
    ],
)
def test_how_each_game_ends_and_who_is_told(
    standing: Standing,
    is_host: bool,
    ends: Event | None,
    then: Standing,
    resigned: Seat | None,
    is_told: bool,
) -> None:
    pair = (AS_ADA, AS_BEN) if is_host else (AS_BEN, AS_ADA)
    before = confirmed(people().put(game(players=pair, standing=standing)))
    answer = turning_away.forget_me(before)
    seat = Seat.FIRST if is_host else Seat.SECOND
    told = [OpponentLeft(game=ONE, seat=seat)] if is_told else []
    assert list(news_of(answer)[1:]) == [*([ends] if ends else []), *told]
    assert first(answer).games == int(standing in RUNNING)  # type: ignore[attr-defined]
    later = after(before, answer).world
    record = later.game(ONE).record
    assert (record.standing, record.end.resigned) == (then, resigned)
    assert LEFT in later.operations


def test_games_end_before_anybody_is_told() -> None:
    stored = people().put(game(number=1), game(number=2, players=(AS_FAY, AS_ADA)))
    assert kinds(turning_away.forget_me(confirmed(stored))) == [
        "PlayerErased",
        "OpponentLeft",
        "OpponentLeft",
    ]


LETTERS = tuple(MessageId(f"<{number}@example.test>") for number in range(5))


def test_games_are_called_anew() -> None:
    stored = people().put(
        game(number=1, standing=Standing.OVER),
        game(number=2, players=(AS_FAY, AS_ADA), setup="6", is_relay=True),
    )
    subjects = ((1, f"{LABEL} \u2013 Ben, 5x5"), (2, f"Fay \u2013 {LABEL}, 6x6 relay"))
    before = confirmed(stored)
    later = after(before, turning_away.forget_me(before)).world
    (erasing,) = (one for one in later.operations if isinstance(one, ErasePlayer))
    assert erasing.subjects == subjects
    assert (
        tuple((number, later.game(number).record.subject) for number in map(GameNumber, (1, 2))) == subjects
    )


def test_nothing_that_they_have_said_or_typed_stays_in_their_games() -> None:
    gone = (Turn(2, 1, "ps c3", "Ps C3", 5, EARLIER), Turn(3, 0, "ps d4", "Ps D4", 6, EARLIER))
    table = game("ps b4", "ps c3", players=(AS_ADA, AS_BEN))
    table = replace(
        table,
        turns=tuple(one._replace(written=one.text.upper()) for one in table.turns),
        taken_back=(Run(1, PendingKind.UNDO, NOW, 7, gone, ()),),
        pending=(
            an_offer(6, Seat.SECOND, PendingKind.DRAW, 2, EARLIER),
            question(5, game=ONE, seat=Seat.SECOND),
        ),
        every_dispute=(Dispute(6, Seat.SECOND, 1, "Ada is wrong", EARLIER),),
        correspondence=Correspondence(
            waiting_chat=(WaitingChat(7, Seat.SECOND, "hello Ada"),),
            last_chat=("hello", "hello Ada"),
            shown_boards=(ShownBoard(Seat.FIRST, "...", 1, EARLIER), None),
        ),
    )
    before = confirmed(people(), table)
    later = after(before, turning_away.forget_me(before)).world.game(ONE)
    assert [one.written for one in later.turns] == ["ps b4", "PS C3"]
    assert [one.written for one in later.taken_back[0].turns] == ["Ps C3", "ps d4"]
    left = (
        later.offers,
        later.disputes,
        later.correspondence.waiting_chat,
        later.questions,
        later.correspondence.last_chat,
        later.correspondence.shown_boards,
    )
    assert left == ((), (), (), (), (None, None), (None, None))
    assert (later.record.subject, later.names) == (f"{LABEL} \u2013 Ben, 5x5", (LABEL, "Ben"))
    assert (later.record.standing, [one.is_erased for one in later.players]) == (Standing.OVER, [True, False])


def test_a_host_s_name_for_them_goes_and_their_own_for_a_guest_stays() -> None:
    here = people().put(
        game(number=1, players=(AS_BEN, AS_ADA), standing=Standing.INVITED, guest_label="Lovelace"),
        game(number=2, players=(AS_ADA, AS_FAY), standing=Standing.DECLINED, guest_label="Countess"),
    )
    before = confirmed(here)
    later = after(before, turning_away.forget_me(before)).world
    labels = [later.game(GameNumber(number)).record.invitation.guest_label for number in (1, 2)]
    assert labels == [LABEL, "Countess"]
    assert later.player(PlayerId(2)).name == "Ben"
