"""Run by test_wheel where only the installed wheel is known: begin a game, or with `--all` write every kind of letter.

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
from takmail.store.database import Store
from takmail.world.kinds import LetterView
from tests.support.every_kind import every_kind  # copies of what it needs lie beside this file, in tests
from tests.support.harness import ADA, BEN, Harness


def main() -> None:
    folder = templates.folder()
    with tempfile.TemporaryDirectory() as place:
        store = Store.open(f"sqlite:///{place}/takmail.sqlite")
        harness = Harness(store, letter_view=LetterView.BOTH)
        if "--all" in sys.argv:
            every_kind(harness)
        else:
            harness.begin()
        store.close()
    print(
        json.dumps(
            {
                "package": str(Path(takmail.__file__).parent),
                "templates": str(folder),
                "names": [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()],
                "languages": templates.Templates(folder).languages,
                "letters": len(harness.box),
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
