"""Tell the domains of mail addresses apart: those of one organisation, of a common provider, or of a local network."""

COMMON_PROVIDERS = frozenset(
    {
        "126.com",
        "163.com",
        "aol.com",
        "bluewin.ch",
        "comcast.net",
        "fastmail.com",
        "free.fr",
        "freenet.de",
        "gmail.com",
        "gmx.at",
        "gmx.ch",
        "gmx.com",
        "gmx.de",
        "gmx.net",
        "googlemail.com",
        "hotmail.co.uk",
        "hotmail.com",
        "hotmail.de",
        "hotmail.fr",
        "hotmail.it",
        "icloud.com",
        "laposte.net",
        "libero.it",
        "live.com",
        "live.nl",
        "mac.com",
        "mail.com",
        "mail.ru",
        "mailbox.org",
        "me.com",
        "msn.com",
        "naver.com",
        "orange.fr",
        "outlook.com",
        "outlook.de",
        "outlook.fr",
        "pm.me",
        "posteo.de",
        "proton.me",
        "protonmail.com",
        "qq.com",
        "rediffmail.com",
        "seznam.cz",
        "sina.com",
        "t-online.de",
        "tutanota.com",
        "web.de",
        "wp.pl",
        "ya.ru",
        "yahoo.co.in",
        "yahoo.co.jp",
        "yahoo.co.uk",
        "yahoo.com",
        "yahoo.de",
        "yahoo.fr",
        "yandex.com",
        "yandex.ru",
        "yeah.net",
        "zoho.com",
    }
)
"""Domains where anybody can have an address, so that the addresses of one have nothing in common."""

_SECOND_LEVEL = frozenset(
    {
        "ac",
        "co",
        "com",
        "edu",
        "gen",
        "go",
        "gob",
        "gouv",
        "gov",
        "ltd",
        "mil",
        "ne",
        "net",
        "nhs",
        "nom",
        "or",
        "org",
        "plc",
        "sch",
    }
)
"""The labels below a country's domain under which organisations register their names, as in `example.co.uk`."""

_LOCAL = frozenset({"home", "internal", "invalid", "lan", "local", "localdomain", "localhost"})
"""Top-level domains that no server on the Internet has (RFC 6761, RFC 6762)."""

_ROLES = frozenset(
    {
        "abuse",
        "admin",
        "administrator",
        "bounce",
        "bounces",
        "daemon",
        "ftp",
        "hostmaster",
        "mail",
        "mailer-daemon",
        "news",
        "no-reply",
        "nobody",
        "noc",
        "noreply",
        "postmaster",
        "root",
        "security",
        "spam",
        "sysadmin",
        "usenet",
        "uucp",
        "webmaster",
        "www",
    }
)
"""Local parts that belong to a server's programs and operators and not to a person (RFC 2142)."""


def organisation_of(address: str) -> str:
    """Return the domain of the organisation that a normal address belongs to, or '' at a common provider.

    It has two labels, or three if the second one is like `co` in `example.co.uk`. This plain rule takes organisations
    for one if their common domain is of another kind, such as that of a free host of websites.
    """
    domain = address.rpartition("@")[2]
    labels = domain.split(".")
    is_below_country = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return "" if domain in COMMON_PROVIDERS else ".".join(labels[-3 if is_below_country else -2 :])


def may_be_a_person(address: str, own: str) -> bool:
    """Return whether a person may read the mail to a normal address. `own` is the service's address.

    It is false for addresses of a local network, unless the service's own is one, and for role accounts of the
    service's own domain.
    """
    local, _, domain = address.rpartition("@")
    own_domain = own.rpartition("@")[2]
    if domain == own_domain:
        return local.partition("+")[0] not in _ROLES
    return _is_public(domain) or not _is_public(own_domain)


def _is_public(domain: str) -> bool:
    """Return whether a domain may exist on the Internet. An IP address is none (RFC 5321 §4.1.3 has it in brackets)."""
    top = domain.rpartition(".")[2]
    return "." in domain and top not in _LOCAL and not top.isdigit()
