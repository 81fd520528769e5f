"""A PostgreSQL of the tests' own, in a folder of its own, on a socket there: nothing else can reach it."""

import atexit
import os
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

from sqlalchemy import Engine, create_engine, text

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
USER = "takmail"
WITH_PASSWORD = "guarded"
"""The one user whom the server asks for a password."""

_QUICK = {
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": 0,
    "autovacuum": "off",
    "listen_addresses": "",
    "max_connections": 200,
    "timezone": "UTC",
}
"""What is in it is worth nothing, and so need not outlive the machine."""


class Server:
    """A PostgreSQL that runs; whoever starts it stops it."""

    def __init__(self) -> None:
        """Make it and start it, as another user where root does, whom it refuses."""
        self.folder = Path(tempfile.mkdtemp(prefix="takmail-postgres-"))
        self._as_user = []
        if os.geteuid() == 0:
            self._as_user = ["runuser", "-u", "postgres", "--"]
            shutil.chown(self.folder, "postgres", "postgres")
        self.folder.chmod(0o755)
        self._data = self.folder / "data"
        how = ["--username", USER, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        made = [*self._as_user, PROGRAMS / "initdb", "--pgdata", self._data, *how]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, cwd="/")
        (self._data / "pg_hba.conf").write_text(
            f"local all {WITH_PASSWORD} scram-sha-256\nlocal all all trust\n"
        )
        self.start()
        self._engine: Engine = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")

    def start(self) -> None:
        """Start it and wait until it is ready; it ends with this process, however that ends."""
        options = {**_QUICK, "unix_socket_directories": self.folder}
        words = " ".join(f"-c {name}={value}" for name, value in options.items())
        control = f"{PROGRAMS / 'pg_ctl'} --silent --pgdata {self._data}"
        # `read` returns when whoever holds the other end of the pipe says something or is gone.
        script = (
            f"{control} start -l {self.folder / 'log'} -o '{words}' && echo ready && read -r _; "
            f"{control} stop -m immediate"
        )
        command = [*self._as_user, "sh", "-c", script]
        # In a session of its own: what interrupts the tests must not keep it from stopping the server.
        self._shell = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/", start_new_session=True
        )
        assert self._shell.stdout is not None
        assert self._shell.stdout.readline() == b"ready\n", "PostgreSQL has not started"

    def stop(self) -> None:
        """Stop it, as a machine does that goes down at once."""
        self._shell.communicate(b"\n")

    def remove(self) -> None:
        """Stop it for good, and leave nothing of it."""
        self._engine.dispose()
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str, user: str = USER) -> str:
        """Where a database on it is."""
        return f"postgresql+psycopg://{user}@/{database}?host={self.folder}"

    def create(self, database: str, template: str = "template0") -> None:
        """Make a database, a copy of another one, which nobody may have open."""
        # A checkpoint for each copy costs nothing where nothing is brought to the disk.
        self.tell(f'CREATE DATABASE "{database}" TEMPLATE "{template}" STRATEGY FILE_COPY')

    def drop(self, database: str) -> None:
        """Let go of a database, whoever has it open."""
        self.tell(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')

    def tell(self, statement: str) -> None:
        """Carry out a statement about the whole server."""
        with self._engine.connect() as connection:
            connection.execute(text(statement))


def started() -> Server:
    """A server that is stopped and gone when this process ends."""
    server = Server()
    atexit.register(server.remove)
    return server


def password() -> str:
    """One that stands nowhere else."""
    return f"hush-{secrets.token_hex(4)}"
