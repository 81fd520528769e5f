"""Templates come from several folders, so that a game may bring its own."""

from pathlib import Path

from takmail.letters.templates import Templates, folder


def test_templates_of_two_folders_are_known_and_the_first_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "chess").mkdir()
    (tmp_path / "chess" / "rules.txt").write_text("Mate the king.")
    (tmp_path / "tak").mkdir()
    (tmp_path / "tak" / "example.txt").write_text("new 3 vs gus@example.org")
    both, usual_first = Templates(tmp_path, folder()), Templates(folder(), tmp_path)
    assert both.page("chess/rules.txt") == usual_first.page("chess/rules.txt") == "Mate the king."
    assert both.line("tak/example.txt") == "new 3 vs gus@example.org"
    assert usual_first.line("tak/example.txt") == Templates(folder()).line("tak/example.txt")
    assert {"chess/rules.txt", "tak/example.txt"} <= set(both.names())
    assert both.exists("chess/rules.txt")
    assert not Templates(folder()).exists("chess/rules.txt")
