"""How a game begins: who may be invited, what the game record contains, and the answers to an invitation."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands import beginnings
from takmail.commands.answers import Refusal, Told
from takmail.commands.context import Context
from takmail.commands.grammar.invitation_forms import New
from takmail.games.interface import Seat
from takmail.limits.games import MAX_INVITATIONS, MAX_INVITATIONS_IN_MAIL
from takmail.world.events import GameBegun, GameProposed, InvitationDeclined, InvitationWithdrawn
from takmail.world.kinds import GameNumber, PlayerId, Standing
from takmail.world.pace import Timing
from tests.commands.build import (
    ADA,
    AS_ADA,
    AS_BEN,
    BEN,
    NOW,
    TAK,
    Stored,
    after,
    context,
    first,
    game,
    kinds,
    news_of,
    player,
)
from tests.commands.people import AS_FAY, FAY, NEW, by_new, people
from tests.support.orders import do
from tests.support.tables import each_row


def new(opponent: str, *setup: str, first: str | None = "me") -> New:
    return New(setup or ("5",), first, opponent=opponent, kind="tak")


def proposed(context: Context, command: New) -> GameProposed:
    found = first(do(context, command))
    assert isinstance(found, GameProposed)
    return found


@pytest.mark.parametrize(
    ("opponent", "reason"),
    [
        (TAK, "new_me"),
        ("Mia", "new_nobody"),
        (ADA, "new_yourself"),
        ("Ada", "new_yourself"),
    ],
)
def test_nobody_invites_takmail_nobody_or_themselves(opponent: str, reason: str) -> None:
    assert kinds(do(context(stored=people()), new(opponent))) == [reason]


def test_somebody_is_found_by_the_first_name_that_only_they_have_of_those_whom_the_sender_has_played() -> (
    None
):
    miller, carter = (
        player(4, "Fay Miller", "miller@example.org"),
        player(5, "Fay Carter", "carter@example.org"),
    )
    stored = Stored().put(AS_ADA, miller, carter, game(number=1, players=(AS_ADA, miller)))
    assert proposed(context(stored=stored), new("fay")).new_game.record.guest == miller.id
    stored = stored.put(game(number=2, players=(carter, AS_ADA), standing=Standing.OVER))
    assert kinds(do(context(stored=stored), new("fay"))) == ["new_nobody"]


def test_a_board_that_there_is_not_is_refused_with_the_rules_reason() -> None:
    refusal = do(context(stored=people()), new(BEN, "9"))
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.facts["game"]) == ("refused", "tak")


def test_an_invitation_founds_a_game_and_is_written() -> None:
    answer = do(
        context(stored=people()),
        New(("6", "komi=2"), "them", Timing("days=3"), True, opponent=BEN, kind="tak"),
    )
    assert kinds(answer) == ["GameProposed", "InvitationWritten"]
    found = first(answer)
    assert isinstance(found, GameProposed)
    record = found.new_game.record
    assert (found.game, record.invitation.guest_label) == (1, "Ben")
    assert (record.players, record.invitation.host, record.standing) == ((2, 1), 1, Standing.INVITED)
    assert (record.kind, record.setup, record.timing.pace, record.is_relay) == (
        "tak",
        "6 komi=2",
        "days=3",
        True,
    )
    assert record.subject == "Ben \u2013 Ada, 6x6 relay"
    assert record.invitation.written_at is None  # a separate event sets it


def test_a_guest_is_called_by_what_the_host_has_given() -> None:
    stored = people().put(player(4, "Benjamin Miller", "ben.m@example.org"))
    assert (
        proposed(context(stored=stored), new("ben.m@example.org")).new_game.record.invitation.guest_label
        == "Ben"
    )
    assert (
        proposed(context(stored=stored), new("Benjamin Miller")).new_game.record.invitation.guest_label
        is None
    )


def test_two_whom_nobody_knows_become_players() -> None:
    before = by_new(people(), "Dora Other")
    answer = do(before, new("kim.x@example.org"))
    assert kinds(answer) == ["GameProposed", "InvitationWritten"]
    later = after(before, answer)
    host, guest = (later.world.player(PlayerId(number)) for number in (4, 5))
    assert host == later.player
    assert (host.name, host.has_written, host.addresses) == ("Dora Other", True, (NEW,))
    assert host.skeleton is not None
    assert (guest.name, guest.skeleton, guest.addresses) == ("Kim", None, ("kim.x@example.org",))
    table = later.world.game(GameNumber(1))
    assert table.names == ("Dora Other", "Kim")
    assert table.record.subject == "Dora Other \u2013 Kim, 5x5"
    assert table.record.invitation.written_at == NOW


def test_a_second_invitation_of_one_mail_has_the_next_number_and_the_same_host() -> None:
    before = by_new(people(), "Dora")
    later = after(before, do(before, new(BEN)))
    answer = do(later, new(FAY))
    assert kinds(answer) == ["GameProposed", "InvitationWritten"]
    assert first(answer).game == 2  # type: ignore[attr-defined]


def test_one_mail_sends_five_invitations() -> None:
    now = context(stored=people())
    for number in range(MAX_INVITATIONS_IN_MAIL):
        now = after(now, do(now, new(f"g{number}@example.org")))
    refusal = do(now, new("last@example.org"))
    assert refusal == Refusal("many_new", {"most": MAX_INVITATIONS_IN_MAIL})


@pytest.mark.parametrize(
    ("standing", "hours", "is_refused"),
    [
        (Standing.INVITED, 1, True),
        (Standing.INVITED, 1_000, True),
        (Standing.DECLINED, 1, True),
        (Standing.DECLINED, 25, False),
        (Standing.OPEN, 1, False),
    ],
)
def test_ten_invitations_of_a_host_may_wait_or_have_come_to_nothing_today(
    standing: Standing, hours: int, is_refused: bool
) -> None:
    stored = people()
    for number in range(1, MAX_INVITATIONS + 1):
        guest = player(10 + number, f"Guest {number}", f"g{number}@example.org")
        table = game(number=number, players=(AS_ADA, guest), standing=standing)
        made = replace(table.record, created_at=NOW - timedelta(hours=hours))
        stored.put(replace(table, record=made))
    answer = do(context(stored=stored), new(BEN))
    assert kinds(answer)[0] == ("many_asked" if is_refused else "GameProposed")


@pytest.mark.parametrize(
    ("label", "opponent", "is_refused"),
    [
        (None, "Ben", True),
        ("Ben", BEN, True),
        # A refusal would reveal the owner of the address.
        (None, BEN, False),
        ("Ben", "Ben", False),
    ],
)
def test_somebody_is_asked_twice_only_where_a_refusal_would_tell_whose_address_it_is(
    label: str | None, opponent: str, is_refused: bool
) -> None:
    stored = people().put(game(standing=Standing.INVITED, guest_label=label))
    before = context(stored=stored)
    answer = do(before, new(opponent))
    if is_refused:
        assert answer == Refusal("already_asked", {"other": "Ben", "number": 1, "was_host": True})
    else:
        assert kinds(answer) == ["GameProposed"]
        later = after(before, answer)
        assert later.world.game(GameNumber(2)).record.invitation.written_at is None
        assert later.world.player(AS_BEN.id).invitations_wait


def test_who_has_asked_you_need_not_be_asked() -> None:
    stored = people().put(game(players=(AS_BEN, AS_ADA), standing=Standing.INVITED))
    answer = do(context(stored=stored), new("Ben"))
    assert answer == Refusal("already_asked", {"other": "Ben", "number": 1, "was_host": False})


@pytest.mark.parametrize(("wanted", "seat"), [("me", Seat.FIRST), ("them", Seat.SECOND)])
def test_the_host_sits_where_they_want(wanted: str, seat: Seat) -> None:
    stored = people().put(game(players=(AS_ADA, AS_BEN)))
    assert beginnings.choose_seat(context(stored=stored), "tak", AS_ADA, AS_BEN, wanted) == seat


def test_players_begin_in_turn_and_the_first_game_by_lot() -> None:
    stored = people().put(
        game(number=1, players=(AS_BEN, AS_ADA), standing=Standing.OVER),
        game(number=2, players=(AS_ADA, AS_BEN)),
        game(number=3, players=(AS_BEN, AS_ADA), standing=Standing.INVITED),
    )
    assert beginnings.choose_seat(context(stored=stored), "tak", AS_ADA, AS_BEN, None) == Seat.SECOND
    assert beginnings.choose_seat(context(stored=stored), "tak", AS_BEN, AS_ADA, None) == Seat.FIRST
    drawn = {
        beginnings.choose_seat(replace(context(stored=stored), seed=bytes([seed])), "tak", AS_ADA, *who)
        for seed in range(20)
        for who in ((AS_FAY, None), (AS_BEN, "random"))
    }
    assert drawn == {*Seat}


def test_a_second_attempt_at_a_mail_draws_the_same() -> None:
    draws = [
        proposed(context(stored=people()), new(BEN, first="random")).new_game.record.players for _ in range(5)
    ]
    assert len({*draws}) == 1


def test_a_game_that_this_mail_has_begun_counts_as_the_last_one() -> None:
    stored = people().put(
        game(number=1, players=(AS_BEN, AS_ADA), standing=Standing.INVITED),
        game(number=2, players=(AS_BEN, AS_ADA)),
    )
    table = game(number=1, players=(AS_BEN, AS_ADA), standing=Standing.INVITED)
    before = context(table, stored=stored)
    assert (
        beginnings.choose_seat(after(before, do(before, "accept")), "tak", AS_ADA, AS_BEN, None) == Seat.FIRST
    )


# Answers to an invitation.


@each_row(
    ("standing", "by_host", "accept", "decline"),
    [
        (Standing.INVITED, False, "GameBegun", "InvitationDeclined"),
        (Standing.INVITED, True, "not_yours_to_accept", "InvitationWithdrawn"),
        (Standing.BIDDING, False, "already_begun", "InvitationDeclined"),
        (Standing.BIDDING, True, "already_begun", "InvitationDeclined"),
        (Standing.OPEN, False, "already_begun", "too_late_to_decline"),
        (Standing.OPEN, True, "already_begun", "too_late_to_decline"),
        (Standing.DECLINED, False, "was_declined", "was_declined"),
        (Standing.ADJOURNED, False, "adjourned", "adjourned"),
        (Standing.OVER, True, "over", "over"),
    ],
)
def test_what_accept_and_decline_come_to(
    standing: Standing, by_host: bool, accept: str, decline: str
) -> None:
    setup = "5 rules=university" if standing is Standing.BIDDING else "5"
    here = context(game(standing=standing, setup=setup), AS_ADA if by_host else AS_BEN)
    assert kinds(do(here, "accept")) == [accept]
    assert kinds(do(here, "decline")) == [decline]


def test_an_accepted_game_is_open_with_all_that_its_rules_draw() -> None:
    before = context(game(standing=Standing.INVITED, guest_label="Benny"), AS_BEN)
    answer = do(before, "accept")
    assert news_of(answer) == (GameBegun(game=GameNumber(1), seat=Seat.SECOND, begun_at=NOW, setup="5"),)
    assert after(before, answer).game.record.standing == Standing.OPEN
    assert isinstance(do(after(before, answer), "accept"), Told)


def test_who_declines_and_who_takes_back() -> None:
    table = game(standing=Standing.INVITED)
    assert first(do(context(table, AS_BEN), "decline")) == InvitationDeclined(
        game=table.number, seat=Seat.SECOND
    )
    assert first(do(context(table, AS_ADA), "decline")) == InvitationWithdrawn(
        game=table.number, seat=Seat.SECOND
    )
    declined = after(context(table, AS_BEN), do(context(table, AS_BEN), "decline"))
    assert declined.game.record.standing == Standing.DECLINED


def test_a_host_whom_nobody_knows_is_no_founder_of_a_refused_game() -> None:
    assert kinds(do(by_new(Stored()), new("Mia"))) == ["new_nobody"]
