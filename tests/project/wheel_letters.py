"""Run by test_wheel in a process that knows only the installed wheel: every template, and every kind of letter.

Prints a line of JSON: where the package and its templates are, what was rendered, and what the command line says.
"""

import json
import runpy
import sys
import tempfile
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import takmail
from takmail.letters import templates
from takmail.letters.html import MarkedLetter
from takmail.store.database import Store
from takmail.world.kinds import LetterView
from tests.support.every_kind import every_kind  # copies of what it needs lie beside this file, in tests
from tests.support.harness import ADA, BEN, Harness


def main() -> None:
    kinds: set[str] = set()
    letter = templates.Templates.letter

    def noted(self: templates.Templates, kind: str, **facts: object) -> MarkedLetter:
        marked = letter(self, kind, **facts)
        if marked.text.strip():
            kinds.add(kind)
        return marked

    templates.Templates.letter = noted  # type: ignore[method-assign]
    all_templates = templates.Templates(templates.folder())
    # `Templates` has compiled the messages itself.
    for name in (name for name in all_templates.names() if not name.endswith(".jinja")):
        of_letters = all_templates._frame if name.startswith("html/") else all_templates._environment
        of_letters.get_template(name)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/takmail.sqlite")
        harness = Harness(store, letter_view=LetterView.BOTH)
        every_kind(harness)
        store.close()
    print(
        json.dumps(
            {
                "package": str(Path(takmail.__file__).parent),
                "templates": str(templates.folder()),
                "names": all_templates.names(),
                "rendered": sorted(kinds),
                "readers": sorted({one.to for one in harness.box} & {ADA, BEN}),
                "path": sys.path,
                "replay": replay(),
            }
        )
    )


def replay() -> str:
    """What `python -m takmail replay` says of a game."""
    sys.argv = ["takmail", "replay", "game.ptn"]
    with redirect_stdout(StringIO()) as said, suppress(SystemExit):
        runpy.run_module("takmail", run_name="__main__")
    return said.getvalue()


main()
