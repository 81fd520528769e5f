"""Find the mail servers of a domain by the names that most of them have, and how a port is used."""

import asyncio
import ssl
from collections.abc import Sequence
from itertools import compress

from takmail.config.providers import Server
from takmail.config.tls import tls_context

_SECONDS = 8.0
"""The time for a server to answer."""


async def usual_servers(domain: str, ca_file: str | None) -> tuple[Server | None, Server | None]:
    """Return the IMAP and the SMTP server that answer at the usual names of a domain. None where none does.

    Over TLS they show a certificate for their name, of the system's authorities or those in `ca_file`.
    """
    imap = [Server(f"{name}{domain}", 993) for name in ("imap.", "mail.", "")]
    smtp = [Server(f"{name}{domain}", port) for name in ("smtp.", "mail.", "") for port in (465, 587)]
    return await asyncio.gather(_first(imap, b"* ", ca_file), _first(smtp, b"220", ca_file))


async def _first(servers: Sequence[Server], greeting: bytes, ca_file: str | None) -> Server | None:
    """Return the first of the servers that greets so. All are asked at once."""
    answers = await asyncio.gather(*(_greets(server, greeting, ca_file) for server in servers))
    return next(compress(servers, answers), None)


async def _greets(server: Server, greeting: bytes, ca_file: str | None) -> bool:
    context = tls_context(ca_file) if server.tls(ca_file) == "implicit" else None
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection(server.host, server.port, ssl=context)
            try:
                return (await reader.readline()).startswith(greeting)
            finally:
                # Over TLS, `close` would wait for the server's answer. After `abort`, the socket is closed in the next
                # turn of the event loop.
                writer.transport.abort()
                await asyncio.sleep(0)
    except (OSError, ValueError):  # a name or a greeting that is too long is a ValueError
        return False


async def with_tls_found(servers: Sequence[Server]) -> list[Server]:
    """Return servers with how their ports are used: TLS from the first byte if they answer to it, whatever the port.

    A server that does not is left as it is. All are asked at once. Nothing but a handshake is sent, so no certificate
    is checked.
    """
    answers = await asyncio.gather(*(_shakes_hands(server) for server in servers))
    return [
        server._replace(speaks="implicit") if is_tls else server
        for server, is_tls in zip(servers, answers, strict=True)
    ]


async def _shakes_hands(server: Server) -> bool:
    """Return whether a port speaks TLS from the first byte."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(_SECONDS):
            _, writer = await asyncio.open_connection(server.host, server.port, ssl=context)
    except (OSError, ValueError):
        return False
    writer.transport.abort()
    await asyncio.sleep(0)
    return True
