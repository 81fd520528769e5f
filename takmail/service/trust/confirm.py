"""Commands outside any game wait until the owner of the address in their From says `yes`, unless they surely wrote.

The question is the same for everybody, and goes to the address in the From alone: nobody learns from it who plays here.
"""

from datetime import datetime, timedelta

from takmail.mail.address import masked
from takmail.service.act import needs_proof
from takmail.service.case import Case
from takmail.service.letters.post import write_outside, write_to
from takmail.service.people import strangers
from takmail.service.perform import needs_game
from takmail.service.reading.commands import AddressIsMine
from takmail.service.reading.plain import clipped
from takmail.service.reading.understand import Ordered, Understood
from takmail.service.trust.asking import ASKED_FOR
from takmail.service.trust.held import MOST_HELD
from takmail.store import confirmations, players
from takmail.store.tables import Confirmation, ConfirmationKind, OutboxRow

MOST_ASKED = 3
"""Questions that wait for one address at a time: nobody's mailbox is filled with them."""
AGAIN_AFTER = timedelta(days=1)
"""When the same words are asked about once more: the letter may have been overlooked."""


def must_be_asked(case: Case, understood: Understood) -> bool:
    """Whether the mail asks outside a game for what only its surely known writer may have, and may be another's."""
    if case.chair is not None or case.is_senders:
        return False
    return any(needs_proof(one) and not needs_game(one) for one in understood.orders)


def ask(case: Case, understood: Understood) -> None:
    """Keep the commands and the chat and ask at the address in the From; the same words are asked about once."""
    shown = strangers.showable(understood, links=not strangers.is_stranger(case, case.player))
    if not any(needs_proof(one) for one in shown):
        case.remark = "what it asks for is too long, or would lead whoever is asked away"
        return
    # Of the commands only those are carried out that the question shows.
    words = clipped(f"{strangers.lines(shown)}\n\n{understood.chat}".strip(), MOST_HELD)
    waiting = _open(case)
    before = next((one for one in reversed(waiting) if one.words == words), None)
    if before is not None and timedelta(0) <= case.desk.clock() - before.asked_at < AGAIN_AFTER:
        case.remark = "a yes to these very words has been asked for already"
        return
    if before is None and len({one.words for one in waiting}) >= MOST_ASKED:
        case.remark = f"{MOST_ASKED} mails from this address wait for a yes already"
        return
    case.remark = "held until the owner of the address says yes"
    _ask(case, words)


def is_unclear(case: Case, understood: Understood) -> bool:
    """Whether a mail that is surely its sender's, and has no command, may be meant for a question that is open."""
    if case.chair is not None or not case.is_senders or understood.orders or not understood.chat:
        return False
    return any(one.kind == ConfirmationKind.COMMANDS for one in _open(case))


def ask_again(case: Case) -> None:
    """Say that nothing but a `yes` will do, in a letter that can be answered with it; the one before still can, too."""
    case.remark = "no yes, and a question is open"
    asked = [one.words for one in _open(case) if one.kind == ConfirmationKind.COMMANDS]
    _ask(case, asked[-1], why="unclear")


def ask_once_more(case: Case, asked: Confirmation) -> None:
    """Ask the same at the same address, as a mail with a mere `yes` may have been meant for it, unless much waits."""
    waiting = confirmations.open_since(case.session, asked.address, _since(case))
    if sum(one.words == asked.words for one in waiting) >= MOST_ASKED:
        case.remark = "a yes that may be meant for what is asked already, which was told often enough"
        return
    case.remark = "a yes, and it is not sure what it answers"
    facts = _facts(asked.words, why="loose")
    _keep(case, asked.address, asked.words, write_to(case, asked.address, "confirm", facts, asks=True))


def _ask(case: Case, words: str, *, why: str = "") -> None:
    _keep(case, case.mail.sender, words, write_outside(case, "confirm", _facts(words, why=why), asks=True))


def _facts(words: str, *, why: str) -> dict[str, object]:
    """What the question shows; `why` it is asked again: the answer was unclear, or is loose, '' if it is new."""
    # Whoever is asked may never have written: not their words, no place for an advertisement.
    lines = [masked(line) for line in words.partition("\n\n")[0].splitlines()]
    return {"lines": lines, "days": ASKED_FOR.days, "again": why}


def _keep(case: Case, address: str, words: str, letter: int) -> None:
    question = Confirmation(
        address=address,
        kind=ConfirmationKind.COMMANDS,
        words=words,
        letter_id=letter,
        asked_at=case.desk.clock(),
    )
    confirmations.ask(case.session, question)


def question(case: Case, answered: OutboxRow | None) -> Confirmation | None:
    """What the mail's `yes` would be about: only the letter that asked counts, or the only question there is.

    Some programs leave out which letter they answer, but not where the answer goes.
    """
    if not (case.is_senders or case.is_sure) or (case.chair is not None and not case.chair.proof.is_sure):
        return None
    waiting = _open(case)
    if answered is None:
        is_answer = case.desk.key.is_readers(case.mail.recipients, (), case.mail.sender)
        is_only = len({(one.kind, one.words) for one in waiting}) == 1
        return waiting[0] if is_answer and is_only and case.chair is None else None
    return next((one for one in waiting if one.letter_id == answered.id), None)


def asks(case: Case, answered: OutboxRow | None) -> bool:
    """Whether the mail answers a letter about no game that asked for a `yes`, be the question still open or not."""
    if answered is None:
        return case.is_lost
    return answered.game_id is None and case.desk.key.asks(answered.message_id)


def release(case: Case, asked: Confirmation) -> str | Understood:
    """Close the question; gives the words to run, now as their writer's own, or what else the `yes` says."""
    for one in _open(case):
        if one is asked or (one.kind == asked.kind == ConfirmationKind.COMMANDS and one.words == asked.words):
            confirmations.drop(case.session, one)
    case.confirmed = asked.words
    if asked.kind == ConfirmationKind.ADDRESS:
        assert asked.player_id is not None
        return Understood((Ordered("", AddressIsMine(asked.player_id)),), "")
    return asked.words


def open_to_owner(case: Case) -> list[Confirmation]:
    """What is asked about commands at the addresses of the player whose seat the mail speaks for."""
    owner = players.number(case.table.players[case.seat])
    found = (
        confirmations.open_since(case.session, one, _since(case))
        for one in players.addresses(case.session, owner)
    )
    return [one for some in found for one in some if one.kind == ConfirmationKind.COMMANDS]


def _open(case: Case) -> list[Confirmation]:
    return list(confirmations.open_since(case.session, case.mail.sender, _since(case)))


def _since(case: Case) -> datetime:
    return case.desk.clock() - ASKED_FOR
