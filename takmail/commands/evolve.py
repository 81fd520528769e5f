"""Apply events to the world in memory.

`evolve` is a pure function. `store/write` makes the same changes in the database.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from takmail.commands.services import CommandServices
from takmail.games.interface import Seat
from takmail.mail.tokens import DRAWN_ANEW
from takmail.world import events as ev
from takmail.world import operations
from takmail.world.ids import GameNumber, MessageId, PlayerId, SeekNumber
from takmail.world.kinds import LetterPurpose, PlayerKind, QuestionKind, Ruling, Standing
from takmail.world.letters import Thread, WaitingChat
from takmail.world.match import with_result
from takmail.world.players import SETTINGS, Mailbox, Player
from takmail.world.questions import Question
from takmail.world.records import Dispute, GameRecord, ShownBoard, Turn
from takmail.world.runs import Run
from takmail.world.table import Corrupt, Table
from takmail.world.world import World

_Item = TypeVar("_Item")
_AnyGame = TypeVar("_AnyGame", Table, Corrupt, Table | Corrupt)


def stamped(world: World, events: Iterable[ev.Event]) -> tuple[ev.Event, ...]:
    """Return the events with their game versions filled in. Each game must be in `world` or created by one of them."""
    versions = {number: game.record.version for number, game in world.games.items()}
    stamped_events = []
    for event in events:
        if isinstance(event, ev.GameEvent):
            versions[event.game] = versions.get(event.game, 0) + 1
            event = replace(event, version=versions[event.game])
        stamped_events.append(event)
    return tuple(stamped_events)


def evolve(services: CommandServices, now: datetime, world: World, event: ev.Event) -> World:
    """Return the world after one event, which happens `now`. Its version must be filled in."""
    match event:
        case ev.GameProposed():
            return _with_new_game(services, world, event)
        case ev.SeekJoined():
            return _with_begun_game(_with_new_game(services, world, event), event.record.seats)
        case ev.GameBegun(seats=seats):
            return _with_begun_game(_with_game_event(world, event, now), seats)
        case ev.GameEvent():
            return _with_game_event(world, event, now)
        case ev.QuestionAsked(question=question):
            return _with_question(world, question)
        case ev.QuestionClosed(question=closed):
            return _with_questions(
                world, lambda asked: tuple(question for question in asked if question.id != closed)
            )
        case ev.QuestionReplaced(question=old):
            return _with_questions(
                world,
                lambda asked: tuple(
                    replace(question, is_replaced=question.is_replaced or question.id == old)
                    for question in asked
                ),
            )
        case ev.SeekOpened(seek=seek, is_repeated=False):
            return replace(world, seeks={**world.seeks, seek.number: seek})
        case ev.SeeksClosed(numbers=numbers):
            return _without_seeks(world, numbers)
        case ev.ChatDropped(player=player, reader=reader):
            world = _without_undelivered_chat(world, player, reader)
            return _with_operation(world, operations.DropChat(player=player, reader=reader))
        case ev.LettersReleased(player=player, address=address, max_postponed=most):
            releasing = operations.ReleaseLetters(player=player, address=address, max_postponed=most)
            return _with_operation(_with_player_after(world, event, now), releasing)
        case ev.LettersSuspended(address=address):
            return _with_operation(world, operations.SuspendLetters(address=address))
        case ev.LetterReturned(letter=letter, reason=reason, retry_at=again):
            returning = operations.ReturnLetter(letter=letter, reason=reason, retry_at=again)
            return _with_operation(world, returning)
        case ev.AddressRemembered(digests=digests, verified_at=verified_at, left_at=left_at, text=text):
            remembering = operations.RememberAddress(
                digests=digests, verified_at=verified_at, left_at=left_at, text=text
            )
            return _with_operation(world, remembering)
        case ev.PlayersMerged(source=source, into=into, accepts_mail=accepts_mail):
            merging = operations.MergePlayers(source=source, into=into, accepts_mail=accepts_mail)
            return _with_operation(world, merging)
        case ev.Logged():
            logged = operations.AddToLog(
                who=event.who,
                what=event.what,
                why=event.why,
                game=event.game,
                player=event.player,
                fault=event.fault,
            )
            return _with_operation(world, logged)
        case ev.PlayerErased(player=gone):
            for known in world.players.values():
                world = with_player(world, replace(known, blocked=known.blocked - {gone}))
            erasing = operations.ErasePlayer(
                player=gone, label=event.label, addresses=event.addresses, subjects=event.subjects
            )
            world = _with_games(world, lambda game: _without_personal_data(game, event))
            return _with_operation(_with_player_after(world, event, now), erasing)
        case ev.PlayerEvent():
            return _with_player_after(world, event, now)
        case ev.PlayerJoined(player=new):
            return with_player(world, new)
        case ev.VerifiedMailReceived(address=address):
            return _with_mailbox_changed(
                world, address, lambda mailbox: _after_verified_mail(mailbox, event, now)
            )
        case ev.MailboxBounced(address=address):
            return _with_mailbox_changed(
                world, address, lambda mailbox: replace(mailbox, bounces=mailbox.bounces + 1)
            )
        case _:
            return world


def evolved(services: CommandServices, now: datetime, world: World, events: Iterable[ev.Event]) -> World:
    """Return the world after several events, which happen `now`."""
    for event in events:
        world = evolve(services, now, world, event)
    return world


def _with_current_players(game: _AnyGame, players: Mapping[PlayerId, Player]) -> _AnyGame:
    """Return a game with those of the players who sit in its seats now."""
    first, second = game.record.seats
    return replace(game, players=(players[first], players[second]))


def _with_new_game(services: CommandServices, world: World, event: ev.GameProposed | ev.SeekJoined) -> World:
    record = replace(event.record, version=event.version)
    rules = services.games.rules(record.kind, is_relay=record.is_relay)
    first, second = (world.players[player] for player in record.seats)
    table = Table(record, rules, (first, second), (), (rules.start(record.setup),))
    if record.rematch_of is not None:
        world = _with_rematch(world, record.rematch_of, True)
    return _with_game(
        _without_seeks(world, [event.seek]) if isinstance(event, ev.SeekJoined) else world, table
    )


def _without_seeks(world: World, numbers: Iterable[SeekNumber]) -> World:
    """Return the world without these seeks."""
    gone = {*numbers}
    return replace(world, seeks={number: seek for number, seek in world.seeks.items() if number not in gone})


def _with_operation(world: World, operation: operations.Operation) -> World:
    return replace(world, operations=(*world.operations, operation))


def _with_rematch(world: World, number: GameNumber, has_rematch: bool) -> World:
    """Return the world after a rematch of a game is asked for, or declined. The game need not be loaded."""
    game = world.games.get(number)
    return _with_game(world, replace(game, has_rematch=has_rematch)) if isinstance(game, Table) else world


def _with_begun_game(world: World, players: Iterable[PlayerId]) -> World:
    for number in players:
        player = world.players[number]
        world = with_player(world, replace(player, begun_games=min(player.begun_games + 1, 2)))
    return world


def _with_game_event(world: World, event: ev.GameEvent, now: datetime) -> World:
    game = world.games[event.game]
    record = _record_after(replace(game.record, version=event.version), event, now)
    if record.rematch_of is not None and isinstance(event, ev.InvitationDeclined | ev.InvitationWithdrawn):
        world = _with_rematch(world, record.rematch_of, False)
    match event:
        case ev.InvitationDeclined(seat=seat) | ev.InvitationWithdrawn(seat=seat):
            world = _with_operation(world, operations.WithdrawToSeat(game=event.game, seat=seat))
        case ev.TurnsTakenBack(cancelled_letter=letter) if letter is not None:
            world = _with_operation(world, operations.WithdrawLetter(letter=letter))
    game = replace(game, record=record)
    game = _table_after(game, event, now) if isinstance(game, Table) else game
    return _with_game(world, with_result(game) if isinstance(event, ev.GameEnded) else game)


def _record_after(record: GameRecord, event: ev.GameEvent, now: datetime) -> GameRecord:
    """Return the record of a game after an event in that game. The version of `record` is already raised."""
    match event:
        case ev.InvitationWritten():
            return replace(record, invited_at=now)
        case ev.GameBegun(setup=setup, seats=seats):
            return replace(
                record,
                standing=Standing.OPEN,
                setup=setup,
                seats=seats,
                # A letter of before has the token of the seat that is the other player's now.
                token_numbers=record.token_numbers if seats == record.seats else (DRAWN_ANEW, DRAWN_ANEW),
            )
        case ev.InvitationDeclined() | ev.InvitationWithdrawn():
            return replace(record, standing=Standing.DECLINED)
        case ev.GameEnded(resigned=resigned, ruling=ruling):
            return replace(record, standing=Standing.OVER, resigned=resigned, ruling=ruling)
        case ev.SeatTokenRenewed(seat=seat, number=number):
            return replace(record, token_numbers=_with_seat(record.token_numbers, seat, number))
        case ev.BoardAsked(seat=seat):
            return replace(record, asks_board=_with_seat(record.asks_board, seat, True))
        case ev.BoardAnswered(seat=seat):
            return replace(record, asks_board=_with_seat(record.asks_board, seat.other, False))
        case ev.GameAdjourned() | ev.GameFrozen() if record.standing == Standing.OPEN:
            return replace(record, standing=Standing.ADJOURNED)
        case ev.GameResumed():
            return replace(record, standing=Standing.OPEN)
        case _:
            return record


def _table_after(table: Table, event: ev.GameEvent, now: datetime) -> Table:
    """Return a game's table after an event. The record of `table` is already updated."""
    match event:
        case ev.GameBegun(setup=setup):
            seated = _with_current_players(table, {player.id: player for player in table.players})
            return replace(seated, states=(table.rules.start(setup),))
        case ev.TurnPlayed():
            return _with_turn(table, event, now)
        case ev.TurnsTakenBack(cancelled_letter=letter):
            return _with_letter_cancelled(_without_turns(table, event, now), letter)
        case ev.OfferMade(offer=offer):
            return replace(table, offers=(*table.offers, replace(offer, version=event.version)))
        case ev.OfferClosed(offer=closed, how=how):
            ended = tuple(
                replace(offer, ended=how, ended_version=event.version)
                for offer in table.every_offer
                if offer.version == closed and offer.ended is None
            )
            others = (
                offer for offer in table.ended_offers if offer.version != closed or offer.ended is not None
            )
            return replace(
                table,
                offers=tuple(offer for offer in table.offers if offer.version != closed),
                ended_offers=tuple(sorted((*others, *ended), key=lambda offer: offer.version)),
            )
        case ev.DisputeOpened(seat=seat, turn=played, reason=reason):
            dispute = Dispute(event.version, seat, played.number, reason, now)
            # It replaces an earlier one of the same seat about the same turn.
            same = [one for one in table.disputes if (one.seat, one.turn) == (seat, played.number)]
            table = _with_disputes_ended(table, same, now, event.version)
            return replace(table, disputes=(*table.disputes, dispute))
        case ev.ChatQueued(seat=seat, words=words):
            return replace(table, waiting_chat=(*table.waiting_chat, WaitingChat(event.version, seat, words)))
        case ev.BoardStored(seat=seat, board=board, turn=turn_shown):
            return replace(
                table, shown_boards=_with_seat(table.shown_boards, seat, ShownBoard(board, turn_shown, now))
            )
        case ev.GameEnded(ruling=ruling):
            # `GameRuled` follows this event and sets the operator's reason.
            is_operators = ruling not in (None, Ruling.AGREED)
            return replace(
                table, offers=(), ended_offers=(), questions=(), why=table.why if is_operators else ""
            )
        case ev.GameRuled(why=why) | ev.GameAdjourned(why=why):
            kept = tuple(question for question in table.questions if question.kind != QuestionKind.RESIGN)
            return replace(table, why=why, questions=kept)
        case ev.GameResumed():
            return replace(table, why="", is_frozen=False)
        case _:
            return table


def _with_disputes_ended(table: Table, disputes: Iterable[Dispute], now: datetime, version: int) -> Table:
    """Return the table after some of its disputes have ended."""
    ended = tuple(
        replace(dispute, ended_at=now, ended_version=version) if dispute.ended_at is None else dispute
        for dispute in disputes
    )
    versions = {dispute.version for dispute in ended}
    return replace(
        table,
        disputes=tuple(one for one in table.disputes if one.version not in versions),
        ended_disputes=tuple(
            sorted(
                (*(one for one in table.ended_disputes if one.version not in versions), *ended),
                key=lambda dispute: dispute.version,
            )
        ),
    )


def _with_turn(table: Table, event: ev.TurnPlayed, now: datetime) -> Table:
    """Return the table with another turn. A turn ends all disputes."""
    played = event.turn
    turn = Turn(
        played.number,
        played.seat,
        played.text,
        event.written,
        event.version,
        now,
        played.is_agreed,
        event.checksum,
        event.mail,
    )
    states = (*table.states, table.state.play(turn.text)) if table.keeps_board else table.states
    table = _with_disputes_ended(table, table.every_dispute, now, event.version)
    return replace(table, turns=(*table.turns, turn), states=states)


def _without_turns(table: Table, event: ev.TurnsTakenBack, now: datetime) -> Table:
    turns = tuple(turn._replace(checksum=None, mail=None) for turn in table.turns[event.after :])
    states = table.states[event.after + 1 :]
    run = Run(len(table.taken_back) + 1, event.how, now, event.version, turns, states)
    return replace(
        _with_disputes_ended(table, table.every_dispute, now, event.version),
        turns=table.turns[: event.after],
        states=table.states[: event.after + 1],
        taken_back=(*table.taken_back, run),
        questions=(),
    )


def _with_letter_cancelled(table: Table, letter: MessageId | None) -> Table:
    """Return the table after a letter is cancelled. Chat text from the cancelled letter waits again."""
    if letter is None:
        return table
    waiting_again = tuple(words for thread in table.threads if thread.last == letter for words in thread.chat)
    words = tuple(sorted((*table.waiting_chat, *waiting_again), key=lambda waiting: waiting.version))
    first, second = (thread.without(letter) for thread in table.threads)
    return replace(table, waiting_chat=words, threads=(first, second))


def _with_question(world: World, question: Question) -> World:
    if question.game is None:
        return replace(world, pending=(*world.pending, question))
    table = world.table(question.game)
    return _with_game(world, replace(table, questions=(*table.questions, question)))


def _with_game(world: World, game: Table | Corrupt) -> World:
    return replace(world, games={**world.games, game.number: game})


def _with_games(world: World, changed: Callable[[Table | Corrupt], Table | Corrupt]) -> World:
    """Return the world with `changed` applied to each game."""
    return replace(world, games={number: changed(game) for number, game in world.games.items()})


def _with_questions(world: World, changed: Callable[[tuple[Question, ...]], tuple[Question, ...]]) -> World:
    """Return the world with `changed` applied to the questions outside games, and to those of each game."""

    def with_its_questions(game: Table | Corrupt) -> Table | Corrupt:
        return replace(game, questions=changed(game.questions)) if isinstance(game, Table) else game

    return _with_games(replace(world, pending=changed(world.pending)), with_its_questions)


def _without_undelivered_chat(world: World, player: PlayerId, reader: PlayerId | None) -> World:
    """Return the world without the waiting chat of a player to `reader`, or to anybody if it is None."""

    def without(game: Table | Corrupt) -> Table | Corrupt:
        seats = game.record.seats
        if not isinstance(game, Table) or reader not in (None, *seats):
            return game
        kept = (
            words for words in game.waiting_chat if seats[words.seat] != player or words.letter is not None
        )
        return replace(game, waiting_chat=tuple(kept))

    return _with_games(world, without)


def _with_released_letters(player: Player) -> Player:
    """Return a player after their postponed letters are released, but for those that contain only chat."""
    awake = []
    for mailbox in player.mailboxes:
        postponed = {
            key: count for key, count in mailbox.budget.postponed.items() if key[0] == LetterPurpose.CHAT
        }
        awake.append(replace(mailbox, budget=replace(mailbox.budget, postponed=postponed)))
    return replace(player, mailboxes=tuple(awake))


def _without_personal_data(game: Table | Corrupt, event: ev.PlayerErased) -> Table | Corrupt:
    """Return a game without an erased player's typed text and without its open questions."""
    if event.player not in game.record.seats:
        return game
    subject = dict(event.subjects).get(game.number, game.record.subject)
    is_guest = game.record.guest_label is not None and game.record.invited_by != event.player
    label = event.label if is_guest else game.record.guest_label
    record = replace(game.record, subject=subject, guest_label=label)
    you = record.seat_of(event.player)
    # Nothing is sent to the player again, and chat in an unsent letter can't be taken over any more.
    to_opponent = replace(game.threads[you.other], chat=())
    threads = (Thread(), to_opponent) if you is Seat.FIRST else (to_opponent, Thread())
    if not isinstance(game, Table):
        return replace(game, record=record, threads=threads)
    return replace(
        game,
        record=record,
        turns=_without_typed_text(game.turns, you),
        taken_back=tuple(replace(run, turns=_without_typed_text(run.turns, you)) for run in game.taken_back),
        offers=(),
        ended_offers=(),
        disputes=(),
        ended_disputes=(),
        waiting_chat=(),
        questions=(),
        last_chat=(None, None),
        threads=threads,
        shown_boards=(None, None),
    )


def _without_typed_text(turns: tuple[Turn, ...], seat: Seat) -> tuple[Turn, ...]:
    """Return the turns of a game. For turns of `seat`, what the player typed is replaced by the canonical form."""
    return tuple(turn._replace(written=turn.text) if turn.seat == seat else turn for turn in turns)


def _with_mailbox_changed(world: World, address: str, changed: Callable[[Mailbox], Mailbox]) -> World:
    """Return the world after a change of a mailbox, unchanged if the address is nobody's by now."""
    owner = next((player for player in world.players.values() if player.mailbox(address)), None)
    mailbox = None if owner is None else owner.mailbox(address)
    if owner is None or mailbox is None:
        return world
    return with_player(world, owner.with_mailbox(changed(mailbox)))


def _after_verified_mail(mailbox: Mailbox, event: ev.VerifiedMailReceived, now: datetime) -> Mailbox:
    return replace(
        mailbox,
        bounces=0,
        verified_at=now,
        token_number=mailbox.token_number + event.renews_token,
        last_text=event.text,
        is_unsigned=mailbox.is_unsigned or event.is_unsigned,
        budget=replace(mailbox.budget, news={}),
    )


def _with_player_after(world: World, event: ev.PlayerEvent, now: datetime) -> World:
    player = world.players.get(event.player)
    return world if player is None else with_player(world, _player_after(player, event, now))


def _player_after(player: Player, event: ev.PlayerEvent, now: datetime) -> Player:
    """Return a player after an event about that player."""
    match event:
        case ev.PlayerNamed(name=name, skeleton=skeleton):
            return replace(player, name=name, skeleton=skeleton)
        case ev.PlayerBlocked(other=other):
            return replace(player, blocked=player.blocked | {other})
        case ev.PlayerUnblocked(other=other):
            return replace(player, blocked=player.blocked - {other})
        case ev.LettersReleased():
            return _with_released_letters(player)
        case ev.SettingChosen(keyword=keyword, value=value):
            chosen: dict[str, Any] = {SETTINGS[keyword].column: value}
            return replace(player, **chosen)
        case ev.MailStopped():
            return replace(player, mailboxes=tuple(replace(one, stopped_at=now) for one in player.mailboxes))
        case ev.MailResumed():
            return replace(player, mailboxes=tuple(replace(one, stopped_at=None) for one in player.mailboxes))
        case ev.AddressAdded(address=address):
            return player.with_mailbox(Mailbox(address, verified_at=now, added_at=now))
        case ev.AddressRemoved(address=address):
            return replace(
                player, mailboxes=tuple(mailbox for mailbox in player.mailboxes if mailbox.address != address)
            )
        case ev.DataSent():
            return replace(player, data_sent_at=now)
        case ev.PlayerErased(label=label):
            return Player(
                player.id,
                label,
                None,
                player.created_at,
                kind=PlayerKind.ERASED,
                is_blocked=player.is_blocked,
                invitations_wait=player.invitations_wait,
            )
        case ev.InvitationsWait(are_waiting=is_so):
            return replace(player, invitations_wait=is_so)
        case ev.BlockedByOperator(is_blocked=is_so):
            return replace(player, is_blocked=is_so)
        case _:
            return player


def with_player(world: World, player: Player) -> World:
    """Return the world with a player replaced, both in `players` and at the player's tables."""

    def seated(game: Table | Corrupt) -> Table | Corrupt:
        if player.id not in game.record.seats:
            return game
        return replace(game, players=_with_seat(game.players, game.record.seat_of(player.id), player))

    return _with_games(replace(world, players={**world.players, player.id: player}), seated)


def _with_seat(pair: tuple[_Item, _Item], seat: Seat, item: _Item) -> tuple[_Item, _Item]:
    """Return the pair with the item of `seat` replaced."""
    return (item, pair[1]) if seat == Seat.FIRST else (pair[0], item)
