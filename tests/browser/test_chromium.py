"""What drives the browser leaves nothing behind."""

import gc
from pathlib import Path

import pytest

from tests.browser.chromium import chromium


def test_a_browser_that_goes_at_its_first_word_leaves_no_pipe_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexec head -c 1 <&3 >/dev/null\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(AssertionError, match="the browser has gone"), chromium():
        pass
    gc.collect()  # what is still open then is a warning, and a warning fails the test
