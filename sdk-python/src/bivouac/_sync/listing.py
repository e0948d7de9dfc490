# Made by scripts/unasync.py from src/bivouac/_async/listing.py; do not edit.
"""Listings."""

from __future__ import annotations

from collections.abc import Iterator, Callable, Mapping
from typing import Any, Generic, TypeVar

from ..types import Page
from .transport import Call, Transport

T = TypeVar("T")


class Listing(Generic[T]):
    """A listing: `page()` gives one page, iterating goes through all of them."""

    def __init__(
        self,
        transport: Transport,
        path: str,
        item: Callable[[Any], T],
        query: Mapping[str, Any] | None = None,
        cursor: str | None = None,
    ) -> None:
        self._transport = transport
        self._path = path
        self._item = item
        self._query = query or {}
        self._cursor = cursor

    def page(self, cursor: str | None = None) -> Page[T]:
        """The page at this cursor; the first one when none is given."""
        query = {**self._query, "cursor": cursor or self._cursor}
        answer = self._transport.json("GET", self._path, Call(query=query))
        return Page([self._item(one) for one in answer["items"]], answer.get("nextCursor"))

    def all(self) -> list[T]:
        """Everything, page after page."""
        return [one for one in self]

    def __iter__(self) -> Iterator[T]:
        cursor = self._cursor
        while True:
            page = self.page(cursor)
            for one in page.items:
                yield one
            if page.next_cursor is None:
                return
            cursor = page.next_cursor
