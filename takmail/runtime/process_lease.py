"""Hold the lease of this process: as long as it is renewed, what the process has claimed stays claimed."""

from collections.abc import Callable, Sequence

from sqlmodel import Session

from takmail.store import dispatch, due, inbox, leases, process_name
from takmail.store.database import Store
from takmail.store.leases import Stopped
from takmail.store.machine_time import TimeSource


class ProcessLease:
    """The lease of a process with a name in claims."""

    def __init__(
        self,
        store: Store,
        time_source: TimeSource,
        name: str = dispatch.SERVICE,
        is_gone: Callable[[str], bool] = process_name.is_gone,
    ) -> None:
        self._store = store
        self._now = time_source
        self._name = name
        self._is_gone = is_gone

    def renew(self, key_id: str | None = None, stopped: Sequence[Stopped] = ()) -> None:
        """Renew this process's lease, and release what processes that have ended had claimed.

        `key_id` is the id of the key that this process uses, and `stopped` its tasks that have stopped.
        """
        with self._store.transaction() as session:
            leases.renew_process(session, self._name, key_id, stopped)
            for name in leases.ended_processes(session, self._name, self._is_gone):
                self._release_claims(session, name)

    def leave(self) -> None:
        """Release this process's lease, and all that it still has claimed."""
        with self._store.transaction() as session:
            self._release_claims(session, self._name, uncounted=1)
            leases.release_process(session, self._name)

    def _release_claims(self, session: Session, process: str, uncounted: int = 0) -> None:
        """Release what a process has claimed. `uncounted` is as in `due.release`."""
        dispatch.release(session, self._now(), process)
        inbox.release(session, process)
        due.release(session, self._now(), process, uncounted)
