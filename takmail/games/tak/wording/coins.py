"""Word the coins of University Rules and Femr's Folly."""

from collections.abc import Iterator

from takmail.blocks import Message, message
from takmail.games.interface import Seat
from takmail.games.optional import Account
from takmail.games.tak.bids_words import BidWords, opened_bids
from takmail.games.tak.state import TakState
from takmail.games.tak.template_facts import TakFacts
from takmail.games.wording import Judged, Seen, Sentences


def stakes(facts: TakFacts) -> Sentences:
    """Say what is played for; nothing if it is not for coins."""
    if not facts.coins:
        return ()
    if facts.coins == "university":
        return (message("tak_stakes_university"),)
    row = facts.size
    femr = message(
        "tak_stakes_femr",
        white=row * row,
        black=row * row - row,
        row=row,
        two_rows=2 * row,
        has_capstones=facts.has_capstones,
    )
    return (femr,)


def coins_moved(judged: Judged) -> Sentences:
    """Say what a turn that keeps the rules does to the coins; nothing if the game is not played for any."""
    if not isinstance(judged.after, TakState) or judged.after.coins is None:
        return ()
    return tuple(_coins_moved(judged)) or (message("tak_no_coins_moved"),)


def _coins_moved(judged: Judged) -> Iterator[Message]:
    state, after_state = judged.before, judged.after
    assert isinstance(state, TakState)
    assert isinstance(after_state, TakState)
    before, after, mover = state.coins, after_state.coins, state.to_move
    effect = state.effect(judged.text)
    assert before is not None
    assert after is not None
    assert effect is not None
    paid, taken = after.paid[mover] - before.paid[mover], after.taken[mover] - before.taken[mover]
    firsts, is_true_call = after.firsts - before.firsts, effect.facts.get("is_true_call")
    if before.due[mover]:
        yield message("tak_coins_paid_for_call", coins=paid)
    if "wall" in firsts:
        yield message("tak_coins_paid_for_wall", coins=paid)
    if "capstone" in firsts:
        yield message("tak_coins_paid_for_capstone", coins=paid)
    if is_true_call is False:
        yield message("tak_call_is_no_tak", ends_game=judged.result is not None)
    elif taken:
        yield message("tak_coins_taken_for_call", coins=taken)
    elif after.due[mover.other]:
        yield message("tak_call_costs_other", coins=after.due[mover.other])
    elif is_true_call:
        yield message("tak_call_moves_no_coins", is_first="tak" not in before.firsts)


class CoinWords(BidWords):
    """The part of `TakWording` about coins."""

    def coins(self, seen: Seen) -> Sentences:
        """Say how many coins are where, now, at the end or with a proposed board."""
        account = seen.shown.account
        assert account is not None
        if not seen.shown.is_current:
            return tuple(_with_board(account, seen.you))
        if account.net is not None:
            return tuple(_at_the_end(seen, account, account.net[seen.you]))
        return (*opened_bids(seen, account), *_now(account, seen.you))


def _with_board(account: Account, you: Seat) -> Iterator[Message]:
    yield message(
        "tak_coins_with_board",
        pot=account.pot,
        you_paid=account.paid[you],
        you_took=account.taken[you],
        they_paid=account.paid[you.other],
        they_took=account.taken[you.other],
    )
    if account.due[you]:
        yield message("tak_you_would_owe", coins=account.due[you])
    elif account.due[you.other]:
        yield message("tak_opponent_would_owe", coins=account.due[you.other])
    if account.may_take_back is not None:
        mine, theirs = account.may_take_back[you], account.may_take_back[you.other]
        who = "both" if mine and theirs else "you" if mine else "opponent"
        yield message("tak_who_could_take_back", who=who)


def _at_the_end(seen: Seen, account: Account, net: int) -> Iterator[Message]:
    assert seen.shown.result is not None
    you, facts, winner = seen.you, account.facts, seen.shown.result.winner
    if winner is None:
        yield message("tak_pot_is_halved", pot=account.pot, is_odd=account.pot % 2 == 1)
    else:
        yield message(
            "tak_you_take_pot" if winner == you else "tak_opponent_takes_pot",
            pot=account.pot,
            given_back=facts["given_back"],
            bonus=facts["bonus"],
        )
    yield message(
        "tak_coins_in_all",
        outcome="won" if net > 0 else "lost" if net < 0 else "even",
        coins=abs(net),
        you_paid=account.paid[you],
        you_took=account.taken[you],
        they_paid=account.paid[you.other],
        they_took=account.taken[you.other],
    )


def _now(account: Account, you: Seat) -> Iterator[Message]:
    if account.due[you]:
        yield message("tak_you_owe", coins=account.due[you])
    elif account.due[you.other]:
        yield message("tak_opponent_owes", coins=account.due[you.other])
    yield message(
        "tak_coins_now",
        pot=account.pot,
        you_paid=account.paid[you],
        you_took=account.taken[you],
        they_paid=account.paid[you.other],
        they_took=account.taken[you.other],
    )
    if account.facts["rules"] == "university":
        last_caller = account.facts["last_caller"]
        if last_caller is not None:
            yield message("tak_last_call_is_yours" if last_caller == you else "tak_last_call_is_theirs")
        return
    still_open, row = account.facts["open"], account.take_back_price
    assert isinstance(still_open, tuple)
    if "wall" in still_open:
        yield message("tak_first_wall_costs", coins=row)
    if "capstone" in still_open:
        yield message("tak_first_capstone_costs", coins=2 * row)
    if "tak" in still_open:
        yield message("tak_first_call_brings", coins=row)
    assert account.may_take_back is not None
    mine, theirs = account.may_take_back[you], account.may_take_back[you.other]
    if mine and theirs:
        yield message("tak_both_may_take_back", price=row)
    else:
        yield message("tak_you_may_take_back" if mine else "tak_opponent_may_take_back", price=row)
