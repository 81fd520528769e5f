"""Decide when a turn is told by a digest, in place of a letter of its own."""

from datetime import datetime

from takmail.games.interface import Seat
from takmail.world import DAY, Digest, Game, Player, Queries, World, deadline_of, tzinfo_of


def choice_told(choice: str | None) -> tuple[str, str]:
    """Return how messages name what a player has chosen: `off`, `quiet`, `daily` or `weekdays`, and the time of day."""
    how, _, at = (choice or "off").partition(" ")
    return how, at


def digest_due_at(world: World, game: Game, seat: Seat, now: datetime) -> datetime | None:
    """Return when the digest leaves that tells the player in a seat of a turn. None if its letter leaves by itself.

    It leaves before the last day of the player's time. A bot's turn is the answer to one's own, and not gathered.
    """
    player = game.players[seat]
    if player.preferences.digest is None or not _is_gathered(game, seat):
        return None
    digest = Digest.read(player.preferences.digest)
    if digest is None or (digest.at is None and not world.ask(Queries.has_news, player.id)):
        return None
    deadline = deadline_of(game)
    leaves_at = digest.next_after(now, tzinfo_of(player.preferences.zone))
    latest = leaves_at if deadline is None else min(leaves_at, deadline - DAY)
    return latest if latest > now else None


def has_held(world: World, player: Player, game: Game) -> bool:
    """Return whether a letter about a game waits for the digest of a player."""
    return any(letter.game == game.number for letter in world.ask(Queries.held_letters, player.id))


def _is_gathered(game: Game, seat: Seat) -> bool:
    """Tell whether the turn is gathered. One that takes the place of a receipt is the answer to one's own turn."""
    is_answer = game.correspondence.threads[seat].waiting_for_thought is not None
    return game.keeps_board and game.waits_for(seat) and not (game.players[seat.other].is_bot or is_answer)
