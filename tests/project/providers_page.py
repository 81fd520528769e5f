"""Make the tables of docs/providers.md and docs/providers-sources.md from the data, for `make providers`."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from takmail.config.providers import Provider, Server, providers
from tests.project.made_tables import with_tables as with_made

PAGE = Path(__file__).parents[2] / "docs" / "providers.md"
SOURCES = PAGE.with_name("providers-sources.md")
_SHOWN_DOMAINS = 4
_WORDS = {
    "imap": "servers",
    "smtp": "servers",
    "login": "login name",
    "delimiter": "plus addresses",
    "password_page": "its page",
    "first": "what to do first",
    "oauth": "OAuth 2",
    "connections": "limits",
}
"""What the page calls a fact, if not as the data does."""


def with_tables(page: str) -> str:
    """Return the page with its tables made anew."""
    return with_made(page, _TABLES)


def _table(head: str, rows: Iterable[Iterable[str]]) -> str:
    columns = head.split(" | ")
    lines = [head, "|".join("---" for _ in columns), *(" | ".join(row) for row in rows)]
    return "".join(f"| {line} |\n" if "---" not in line else f"|{line}|\n" for line in lines)


def _servers() -> str:
    return _table(
        "`--provider` | provider | its domains | IMAP | SMTP | login name | plus addresses | password",
        (
            (
                f"`{name}`",
                it.name,
                _domains(it),
                _server(it.imap),
                _server(it.smtp),
                it.login,
                {None: "not known", "": "none"}.get(it.delimiter, f"`you{it.delimiter}…@`"),
                _password(it),
            )
            for name, it in providers().items()
        ),
    )


def _sending() -> str:
    limits = ((it.name, ", ".join(_limits(it))) for it in providers().values())
    return _table("provider | letters", ((name, limit) for name, limit in limits if limit))


def _first() -> str:
    return _table(
        "provider | before `takmail init` | page",
        (
            (it.name, it.first or "", f"<{it.password_page}>" if it.password_page else "")
            for it in providers().values()
            if it.first or it.password_page
        ),
    )


def _sources() -> str:
    return _table(
        "provider | facts | read in | day",
        (
            (
                it.name,
                ", ".join(dict.fromkeys(_WORDS.get(fact, fact) for fact in source.facts)),
                f"<{source.url}>",
                source.date.isoformat(),
            )
            for it in providers().values()
            for source in it.sources
        ),
    )


def _domains(it: Provider) -> str:
    more = len(it.domains) - _SHOWN_DOMAINS
    shown = ", ".join(it.domains[:_SHOWN_DOMAINS]) or "your own"
    return f"{shown} and {more} more" if more > 0 else shown


def _server(server: Server) -> str:
    return f"{server.host}:{server.port}"


def _password(it: Provider) -> str:
    return f"none: OAuth 2 (`{it.oauth}`)" if it.oauth else it.password


def _limits(it: Provider) -> Iterator[str]:
    if it.limits.per_minute:
        yield f"{it.limits.per_minute} a minute"
    if it.limits.per_day:
        yield f"{it.limits.per_day:,} a day"
    if it.connections:
        yield f"{it.connections} at once"


_TABLES = {"servers": _servers, "sending": _sending, "first": _first, "sources": _sources}

if __name__ == "__main__":
    for page in (PAGE, SOURCES):
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
