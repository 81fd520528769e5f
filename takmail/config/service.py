"""Define the section `[service]` of config.toml."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from takmail.config.section import PathHere, Port, Section, must


def _lower_address(value: str) -> str:
    local, at, domain = value.partition("@")
    odd = not value.isascii() or not value.isprintable() or any(c in value for c in " <>,;\"'")
    if odd or not (local and at and domain) or "@" in domain:
        raise ValueError("must be one bare mail address, such as tak@example.org")
    return value.lower()


class ServiceSettings(Section):
    """`[service]`: takmail's address, name and key, and other settings of the whole service."""

    address: Annotated[str, Field(min_length=1), AfterValidator(_lower_address)]
    name: Annotated[
        str, must(lambda name: name.strip() and name.isprintable(), "must be a name on one line")
    ] = "Tak by Mail"
    recipient_delimiter: Annotated[
        str,
        must(
            lambda delimiter: delimiter in ("", "+", "-", "=", "_"),
            'must be "+" or what your provider uses ("-", "=", "_"), or "" if it has none',
        ),
    ] = "+"
    key_file: PathHere = Path("takmail.key")
    key_env: (
        Annotated[str, Field(min_length=1), must(os.environ.get, "the environment variable {} is not set")]
        | None
    ) = None
    old_key_days: int = Field(default=90, ge=0, le=36_500, strict=True)
    authserv_id: (
        Annotated[
            str,
            must(
                re.compile(r"[\w.-]+", re.ASCII).fullmatch,
                "must be the name at the start of your server's Authentication-Results",
            ),
        ]
        | None
    ) = None
    operator: Annotated[str, AfterValidator(_lower_address)] | None = None
    organisers: tuple[Annotated[str, AfterValidator(_lower_address)], ...] = ()
    letters: Literal["both", "text", "html"] = "both"
    language: Literal["en", "ru", "zh", "zh-hant"] = "en"
    new_players: Literal["anyone", "invited", "nobody"] = "anyone"
    metrics_port: Port | None = None

    @field_validator("operator")
    @classmethod
    def _another_address(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and value == info.data.get("address"):
            raise ValueError("must be another address than takmail's own")
        return value

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        # `key_file` has a default, and only after validation `model_fields_set` shows whether it was given.
        if self.key_env is not None and "key_file" in self.model_fields_set:
            raise ValueError("give only one of key_file and key_env")
        return self
