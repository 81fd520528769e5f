"""Names, and how new players are registered."""

from dataclasses import replace

import pytest

from takmail.commands import profile
from takmail.commands.answers import Refusal, Told, told
from takmail.commands.context import A_FRIEND, Author
from takmail.commands.grammar.arguments import Choice, Name
from takmail.commands.grammar.skeletons import skeleton
from takmail.limits.words import MAX_NAME_CHARS
from takmail.world.events import NameChosen, SettingChosen
from takmail.world.kinds import LetterView
from tests.commands.build import (
    ADA,
    AS_ADA,
    NOW,
    SERVICES,
    Stored,
    after,
    context,
    first,
    kinds,
    news_of,
    player,
)
from tests.commands.people import NEW, by_new, people
from tests.support.orders import do
from tests.support.tables import each_row

FRIEND = SERVICES.templates.said(A_FRIEND)


@each_row(
    ("wanted", "fault"),
    [
        ("Dora", None),
        ("www.example.org", "link"),
        ("a" * (MAX_NAME_CHARS + 1), "long"),
        ("Dora\u2603", "signs"),
        ("12", "letterless"),
        ("Tak by Mail", "official"),
        (FRIEND, "means_something"),
        ("draw", "means_something"),
        ("ps b4", "means_something"),
        ("Drew", None),  # only nearly a command
        # What begins like a command and is none.
        ("Match Ben", None),
        ("New Man", None),
        ("Say Hoon", None),
        ("Im Yoon-ah", None),
        ("Ms Smith", None),
        ("Ps Anna", None),
    ],
)
def test_what_nobody_can_be_called(wanted: str, fault: str | None) -> None:
    answer = do(context(stored=people()), Name(wanted))
    if fault is None:
        assert first(answer) == NameChosen(player=AS_ADA.id, name=wanted, skeleton=skeleton(wanted))
    else:
        assert answer == Refusal("name_refused", {"fault": fault, "most": MAX_NAME_CHARS})


def test_a_name_that_looks_like_anothers_is_taken() -> None:
    refusal = Refusal("name_taken", {"name": "B\u00ebn", "free": "B\u00ebn 2"})
    assert do(context(stored=people()), Name("B\u00ebn")) == refusal


def test_a_free_name_has_the_first_number_that_nobody_has() -> None:
    stored = people().put(player(8, "Ben 2", "b2@example.org"))
    assert profile.free_name(context(stored=stored), "Ben", AS_ADA) == "Ben 3"
    assert profile.free_name(context(stored=stored), "Ada", AS_ADA) == "Ada"


def test_a_chosen_name_is_the_senders_at_once() -> None:
    before = context(stored=people())
    later = after(before, do(before, Name("Countess")))
    assert later.player is not None
    assert later.player.name == "Countess"
    found = profile.by_name(later, "c\u00f6untess")
    assert found is not None
    assert found.id == AS_ADA.id
    assert profile.by_name(later, "Ada") is None
    assert profile.by_name(later, "...") is None


def test_who_names_themselves_first_becomes_a_player() -> None:
    before = by_new(people(), "Dora")
    answer = do(before, Name("Countess"))
    assert kinds(answer) == ["NameChosen"]
    later = after(before, answer)
    assert later.player is not None
    assert (later.player.id, later.player.name, later.player.addresses) == (4, "Countess", (NEW,))
    assert later.player.mailboxes[0].verified_at == NOW


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Dora", "Dora"),
        ("Ada", "Ada 2"),
        ("", FRIEND),
        ("www.example.org", FRIEND),
        ("Tak by Mail", FRIEND),
    ],
)
def test_a_new_player_is_called_as_their_mail_says(given: str, name: str) -> None:
    before = by_new(people(), given)
    new, joined = profile.enrol(before)
    assert (new.name, new.id, new.addresses) == (name, 4, (NEW,))
    assert new.skeleton == skeleton(name)
    assert after(before, joined).player == new


def test_who_is_known_by_a_name_is_not_enrolled_again() -> None:
    here = context(stored=people(), sender_name="Somebody else")
    assert profile.enrol(here) == (AS_ADA, ())
    assert profile.remember_name(here) == ()


@pytest.mark.parametrize(
    ("known_as", "is_own", "given", "becomes"),
    [
        ("Ada.l", False, "Ada Lovelace", "Ada Lovelace"),
        ("Ada.l", False, "", FRIEND),
        (FRIEND, True, "Ada Lovelace", "Ada Lovelace"),
        (f"{FRIEND} 2", True, "Ada Lovelace", "Ada Lovelace"),
        (FRIEND, True, "", None),
    ],
)
def test_who_was_only_an_address_gets_a_name_of_their_own(
    known_as: str, is_own: bool, given: str, becomes: str | None
) -> None:
    guest = player(1, known_as, ADA, is_named=is_own)
    here = replace(context(by=guest, stored=Stored().put(guest)), author=Author(guest.addresses[0], given))
    named = after(here, profile.remember_name(here)).player
    assert named is not None
    is_named = is_own or becomes is not None
    name = becomes or known_as
    assert (named.name, named.skeleton) == (name, skeleton(name) if is_named else None)


def test_nobody_is_named_who_is_not_known() -> None:
    assert profile.remember_name(by_new(people(), "Dora")) == ()


@each_row(
    ("known", "offset", "kept"),
    [
        (None, "+0100", "+0100"),
        ("+0200", "+0100", "+0100"),
        ("+0100", "+0100", None),
        ("+0100", None, None),
        (None, None, None),
        ("Europe/Berlin", "+0300", None),
        ("UTC+02:00", "+0300", None),
        ("UTC", "+0300", None),
    ],
)
def test_the_offset_of_a_players_mail_is_kept_unless_they_chose_a_zone(
    known: str | None, offset: str | None, kept: str | None
) -> None:
    ada = AS_ADA.choosing("zone", known)
    here = replace(context(by=ada, stored=people().put(ada)), author=Author(ADA, "Ada", offset))
    changes = profile.remember_zone(here)
    assert len(changes) == (kept is not None)
    now = after(here, changes).player
    assert now is not None
    assert now.preferences.zone == (kept or known)


def test_a_new_player_has_the_offset_of_their_mail_from_the_beginning() -> None:
    here = by_new(people(), "Dora")
    new, _ = profile.enrol(replace(here, author=replace(here.author, utc_offset="+0100")))
    assert new.preferences.zone == "+0100"


def told_of(keyword: str, value: object) -> Told:
    facts = {"value": value, "game": "tak"}
    return told("setting", keyword=keyword, **facts)


def test_languages_are_chosen_and_told() -> None:
    before = context(stored=people())
    assert do(before, "language") == told_of("language", "en")
    answer = do(before, Choice("language", "zh"))
    assert news_of(answer) == (
        SettingChosen(player=AS_ADA.id, keyword="language", value="zh", undone_by="language en"),
    )
    assert do(after(before, answer), "language") == told_of("language", "zh")
    assert do(by_new(people()), "language") == told_of("language", "en")


def test_the_language_of_the_service_is_told_to_who_chose_none() -> None:
    before = context(stored=people(), services=replace(SERVICES, language="ru"))
    assert do(before, "language") == told_of("language", "ru")


def test_views_are_chosen_and_told() -> None:
    before = context(stored=people())
    assert do(before, "view") == told_of("view", SERVICES.letter_view)
    answer = do(before, Choice("view", "text"))
    assert news_of(answer) == (
        SettingChosen(player=AS_ADA.id, keyword="view", value=LetterView.TEXT, undone_by="view both"),
    )
    assert do(after(before, answer), "view") == told_of("view", LetterView.TEXT)
    assert do(by_new(people()), "view") == told_of("view", SERVICES.letter_view)
    new = by_new(people(), "Dora")
    chosen = after(new, do(new, Choice("view", "html"))).player
    assert chosen is not None
    assert (chosen.id, chosen.name, chosen.preferences.letter_view) == (4, "Dora", LetterView.HTML)


def test_receipts_are_chosen_and_told() -> None:
    before = context(stored=people())
    assert do(before, "receipts") == told_of("receipts", False)
    answer = do(before, Choice("receipts", "off"))
    assert news_of(answer) == (
        SettingChosen(player=AS_ADA.id, keyword="receipts", value=True, undone_by="receipts on"),
    )
    none = after(before, answer)
    assert do(none, "receipts") == told_of("receipts", True)
    again = after(none, do(none, Choice("receipts", "on")))
    assert do(again, "receipts") == told_of("receipts", False)
    assert do(by_new(people()), "receipts") == told_of("receipts", None)
    new = by_new(people(), "Dora")
    chosen = after(new, do(new, Choice("receipts", "off"))).player
    assert chosen is not None
    assert (chosen.id, chosen.name, chosen.preferences.wants_no_receipts) == (4, "Dora", True)


@pytest.mark.parametrize(
    ("line", "is_one"), [("resign", True), ("ps a1", True), ("Drew", False), ("Dora", False)]
)
def test_a_name_that_reads_as_a_command(line: str, is_one: bool) -> None:
    assert profile.reads_as_command(SERVICES, line) is is_one
