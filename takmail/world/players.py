"""Define players with their mailboxes, settings and seeks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from takmail.games.readonly import read_only, replace
from takmail.limits.letters import MAX_BOUNCES
from takmail.limits.words import MAX_SIMILAR_TEXTS, MAX_TEXTS_IN_A_ROW
from takmail.world.kinds import First, LetterView, PlayerId, PlayerKind, SeekNumber
from takmail.world.letters import NO_LETTERS, Budget
from takmail.world.pace import DAY, TimeOff, Timing

_BOT = "#bot "
"""What the skeleton of a bot's player begins with. No name of a person has a skeleton that begins so."""
TIME_OFF_KEPT = timedelta(days=800)
"""How long time off is kept after its end, to count the days of a year and to compute clocks."""


def bot_skeleton(bot: str) -> str:
    """Return the skeleton of the player that the bot with this name is. It is nobody's name."""
    return _BOT + bot


@dataclass(frozen=True, slots=True)
class LastText:
    """The last text without an order that came from an address, as digests, which are '' if an order came after it.

    * `whole` is the digest of the text, and `frame` that of the text without what a program may count or date
    * `similar` is how many texts in a row had this frame. It is over `MAX_SIMILAR_TEXTS` if the text was repeated, and
      0 after an order, and after a text with a command that shows something.
    * `in_a_row` is the number of texts since the last order, each soon after the one before (`IN_A_ROW`)
    """

    whole: str = ""
    frame: str = ""
    similar: int = 0
    in_a_row: int = 0

    @property
    def is_repeated(self) -> bool:
        """Whether a machine probably writes the text, as it comes again and again."""
        return self.similar > MAX_SIMILAR_TEXTS

    @property
    def is_quiet(self) -> bool:
        """Whether the text is not answered, because it is repeated, or follows too many others."""
        return self.is_repeated or self.in_a_row > MAX_TEXTS_IN_A_ROW


NO_TEXT = LastText()
"""There was no text since the last order."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address in normal form, with the state of delivery to it.

    * `bounces` is the number of letters that bounced since the owner last wrote
    * `verified_at` is the time of the owner's last verified mail from this address, None if there was none
    * `stopped_at` is the time when the owner asked for no more mail, None if they did not
    * `token_number` is the number of the personal token that proves the address now
    * `last_text` is the last text from this address
    * `has_left`: the owner left for good, and has not written since
    * `is_unsigned`: its mails come without a valid signature, as its owner has confirmed, because they are forwarded or
      sent by another server. A token in them counts although the mail server refutes their From header.
    * `added_at` is when the player added it, None for the first one
    * `block_reason` is why the operator takes no mail from its domain, None if the domain is not blocked. It is loaded
      with a mail's sender, and by `Queries.mailbox`.
    """

    address: str
    bounces: int = 0
    verified_at: datetime | None = None
    stopped_at: datetime | None = None
    token_number: int = 0
    last_text: LastText = NO_TEXT
    is_unsigned: bool = False
    added_at: datetime | None = None
    budget: Budget = NO_LETTERS
    has_left: bool = False
    block_reason: str | None = None

    @property
    def is_unreachable(self) -> bool:
        """Whether `MAX_BOUNCES` letters bounced. Nothing is sent to the address until its owner writes."""
        return self.bounces >= MAX_BOUNCES

    @property
    def is_suspended(self) -> bool:
        """Whether nothing is sent to the address until its owner writes.

        Either the address is unreachable, or the owner asked for no more mail.
        """
        return self.is_unreachable or self.stopped_at is not None


class Block(NamedTuple):
    """A player whom another player blocks."""

    blocked_id: PlayerId


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player has chosen about letters and about how their mails are read.

    * `language` is the code of the chosen language of letters, one of `LANGUAGES`, None if the player chose none
    * `letter_view` is the player's chosen letter format, None if they chose none
    * `wants_no_receipts`: the player wants no answer to a mail that is only a move
    * `reads_ptn`: the player writes moves of Tak in PTN, so that a line that is a ply is an order
    * `zone` is the time zone that the player chose, such as `Europe/Berlin`, or the offset from UTC in their last mail,
      such as `+0100`. It is None if neither is known.
    * `wants_no_reminders`: no letter reminds the player of a turn
    * `announces_holidays`: no time off is taken for the player when their time is over
    * `hears_of_tournaments`: a letter tells the player of each new tournament
    * `digest` says when the letters about turns come together (`Digest`), None if each comes by itself
    * `rating_seen_by` is who may see how strong the player is: `all`, `nobody`, or if it is None those with whom the
      player has begun a game
    """

    language: str | None = None
    letter_view: LetterView | None = None
    wants_no_receipts: bool = False
    reads_ptn: bool = False
    zone: str | None = None
    wants_no_reminders: bool = False
    announces_holidays: bool = False
    digest: str | None = None
    hears_of_tournaments: bool = False
    rating_seen_by: str | None = None


NOTHING_CHOSEN = Preferences()
"""The preferences of a player who has chosen nothing."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person, an engine, or a player whose data was erased. Only a person has an address.

    * `skeleton` is the form shared by all names that look like this one (Unicode UTS #39), None if the player chose no
      name. If an upgrade found that an older player's name looks the same, it is `#` and the player's number.
    * `is_blocked`: the operator blocked the player
    * `time_off` are the intervals in which the player's clocks stand, in order and without overlaps
    * `invitations_wait`: an invitation to the player is not written yet
    * `data_sent_at` is the time when the player last got the answer to `mydata`
    * `blocked` are the players whom the player blocks
    * `begun_games` is the number of the player's games that have begun, even if they are over. It is at most two.
    """

    id: PlayerId
    name: str
    skeleton: str | None
    created_at: datetime
    kind: PlayerKind = PlayerKind.PERSON
    is_blocked: bool = False
    preferences: Preferences = NOTHING_CHOSEN
    time_off: tuple[TimeOff, ...] = ()
    invitations_wait: bool = False
    data_sent_at: datetime | None = None
    begun_games: int = 0
    blocked: frozenset[PlayerId] = frozenset()
    mailboxes: tuple[Mailbox, ...] = ()

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The players whom the player blocks."""
        return tuple(map(Block, sorted(self.blocked)))

    @property
    def is_bot(self) -> bool:
        """Whether the player is a bot."""
        return self.kind is PlayerKind.ENGINE

    @property
    def bot_name(self) -> str:
        """The name of the bot that the player is, even if the operator no longer offers it."""
        return (self.skeleton or "").removeprefix(_BOT)

    @property
    def is_erased(self) -> bool:
        """Whether the player's data was erased."""
        return self.kind is PlayerKind.ERASED

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the player."""
        return tuple(mailbox.address for mailbox in self.mailboxes)

    @property
    def main_mailbox(self) -> Mailbox:
        """The mailbox that letters to the player go to. Their last verified mail came from its address."""
        return max(
            self.mailboxes,
            key=lambda mailbox: mailbox.verified_at.timestamp() if mailbox.verified_at else 0.0,
        )

    @property
    def is_reachable(self) -> bool:
        """Whether news goes to the player now: they have an address, and letters to it are not suspended."""
        return bool(self.mailboxes) and not self.main_mailbox.is_suspended

    @property
    def oldest_mailbox(self) -> Mailbox:
        """The mailbox that the player has had longest."""
        return min(
            self.mailboxes, key=lambda mailbox: mailbox.added_at.timestamp() if mailbox.added_at else 0.0
        )

    @property
    def has_written(self) -> bool:
        """Whether a verified mail from the player has ever arrived."""
        return any(mailbox.verified_at is not None for mailbox in self.mailboxes)

    @property
    def wants_no_mail(self) -> bool:
        """Whether the player asked for no more mail."""
        return any(mailbox.stopped_at is not None for mailbox in self.mailboxes)

    def mailbox(self, address: str) -> Mailbox | None:
        """Return the player's mailbox with this address, None if the player has no such address."""
        for mailbox in self.mailboxes:
            if mailbox.address == address:
                return mailbox
        return None

    def named(self, name: str, skeleton: str) -> "Player":
        """Return the player under another name."""
        return replace(self, name=name, skeleton=skeleton)

    def choosing(self, preference: str, value: object) -> "Player":
        """Return the player with another value of a preference."""
        chosen: dict[str, Any] = {preference: value}
        return replace(self, preferences=replace(self.preferences, **chosen))

    def with_value(self, name: str, value: object) -> "Player":
        """Return the player with another value of a field."""
        values: dict[str, Any] = {name: value}
        return replace(self, **values)

    def stopped(self, at: datetime | None) -> "Player":
        """Return the player after asking for no more mail. If `at` is None, they get mail again."""
        return replace(self, mailboxes=tuple(replace(one, stopped_at=at) for one in self.mailboxes))

    def taking_off(self, off: TimeOff, now: datetime) -> "Player":
        """Return the player with time off, which takes the place of planned time off that it overlaps.

        Time off that has begun ends when it begins.
        """
        kept = (
            one._replace(ended_at=min(one.ended_at, off.began_at)) if one.began_at <= now else one
            for one in self.time_off
            if one.ended_at > now - TIME_OFF_KEPT
        )
        apart = (one for one in kept if one.ended_at <= off.began_at or off.ended_at <= one.began_at)
        return replace(self, time_off=tuple(sorted((*filter(TimeOff.lasts, apart), off))))

    def planned(self, now: datetime) -> tuple[TimeOff, ...]:
        """Return the player's time off that has not begun."""
        return tuple(off for off in self.time_off if off.began_at > now)

    def without(self, off: TimeOff) -> "Player":
        """Return the player without some planned time off."""
        return replace(self, time_off=tuple(one for one in self.time_off if one != off))

    def holiday_from(self, began_at: datetime) -> TimeOff:
        """Return a day off that begins when the player's time was over. It is shorter if they are away soon after."""
        later = (off.began_at for off in self.time_off if off.began_at >= began_at)
        return TimeOff(began_at, min((began_at + DAY, *later)), is_automatic=True)

    def with_holiday(self, off: TimeOff) -> "Player":
        """Return the player with a day off among the others."""
        return replace(self, time_off=tuple(sorted((*self.time_off, off))))

    def back_at(self, now: datetime) -> "Player":
        """Return the player, whose time off ends at `now` if it has begun."""
        cut = (
            off if off.began_at > now else off._replace(ended_at=min(off.ended_at, now))
            for off in self.time_off
        )
        return replace(self, time_off=tuple(filter(TimeOff.lasts, cut)))

    def away_until(self, now: datetime) -> datetime | None:
        """Return when the player's time off ends, None if they have none at `now`."""
        return next((off.ended_at for off in self.time_off if off.began_at <= now < off.ended_at), None)

    def blocking(self, other: PlayerId) -> "Player":
        """Return the player, who now blocks another one."""
        return replace(self, blocked=self.blocked | {other})

    def unblocking(self, other: PlayerId) -> "Player":
        """Return the player, who blocks another one no more."""
        return replace(self, blocked=self.blocked - {other})

    def without_mailbox(self, address: str) -> "Player":
        """Return the player without an address."""
        return replace(self, mailboxes=tuple(one for one in self.mailboxes if one.address != address))

    def with_mailbox(self, mailbox: Mailbox) -> "Player":
        """Return the player with a mailbox added. It replaces a mailbox with the same address."""
        if self.mailbox(mailbox.address) is None:
            return replace(self, mailboxes=(*self.mailboxes, mailbox))
        here = (mailbox if known.address == mailbox.address else known for known in self.mailboxes)
        return replace(self, mailboxes=tuple(here))


@dataclass(frozen=True, slots=True)
class Setting:
    """What each player can choose. `preference` is the field of `Preferences` for it, and `choices` its values by word.

    `names` is the table of the vocabulary with other words for the choices, '' if there is none.
    """

    preference: str
    choices: Mapping[str, object]
    names: str = ""

    def __post_init__(self) -> None:
        read_only(self, "choices")


LANGUAGES = ("en", "ru", "zh", "zh-hant")
"""The codes of the languages in which letters can be written."""
SETTINGS = {
    "language": Setting("language", {code: code for code in LANGUAGES}, "languages"),
    "view": Setting("letter_view", {view.value: view for view in LetterView}),
    "receipts": Setting("wants_no_receipts", {"on": False, "off": True}),
    "reminders": Setting("wants_no_reminders", {"on": False, "off": True}),
    "holiday": Setting("announces_holidays", {"auto": False, "manual": True}),
    "news": Setting("hears_of_tournaments", {"on": True, "off": False}),
    "reads": Setting("reads_ptn", {"ptn": True, "mail": False}),
    "rating": Setting("rating_seen_by", {"on": "all", "opponents": None, "off": "nobody"}),
}
"""The settings, by the keyword of their command."""


@dataclass(frozen=True, slots=True)
class Seek:
    """A public offer to begin a game. The fields from `setup` to `is_relay` are the terms of `new`."""

    number: SeekNumber
    player: PlayerId
    kind: str
    setup: str
    first: First | None
    timing: Timing
    is_relay: bool
    sought_at: datetime
    is_unrated: bool = False
