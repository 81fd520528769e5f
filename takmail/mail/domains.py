"""Tell the domains of mail addresses apart: those of one organisation, of a common provider, or of a local network."""


def _words(text: str) -> frozenset[str]:
    """Return the words of a long list, several a line."""
    return frozenset(text.split())


_COMMON_PROVIDERS = _words(
    "gmx googlemail hotmail live outlook protonmail rediffmail rocketmail tutanota windowslive yahoo yandex"
    " ymail"
)
"""Common providers with domains in many countries, as in `yahoo.it` and `yahoo.co.uk`."""

_COMMON_DOMAINS = _words(
    "126.com 139.com 163.com aim.com alice.it aliceadsl.fr aol.com aol.de arcor.de att.net bell.net"
    " bellsouth.net bigpond.com bk.ru bluewin.ch blueyonder.co.uk bol.com.br btinternet.com centrum.cz"
    " charter.net comcast.net cox.net daum.net docomo.ne.jp duck.com earthlink.net email.com email.cz email.it"
    " ezweb.ne.jp fastmail.com fastmail.fm foxmail.com free.fr freenet.de gmail.com hanmail.net hey.com home.nl"
    " hushmail.com i.ua icloud.com ig.com.br inbox.lv inbox.ru inode.at interia.pl kpnmail.nl laposte.net"
    " libero.it list.ru mac.com mail.com mail.de mail.ru mailbox.org mailfence.com me.com msn.com nate.com"
    " naver.com neuf.fr ntlworld.com o2.pl onet.pl online.no optonline.net optusnet.com.au orange.fr"
    " passport.com planet.nl pm.me post.cz posteo.de posteo.net proton.me qq.com rambler.ru riseup.net"
    " rogers.com sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sina.cn sina.com sky.com skynet.be"
    " softbank.ne.jp sohu.com sympatico.ca t-online.de talktalk.net telenet.be telia.com telus.net terra.com.br"
    " terra.es tin.it tiscali.it tlen.pl tuta.com tuta.io tutamail.com tutanota.de ukr.net uol.com.br usa.net"
    " verizon.net virgilio.it virginmedia.com volny.cz vp.pl wanadoo.fr web.de wp.pl xs4all.nl xtra.co.nz ya.ru"
    " yeah.net ziggo.nl zoho.com zoho.eu"
)
"""Domains where anybody can have an address, so that the addresses of one have nothing in common."""

_SECOND_LEVEL = _words("ac asso co com edu gen go gob gouv gov ltd mil ne net nhs nom or org plc sch")
"""The labels below a country's domain under which organisations register their names, as in `example.co.uk`."""

_LOCAL = _words("home internal invalid lan local localdomain localhost")
"""Top-level domains that no server on the Internet has (RFC 6761, RFC 6762)."""

_ROLES = _words(
    "abuse admin administrator bounce bounces daemon ftp hostmaster info mail mailer-daemon news no-reply"
    " nobody noc noreply postmaster root sales security spam support sysadmin usenet uucp webmaster www"
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
    name, *below = labels[-3 if is_below_country else -2 :]
    organisation = ".".join((name, *below))
    return "" if name in _COMMON_PROVIDERS or organisation in _COMMON_DOMAINS else organisation


def may_be_a_person(address: str, own: str) -> bool:
    """Return whether a person may read the mail to a normal address. `own` is the service's address.

    It is false for addresses of a machine or a local network, unless the service's own is one, and for role accounts of
    the service's own domain.
    """
    local, _, domain = address.rpartition("@")
    own_domain = own.rpartition("@")[2]
    if domain == own_domain:
        return local.partition("+")[0] not in _ROLES
    is_machine = "." not in domain and "." in own_domain
    return not is_machine and (_is_public(domain) or not _is_public(own_domain))


def _is_public(domain: str) -> bool:
    """Return whether a domain may exist on the Internet. An IP address is none (RFC 5321 §4.1.3 has it in brackets)."""
    top = domain.rpartition(".")[2]
    return "." in domain and top not in _LOCAL and not top.isdigit()
