"""A scripted SMTP server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.mail.scripted import Script

GOOD = {
    "greeting": "220 ready\r\n",
    "EHLO": "250-mail.example.test\r\n250-SIZE 1000\r\n250-8BITMIME\r\n250 AUTH PLAIN\r\n",
    "AUTH": "235 welcome\r\n",
    "MAIL": "250 ok\r\n",
    "RCPT": "250 ok\r\n",
    "DATA": "354 go on\r\n",
    ".": "250 2.0.0 queued as 1\r\n",
    "RSET": "250 ok\r\n",
    "QUIT": "221 bye\r\n",
}
PIPELINING = GOOD["EHLO"].replace("250 AUTH", "250-PIPELINING\r\n250 AUTH")
"""The answer to EHLO of a server that takes several commands at once."""


class SmtpScript(Script):
    """A server that answers each command by its name.

    The answers of a list are used in order. After the list, the default answers are used.
    """

    def __init__(self, answers: dict[str, str | list[str]]) -> None:
        super().__init__()
        self.answers = {
            name: [text] if isinstance(text, str) else list(text) for name, text in answers.items()
        }
        self.always = GOOD | {name: text for name, text in answers.items() if isinstance(text, str)}
        self.letters: list[bytes] = []
        self.has_letter = asyncio.Event()
        self.connections = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.say(writer, "greeting")
        while line := (await reader.readline()).decode().strip():
            self.heard.append(line)
            name = line.partition(" ")[0]
            if self.say(writer, name).startswith("354"):
                text = await reader.readline()
                if text != b".\r\n":
                    text += await reader.readuntil(b"\r\n.\r\n")
                    self.letters.append(text)
                    self.has_letter.set()
                self.say(writer, ".")

    def say(self, writer: asyncio.StreamWriter, name: str) -> str:
        queue = self.answers.get(name)
        return self.write(writer, queue.pop(0) if queue else self.always[name])


@asynccontextmanager
async def smtp_server(answers: dict[str, str | list[str]] | None = None) -> AsyncIterator[SmtpScript]:
    async with SmtpScript(answers or {}).running() as script:
        yield script
