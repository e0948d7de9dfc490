from __future__ import annotations

import pytest

from bivouac._asciicast import read_event, read_header
from bivouac.errors import UnexpectedAnswerError
from bivouac.types import RecordingEvent


def test_files_of_others_are_read_with_kinds_of_events_yet_to_come() -> None:
    assert read_event("# a comment") is None
    assert read_event('[0, "z", "later"]') is None
    assert read_event('[0.5, "o", "a"]') == RecordingEvent("output", 0.5, text="a")
    assert read_event('[1, "r", "100x40"]') == RecordingEvent("resize", 1, cols=100, rows=40)


@pytest.mark.parametrize("line", ["", "no json", '{"version":2}', '{"version":3,"term":{"cols":0,"rows":24}}'])
def test_a_file_that_is_no_recording_is_refused(line: str) -> None:
    with pytest.raises(UnexpectedAnswerError):
        read_header(line)


@pytest.mark.parametrize("line", ["no json", '[-1, "o", "x"]', "[]", "7"])
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(UnexpectedAnswerError):
        read_event(line)
