"""The steps in which takmail handles a mail, and what is due in a game, in order.

Each is before or after a call of a function.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from takmail.pipeline import due as pipeline_due
from takmail.pipeline import process
from takmail.runtime import (
    bootstrap,
    bot_worker,
    disk_sync,
    imap_poller,
    mail_worker,
    parts,
    process_lease,
    reader_process,
    scheduler,
)
from takmail.runtime.net import smtp, smtp_session
from takmail.store import causes, digests, dispatch, due, inbox, mailboxes, split_mails, write


@dataclass(frozen=True, slots=True)
class Step:
    """A moment before or after a call of the function `name` of `owner`.

    `counts` gets the call's arguments and result. It returns whether the call did anything, for steps after a call.
    `is_once`: only the first call of a process is such a moment, as the others repeat it at intervals.
    """

    words: str
    owner: Any
    name: str
    is_after: bool
    counts: Callable[[tuple[Any, ...], Any], bool] = lambda _given, _result: True
    is_once: bool = False

    def telling(self, passes: Callable[[str], None]) -> Callable[..., Any]:
        """Return a wrapper of the function that calls `passes` when the step is passed."""
        original = getattr(self.owner, self.name)
        if self.is_once:
            passes = _at_first(passes)

        def tells(*args: Any, **how: Any) -> Any:
            if not self.is_after:
                passes(self.words)
            result = original(*args, **how)
            if self.is_after and self.counts(args, result):
                passes(self.words)
            return result

        async def tells_later(*args: Any, **how: Any) -> Any:
            if not self.is_after:
                passes(self.words)
            result = await original(*args, **how)
            if self.is_after and self.counts(args, result):
                passes(self.words)
            return result

        return tells_later if asyncio.iscoroutinefunction(original) else tells


def _at_first(passes: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that passes on its first call alone."""
    calls = [passes]
    return lambda words: calls.pop()(words) if calls else None


def _before(words: str, owner: Any, name: str) -> Step:
    return Step(words, owner, name, False)


def _after(words: str, owner: Any, name: str) -> Step:
    return Step(words, owner, name, True)


def _claims(_given: tuple[Any, ...], claimed: Any) -> bool:
    return bool(claimed)


def _claims_one(_given: tuple[Any, ...], work: Any) -> bool:
    return work is not None


def _notes(given: tuple[Any, ...], _result: Any) -> bool:
    _session, numbers = given
    return bool(numbers)


LOADED = "the program is loaded"
OPEN = "the mailbox is open"
IDLE = "the service waits for mail"
COMMITTED = "what came of a mail is committed"
MOVED = "a mail is moved away"
DUE = "a game that is due is being claimed"
DUE_COMMITTED = "what was due in a game is committed"
TASK_CLAIMED = "a task is being claimed"
TASK_COMMITTED = "what a bot has thought is committed"
CLAIMED = "letters are claimed"
TAKEN = "the server has taken a letter"
PARTS_ANSWERED = "the answer to all parts of a mail is decided, and not committed"
DIGEST = "a digest is about to be made"
SENT = "letters are being noted as sent"

DUE_STEPS = (
    Step(DUE, due, "claim", True, _claims_one),
    _before("a game that is due is claimed", scheduler.Scheduler, "_handle"),
    _before("what is due in a game is about to be decided", scheduler, "on_due"),
    _before("when a game is due next is about to be stored", due, "finish"),
    _after("when a game is due next is being stored", due, "finish"),
    _after(DUE_COMMITTED, scheduler.Scheduler, "_handle"),
)
"""The steps in which what is due in a game is handled."""

CLUB_STEPS = (
    _after("the parts of a mail are being stored", split_mails, "store"),
    _after("what is told of a part is being stored", split_mails, "ended"),
    Step(PARTS_ANSWERED, mail_worker, "answer_parts", True, _claims_one),
    _before(DIGEST, scheduler, "on_digest"),
    _after("a digest is being stored", digests, "note_digest"),
    _after("a digest is committed", causes.Causes, "decide_apart"),
    _after("a move that was prepared is played", pipeline_due, "answer_turn"),
)
"""The steps in which mails about several games and digests are handled, and prepared moves are played."""

BOT_STEPS = (
    Step(TASK_CLAIMED, due, "claim_task", True, _claims),
    _before("a process is about to think", bot_worker.BotWorker, "_do"),
    _before("a bot is about to think", bot_worker.BotWorker, "_think"),
    _after("a bot has thought", bot_worker.BotWorker, "_think"),
    _before("what a bot has thought is about to be decided", bot_worker.BotWorker, "_decide"),
    _before("the turn of a bot is about to be played", bot_worker, "on_task"),
    _after("the turn of a bot is played", bot_worker, "on_task"),
    _after("what a bot has thought is decided, and not committed", bot_worker.BotWorker, "_decide"),
    _after(TASK_COMMITTED, bot_worker.BotWorker, "_do"),
)
"""The steps in which a bot thinks and plays."""

STEPS = (
    _before("the database is about to be opened", parts.Store, "open"),
    _after("the database is open", parts.Store, "open"),
    Step(
        "what was begun is about to be taken over",
        process_lease.ProcessLease,
        "renew",
        False,
        is_once=True,
    ),
    _before("the mailbox is about to be opened", bootstrap.Mailbox, "open"),
    _after(OPEN, bootstrap.Mailbox, "open"),
    _before("the mailbox is about to be asked", bootstrap.Mailbox, "new_uids"),
    _before("mails are about to be fetched", bootstrap.Mailbox, "fetch"),
    _after("mails are fetched", bootstrap.Mailbox, "fetch"),
    _after("mails are being kept", inbox, "record_many"),
    _after("mails are kept", imap_poller.ImapPoller, "keep"),
    Step("a mail is being claimed", inbox, "claim", True, _claims_one),
    _before("a mail's body is about to be read", reader_process, "read_body"),
    _before("a mail is about to be handled", causes, "load_snapshot"),
    _before("a mail's headers are about to be judged", process, "stopped"),
    _after("commands are carried out", process, "execute"),
    _after("letters are written", process, "compose"),
    _after("where a mail ends is being stored", inbox, "end"),
    _after("what has changed is being stored", write, "write_rows"),
    _after("letters are being stored", write, "_write_letters"),
    _after("a mail is handled, and not committed", causes, "write"),
    _before(COMMITTED, mail_worker.MailWorker, "_log_outcome"),
    _before("the disk is about to be waited for", disk_sync.DiskSync, "wait"),
    _after("the disk has what was committed", disk_sync.DiskSync, "wait"),
    _before("a mail is about to be moved away", bootstrap.Mailbox, "file_away"),
    _after(MOVED, bootstrap.Mailbox, "file_away"),
    _after("that it was moved is being noted", mailboxes, "filed"),
    *DUE_STEPS,
    *CLUB_STEPS,
    Step("letters are being claimed", dispatch, "claim", True, _claims),
    _before(CLAIMED, smtp.SmtpSender, "send"),
    _before("a letter's text is about to be sent", smtp_session, "as_data"),
    _after(TAKEN, smtp.SmtpSender, "send"),
    Step(SENT, dispatch, "sent", True, _notes),
    _before(IDLE, bootstrap.Mailbox, "wait"),
)

EVERY_STEP = (*STEPS, *BOT_STEPS)
"""All steps that the service tells."""
