"""Run by test_wheel in a process that knows only the installed wheel: every template, and every kind of letter.

Prints a line of JSON: where the package and its templates are, and what was rendered.
"""

import json
import sys
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from office import ADA, BEN, TAK, Office  # a copy of tests/office.py lies beside this file

import takmail
from takmail.inbound import Inbound
from takmail.render import templates
from takmail.service import rulings
from takmail.service.rulings import Decision
from takmail.store.database import Store
from takmail.store.tables import Player, Ruling, TurnRow

OTHER = "other@example.org"


def freeze_and_end(office: Office) -> None:
    """Damage the second game, have a mail find it so, and end it."""
    with office.store.transaction() as session:
        session.get_one(TurnRow, (2, 1)).text = "no turn at all"
    inbound = Inbound(office.store, replace(office.desk, operator=OTHER))
    inbound.keep_one(office.mail(f"Ben <{BEN}>", "#2 log").as_bytes())
    inbound.work()
    with office.store.transaction() as session:
        rulings.end(office.desk, session, 2, Ruling.VOID, Decision("Other", "nobody knows what was played"))


def main() -> None:
    kinds: set[str] = set()
    letter = templates.Templates.letter

    def noted(self: templates.Templates, kind: str, **facts: object) -> str:
        text = letter(self, kind, **facts)
        if text.strip():
            kinds.add(kind)
        return text

    templates.Templates.letter = noted  # type: ignore[method-assign]
    all_templates = templates.Templates(templates.folder())
    for name in all_templates.names():
        all_templates._environment.get_template(name)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/takmail.sqlite")
        office = Office(store)
        office.send(f"Ada <{ADA}>", "Hello, what is this?")
        office.begin()
        office.play("ps b4", "ps z9", "rs", "ps c3")
        office.send(f"Ada <{ADA}>", "rs", office.last(ADA))
        office.send(f"Ada <{ADA}>", "ps a1", to=TAK)
        office.send(f"Ada <{ADA}>", f"address add {OTHER}", office.last(ADA))
        office.send(f"Ada <{OTHER}>", "yes", office.last(OTHER))
        office.send(f"Ada <{ADA}>", f"address remove {OTHER}", office.last(ADA))
        for words in ("resign", "yes", "rematch"):
            office.send(f"Ada <{ADA}>", words, office.last(ADA))
        for words in ("rematch", "ps a1"):
            office.send(f"Ben <{BEN}>", words, office.last(BEN))
        with store.transaction() as session:
            session.get_one(Player, 1).is_blocked = True
        office.now += timedelta(days=2)  # a stranger's first mail has been answered today already
        office.send(f"Ada <{ADA}>", "rs", office.last(ADA))
        freeze_and_end(office)
        store.close()
    print(
        json.dumps(
            {
                "package": str(Path(takmail.__file__).parent),
                "templates": str(templates.folder()),
                "names": all_templates.names(),
                "rendered": sorted(kinds),
                "readers": sorted({one.to for one in office.box} & {ADA, BEN}),
                "path": sys.path,
            }
        )
    )


main()
