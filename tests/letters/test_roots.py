"""Templates come from several folders, so that a game may bring its own."""

from pathlib import Path

from takmail.blocks import Message
from takmail.letters.templates import Templates, folder


def test_templates_of_two_folders_are_known_and_the_first_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "chess").mkdir()
    (tmp_path / "chess" / "rules.txt").write_text("Mate the king.")
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "tak.jinja").write_text("{% macro tak_name() %}Chess{% endmacro %}")
    both, usual_first = Templates(tmp_path, folder()), Templates(folder(), tmp_path)
    assert both.page("chess/rules.txt") == usual_first.page("chess/rules.txt") == "Mate the king."
    assert both.said(Message("tak_name")) == "Chess"
    assert usual_first.said(Message("tak_name")) == "Tak"
    assert {"chess/rules.txt", "console/game.txt"} <= set(both.names())
    assert both.exists("chess/rules.txt")
    assert not Templates(folder()).exists("chess/rules.txt")
