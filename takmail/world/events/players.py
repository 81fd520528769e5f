"""Define the events of players: who joins, what a player chooses, and which addresses a player has."""

from dataclasses import dataclass
from datetime import datetime

from takmail.games.readonly import replace
from takmail.world.events.base import Event, PlayerEvent
from takmail.world.kinds import GameNumber
from takmail.world.pace import TimeOff
from takmail.world.players import SETTINGS, Mailbox, Player
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderWelcomed(Event):
    """A stranger gets the letter that explains how to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAddressExplained(Event):
    """Somebody unknown wrote to the reply address of a seat in `game`, and gets a letter that says what it is."""

    game: GameNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedPlayerNotified(Event):
    """A player whom the operator blocked gets a letter that says why (`why`) their mails are not read."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event):
    """A player is registered. It stands before all events that name the player."""

    player: Player

    def apply(self, world: World) -> World:
        """Return the world with the player. Whether the owner of an address has left is kept only while it has none."""
        mailboxes = tuple(replace(mailbox, has_left=False) for mailbox in self.player.mailboxes)
        return world.with_player(replace(self.player, mailboxes=mailboxes))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNamed(PlayerEvent):
    """A player has another name, such as that in their own mail. `skeleton` is the form of all names that look so."""

    name: str
    skeleton: str

    def apply(self, world: World) -> World:
        """Return the world in which the player has the name."""
        return self._of_player(world, Player.named, self.name, self.skeleton)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChosen(PlayerNamed):
    """A player asked for a name and now has it. The answer reports this event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChanged(PlayerEvent):
    """A setting of a player has another value. `keyword` names it in `SETTINGS`, or is `zone`."""

    keyword: str
    value: object

    def apply(self, world: World) -> World:
        """Return the world in which the setting has the value."""
        preference = SETTINGS[self.keyword].preference if self.keyword in SETTINGS else self.keyword
        return self._of_player(world, Player.choosing, preference, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChosen(SettingChanged):
    """A player chose the value of a setting by a command. `undone_by` is the line that undoes it, '' if none does."""

    undone_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WentAway(PlayerEvent):
    """A player said at `announced_at` when they are away: `time_off`, from then on or later.

    `left` are the years in which it counts, each with the number of days off that are left.
    """

    time_off: tuple[TimeOff, ...]
    announced_at: datetime
    left: tuple[tuple[int, int], ...]

    def apply(self, world: World) -> World:
        """Return the world in which the player is away then."""
        for off in self.time_off:
            world = self._of_player(world, Player.taking_off, off, self.announced_at)
        return world


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOffCancelled(PlayerEvent):
    """A player takes back `off`, which they had planned. `left` is as in `WentAway`."""

    off: TimeOff
    left: tuple[tuple[int, int], ...]

    def apply(self, world: World) -> World:
        """Return the world in which the player does not plan it."""
        return self._of_player(world, Player.without, self.off)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameBack(PlayerEvent):
    """A player who was away is back at `came_back_at`. `left` is as in `WentAway`."""

    came_back_at: datetime
    left: tuple[tuple[int, int], ...]

    def apply(self, world: World) -> World:
        """Return the world in which the player's time off has ended."""
        return self._of_player(world, Player.back_at, self.came_back_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAdded(PlayerEvent):
    """An address was added to a player, whose oldest one is told. A mail from it came at `added_at`."""

    address: str
    added_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which the player has the address."""
        mailbox = Mailbox(self.address, verified_at=self.added_at, added_at=self.added_at)
        return self._of_player(world, Player.with_mailbox, mailbox)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRemoved(PlayerEvent):
    """An address was removed from a player."""

    address: str

    def apply(self, world: World) -> World:
        """Return the world in which the player doesn't have the address."""
        return self._of_player(world, Player.without_mailbox, self.address)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSent(PlayerEvent):
    """A player gets at `sent_at` all data that is stored about them, as JSON."""

    data: str
    sent_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which that is noted, as it is done once a day."""
        return self._of_player(world, Player.with_value, "data_sent_at", self.sent_at)
