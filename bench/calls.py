"""Run a module and count its calls of functions: `bench/calls.py FILE python -m MODULE [ARGUMENT …]`.

At each SIGUSR1 it writes to FILE, as JSON, what all threads have called so far: a list of the function's file, line and
name, the number of calls, and the seconds in the function itself. cProfile slows the module down to about a half.
"""

import json
import os
import runpy
import signal
import sys
import threading
from cProfile import Profile
from pathlib import Path
from typing import Any

_PROFILES: list[Profile] = []


def _profile_thread(*_event: Any) -> None:
    """Begin to count in a new thread."""
    profile = Profile()
    _PROFILES.append(profile)
    profile.enable()


def _write(file: Path) -> None:
    # The main thread, which runs this, must not change its profile at the same time.
    _PROFILES[0].disable()
    functions = []
    for profile in _PROFILES:
        for entry in profile.getstats():
            code = entry.code
            name = (
                ("", 0, code)
                if isinstance(code, str)
                else (code.co_filename, code.co_firstlineno, code.co_name)
            )
            functions.append([*name, entry.callcount, entry.inlinetime])
    written = file.with_suffix(".new")
    written.write_text(json.dumps(functions))
    os.replace(written, file)
    _PROFILES[0].enable()


def main() -> None:
    """Count the calls of the module while it runs."""
    # The folder of this script.
    del sys.path[0]
    file, module, arguments = Path(sys.argv[1]), sys.argv[4], sys.argv[5:]
    signal.signal(signal.SIGUSR1, lambda *_: _write(file))
    threading.setprofile(_profile_thread)
    _profile_thread()
    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
