"""Whether the mail server that took a mail in vouches for its From: Authentication-Results (RFC 8601).

Anybody can write such a header into a mail. Only the topmost one counts, as what a server adds stands above all that
came with the mail, and only from the server that the operator names. Whatever is doubtful is not believed:
the commands are then held and asked about, and no harm is done.
"""

import re

from takmail.mail.headers import Headers

MAX_RESULTS_CHARS = 8_000
"""Characters of the header; real ones have some hundred, and a longer one is not believed."""

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_SERVER = re.compile(r' ?(?:"([^"\\]+)"|([^ "]+))(?: 1)? ?')
_IS_DMARC = re.compile(r" ?dmarc(?![\w-])", re.IGNORECASE | re.ASCII)
_METHOD = re.compile(r" ?dmarc(?: ?/ ?1)? ?= ?([a-z]+)(?= |$)", re.IGNORECASE)
_PROPERTY = re.compile(rf' ([\w-]+(?: ?\. ?[\w.-]+)?) ?= ?({_QUOTED}(?:@[\w.-]+)?|[^ "]*)(?= |$)', re.ASCII)


def vouches(headers: Headers, authserv_id: str | None, sender: str) -> bool:
    """Whether the server named `authserv_id` says dmarc=pass for the domain of `sender`, a bare address.

    Without an `authserv_id`, and for a mail without exactly one sender ('' as its address), nothing is believed.
    """
    domain = sender.rpartition("@")[2]
    if not authserv_id or not domain:
        return False
    topmost = headers.first("authentication-results")
    # A look-alike of ASCII letters, such as the Kelvin sign, may pass by a server that removes forged headers.
    if not topmost.isascii() or len(topmost) > MAX_RESULTS_CHARS:
        return False
    server, *results = _clauses(topmost) or [""]
    named = _SERVER.fullmatch(server)
    if named is None or (named[1] or named[2]).lower() != authserv_id.lower():
        return False
    verdicts = [one for one in results if _IS_DMARC.match(one)]
    # A server gives one verdict; two of them, and one was slipped in somehow.
    return len(verdicts) == 1 and _passed(verdicts[0]) == domain.lower()


def _passed(result: str) -> str | None:
    """The domain that a clause says dmarc=pass of; None if it says anything else, or isn't well formed to its end."""
    method = _METHOD.match(result)
    if method is None or method[1].lower() != "pass":
        return None
    domains, at = [], method.end()
    while found := _PROPERTY.match(result, at):
        at = found.end()
        if found[1].replace(" ", "").lower() == "header.from":
            domains.append(found[2].strip('"').lower())
    return domains[0] if len(domains) == 1 and not result[at:].strip() else None


def _clauses(value: str) -> list[str] | None:
    """The header cut at its semicolons, without its comments; None where a comment or a quoted string never ends.

    Comments and runs of spaces become a single space; quoted strings stay as they are. One pass without recursion.
    """
    clauses = [""]
    depth, quoted, escaped = 0, False, False
    for c in value:
        if escaped or (c == "\\" and (quoted or depth)):
            escaped = not escaped
        elif c == '"' and not depth:
            quoted = not quoted
        elif quoted:
            pass
        elif c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            c = " "
        elif c == ";" and not depth:
            clauses.append("")
            continue
        elif c.isspace():
            c = " "
        if depth < 0:
            return None
        if not depth and (quoted or c != " " or not clauses[-1].endswith(" ")):
            clauses[-1] += c
    return None if quoted or depth else clauses
