"""Define the section `[lmtp]` of config.toml: the socket or port at which takmail receives mails by LMTP."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ValidationInfo, field_validator

from takmail.config.section import PathHere, Port, Section, must
from takmail.config.tls import is_loopback

LONGEST_PATH = 107
"""The maximum length of a socket's path, in bytes (unix(7))."""


def _short_enough(path: Path) -> Path:
    if len(bytes(path)) > LONGEST_PATH:
        raise ValueError(f"must be a shorter path: {path} has more than {LONGEST_PATH} bytes")
    return path


class LmtpSettings(Section):
    """`[lmtp]`: either a socket or a port of this machine."""

    socket: Annotated[PathHere, AfterValidator(_short_enough)] | None = None
    mode: Annotated[
        str,
        must(
            re.compile(r"0?[0-7]{3}", re.ASCII).fullmatch,
            'must be permissions as chmod takes them, such as "0660"',
        ),
    ] = "0660"
    host: Annotated[
        str,
        must(
            is_loopback,
            "must be this machine, such as 127.0.0.1, because LMTP has no login; {} is another machine",
        ),
    ] = "127.0.0.1"
    port: Port | None = None

    @field_validator("port")
    @classmethod
    def _one_place(cls, value: int | None, info: ValidationInfo) -> int | None:
        # A `socket` that failed its validation is missing in `data`. It counts as given.
        has_socket = info.data.get("socket", "refused") is not None
        if value is None and not has_socket:
            raise ValueError("give either socket or port")
        if value is not None and has_socket:
            raise ValueError("give only one of socket and port")
        return value
