"""`takmail mail explain` reads a mail as the service does, and changes nothing."""

from email.message import EmailMessage

import pytest

from takmail.cli.explain import explain
from takmail.cli.mails import reading_page
from takmail.commands.answers import Assurance, ChatStatus, ForeignGame, SeatClaim
from takmail.commands.grammar.arguments import Play
from takmail.games.interface import Seat
from takmail.limits.mails import DEFAULT_LIMITS, Excess
from takmail.mail.message import MachineSign
from takmail.pipeline import process
from takmail.pipeline.authorize import Action
from takmail.pipeline.explain import Explained, typed_lines
from takmail.world.kinds import GameNumber, MailState
from tests.support.databases import all_of
from tests.support.explained import outcome_of, read_of, trace_of
from tests.support.harness import ADA, BEN, Harness, broken_hand, turns
from tests.support.orders import ordered
from tests.support.scenes import played_once
from tests.support.tables import each_row

OTHER = "Other <other@example.org>"


def explained(harness: Harness, mail: EmailMessage | bytes, size: int | None = None) -> Explained:
    raw = mail if isinstance(mail, bytes) else mail.as_bytes()
    with harness.store.dry_run() as session:
        to_read = harness.causes.to_read(raw, len(raw) if size is None else size)
        return explain(session, harness.causes, to_read, to_read.read())


def player_of(it: Explained) -> str | None:
    """Return the name of the From address's owner, or None for a stranger."""
    player = trace_of(it).sender.player
    return None if player is None else player.name


@pytest.fixture
@played_once
def playing(harness: Harness) -> None:
    harness.begin_and_play("ps b4")


def test_an_answer_is_explained_from_its_seat_to_its_letters(playing: Harness) -> None:
    it = explained(playing, playing.mail(f"Ben <{BEN}>", "ps c3\n\nwell met", playing.last(BEN)))
    assert (player_of(it), it.before, it.error) == ("Ben", None, "")
    assert read_of(it).place == SeatClaim(GameNumber(1), Seat.SECOND, Assurance.PLAYER, turn=1)
    assert trace_of(it).decision == Action.RUN
    assert it.answers is not None
    assert (it.answers.to, it.answers.subject) == ("Ben", playing.last(BEN).subject)
    assert [line.text for line in it.lines if line.typed] == ["ps c3", "well met"]
    assert ordered(read_of(it).understood.orders) == [Play("ps c3", None)]
    result = trace_of(it).result
    assert result is not None
    assert (read_of(it).understood.chat, result.chat.status) == ("well met", ChatStatus.SENT)
    assert [one.name for one in it.reports] == ["turn"]
    outcome = outcome_of(it)
    assert (outcome.state, outcome.note) == (MailState.PLAYED, "game 1, turn 2")
    assert [letter.to for letter in it.letters] == ["Ben", "Ada"]
    assert "| well met" in it.letters[1].text


@pytest.mark.sqlite(
    "PostgreSQL gives no number twice, so that the game that is begun is not the one explained"
)
def test_what_is_explained_is_what_then_happens(playing: Harness) -> None:
    mail = playing.mail(f"Ben <{BEN}>", "ps c3\n\nwell met", playing.last(BEN)).as_bytes()
    it = explained(playing, mail)
    letters = playing.deliver(mail)
    assert [(one.subject, one.text) for one in it.letters] == [(one.subject, one.text) for one in letters]
    outcome = outcome_of(it)
    assert (str(outcome.state), outcome.note) == playing.note_of(5)


def test_nothing_stays_of_it(playing: Harness) -> None:
    before = all_of(playing.store.engine)
    for words in ("ps c3", "new 6 vs other@example.org", "resign", "accept", "rs\n\nwords"):
        explained(playing, playing.mail(f"Ben <{BEN}>", words, playing.last(BEN)))
        explained(playing, playing.mail(OTHER, words))
    assert all_of(playing.store.engine) == before
    assert turns(playing) == ["ps b4"]


def test_a_mail_that_came_before_is_explained_all_the_same(playing: Harness) -> None:
    mail = playing.mail(f"Ben <{BEN}>", "ps c3", playing.last(BEN)).as_bytes()
    playing.deliver(mail)
    playing.deliver(mail)
    it = explained(playing, mail)
    assert it.before == (5, MailState.PLAYED)
    assert [one.name for one in it.reports] == ["already_played"]


def test_with_the_from_alone_it_is_held(playing: Harness) -> None:
    it = explained(playing, playing.mail(f"Ben <{BEN}>", "ps c3"))
    assert (read_of(it).assurance, trace_of(it).decision) == (Assurance.FROM, Action.ASK)
    assert (it.answers, it.reports) == (None, ())
    it = explained(playing, playing.mail(OTHER, "ps c3", playing.last(BEN)))
    assert (player_of(it), trace_of(it).decision, it.reports) == (None, Action.ASK, ())
    assert read_of(it).place == SeatClaim(GameNumber(1), Seat.SECOND, Assurance.TOKEN, turn=1)


def test_a_game_of_others_is_named(playing: Harness) -> None:
    it = explained(playing, playing.mail(OTHER, "#1 rs"))
    assert (player_of(it), read_of(it).place) == (None, ForeignGame(GameNumber(1)))


def test_a_machines_mail_is_not_read(playing: Harness) -> None:
    it = explained(playing, playing.mail(f"Ada <{ADA}>", "ps c3", Auto_Submitted="auto-replied"))
    assert (it.mail.machine, trace_of(it).interpreted, it.letters) == (MachineSign.AUTO_SUBMITTED, None, ())
    assert (outcome_of(it).state, outcome_of(it).note) == (MailState.MACHINE, "auto-submitted")


def test_a_mail_over_the_limit_is_told_by_its_size(playing: Harness) -> None:
    it = explained(playing, playing.mail(f"Ada <{ADA}>", "ps c3"), DEFAULT_LIMITS.mail_bytes + 1)
    assert (it.mail.excess, it.size) == (Excess.MAIL, DEFAULT_LIMITS.mail_bytes + 1)
    assert (trace_of(it).interpreted, outcome_of(it).state) == (None, MailState.REJECTED)
    assert [letter.to for letter in it.letters] == ["Ada"]


def test_a_command_in_the_subject_is_told_from_a_text(playing: Harness) -> None:
    it = explained(playing, playing.mail(f"Ben <{BEN}>", "", subject="games"))
    assert (it.from_subject, ordered(read_of(it).understood.orders)) == (True, ["games"])


def test_what_raises_is_explained_as_far_as_it_went(
    playing: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = all_of(playing.store.engine)
    monkeypatch.setattr(process, "execute", broken_hand)
    it = explained(playing, playing.mail(f"Ben <{BEN}>", "ps c3", playing.last(BEN)))
    assert it.error.endswith("RuntimeError: the hand that plays is broken\n")
    assert (player_of(it), trace_of(it).outcome, it.letters) == ("Ben", None, ())
    assert [line.text for line in it.lines if line.typed] == ["ps c3"]
    assert ordered(read_of(it).understood.orders) == [Play("ps c3", None)]
    monkeypatch.setattr(process, "authenticate", broken_hand)
    it = explained(playing, playing.mail(f"Ben <{BEN}>", "ps c3", playing.last(BEN)))
    assert (it.mail.sender, it.trace, it.lines[0].text) == (BEN, None, "ps c3")
    assert all_of(playing.store.engine) == before


# Which lines were typed.


@each_row(
    ("whole", "typed", "numbers"),
    [
        ("ps b4\n\nOn Monday Ben wrote:\n> ps b4", "ps b4", {0}),
        ("Ben wrote:\nmy move:\nps b4\nyours\n\nps b4", "ps b4", {5}),
        ("one\nBen wrote:\n> ps a1\ntwo\n> ps a2\nthree", "one\ntwo\nthree", {0, 3, 5}),
        ("ps b4   \n\n\n\nwords\n-- \nAda", "ps b4\n\nwords", {0, 4}),
        ("ps b4 On Monday Ben wrote:\n> ps a1", "ps b4", {0}),
        ("- - signed\nps a1", "- signed\nps a1", {0, 1}),
        ("", "", set()),
        ("words", "rs", set()),
    ],
)
def test_the_typed_lines_are_found_again(whole: str, typed: str, numbers: set[int]) -> None:
    assert typed_lines(whole, typed) == numbers


ASKED_AGAIN = (
    "nothing until the player answers yes to the repeated question, "
    "because this mail does not clearly answer it"
)


def page(harness: Harness, mail: EmailMessage) -> str:
    """Return the operator's page about a mail."""
    it = explained(harness, mail)
    return reading_page(harness.services.templates, it, "explained", has_store=True, has_key=True)


def test_a_bare_yes_that_is_asked_about_again_is_explained_as_such(playing: Harness) -> None:
    playing.confirms = False
    playing.send(f"Ada <{ADA}>", "forget me", playing.last(ADA))
    yes = playing.mail(f"Ada <{ADA}>", "yes", subject="Re: [tak #1] Tak")
    told = page(playing, yes)
    assert f"Outcome\n  {ASKED_AGAIN}\n" in told
    assert "as it is not sure who wrote it" not in told
    assert "a yes, but it is uncertain which question it answers)" in told
    (asked,) = playing.deliver(yes.as_bytes())
    assert ASKED_AGAIN not in page(playing, playing.mail(f"Ada <{ADA}>", "yes", asked))


def test_words_that_are_no_yes_to_what_is_open_are_explained_as_such(harness: Harness) -> None:
    harness.confirms = False
    (asked,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    told = page(harness, harness.mail(f"Ada <{ADA}>", "I am not sure", asked))
    assert f"Outcome\n  {ASKED_AGAIN}\n" in told


def test_a_mail_of_which_it_is_not_sure_who_wrote_it_is_explained_as_such(harness: Harness) -> None:
    told = page(harness, harness.mail(f"Ada <{ADA}>", f"new 5 vs {BEN}"))
    assert "Outcome\n  nothing until the player answers yes, because the sender is not verified\n" in told
    assert ASKED_AGAIN not in told
