"""Wording comes from several folders, so that a game may bring its own."""

from pathlib import Path

from takmail.blocks import Message
from takmail.letters.templates import Templates, folder


def test_wording_of_two_folders_is_known_and_the_first_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "console").mkdir()
    (tmp_path / "console" / "chess.txt").write_text("Mate the king.")
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "chess.jinja").write_text("{% macro mate_the_king() %}Mate the king.{% endmacro %}")
    (tmp_path / "en" / "welcome.jinja").write_text("{% macro my_welcome() %}Welcome to chess.{% endmacro %}")
    both, usual_first = Templates(tmp_path, folder()), Templates(folder(), tmp_path)
    assert both.page("console/chess.txt") == usual_first.page("console/chess.txt") == "Mate the king."
    assert both.said(Message("mate_the_king")) == "Mate the king."
    assert both.has_message("my_welcome")
    assert not usual_first.has_message("my_welcome")
    assert usual_first.has_message("subject_of_welcome")
    assert not both.has_message("subject_of_welcome")
