"""Carry out the commands that only show something: rs, show, log, games, match, ptn, moves, help and rules."""

from datetime import UTC, datetime

from takmail.commands.answers import Answer, Refusal, Shows, Told, refused, refused_by, told
from takmail.commands.context import CommandServices, Context, beyond
from takmail.commands.grammar.arguments import FreeName, Help, Moves, Rules, Show
from takmail.commands.profile import acquainted
from takmail.commands.series import how_it_stands
from takmail.commands.view import ListedGame
from takmail.commands.view import look as view_of
from takmail.games.interface import Refused, Seat
from takmail.limits.games import MAX_LISTED_OVER
from takmail.world import (
    UNFINISHED,
    UNKNOWN,
    Game,
    GameNumber,
    Match,
    Player,
    PlayerId,
    Queries,
    Run,
    SeenWorld,
    Standing,
    World,
    finished_game,
    match_of,
)

_NEVER = datetime.max.replace(tzinfo=UTC)


def resync(_context: Context) -> Answer:
    """Answer `rs`, the command that shows the board. It adds nothing, because every answer shows the board."""
    return told("resync", Shows.BOARD)


def whose_turn(context: Context) -> Answer:
    """Tell whose turn it is, since when, and what the last turn was."""
    game = context.game
    changed = [*(run.at for run in game.taken_back), *(turn.played_at for turn in game.turns[-1:])]
    return told("whose_turn", since=max(changed, default=None))


def show(context: Context, command: Show) -> Answer:
    """Show the current board, or the board after a turn.

    If the game has no turn of this number, but a taken-back turn has it, the board after that turn is shown.
    """
    game, run_number = context.seen, command.given_up
    turn = len(game.turns) if command.turn is None else command.turn
    runs = game.runs_with(turn)
    if run_number is None and turn <= len(game.turns):
        then = view_of(game, context.you, turn)
        return told("show", Shows.OTHER_BOARD, then=then, runs=() if command.turn is None else runs)
    meant = [run for run in runs if run_number in (None, 0, run.number)]
    if meant:
        return _taken_back_board(game, context.you, meant[-1], turn)
    return beyond(context, turn) if run_number is None else refused("show_never", turn=turn, run=run_number)


def _taken_back_board(game: Game, you: Seat, run: Run, turn: int) -> Told:
    """Show the board after a taken-back turn."""
    now, at = view_of(game, you), turn - run.first
    then = now.showing(run.states[at], turn, run.turns[at].text)
    others = tuple(other for other in game.runs_with(turn) if other != run)
    return told(
        "show_given_up",
        Shows.OTHER_BOARD,
        then=then,
        run=run,
        others=others,
        is_played=turn <= now.turns,
    )


def log(context: Context) -> Told:
    """Show the numbered turns of the game, including those that were taken back."""
    return told("log", Shows.GAME, log=context.seen.log())


def record(context: Context) -> Answer:
    """Show the game so far in the game's own format."""
    game = context.seen
    return told("record", Shows.RECORD, record=game.game_record(), viewer_url=game.viewer_url())


def list_games(context: Context) -> Answer:
    """List the sender's games that are not over, those first that wait for them, and the newest that are."""
    player = context.player
    if player is None:
        return no_game(context)
    games = sorted(
        running(context, player),
        key=lambda game: (not game.your_turn, game.clock.until if game.clock else _NEVER),
    )
    over = context.world.games_of(player.id, Standing.OVER)[::-1]
    world = context.seen_world
    shown = tuple(_listed_game(world, game.number, player.id) for game in over[:MAX_LISTED_OVER])
    return told("games", games=games, over=shown, more=len(over) > MAX_LISTED_OVER)


def standings(context: Context, command: FreeName) -> Answer:
    """Show the match score with a player. The answer to an unknown name does not reveal who else plays here."""
    player = context.player
    other = None if player is None else acquainted(context, command.name)
    if player is None or other is None:
        return refused("match_unknown")
    matches = _matches_with(context, player, other)
    return how_it_stands(context, player, other, matches) if matches else refused("match_unknown")


def standings_here(context: Context) -> Answer:
    """Show the match score with the opponent."""
    game, seat = context.seen, context.you
    you, other = game.players[seat], game.players[seat.other]
    if other.id == UNKNOWN:
        return refused("match_unknown")
    return how_it_stands(context, you, other, (match_between(context.world, game.record.kind, you, other),))


def _matches_with(context: Context, you: Player, other: Player) -> tuple[Match, ...]:
    """Return the sender's matches with another player, one for each kind of game that the two have begun."""
    if other.id == you.id:
        return ()
    kinds = dict.fromkeys(game.kind for game in context.world.begun_between(you.id, other.id))
    return tuple(match_between(context.world, kind, you, other) for kind in kinds)


def match_between(world: World, kind: str, you: Player, other: Player) -> Match:
    """Return the match of two players in a kind of game, as `you` sees it, with the games that the cause has ended.

    Void games are left out.
    """
    changed = world.games
    finished = world.ask(Queries.finished, kind, you.id, other.id, GameNumber(1))
    games = {game.number: game for game in finished if game.number not in changed}
    for game in changed.values():
        is_of_match = game.record.kind == kind and {you.id, other.id} == set(game.record.players)
        if is_of_match and game.record.counts_in_match:
            games[game.number] = finished_game(game)
    return match_of(kind, (you.name, other.name), you.id, [games[number] for number in sorted(games)])


def explain(context: Context, command: Help) -> Answer:
    """Show a help page, in general or about one word.

    A page of the game has priority over a general one, and that over another game's page about a topic of its own.
    """
    services, word = context.services, command.word or "all"
    kind = command.kind or (
        services.games.default if context.game_number is None else context.game.record.kind
    )
    if word == "all":
        return told("help_all", kind=command.kind, is_whole=bool(command.word))
    pages = services.commands.pages(word) if word.isalpha() else ()
    if page := _page(services, *(f"help_{kind}_{name}" for name in pages)):
        return told("help", topic=pages[-1], page=page, summary="", kind=kind)
    page = _page(services, *(f"help_{name}" for name in pages[::-1]))
    summary = _page(services, *(f"summary_{name}" for name in pages[-1:]))
    if page or summary:
        return told("help", topic=pages[-1], page=page, summary=summary, kind=kind)
    topic_of_game = services.games.topic(word)
    if topic_of_game is None:
        return refused("no_such_help", word=word)
    game, name = topic_of_game
    return told("help", topic=word, page=f"help_{game}_{name}", summary="", kind=game)


def _page(services: CommandServices, *names: str) -> str:
    """Return the first of these names that is the name of a message, '' if none is."""
    return next(filter(services.templates.has_message, names), "")


def rules(context: Context, command: Rules) -> Answer:
    """Show a summary of the rules of a game, or the help page of a variant."""
    if command.name and command.name not in context.services.games.by_name:
        return explain(context, Help(command.name))
    return told("rules", kind=command.name)


def no_game(context: Context) -> Refusal:
    """Refuse a command because the mail does not say which game it is about."""
    games = () if context.player is None else running(context, context.player)
    return refused("which_game", games=games, named=context.outside.named)


def running(context: Context, player: Player) -> tuple[ListedGame, ...]:
    """Return a player's games that are not over, by number, including corrupt ones."""
    games = context.world.games_of(player.id, *UNFINISHED)
    # An invitation to the player that was not sent yet is left out.
    seen = (
        game for game in games if game.invitation.written_at is not None or game.invitation.host == player.id
    )
    world = context.seen_world
    return tuple(_listed_game(world, game.number, player.id) for game in seen)


def _listed_game(world: SeenWorld, number: GameNumber, you: PlayerId) -> ListedGame:
    game = world.game(number)
    has_clock = game.is_timed and game.record.timing.rested_at is None
    return ListedGame(
        game,
        game.record.seat_of(you),
        clock=world.clock(number) if has_clock else None,
        away_until=world.opponent_away(number),
    )


def moves(context: Context, command: Moves) -> Answer:
    """List all legal turns of one place, or the likely ones of all places. It must be the sender's turn."""
    game = context.game
    state = game.state
    if state.to_move != context.you:
        return refused("not_your_turn")
    try:
        choices = state.choices_at(command.place) if command.place else state.choices()
    except Refused as fault:
        return refused_by(game.rules, fault.reason)
    if not choices:
        return refused("moves_none", place=command.place.upper())
    return told("moves", Shows.MOVES, place=command.place, groups=choices, number=len(game.turns) + 1)
