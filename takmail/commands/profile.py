"""Set a player's name and settings, and register new players.

No two chosen names look alike.
"""

from dataclasses import replace
from itertools import count

from takmail.commands.answers import Answer, Events, Told, refused, refused_to_all, told
from takmail.commands.context import A_FRIEND, LABELS, CommandServices, Context
from takmail.commands.grammar.arguments import Choice, Name
from takmail.commands.grammar.invitation_forms import bot_in
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.names import (
    NameFault,
    clean_name,
    core,
    fault_in,
    provisional_name,
    without_number,
)
from takmail.commands.grammar.skeletons import skeleton
from takmail.commands.grammar.understand import understand
from takmail.commands.grammar.zones import AUTOMATIC, Zone, is_chosen
from takmail.limits.words import MAX_NAME_CHARS
from takmail.world import (
    BEGUN,
    NO_TEXT,
    SETTINGS,
    NewPlayers,
    Player,
    Queries,
    Standing,
    bot_skeleton,
    events,
    tzinfo_of,
)

_MOST_DIGITS = 6
"""The maximum number of digits of a number that is appended to a name."""


def name(context: Context, command: Name) -> Answer:
    """Give the sender the name that they want, unless the name of another player looks the same."""
    wanted = command.name
    fault = fault_of_name(context.services, wanted)
    if fault is not None:
        return refused_to_all("name_refused", fault=fault.value, most=MAX_NAME_CHARS)
    free = free_name(context, wanted, context.player)
    if free != wanted:
        return refused("name_taken", name=wanted, free=free)
    player, joined = enrol(context)
    return (*joined, events.NameChosen(player=player.id, name=wanted, skeleton=skeleton(wanted)))


def choose(context: Context, command: Choice) -> Answer:
    """Choose a setting of the sender. If that is the letter format, the answer already has it."""
    player, joined = chooser(context)
    keyword, choices = command.keyword, SETTINGS[command.keyword].choices
    value, before = choices[command.word], _setting(context, keyword)
    undone_by = "" if joined else next(f"{keyword} {word}" for word in choices if choices[word] == before)
    return (*joined, _chosen(player, keyword, value, "" if value == before else undone_by))


def chooser(context: Context) -> tuple[Player, Events]:
    """Return the sender as a player who chooses a setting, and what registers them.

    A player is not named here, as a mail that proves nothing may choose.
    """
    return enrol(context) if context.player is None else (context.player, ())


def _chosen(player: Player, keyword: str, value: object, undone_by: str) -> events.SettingChosen:
    return events.SettingChosen(player=player.id, keyword=keyword, value=value, undone_by=undone_by)


def _setting(context: Context, keyword: str) -> object:
    """Return what the sender has chosen for a setting, or what holds without a choice."""
    player, services = context.player, context.services
    value = None if player is None else getattr(player.preferences, SETTINGS[keyword].preference)
    if value is None:
        value = {"view": services.letter_view, "language": services.language}.get(keyword)
    return value


def tell(keyword: str, context: Context) -> Told:
    """Tell what the sender has chosen for a setting, or what holds without a choice."""
    return told(
        "setting",
        keyword=keyword,
        value=_setting(context, keyword),
        game=context.services.games.default,
    )


def choose_zone(context: Context, command: Zone) -> Answer:
    """Choose the time zone of the sender. If it is automatic, it is the offset of their mails again."""
    player, joined = chooser(context)
    zone, before = (
        context.author.utc_offset if command.name == AUTOMATIC else command.name,
        player.preferences.zone,
    )
    undone_by = f"zone {before if is_chosen(before) else AUTOMATIC}"
    return (*joined, _chosen(player, "zone", zone, "" if joined or zone == before else undone_by))


def tell_zone(context: Context) -> Told:
    """Tell the time zone of the sender's letters."""
    zone = None if context.player is None else context.player.preferences.zone
    return told("zone_told", zone=str(tzinfo_of(zone)), is_known=zone is not None, is_chosen=is_chosen(zone))


# Registering players.


def enrol(context: Context, *, begins: bool = True) -> tuple[Player, Events]:
    """Return the sender as a player, and what registers and names them. It stands before all events that name them.

    The name comes from the mail's From header, and contains no part of the address. Nothing happens to a registered
    player with a chosen name. Who may not join gets no name: takmail has to remember their `stop`, and nothing else.
    `begins` is as in `may_join`.
    """
    if context.player is not None:
        return _with_name(context, context.player)
    stored = context.world.ask(Queries.mailbox, context.author.address)
    box = replace(stored, verified_at=context.now, stopped_at=None, last_text=NO_TEXT)
    new = Player(context.next_player(), context.services.label(A_FRIEND), None, context.now, mailboxes=(box,))
    if not may_join(context, begins=begins):
        return new, (events.PlayerJoined(player=new),)
    player, _ = _with_name(context, new.choosing("zone", context.author.utc_offset))
    return player, (events.PlayerJoined(player=player),)


def may_join(context: Context, *, begins: bool = True) -> bool:
    """Tell whether the sender is a player or may become one. Who has a seat is a player, even if only invited.

    Who has only sent `stop` is none. If new players have to be invited and nobody plays here yet, anybody may begin, as
    there is nobody to invite them. `begins` is false if the sender has sent nothing that a player sends.
    """
    if context.services.access.new_players is NewPlayers.ANYONE or context.seat is not None:
        return True
    player = context.player
    if player and (player.skeleton or player.begun_games or context.world.games_of(player.id, *Standing)):
        return True
    return (
        begins
        and context.services.access.new_players is NewPlayers.INVITED
        and not context.world.skeletons("")
    )


def enrol_guest(context: Context, address: str) -> tuple[Player, Events]:
    """Return a new player, and what registers them. The host knows nothing but their address.

    Only the host sees the name that is derived from the address.
    """
    box = replace(context.world.ask(Queries.mailbox, address), last_text=NO_TEXT)
    label = label_for(context.services, address)
    number = context.next_player()
    guest = Player(number, label, None, context.now, mailboxes=(box,))
    return guest, (events.PlayerJoined(player=guest),)


def label_for(services: CommandServices, address: str) -> str:
    """Return the name of a player who is known only by an address. Only players who gave that address may see it."""
    return provisional_name(address) or services.label(A_FRIEND)


def remember_name(context: Context) -> Events:
    """Name the sender as in their own mail, if they were known only by an address and the mail has a name."""
    return (
        _with_name(context, context.player)[1] if context.player and may_join(context, begins=False) else ()
    )


def remember_zone(context: Context) -> Events:
    """Keep the offset from UTC in the sender's own mail, if they chose no time zone and it is another one."""
    player, offset = context.player, context.author.utc_offset
    if player is None or offset in (None, player.preferences.zone) or is_chosen(player.preferences.zone):
        return ()
    if not may_join(context, begins=False):
        return ()
    return (events.SettingChanged(player=player.id, keyword="zone", value=offset),)


def _with_name(context: Context, player: Player) -> tuple[Player, Events]:
    """Return the player, with a name if they had none or only the placeholder, and what gives it to them."""
    friend = context.services.label(A_FRIEND)
    has_one = player.skeleton is not None
    if has_one and core(player.name) != skeleton(friend):
        return player, ()  # the usual case
    given = clean_name(context.author.name)
    if given and fault_of_name(context.services, given):
        given = ""
    if has_one and not given:
        return player, ()
    free = free_name(context, given or friend, player)
    named = events.PlayerNamed(player=player.id, name=free, skeleton=skeleton(free))
    return player.named(named.name, named.skeleton), (named,)


# Names.


def by_name(context: Context, sought: str) -> Player | None:
    """Return the player whose name is this one or looks the same, None if there is none."""
    bot = context.services.bots.named(bot_in(sought.lower()) or "")
    known_as = skeleton(sought) if bot is None else bot_skeleton(bot.name)
    return context.world.named(known_as) if known_as else None


def acquainted(context: Context, sought: str) -> Player | None:
    """Return the player of this name, or the only one with this first name with whom the sender has begun a game."""
    named, you = by_name(context, sought), context.player
    if named is not None or you is None:
        return named
    others = {player for game in context.world.games_of(you.id, *BEGUN) for player in game.players} - {you.id}
    players = map(context.world.player, sorted(others))
    same = [player for player in players if core(player.name.partition(" ")[0]) == core(sought)]
    return same[0] if len(same) == 1 and core(sought) else None


def free_name(context: Context, wanted: str, player: Player | None) -> str:
    """Return a name that `player` can have: the wanted one, with a number appended if somebody else has it."""
    holder = by_name(context, wanted)
    if holder is None or (player is not None and holder.id == player.id):
        return wanted
    base = without_number(wanted)[: MAX_NAME_CHARS - 1 - _MOST_DIGITS].rstrip()
    taken = context.world.skeletons(skeleton(base))
    numbered = (f"{base} {number}" for number in count(2))
    return next(name for name in numbered if skeleton(name) not in taken)


def fault_of_name(services: CommandServices, wanted: str) -> NameFault | None:
    """Return the reason why nobody may have a name, None if it is allowed."""
    fault = fault_in(wanted)
    if fault is None and (
        core(wanted) in _reserved_skeletons(services) or reads_as_command(services, wanted)
    ):
        return NameFault.MEANS_SOMETHING
    return fault


def reads_as_command(services: CommandServices, wanted: str) -> bool:
    """Tell whether a line that contains only this name would be parsed as a command or a turn."""
    reader = anywhere(services.games, services.commands)
    orders = understand(f"Hello\n{wanted}", reader).orders
    return not all(order.is_doubt for order in orders)


def _reserved_skeletons(services: CommandServices) -> frozenset[str]:
    """Return the skeletons of names that letters use for takmail or for an unknown player."""
    templates = services.templates
    # They are the same in each script of a language, so that none is converted for this.
    languages = dict.fromkeys(language.partition("-")[0] for language in templates.languages)
    words = (templates.said(label, language) for label in LABELS for language in languages)
    return frozenset(map(skeleton, (*words, services.name)))
