"""Show players to the operator, and rule on them: `takmail player`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from sqlmodel import Session, col, select

from takmail.cli.common import as_option, config_option, opened, why_option
from takmail.cli.lists import Cells, Listed, json_option, show_list, table
from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.grammar.names import has_link
from takmail.mail.address import is_within, normal_address, normal_domain
from takmail.mail.domains import organisation_of
from takmail.pipeline import rulings
from takmail.pipeline.process import Outcome
from takmail.pipeline.rulings import CannotRule, OperatorNote, forbid_if, operator_note
from takmail.runtime.bootstrap import App
from takmail.store import clubs, games, operator_log, people
from takmail.store.causes import Causes, new_cause, with_retries
from takmail.store.database import Store
from takmail.store.tables import BlockedDomainRow, OperatorLogRow
from takmail.world import (
    RUNNING,
    GameRecord,
    LogWord,
    Mailbox,
    Player,
    Standing,
    events,
    title_of,
)


def list_players(store: Store) -> list[Listed]:
    """Return all players, sorted by number."""
    with store.transaction() as session:
        return [_listed(session, one) for one in people.every(session)]


def list_domains(store: Store) -> list[Cells]:
    """Return the blocked domains as the rows of a table."""
    with store.transaction() as session:
        rows = session.exec(select(BlockedDomainRow).order_by(col(BlockedDomainRow.domain))).all()
    return [{"blocked domain": one.domain, "since": one.blocked_at, "reason": one.why} for one in rows]


def _listed(session: Session, player: Player) -> Listed:
    """Return a player as a row. `running` is the number of running games, `verified` the last proven mail's time."""
    verified = [one.verified_at for one in player.mailboxes if one.verified_at]
    return {
        "number": player.id,
        "running": len(games.of_player(session, player.id, RUNNING)),
        "verified": max(verified, default=None),
        "name": player.name,
        "addresses": [_address(one) for one in player.mailboxes],
        "is_blocked": player.is_blocked,
    }


def _cells(row: Listed) -> Cells:
    return {
        "number": row["number"],
        "running": row["running"],
        "last mail": row["verified"],
        "name": row["name"],
        "blocked": "blocked" if row["is_blocked"] else None,
        "addresses": " ".join(map(_label, row["addresses"])),
    }


def _address(mailbox: Mailbox) -> Listed:
    """Return an address as a row. One that is stopped wants no more mail. Letters to one that is resting bounce."""
    return {
        "address": mailbox.address,
        "is_stopped": mailbox.stopped_at is not None,
        "is_resting": mailbox.is_unreachable,
    }


def _label(address: Listed) -> str:
    """Return an address as lists and pages show it."""
    marks = (" (stopped)" if address["is_stopped"] else "", " (resting)" if address["is_resting"] else "")
    return f"<{address['address']}>{''.join(marks)}"


def show_player(store: Store, causes: Causes, said: str) -> str:
    """Return a page about the player that `find` returns for `said`. Raises CannotRule."""
    with store.transaction() as session:
        player, queries = find(session, said), causes.queries(session)
        seated = games.of_player(session, player.id, tuple(Standing))
        return causes.services.templates.page(
            "console/player.txt",
            player=player,
            mailboxes=[(_label(_address(one)), one) for one in player.mailboxes],
            games=table([_seated(session, causes, record, player) for record in seated]),
            seeks=[(one.number, one.setup) for one in queries.seeks() if one.player == player.id],
            blocks=[one.name for one in people.load(session, player.blocked).players.values()],
            log=operator_log.of_player(session, player.id),
        )


def block(store: Store, causes: Causes, said: str, by: OperatorNote, *, undo: bool) -> str:
    """Block a player, or unblock the player with `undo`. Return a page about the ruling. Raises CannotRule."""
    cause = new_cause("a ruling about a player", causes.now())

    def rule(session: Session) -> str:
        player = find(session, said)
        adjourned = games.of_player(session, player.id, (Standing.ADJOURNED,)) if undo else ()
        of_blocks = operator_log.adjourned_for_a_block(session, [one.number for one in adjourned])

        def decide(context: Context) -> Events:
            if undo:
                return rulings.unblock(context, player, by, of_blocks)
            return rulings.block(context, player, by)

        outcome = causes.decide(session, cause, decide, players=(player.id,))
        return causes.services.templates.page(
            "console/blocked.txt",
            player=player,
            is_blocked=not undo,
            touched=_touched(outcome),
        )

    return with_retries(store, rule)


def block_domain(
    store: Store, causes: Causes, domain: str, by: OperatorNote, *, undo: bool, is_sure: bool = True
) -> str:
    """Block a domain, or unblock it with `undo`. Return a page about the ruling. Raises CannotRule.

    Unless `is_sure`, no domain is blocked that has players, is a large provider's or has the service's own address: the
    fault is then `hits_many`.
    """
    now, word = causes.now(), "unblocked" if undo else LogWord.BLOCKED
    with store.transaction() as session:
        row = session.get(BlockedDomainRow, domain)
        forbid_if((row is None) == undo, "not_blocked" if undo else "blocked_already", name=domain)
        players = [
            one for one in people.every(session) if any(is_within(its, domain) for its in one.addresses)
        ]
        hits = {
            "players": players,
            "is_own": is_within(causes.services.address, domain),
            "is_provider": not organisation_of(f"x@{domain}"),
        }
        forbid_if(row is None and not is_sure and any(hits.values()), "hits_many", name=domain, **hits)
        if row is None:
            session.add(BlockedDomainRow(domain=domain, why=by.why, blocked_at=now))
        else:
            session.delete(row)
        session.add(OperatorLogRow(at=now, who=by.who, what=f"{word} domain {domain}", why=by.why))
    return causes.services.templates.page(
        "console/blocked_domain.txt", domain=domain, is_blocked=not undo, players=players
    )


def merge(store: Store, causes: Causes, source: str, into: str, by: OperatorNote) -> str:
    """Merge the player `source` into the player `into`, and return a page about the ruling. Raises CannotRule."""
    cause = new_cause("a merger of players", causes.now())

    def rule(session: Session) -> str:
        one, other = find(session, source), find(session, into)
        played = games.of_player(session, one.id, tuple(Standing))
        shared = tuple(record.number for record in played if other.id in record.players)
        seasons = clubs.shared_seasons(session, one.id, other.id)
        for season in seasons:
            forbid_if(season.has_begun, "share_club", name=season.name, season=season.season, player=one.name)
        # Of two entries for a season to come, one is left.
        withdrawn = (
            events.EntryWithdrawn(tournament=one_season.tournament, player=one.id) for one_season in seasons
        )
        causes.decide(
            session,
            cause,
            lambda _: (*withdrawn, *rulings.merge(one, other, by, shared)),
            players=(one.id, other.id),
        )
        merged = people.load(session, [other.id]).players[other.id]
        return causes.services.templates.page(
            "console/merged.txt",
            gone=one.id,
            player=merged,
            addresses=[_label(_address(one)) for one in merged.mailboxes],
        )

    return with_retries(store, rule)


def find(session: Session, said: str) -> Player:
    """Find a player by number, by name in any case of letters, or by address. Raises CannotRule."""
    if "@" in said:
        found = list(people.load(session, (), normal_address(said)).players.values())
    elif said.isdecimal():
        found = [one for one in people.every(session) if one.id == int(said)]
    else:
        found = [one for one in people.every(session) if one.name.casefold() == said.strip().casefold()]
    forbid_if(not found, "no_player", said=said)
    forbid_if(len(found) > 1, "many_players", said=said, numbers=[player.id for player in found])
    return found[0]


def _touched(outcome: Outcome) -> Mapping[str, Sequence[object]]:
    """Return the games that a ruling has changed, and the letters about the ruling.

    * `games` were adjourned or resumed
    * `untold` are those of `games` whose players got no letter, because the game is corrupt
    * `withdrawn` are games whose invitation was withdrawn
    """
    world = outcome.world
    standings = {
        number: (world.stored.games[number].record.standing, game.record.standing)
        for number, game in sorted(world.games.items())
    }
    adjourned_or_resumed = {Standing.OPEN, Standing.ADJOURNED}
    touched = [number for number, both in standings.items() if {*both} == adjourned_or_resumed]
    with_letters = {one.about.game for one in outcome.letters}
    return {
        "games": touched,
        "untold": [one for one in touched if one not in with_letters],
        "withdrawn": [
            number for number, both in standings.items() if both == (Standing.INVITED, Standing.DECLINED)
        ],
        "letters": outcome.letters,
    }


def _seated(session: Session, causes: Causes, record: GameRecord, you: Player) -> Cells:
    """Return a game on the page about one of its players."""
    opponent = record.players[record.seat_of(you.id).other]
    rules = causes.services.games.rules_of(record)
    return {
        "game": f"#{record.number}",
        "standing": record.standing,
        "board": title_of(rules, record.setup),
        "opponent": people.load(session, [opponent]).players[opponent].name,
    }


@click.group("player")
def player_commands() -> None:
    """Show players, block one or a domain, or merge two.

    Name a player by number, by name (in any case of letters) or by address.

    \b
    Examples:
      takmail player list
      takmail player show ben@example.org
      takmail player block 7 --why "writes in other people's names"
    """


@player_commands.command("list")
@json_option("player")
@config_option
def player_list(as_json: bool, config_file: Path) -> None:
    """List all players, and below them the blocked domains.

    Each player has the number of running games and the time (UTC) of the last verified mail. The list marks blocked
    players, addresses that want no more mail (stopped), and addresses that bounce (resting). With --json there are no
    domains.

    \b
    Example:
      takmail player list --config config.toml
    """
    with opened(config_file) as app:
        every, domains = list_players(app.store), list_domains(app.store)
    show_list(every, _cells, "There are no players yet.", as_json=as_json)
    if domains and not as_json:
        click.echo(f"\n{table(domains)}")


@player_commands.command("show")
@click.argument("who", metavar="N|NAME|ADDRESS")
@config_option
def player_show(who: str, config_file: Path) -> None:
    """Show one player: addresses, games and log.

    \b
    Examples:
      takmail player show 7
      takmail player show ben@example.org
    """
    with opened(config_file) as app:
        click.echo(show_player(app.store, app.causes, who))


@player_commands.command("block")
@click.argument("whom", metavar="N|NAME|ADDRESS|DOMAIN")
@click.option("--undo", is_flag=True, help="Let the player or the domain write again.")
@click.option(
    "--yes", is_flag=True, help="Block also a domain with players, a large provider's or the service's own."
)
@why_option
@as_option
@config_option
def player_block(whom: str, undo: bool, yes: bool, why: str, who: str, config_file: Path) -> None:
    """Block a player or a domain, or unblock it with --undo.

    A blocked player's mails are rejected unread. One letter a day tells the player so, with the reason. The player's
    games are adjourned, and the opponents get a letter with the same reason. The player's invitations and seeks are
    withdrawn. --undo resumes the games that the block adjourned, and notifies both players. `takmail game end` can end
    an adjourned game. A running `takmail serve` sends the letters within a minute. Otherwise the next
    `takmail deliver` sends them.

    Mails from addresses in a blocked domain or its subdomains are rejected, too. Only players are told so; strangers
    get no answer. Nobody can invite addresses there. Games of players with addresses there are not adjourned; block
    the players, too, for that. Before a domain is blocked that has players, is a large provider's (such as gmail.com)
    or the service's own, takmail asks. Without a terminal it blocks such a domain only with --yes.

    \b
    Examples:
      takmail player block ben@example.org --why "writes in other people's names"
      takmail player block example.net --why "spam"
      takmail player block 7 --undo --why "it was somebody else"
    """
    with opened(config_file) as app:
        by = operator_note(app.services, who, why)
        # No player's name looks like a link.
        domain = normal_domain(whom) if has_link(whom.removeprefix("@")) else ""
        if domain:
            click.echo(_domain_blocked(app, domain, by, undo=undo, is_sure=yes))
        else:
            click.echo(block(app.store, app.causes, whom, by, undo=undo))


def _domain_blocked(app: App, domain: str, by: OperatorNote, *, undo: bool, is_sure: bool) -> str:
    """Block a domain, or unblock it. On a terminal, ask before one is blocked that would hit many."""
    try:
        return block_domain(app.store, app.causes, domain, by, undo=undo, is_sure=is_sure)
    except CannotRule as error:
        if error.fault != "hits_many" or not sys.stdin.isatty():
            raise
        click.echo(app.services.templates.line("console/hits_many.txt", facts=error.facts))
    click.confirm("Block it?", abort=True)
    return block_domain(app.store, app.causes, domain, by, undo=undo)


@player_commands.command("merge")
@click.argument("source", metavar="FROM")
@click.argument("into", metavar="INTO")
@click.option("--why", required=True, metavar="TEXT", help="The reason, for the log alone.")
@as_option
@config_option
def player_merge(source: str, into: str, why: str, who: str, config_file: Path) -> None:
    """Merge two players who are the same person.

    INTO keeps its name, and gets the addresses, the games and everything else of FROM. FROM is deleted. Letters to both
    can still be answered. Two players can't be merged if they are in the same game, if both were in a season of a
    tournament that has begun, or if only one of them is blocked. Of two entries for a season to come one is left.
    A merger can't be undone.

    \b
    Example:
      takmail player merge 9 ben@example.org --why "Ben has a new address"
    """
    with opened(config_file) as app:
        click.echo(merge(app.store, app.causes, source, into, operator_note(app.services, who, why)))
