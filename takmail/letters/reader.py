"""Define who reads a letter, and how they want it.

The builders of blocks get a `Reader`. A `Correspondent` is whoever gets the answer to a mail.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from takmail.blocks import Blocks
from takmail.commands.answers import CauseResult, Sender
from takmail.commands.context import CommandServices
from takmail.commands.grammar.names import clean_name
from takmail.commands.view import View
from takmail.games.bots import NO_BOTS, Bots
from takmail.games.readonly import replace
from takmail.games.registry import Games
from takmail.games.thinking import Reviewer
from takmail.games.wording import Wording
from takmail.letters import budgets
from takmail.letters.catalogue import ENGLISH
from takmail.letters.drawings import Animation, animation_of
from takmail.letters.mailto_links import MailtoLinks
from takmail.letters.services import Services
from takmail.mail.letter_body import Attachment
from takmail.mail.message import Mail, UnreadableReason
from takmail.world import (
    NOTHING_SEEN,
    Game,
    LetterView,
    Mailbox,
    Match,
    NewPlayers,
    Player,
    SeenWorld,
    SeriesScore,
    events,
)

_EXPLAINED_TURNS = 3
"""The number of turns of a reader after which letters explain no more how to play."""
_TURNS_LOOKED_AT = 4 * _EXPLAINED_TURNS
"""In which turns of a game those of a reader are counted. In a relay game a player may send several in a row."""


class Style(NamedTuple):
    """How a reader wants their letters: as text, as HTML or as both, in which language and time zone.

    `zone` is that of the player, None if it is not known.
    """

    view: LetterView
    language: str
    zone: str | None = None

    @property
    def as_text(self) -> "Style":
        """The same style, as text only."""
        return self._replace(view=LetterView.TEXT)


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Whoever gets the answer to a mail, and what its letters take from the mail.

    * `mailbox` gets the answer. It is in its state after the mail.
    * `name` is empty if it is not verified
    * `style` is how they want their letters
    * `thread` are the Message-IDs of the mail's thread. The mail's own one is the last.
    * `unreadable` is the reason why the mail's text was not read, or None
    * `last_for` is "hour" or "day" if the answer is the last one allowed within that time, otherwise ''
    * `game` is the kind of game that the mail is about, or None for the default one
    * `needs_new_token`: others have read the current token of the seat in the answer's thread
    """

    sender: Sender
    mailbox: Mailbox
    name: str
    style: Style
    thread: tuple[str, ...] = ()
    unreadable: UnreadableReason | None = None
    last_for: str = ""
    game: str | None = None
    needs_new_token: bool = False


@dataclass(frozen=True, slots=True)
class Lobby:
    """What can be played here.

    * `games` are the playable games
    * `new_players` tells who may begin to play, and `bots` are the bots that there are
    """

    games: Games
    new_players: NewPlayers = NewPlayers.ANYONE
    bots: Bots = NO_BOTS

    @property
    def has_bots(self) -> bool:
        """Whether one can play against bots."""
        return bool(self.bots.every)


@dataclass(frozen=True, slots=True)
class Opponent:
    """The opponent in the game of a letter, as the letter knows them.

    * `name` is the name that the letter gives them, '' if it is about no game
    * `has_left`: they have left for good
    * `away_until` is the last day of the time off that they have announced, None if there is none or if an earlier
      letter has told it
    * `words` are those of the opponent that the letter brings
    """

    name: str = ""
    is_bot: bool = False
    has_left: bool = False
    away_until: date | None = None
    words: tuple[str, ...] = ()


NO_OPPONENT = Opponent()
"""The opponent of who reads a letter about no game."""


@dataclass(frozen=True, slots=True)
class Answering:
    """What the answer to a mail of the reader has in it.

    * `words_wait`: the words of the mail wait, as the opponent has had many letters within the hour
    * `move_lists` is the number of lists of moves from one place
    * `has_erred`: a line of the mail was refused, or is asked about
    * `is_part`: the mail is a part of another one, whose answer tells of several games
    * `told` are the names of what it tells by itself, such as `clock`, which does not stand below it again
    """

    words_wait: bool = False
    move_lists: int = 0
    has_erred: bool = False
    is_part: bool = False
    told: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Attached:
    """What is attached to a letter: the record of the game, and the animation, each None if it is not."""

    record: Attachment | None = None
    animation: Animation | None = None


NOTHING_ATTACHED = Attached()
"""A letter with nothing but its text and its HTML part."""


def attached_to(
    game: Game, seen: View | None, record: str, *, with_record: bool, has_ended: bool
) -> Attached:
    """Return what is attached to a letter about a game. The parameters are those of `LetterBatch.in_game`."""
    file = None
    if seen is not None and (with_record or record):
        # Every program can open plain text.
        text = record or (game.game_record() if seen.ended is None else seen.ended.record)
        file = Attachment(f"takmail-{game.number}.{game.rules.file_ending}", "plain", text)
    return Attached(file, animation_of(game, f"takmail-{game.number}.gif") if has_ended else None)


@dataclass(frozen=True, slots=True)
class Standings:
    """How the matches of the two players of a game stand, as the reader of a letter about it sees them.

    * `match` is that of all their games after the end that the letter reports, None if that is not told
    * `series` is the match with an end that the game belongs to, None if there is none
    * `goes_on`: below the end of the game, the letter shows the next one of this match
    """

    match: Match | None = None
    series: SeriesScore | None = None
    goes_on: bool = False

    @property
    def is_undecided(self) -> bool:
        """Whether the game belongs to a match with an end that is not over."""
        return self.series is not None and not self.series.is_over


NO_STANDINGS = Standings()
"""The standings of a game of no match, whose end is not reported."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a letter, and the game that it is about.

    * `view` is the game as the reader sees it, None if the letter is about no game or shows no board
    * `kind` is the kind of game whose words the letter uses, the default one if it is about no game
    * `world` is the world after the cause of the letter, as the reader may see it
    * `language` is the language of the letter
    * `answering` is what the letter answers, None if it answers no mail of the reader
    * `has_ended`: the letter reports the end of the game
    * `standings` are how the matches of the two players stand
    * `replaces_waiting`: the letter takes the place of one that waits for a thought, such as the receipt for the
      reader's last turn
    * `was_read`: others have read the reader's reply address, so that this letter has a new one
    * `links` are the links of the letter, None if it has none
    * `is_at_top`: what is told leads the letter, so that the lines by the book can stand above it
    * `hears_of_disputes`: the letter says which turns are disputed
    """

    view: View | None
    kind: str
    lobby: Lobby
    world: SeenWorld = NOTHING_SEEN
    language: str = ENGLISH
    answering: Answering | None = None
    opponent: Opponent = NO_OPPONENT
    has_ended: bool = False
    standings: Standings = NO_STANDINGS
    attached: Attached = NOTHING_ATTACHED
    replaces_waiting: bool = False
    was_read: bool = False
    links: MailtoLinks | None = None
    is_at_top: bool = True
    hears_of_disputes: bool = True

    @property
    def wording(self) -> Wording:
        """The words of the game."""
        return self.wording_of(self.kind)

    def wording_of(self, kind: str) -> Wording:
        """Return the words of another game."""
        return self.lobby.games.wording(kind)

    @property
    def has_reviews(self) -> bool:
        """Whether the game can be reviewed, and hints be given in it."""
        return not self.game.is_relay and isinstance(self.lobby.games.by_name[self.kind], Reviewer)

    @property
    def game(self) -> View:
        """The game as the reader sees it. Only for letters about a game."""
        assert self.view is not None
        return self.view

    @property
    def needs_explanations(self) -> bool:
        """Whether a letter about a game explains how to write to it and what it shows.

        It does so until the reader has made a few turns, or if a line of theirs was refused or is asked about.
        Who has finished a game of this kind knows.
        """
        if self.answering is not None and (self.answering.has_erred or self.answering.is_part):
            return not self.answering.is_part
        seen = self.game
        if seen.seat is None:
            return not self.world.has_finished(self.kind)
        seat = seen.seat
        made = [turn for turn in seen.game.turns[:_TURNS_LOOKED_AT] if turn.seat == seat]
        if len(made) >= _EXPLAINED_TURNS:
            return False
        return seen.is_first_game or not self.world.has_finished(self.kind)

    @property
    def is_writer(self) -> bool:
        """Whether the letter answers the reader's own mail."""
        return self.answering is not None

    def was_told(self, *names: str) -> bool:
        """Tell whether an answer tells one of these by itself."""
        return self.answering is not None and not self.answering.told.isdisjoint(names)

    def hears_of(self, event: events.GameEvent) -> bool:
        """Tell whether an event is for the reader, and has no letter of its own."""
        return not event.has_own_letter and self.world.reader in event.readers

    def seeing(self, view: View) -> "Reader":
        """Return the same reader, who is shown another board of the game."""
        return replace(self, view=view)


Builder = Callable[..., Blocks]
"""Makes the blocks of an answer from the reader and the facts of the answer, which are its other parameters."""


def style_of(services: CommandServices, player: Player | None) -> Style:
    """Return how a player wants letters. What they have not chosen is as for everybody."""
    if player is None:
        return Style(services.letter_view, services.language)
    view = player.preferences.letter_view or services.letter_view
    return Style(view, player.preferences.language or services.language, player.preferences.zone)


def correspondent(services: Services, mail: Mail, sender: Sender, result: CauseResult) -> Correspondent:
    """Return whoever wrote a mail, as its letters need them."""
    own = () if mail.message_id is None else (mail.message_id,)
    owner = result.world.owner(sender.address)
    return Correspondent(
        sender,
        (owner and owner.mailbox(sender.address)) or replace(sender.mailbox, address=sender.address),
        _verified_name(sender, result.player),
        style_of(services, owner),
        (*mail.thread.references, *own),
        mail.body.unreadable,
        budgets.last_for(services.rates, sender),
        None if result.claim is None else result.world.game(result.claim.game).record.kind,
        sender.needs_new_token(result.claim),
    )


def _verified_name(sender: Sender, player: Player | None) -> str:
    """Return the sender's name, or '' if it is not verified, because anybody may have written an unverified name."""
    if not sender.is_verified:
        return ""
    return clean_name(sender.name) if player is None or player.is_erased else player.name
