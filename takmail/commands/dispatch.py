"""Dispatch a command to the function that carries it out."""

from typing import assert_never

from takmail.commands import (
    addresses,
    agreements,
    block,
    chat,
    dispute,
    erase,
    mydata,
    new_game,
    play,
    profile,
    propose,
    relay,
    rematch,
    resign,
    seek,
    show,
    stop,
)
from takmail.commands.answers import Answer, Refusal, refused
from takmail.commands.context import Context
from takmail.commands.grammar.commands import (
    AddAddress,
    AddressIsMine,
    BlockPlayer,
    Compare,
    Dispute,
    ForgetMe,
    Help,
    InGame,
    Join,
    Moves,
    Name,
    New,
    OutsideGame,
    Play,
    Propose,
    Receipts,
    RemoveAddress,
    Rules,
    Say,
    SeekGame,
    Settle,
    Show,
    Standings,
    UnblockPlayer,
    Unclear,
    Unseek,
    View,
    Why,
    WithTerms,
    Word,
)
from takmail.commands.grammar.understand import Ordered

_OF_ACCOUNT = (Name, BlockPlayer, UnblockPlayer, View, Receipts, AddAddress, RemoveAddress, ForgetMe)
"""The commands that concern the sender's account, unless they only show it. `stop` and `mydata` are others."""


_OF_PLAYERS = (New, SeekGame, Join, Name, BlockPlayer, View, Receipts, AddAddress)
"""The commands that make a player of the sender, unless they only show something."""


def needs_game(ordered: Ordered) -> bool:
    """Tell whether a command needs to know which game the mail is about."""
    match ordered.command:
        case Word() as word:
            return word.needs_game
        case Standings(name):
            return not name
        case (
            Play()
            | Dispute()
            | Compare()
            | Why()
            | Show()
            | Moves()
            | Say()
            | Settle()
            | Propose()
            | WithTerms()
        ):
            return True
        case New() | SeekGame() | Join() | Unseek() | BlockPlayer() | UnblockPlayer():
            return False
        case Name() | View() | Receipts():
            return False
        case AddAddress() | RemoveAddress() | AddressIsMine() | ForgetMe():
            return False
        case Unclear(is_turn=is_turn):
            return is_turn
        case Help() | Rules():
            return False
        case _ as never:
            assert_never(never)


def changes(ordered: Ordered) -> bool:
    """Tell whether a command changes anything in the sender's name. It then requires a verified sender."""
    match ordered.command:
        case Word() as word:
            return word.changes
        case BlockPlayer(name):
            return bool(name)
        case View(wanted):
            return wanted is not None
        case Receipts(are_wanted):
            return are_wanted is not None
        case Play() | Dispute() | Say() | Settle() | Propose() | WithTerms():
            return True
        case New() | SeekGame() | Join() | Unseek() | Name() | UnblockPlayer():
            return True
        case AddAddress() | RemoveAddress() | AddressIsMine() | ForgetMe():
            return True
        case Compare() | Why() | Show() | Moves() | Standings() | Help() | Rules():
            return False
        case Unclear():
            return False
        case _ as never:
            assert_never(never)


def resumes_mail(ordered: Ordered) -> bool:
    """Tell whether a command shows that a player who asked for no more mail wants mail again."""
    match ordered.command:
        case Word() as word:
            return word.plays_on
        case command:
            return isinstance(
                command, Play | Dispute | Say | Settle | Propose | WithTerms | New | SeekGame | Join
            )


def needs_proof(ordered: Ordered) -> bool:
    """Tell whether a command requires a verified sender.

    A command requires one if it changes something, or if its answer is too long to send to somebody who may not have
    asked for it.
    """
    return changes(ordered) or ordered.command is Word.MY_DATA


def concerns_account(ordered: Ordered) -> bool:
    """Tell whether a command concerns the sender's account and no game of theirs.

    A token is enough to play, but not for such a command: whoever has read one letter has the token.
    """
    command = ordered.command
    return command in (Word.STOP, Word.MY_DATA) or (isinstance(command, _OF_ACCOUNT) and changes(ordered))


def is_refused_to_newcomer(context: Context, ordered: Ordered) -> bool:
    """Tell whether a command is refused because it would make a player of the sender."""
    return isinstance(ordered.command, _OF_PLAYERS) and changes(ordered) and not profile.may_join(context)


def perform(context: Context, ordered: Ordered) -> Answer:
    """Carry out one command and return its answer."""
    if needs_game(ordered) and context.game is None:
        return no_game(context)
    if context.game is not None and not context.table.keeps_board:
        answer = relay.perform(context, ordered)
        if answer is not None:
            return answer
    if is_refused_to_newcomer(context, ordered):
        return refused("newcomer")
    command = ordered.command
    if isinstance(command, InGame):
        return _in_game(context, command, ordered.line)
    if isinstance(command, OutsideGame):
        return _outside_games(context, command)
    match command:
        case Standings():
            return show.standings(context, command)
        case Help():
            return show.explain(context, command)
        case Unclear(fault, detail):
            return refused("doubt", fault=fault, detail=detail)
        case Rules(kind):
            return show.rules(kind)
        case Word() as word:
            return _word(context, word)
        case _ as never:
            assert_never(never)


def _in_game(context: Context, command: InGame, line: str) -> Answer:
    match command:
        case Play():
            return play.play(context, command, line)
        case Dispute():
            return dispute.dispute(context, command)
        case Compare():
            return dispute.compare(context, command)
        case Why():
            return dispute.why(context, command)
        case Show():
            return show.show(context, command)
        case Moves():
            return show.moves(context, command)
        case Say(words):
            return chat.say(context, words)
        case Settle():
            return agreements.settle(context, command)
        case Propose():
            return propose.propose(context, command)
        case WithTerms(word, terms):
            if word is Word.REMATCH:
                return rematch.rematch(context, terms)
            return new_game.accept(context, terms)
        case _ as never:
            assert_never(never)


def _outside_games(context: Context, command: OutsideGame) -> Answer:
    match command:
        case New():
            return new_game.invite(context, command)
        case SeekGame():
            return seek.seek(context, command)
        case Join():
            return seek.join(context, command)
        case Unseek():
            return seek.unseek(context, command)
        case Name(name):
            return profile.name(context, name)
        case View(wanted):
            return profile.choose_view(context, wanted) if wanted else profile.tell_view(context)
        case Receipts(are_wanted):
            if are_wanted is None:
                return profile.tell_receipts(context)
            return profile.choose_receipts(context, are_wanted)
        case BlockPlayer(name):
            return block.block(context, name) if name else block.list_blocked(context)
        case UnblockPlayer(name):
            return block.unblock(context, name)
        case AddAddress():
            return addresses.add(context, command)
        case RemoveAddress():
            return addresses.remove(context, command)
        case AddressIsMine(player_id):
            return addresses.is_mine(context, player_id)
        case ForgetMe():
            return erase.forget_me(context)
        case _ as never:
            assert_never(never)


def _word(context: Context, word: Word) -> Answer:
    match word:
        case Word.ACCEPT:
            return new_game.accept(context)
        case Word.DECLINE:
            return new_game.decline(context)
        case Word.RESYNC:
            return show.resync(context)
        case Word.LOG:
            return show.log(context)
        case Word.GAMES:
            player = context.player
            return no_game(context) if player is None else show.list_games(context, player)
        case Word.SEEKS:
            return seek.list_seeks(context)
        case Word.RECORD:
            return show.record(context)
        case Word.RULES:
            return show.rules()
        case Word.MY_DATA:
            return mydata.my_data(context)
        case Word.DRAW:
            return agreements.draw(context)
        case Word.UNDO:
            return agreements.undo(context)
        case Word.REMATCH:
            return rematch.rematch(context)
        case Word.RESIGN:
            return resign.ask_resign(context)
        case Word.STOP:
            return stop.stop(context)
        case Word.YES:
            return resign.resign(context)
        case Word.NO:
            return resign.no(context)
        case _ as never:
            assert_never(never)


def no_game(context: Context) -> Refusal:
    """Refuse a command because the mail does not say which game it is about."""
    running = () if context.player is None else show.running(context, context.player)
    return refused("which_game", games=running, named=context.named_game)
