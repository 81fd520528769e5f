"""A connection that fails in its beginning is logged, once for each kind of error, and closed."""

import logging
from collections.abc import Callable, Iterator

import pytest

from takmail.runtime.net import lmtp_socket
from takmail.runtime.net.lmtp import LMTP
from tests.mail.lmtp.taker import MAIL, Taker
from tests.support.lmtp import Client, connected


@pytest.fixture
def nothing_raised() -> Iterator[None]:
    """Replace the check of the folder, as these connections fail on purpose."""
    return


def _no_connection(_: object, *_args: object, **_options: object) -> None:
    raise TypeError("no such descriptor")


async def _no_greeting(_: object) -> None:
    raise TypeError("no such descriptor")


@pytest.mark.parametrize(
    ("method", "broken", "answer"),
    [
        ("__init__", _no_connection, "421 4.3.2"),
        ("connection_made", _no_connection, ""),
        ("_handle_client", _no_greeting, ""),
    ],
)
async def test_a_connection_that_fails_in_its_beginning_is_logged_once_and_the_next_may_succeed(
    taker: Taker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    method: str,
    broken: Callable[..., object],
    answer: str,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(LMTP, method, broken)
        for _ in range(3):
            client = await Client.at(taker.place)
            assert (await client.answer()).startswith(answer)
            assert await client.answer() == ""
            client.hang_up()
    (record,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert record.name == lmtp_socket.log.name
    assert record.exc_info is not None
    assert "no such descriptor" in str(record.exc_info[1])
    async with connected(taker.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


async def test_a_client_that_goes_at_once_is_no_error(taker: Taker, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        (await Client.at(taker.place)).hang_up()
    async with connected(taker.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]
