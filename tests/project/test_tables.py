"""A test of a table tries each of its rows, and fails with the names of all that fail."""

import pytest

from tests.support.tables import each_row


def test_all_rows_are_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @each_row("number, text", [(1, "1"), (2, "x"), (3, "y"), (4, "4")])
    def written(number: int, text: str) -> None:
        tried.append(number)
        assert int(text) == number

    with pytest.raises(AssertionError) as failed:
        written()
    assert tried == [1, 2, 3, 4]
    lines = str(failed.value).splitlines()
    assert lines[0] == "2 of 4 rows fail:"
    assert [line for line in lines if line.startswith("number=")] == [
        "number=2, text='x'",
        "number=3, text='y'",
    ]


def test_a_row_in_which_nothing_was_refused_fails() -> None:
    @each_row("text", lambda: ["1"])
    def refused(text: str) -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    with pytest.raises(AssertionError, match="1 of 1 rows fail"):
        refused()


def test_a_table_without_rows_fails() -> None:
    @each_row("text", [])
    def nothing(text: str) -> None:
        pass

    with pytest.raises(AssertionError, match="no rows"):
        nothing()


@each_row("text", ["a"])
def test_fixtures_reach_each_row(text: str, request: pytest.FixtureRequest) -> None:
    assert request.node.name == "test_fixtures_reach_each_row"
    assert text == "a"
