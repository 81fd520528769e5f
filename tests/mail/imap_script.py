"""A scripted IMAP server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.mail.scripted import Script

GOOD = {
    "greeting": "* OK ready\r\n",
    "CAPABILITY": "* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS\r\n{tag} OK done\r\n",
    "LOGIN": "{tag} OK welcome\r\n",
    "LIST": '* LIST (\\HasNoChildren) "/" "Processed"\r\n{tag} OK done\r\n',
    "SELECT": "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 12] ok\r\n{tag} OK done\r\n",
    "NOOP": "{tag} OK done\r\n",
    "SEARCH": "* SEARCH\r\n{tag} OK done\r\n",
    "FETCH": "{tag} OK done\r\n",
    "STORE": "{tag} OK done\r\n",
    "COPY": "{tag} OK done\r\n",
    "MOVE": "{tag} OK done\r\n",
    "EXPUNGE": "{tag} OK done\r\n",
    "CREATE": "{tag} OK done\r\n",
    "IDLE": "+ idling\r\n",
    "DONE": "{tag} OK idled\r\n",
    "LOGOUT": "* BYE bye\r\n{tag} OK done\r\n",
}


class ImapScript(Script):
    """A server that answers each command by its name, and sends unsolicited lines on request."""

    def __init__(self, answers: dict[str, str]) -> None:
        super().__init__()
        self.answers = GOOD | answers
        self.idling = asyncio.Event()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.say(writer, "greeting", "*")
        tag = "*"
        while line := (await reader.readline()).decode().strip():
            if line != "DONE":
                tag, _, line = line.partition(" ")
            self.heard.append(line)
            self.say(writer, line.removeprefix("UID ").partition(" ")[0], tag)

    def say(self, writer: asyncio.StreamWriter, command: str, tag: str) -> None:
        self.write(writer, self.answers[command].replace("{tag}", tag))
        if command == "IDLE":
            self.idling.set()

    def push(self, text: str) -> None:
        for writer in self.clients.values():
            writer.write(text.encode())


@asynccontextmanager
async def imap_server(**answers: str) -> AsyncIterator[ImapScript]:
    async with ImapScript(answers).running() as script:
        yield script
