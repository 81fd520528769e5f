"""A player's name and form of letters, and how somebody becomes a player.

Every name that is somebody's own is unlike all others, look-alikes included.
"""

from dataclasses import replace
from itertools import count

from takmail.commands.answers import Answer, Events, ViewTold, refused
from takmail.commands.context import Context
from takmail.commands.events import NameChosen, PlayerJoined, PlayerNamed, ViewChosen
from takmail.commands.grammar.commands import Command, LineFault, Unclear
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.names import MOST_NAME, NameFault, clean_name, core, fault_in, provisional_name
from takmail.commands.grammar.skeleton import skeleton
from takmail.commands.grammar.understand import understand
from takmail.commands.kinds import LetterView
from takmail.commands.records import Player
from takmail.commands.services import CommandServices
from takmail.games.interface import NearMiss
from takmail.games.registry import Games

_MOST_DIGITS = 6


def name(context: Context, wanted: str) -> Answer:
    """Call the sender as they want to be called, if nobody's name looks like that."""
    fault = fault_of_name(context.services, wanted)
    if fault is not None:
        return refused("name_refused", fault=fault.value, most=MOST_NAME)
    free = free_name(context, wanted, context.player)
    if free != wanted:
        return refused("name_taken", name=wanted, free=free)
    player, joined = enrol(context)
    return (NameChosen(name=wanted), *joined, _named(player, wanted))


def choose_view(context: Context, wanted: LetterView) -> Answer:
    """Make the sender's letters of what they want, this answer included."""
    player, joined = enrol(context)
    return (ViewChosen(player=player.id, view=wanted), *joined)


def tell_view(context: Context) -> Answer:
    """What the sender's letters are made of, and what else they could be."""
    said = context.player.letter_view if context.player else None
    return (ViewTold(view=said or context.services.letter_view),)


# People as they come.


def enrol(context: Context) -> tuple[Player, Events]:
    """The sender as a player, by the name that their mail gives, and the events that make them one.

    Nobody is shown an address or any word of it. Who has a name of their own already needs no events.
    """
    if context.player is not None:
        return _called(context, context.player)
    box = replace(context.queries.mailbox(context.sender), heard_at=context.now)
    new = Player(context.next_player(), _friend(context.services), None, context.now, mailboxes=(box,))
    player, named = _called(context, new)
    return player, (PlayerJoined(player=new), *named)


def enrol_guest(context: Context, address: str) -> tuple[Player, Events]:
    """Somebody new, who was named by their address alone; that name is for the host only, and nobody's own."""
    box = context.queries.mailbox(address)
    label = label_for(context.services, address)
    guest = Player(context.next_player(), label, None, context.now, mailboxes=(box,))
    return guest, (PlayerJoined(player=guest),)


def label_for(services: CommandServices, address: str) -> str:
    """What somebody is called who is known by their address alone, to who has given it."""
    return provisional_name(address) or _friend(services)


def remember_name(context: Context) -> Events:
    """Someone who was only an address gets a name of their own: the one that their own mail gives, if it does."""
    return () if context.player is None else _called(context, context.player)[1]


def _called(context: Context, player: Player) -> tuple[Player, Events]:
    """The player with a name, also if they had none of their own, or one that stands for a missing one."""
    friend = _friend(context.services)
    has_one = player.skeleton is not None
    if has_one and core(player.name) != skeleton(friend):
        return player, ()  # as nearly all have
    given = clean_name(context.sender_name)
    if given and fault_of_name(context.services, given):
        given = ""
    if has_one and not given:
        return player, ()
    event = _named(player, free_name(context, given or friend, player))
    return replace(player, name=event.name, skeleton=event.skeleton), (event,)


def _named(player: Player, free: str) -> PlayerNamed:
    return PlayerNamed(player=player.id, name=free, skeleton=skeleton(free))


def _friend(services: CommandServices) -> str:
    """What somebody is called of whom no name is known."""
    return services.templates.line("names/friend.txt")


# Names.


def by_name(context: Context, sought: str) -> Player | None:
    """Who is called so, or so that one could take it for that; nobody who has never written here."""
    of_name = skeleton(sought)
    return context.player_by_skeleton(of_name) if of_name else None


def free_name(context: Context, wanted: str, player: Player | None) -> str:
    """The name, with a number behind it if somebody else than `player` has it."""
    holder = by_name(context, wanted)
    if holder is None or (player is not None and holder.id == player.id):
        return wanted
    base = wanted[: MOST_NAME - 1 - _MOST_DIGITS].rstrip()
    taken = context.skeletons(skeleton(base))
    numbered = (f"{base} {number}" for number in count(2))
    return next(one for one in numbered if skeleton(one) not in taken)


def fault_of_name(services: CommandServices, wanted: str) -> NameFault | None:
    """Why nobody can be called so, whether or not the name is free; None: somebody can."""
    fault = fault_in(wanted)
    if fault is None and (
        core(wanted) in _not_a_person(services) or reads_as_command(services.games, wanted)
    ):
        return NameFault.MEANS_SOMETHING
    return fault


def reads_as_command(games: Games, wanted: str) -> bool:
    """Whether a line that is nothing but the name would be a command or a turn."""
    orders = understand(f"Hello\n{wanted}", anywhere(games), question_open=False).orders
    return any(not _is_slip(one.command) for one in orders)


def _is_slip(command: Command | NearMiss) -> bool:
    """Whether a line is only nearly a turn, or a command: Drew is a name, though near to draw."""
    return isinstance(command, NearMiss) or (
        isinstance(command, Unclear) and command.fault is LineFault.MISTYPED
    )


def _not_a_person(services: CommandServices) -> frozenset[str]:
    """What stands in the letters for takmail itself, or in the place of a name."""
    templates = services.templates
    words = (templates.line(one) for one in templates.names() if one.startswith("names/"))
    return frozenset(map(skeleton, (*words, services.name)))
