"""config.toml -> frozen settings.

Every key is checked before anything starts, and everything that is wrong is told at once, in the operator's words.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from takmail.config import ConfigError, Settings


def parse(text: str, where: Path) -> Settings:
    """Check the text of a config.toml; relative paths in it start at the folder of `where`.

    Raises `ConfigError` with every problem at once.
    """
    try:
        tree: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"is not TOML: {error}"]) from None
    try:
        # A service may be started from any folder, so that even the default of [store] is taken from here.
        return Settings.model_validate({"store": {}, **tree}, context=where.resolve().parent)
    except ValidationError as error:
        raise ConfigError([_sentence(one) for one in error.errors()]) from None


def load(path: Path) -> Settings:
    """Read and check a config.toml; raises `ConfigError` with every problem at once."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError([f"can't be read: {error.strerror or error}"]) from None
    except UnicodeDecodeError:
        raise ConfigError(["can't be read: it is not UTF-8"]) from None
    return parse(text, path)


def _sentence(error: Mapping[str, Any]) -> str:
    """One fault as `[section] key: what is wrong`, for a person who edits the file."""
    place = [str(part) for part in error["loc"]]
    if error["type"] == "extra_forbidden" and len(place) == 1 and not isinstance(error["input"], dict):
        return f"{place[0]}: stands in no section"
    where = f"[{place[0]}] {'.'.join(place[1:])}".rstrip()
    return f"{where}: {_complaint(error['type'], error.get('ctx', {}), error['msg'], len(place))}"


def _complaint(kind: str, facts: Mapping[str, Any], message: str, depth: int) -> str:
    """pydantic's error in words for a person who has never heard of pydantic."""
    match kind:
        case "extra_forbidden":
            return f"is not a {'section' if depth == 1 else 'key'} that takmail knows"
        case "missing":
            return "is missing"
        case "model_type":
            return "must be a section, with its keys on the lines below"
        case "string_type" | "path_type":
            return "must be a text in quotes"
        case "string_too_short":
            return "must not be empty"
        case "int_type" | "int_from_float":
            return "must be a whole number, without quotes"
        case "float_type":
            return "must be a number, without quotes"
        case "greater_than" | "greater_than_equal" | "less_than_equal":
            bound = next(iter(facts.values()))
            words = {"greater_than": "more than", "greater_than_equal": "at least"}
            return f"must be {words.get(kind, 'at most')} {bound}"
        case "literal_error":
            return f"must be {facts['expected']}".replace("'", '"')
        case _:
            return message.removeprefix("Value error, ")
