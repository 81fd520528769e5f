"""The benches run from end to end, on a few mails each; what they measure here is worth nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.stack, pytest.mark.usefixtures("stack")]

ROOT = Path(__file__).parent.parent.parent


def said(module: str, *options: str) -> str:
    """What a bench prints."""
    command = [sys.executable, "-m", f"bench.{module}", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300).stdout


def test_throughput_measures_each_kind_of_letters_beside_the_least_that_can_answer() -> None:
    text = said("throughput", "--pairs", "1", "--games", "3", "--rounds", "2")
    for kind in ("text", "pictures"):
        assert re.search(
            rf"(?m)^{kind} +takmail +[\d.]+ mails a second, .*; no-op +[\d.]+; ratio \d\.\d\d;", text
        )
        assert re.search(rf"(?m)^{kind} +median ratio \d\.\d\d; most memory \d+ MiB$", text)


def test_latency_is_measured_from_the_arrival_and_from_the_push() -> None:
    text = said("latency", "--mails", "4", "--rate", "10")
    assert re.search(r"(?m)^from the arrival median +\d+ ms, 99 % +\d+ ms$", text)
    assert re.search(r"(?m)^above the push +median +\d+ ms, 99 % +\d+ ms$", text)


def test_a_backlog_is_worked_off_in_parts() -> None:
    text = said("backlog", "--mails", "12", "--every", "6")
    assert re.findall(r"(?m)^ +(\d+) mails, the last 6 at +[\d.]+ a second; most memory \d+ MiB$", text) == [
        "6",
        "12",
    ]
