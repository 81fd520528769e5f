"""Define the section `[service]` of config.toml."""

import os
import re
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from takmail.config.section import Section, anchored


class ServiceSettings(Section):
    """`[service]`: takmail's address, name and key, and other settings of the whole service."""

    address: str = Field(min_length=1)
    name: str = "Tak by Mail"
    recipient_delimiter: str = "+"
    key_file: Path = Path("takmail.key")
    key_env: str | None = Field(default=None, min_length=1)
    old_key_days: int = Field(default=90, ge=0, le=36_500, strict=True)
    authserv_id: str | None = None
    operator: str | None = None
    letters: Literal["both", "text", "html"] = "both"
    new_players: Literal["anyone", "invited", "nobody"] = "anyone"
    metrics_port: int | None = Field(default=None, ge=1, le=65535, strict=True)

    @field_validator("address", "operator")
    @classmethod
    def _one_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        local, at, domain = value.partition("@")
        odd = not value.isascii() or not value.isprintable() or any(c in value for c in " <>,;\"'")
        if odd or not (local and at and domain) or "@" in domain:
            raise ValueError("must be one bare mail address, such as tak@example.org")
        return value.lower()

    @field_validator("name")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if not value.strip() or not value.isprintable():
            raise ValueError("must be a name on one line")
        return value

    @field_validator("recipient_delimiter")
    @classmethod
    def _a_usual_delimiter(cls, value: str) -> str:
        if value not in ("", "+", "-", "=", "_"):
            raise ValueError('must be "+" or what your provider uses ("-", "=", "_"), or "" if it has none')
        return value

    @field_validator("key_file")
    @classmethod
    def _beside_the_config(cls, value: Path, info: ValidationInfo) -> Path:
        return anchored(value, info)

    @field_validator("key_env")
    @classmethod
    def _a_variable(cls, value: str | None) -> str | None:
        if value is not None and not os.environ.get(value):
            raise ValueError(f"the environment variable {value} is not set")
        return value

    @field_validator("authserv_id")
    @classmethod
    def _one_server(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[\w.-]+", value, re.ASCII):
            raise ValueError("must be the name at the start of your server's Authentication-Results")
        return value

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
