"""Define the section `[lmtp]` of config.toml: the socket or port at which takmail receives mails by LMTP."""

import re
from pathlib import Path

from pydantic import Field, ValidationInfo, field_validator

from takmail.config.section import Section, anchored
from takmail.config.tls import is_loopback

LONGEST_PATH = 107
"""The maximum length of a socket's path, in bytes (unix(7))."""


class LmtpSettings(Section):
    """`[lmtp]`: either a socket or a port of this machine."""

    socket: Path | None = None
    mode: str = "0660"
    host: str = "127.0.0.1"
    port: int | None = Field(default=None, ge=1, le=65535, strict=True)

    @field_validator("socket")
    @classmethod
    def _a_path(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if value is None:
            return None
        path = anchored(value, info)
        if len(bytes(path)) > LONGEST_PATH:
            raise ValueError(f"must be a shorter path: {path} has more than {LONGEST_PATH} bytes")
        return path

    @field_validator("mode")
    @classmethod
    def _permissions(cls, value: str) -> str:
        if not re.fullmatch(r"0?[0-7]{3}", value, re.ASCII):
            raise ValueError('must be permissions as chmod takes them, such as "0660"')
        return value

    @field_validator("host")
    @classmethod
    def _this_machine(cls, value: str) -> str:
        if not is_loopback(value):
            raise ValueError(
                f"must be this machine, such as 127.0.0.1, because LMTP has no login; {value} is another machine"
            )
        return value

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
