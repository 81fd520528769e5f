"""One mail being dealt with: what is known about it, and what is to be told to whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.games.registry import DEFAULT
from takmail.mail.envelope import Envelope
from takmail.service.desk import Desk
from takmail.service.game.table import Table, load
from takmail.service.game.wish import STANDS_FOR
from takmail.service.people.match import Match, match_of
from takmail.service.reading.understand import Understood
from takmail.service.trust.identify import Chair, Disagree, Elsewhere, game_number
from takmail.store import offers, players
from takmail.store.tables import Confirmation, OutboxRow, Player, Ruling


class Status(StrEnum):
    """What became of one command."""

    DONE = "done"
    FAILED = "failed"
    SKIPPED = "not tried"


class Words(StrEnum):
    """What becomes of the chat in a mail.

    LEFT: there is nobody it could go to; FULL: too many words wait already; HEARD: a letter has brought them before;
    REFUSED: the opponent wants to hear none; BROKEN: their game is, and the mail was dealt with as about none.
    """

    NONE = "none"
    SENT = "sent"
    WAIT = "wait"
    LEFT = "left"
    FULL = "full"
    HEARD = "heard"
    REFUSED = "refused"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a command, for the answer: `about` names the template that words it, `facts` fill it in."""

    status: Status
    about: str
    facts: Mapping[str, object] = field(default_factory=dict)


def done(about: str, **facts: object) -> Report:
    """The command was carried out."""
    return Report(Status.DONE, about, facts)


def failed(about: str, **facts: object) -> Report:
    """The command changed nothing, and this is why."""
    return Report(Status.FAILED, about, facts)


@dataclass(frozen=True, slots=True)
class News:
    """Something that the opponent is to be told in the next letter."""

    about: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answered:
    """A line of the mail with its report."""

    line: str
    report: Report


@dataclass(slots=True)
class Case:
    """The work on one mail; the only thing here that changes, and only while its transaction runs.

    What is known of the mail: `intake_id` is None for what no mail has set off; `is_persons` is the operator's word
    that no machine wrote it; `is_senders` tells that it surely comes from the address in its From, be its owner a
    player or not, and `is_sure` that the player surely wrote it; `by_headers` is what its headers alone say of the
    seat that it speaks for; `confirmed` are the words that its `yes` releases;
    `elsewhere` is a game that it names and the sender
    isn't in, `broken` one that it speaks for no seat of, as what is stored of it does not agree with itself.
    What its words are about: `shown` is the turn after which the letter that they answer showed the game, and `known`
    the number of that letter, the newest that their writer can have had before them; None where nobody knows. Of words
    that were held these are not of the mail that says `yes`.
    How it was read: `answered`, `is_lost` (it answers a letter that asked for a `yes` and that nobody knows any more),
    `typed` (None where nothing was read), `understood`, and `spoke_for`, the chair before anything was done.
    What comes of it: `has_ended`: the mail has brought their game to its end; `match` is how the players stand then,
    seen from the first seat, unless nothing came of the game;
    `question` is what the answer asks of the sender's address; `words_cut` tells that the chat was too long;
    `last_for` tells that it is the last answer, for an hour or a day, '' that it isn't;
    `played` are the turns that it has played, each by game and number;
    `letters` are those written so far; `remark` is for the operator: what else there is to say of it, or why no
    letter follows; `has_left`: the sender is forgotten.
    """

    desk: Desk
    session: Session
    intake_id: int | None
    mail: Envelope
    player: Player | None
    is_persons: bool = False
    is_senders: bool = False
    confirmed: str = ""
    is_sure: bool = False
    by_headers: Chair | Disagree | Elsewhere | None = None
    chair: Chair | None = None
    spoke_for: Chair | None = None
    shown: int | None = None
    known: int | None = None
    reports: list[Answered] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    has_ended: bool = False
    match: Match | None = None
    question: Confirmation | None = None
    words: Words = Words.NONE
    words_cut: bool = False
    last_for: str = ""
    elsewhere: int | None = None
    broken: int | None = None
    played: tuple[tuple[int, int], ...] = ()
    letters: list[int] = field(default_factory=list)
    remark: str = ""
    has_left: bool = False
    answered: OutboxRow | None = None
    is_lost: bool = False
    typed: str | None = None
    understood: Understood = field(default_factory=lambda: Understood((), ""))
    _table: Table | None = None

    @property
    def seat(self) -> Seat:
        """The seat that the mail speaks for; only asked once a chair is known."""
        assert self.chair is not None
        return self.chair.seat

    @property
    def game(self) -> str:
        """The kind of game that the mail is about, which names its templates; the usual one where none is known."""
        return DEFAULT if self.chair is None else self.chair.game.kind

    @property
    def table(self) -> Table:
        """The game of the chair, loaded once and again after each change of which more is to be known than a turn."""
        if self._table is None:
            assert self.chair is not None
            self._table = load(self.session, self.chair.game, self.desk.replays)
        return self._table

    @property
    def opponent_has_left(self) -> bool:
        """Whether the opponent is forgotten, and no letter can reach them."""
        return self.table.have_left[self.seat.other]

    def changed(self, now: Table | None = None) -> None:
        """Forget the loaded game: it is not as it was, but as it is `now`, if that is known."""
        self._table = now

    def ended(self) -> None:
        """The game has come to its end: count how the match stands, for the letters that tell of it."""
        self.changed()
        self.has_ended = True
        assert self.chair is not None
        if self.chair.game.ruling == Ruling.VOID:
            return
        first, second = map(players.number, self.table.players)
        self.match = match_of(self.session, self.table.row.kind, first, second, self.table)

    def sit(self, chair: Chair) -> None:
        """Take the mail as speaking for this seat."""
        self.chair, self.shown = chair, chair.shown
        number = game_number(chair.game)
        # A letter about something else shows nothing of this game.
        is_of_game = self.answered is not None and self.answered.game_id == number
        self.known = self.answered.id if self.answered is not None and is_of_game else None
        offers.end_overdue(self.session, number, self.desk.clock() - STANDS_FOR)
        self.changed()

    def stand_up(self) -> None:
        """Take the mail as speaking for no seat after all, since its game is broken; whose it is stays as sure."""
        assert self.chair is not None
        self.broken = game_number(self.chair.game)
        self.is_senders = self.is_senders or self.chair.proof.is_sure
        self.remark = f"about game {self.broken}, which is broken, and nothing in it needs the game"
        self.chair = self.shown = self.known = None
        self.changed()

    def tell(self, about: str, **facts: object) -> None:
        """Have the opponent told."""
        self.news.append(News(about, facts))
