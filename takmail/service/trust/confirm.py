"""Commands outside any game wait until the owner of the address in their From says `yes`, unless they surely wrote.

The question is the same for everybody, and goes to the address in the From alone: nobody learns from it who plays here.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from takmail.mail.address import masked
from takmail.service.act import needs_proof
from takmail.service.case import Case
from takmail.service.letters.post import write_outside, write_to
from takmail.service.people import strangers
from takmail.service.perform import needs_game
from takmail.service.reading.commands import AddressIsMine
from takmail.service.reading.understand import Ordered, Understood
from takmail.service.trust import pace
from takmail.service.trust.asking import ASKED_FOR, MOST_KEPT, replaced_by_newer
from takmail.store import confirmations, players
from takmail.store.tables import Confirmation, ConfirmationKind, OutboxRow

MOST_ASKED = 3
"""Questions that are open to one address at a time; the newest replaces the oldest."""
AGAIN_AFTER = timedelta(days=1)
"""When the same words are asked about once more: the letter may have been overlooked."""


def must_be_asked(case: Case, understood: Understood) -> bool:
    """Whether the mail asks outside a game for what only its surely known writer may have, and may be another's."""
    if case.chair is not None or case.is_senders:
        return False
    return any(needs_proof(one) and not needs_game(one) for one in understood.orders)


def ask(case: Case, understood: Understood) -> None:
    """Keep the commands and ask at the address in the From; the same ones are asked about once.

    Only those are kept that the question shows. The others, and words, can be written in answer to it: whoever says
    `yes` has to have seen what they say it to.
    """
    shown = strangers.showable(understood)
    left_out = sum(map(needs_proof, shown)) < sum(map(needs_proof, understood.orders))
    if not any(map(needs_proof, shown)):
        case.remark = "what it asks for can't be shown: it has to be written in answer to a letter"
        write_outside(case, "confirm", _facts("", left_out=True), asks=True)
        return
    words = strangers.lines(shown)
    before = next((one for one in reversed(_open(case)) if one.words == words), None)
    if before is not None and timedelta(0) <= case.desk.clock() - before.asked_at < AGAIN_AFTER:
        case.remark = "a yes to these very words has been asked for already"
        return
    case.remark = "held until the owner of the address says yes"
    _ask(case, _facts(words, left_out=left_out, has_words=bool(understood.chat)), words)


def is_unclear(case: Case, understood: Understood) -> bool:
    """Whether a mail that is surely its sender's, and has no command, may be meant for a question that is open."""
    if case.chair is not None or not case.is_senders or understood.orders or not understood.chat:
        return False
    return _likely(case) is not None


def ask_again(case: Case) -> None:
    """Say that nothing but a `yes` will do, in a letter that can be answered with it; the one before still can, too."""
    case.remark = "no yes, and a question is open"
    asked = _likely(case)
    assert asked is not None
    _ask(case, _facts(asked.words, why="unclear"), asked.words)


def _likely(case: Case) -> Confirmation | None:
    """The question that the sender's words may be meant for: that of the letter which they answer, or the newest."""
    waiting = _commands(_asked(case))
    answered = None if case.answered is None else case.answered.id
    found = [one for one in waiting if one.letter_id == answered] or [
        one for one in waiting if not one.is_replaced
    ]
    return found[-1] if found else None


def ask_once_more(case: Case, asked: Confirmation) -> None:
    """Ask the same at the same address, as a mail with a mere `yes` may have been meant for it, but not too often."""
    waiting = confirmations.asked_since(case.session, asked.address, _since(case))
    if sum(one.words == asked.words for one in waiting) >= MOST_ASKED:
        case.remark = "a yes that may be meant for what is asked already, which was told often enough"
        return
    reader = players.by_address(case.session, asked.address)
    last_for = pace.last_question_for(case, reader, asked.address)
    if last_for is None:
        case.remark = pace.ENOUGH
        return
    case.remark = "a yes, and it is not sure what it answers"
    facts = {**_facts(asked.words, why="loose"), "last_for": last_for}
    kind = pace.kind_of(case)
    letter = write_to(case, asked.address, "confirm", facts, counts_as=kind, asks=True)
    _keep(case, asked.address, asked.words, letter)


def _ask(case: Case, facts: dict[str, object], words: str) -> None:
    _keep(case, case.mail.sender, words, write_outside(case, "confirm", facts, asks=True))


def _facts(
    words: str, *, why: str = "", left_out: bool = False, has_words: bool = False
) -> dict[str, object]:
    """What the question shows; `why` it is asked again: the answer was unclear, or is loose, '' if it is new.

    `left_out`: something more was asked for, which can't be shown. `has_words`: so were words for another player.
    """
    return {
        "lines": [masked(line) for line in _lines(words).splitlines()],
        "days": ASKED_FOR.days,
        "again": why,
        "left_out": left_out,
        "has_words": has_words,
    }


def _lines(words: str) -> str:
    """The commands that are kept; below them an older version kept words, too, which nobody was shown."""
    return words.partition("\n\n")[0]


def _keep(case: Case, address: str, words: str, letter: int) -> None:
    question = Confirmation(
        address=address,
        kind=ConfirmationKind.COMMANDS,
        words=words,
        letter_id=letter,
        asked_at=case.desk.clock(),
    )
    confirmations.ask(case.session, question)
    asked = _commands(_asked(case, address))
    for one in asked[:-MOST_KEPT]:
        confirmations.drop(case.session, one)
    waiting = [one for one in asked[-MOST_KEPT:] if not one.is_replaced]
    confirmations.replace(case.session, replaced_by_newer(waiting, MOST_ASKED, lambda one: one.words))


def question(case: Case, answered: OutboxRow | None) -> Confirmation | None:
    """What the mail's `yes` would be about: only the letter that asked counts, or the only question there is.

    Some programs leave out which letter they answer, but not where the answer goes.
    """
    if not (case.is_senders or case.is_sure) or (case.chair is not None and not case.chair.proof.is_sure):
        return None
    if answered is None:
        waiting = _open(case)
        is_answer = case.desk.key.is_readers(case.mail.recipients, (), case.mail.sender)
        is_only = len({(one.kind, one.words) for one in waiting}) == 1
        return waiting[0] if is_answer and is_only and case.chair is None else None
    return next((one for one in _asked(case) if one.letter_id == answered.id), None)


def asks(case: Case, answered: OutboxRow | None) -> bool:
    """Whether the mail answers a letter about no game that asked for a `yes`, be the question still open or not."""
    if answered is None:
        return case.is_lost
    return answered.game_id is None and case.desk.key.asks(answered.message_id)


def release(case: Case, asked: Confirmation) -> str | Understood:
    """Close the question; gives the words to run, now as their writer's own, or what else the `yes` says."""
    for one in _asked(case):
        if one is asked or (one.kind == asked.kind == ConfirmationKind.COMMANDS and one.words == asked.words):
            confirmations.drop(case.session, one)
    case.confirmed = _lines(asked.words)
    if asked.kind == ConfirmationKind.ADDRESS:
        assert asked.player_id is not None
        return Understood((Ordered("", AddressIsMine(asked.player_id)),), "")
    return case.confirmed


def asked_of_owner(case: Case) -> list[Confirmation]:
    """What is asked about commands at the addresses of the player whose seat the mail speaks for, replaced or not."""
    owner = players.number(case.table.players[case.seat])
    found = (_commands(_asked(case, one)) for one in players.addresses(case.session, owner))
    return [one for some in found for one in some]


def _asked(case: Case, address: str | None = None) -> list[Confirmation]:
    """What a `yes` from an address, or else from the sender's, can still answer."""
    found = confirmations.asked_since(case.session, address or case.mail.sender, _since(case))
    return list(found)


def _open(case: Case) -> list[Confirmation]:
    return [one for one in _asked(case) if not one.is_replaced]


def _commands(asked: Sequence[Confirmation]) -> list[Confirmation]:
    return [one for one in asked if one.kind == ConfirmationKind.COMMANDS]


def _since(case: Case) -> datetime:
    return case.desk.clock() - ASKED_FOR
