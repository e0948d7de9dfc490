"""Pauses between attempts."""

from __future__ import annotations

import random
from collections.abc import Callable

FIRST_MS = 100
LONGEST_MS = 5_000


def pause(attempt: int, asked: float | None = None, chance: Callable[[], float] = random.random) -> float:
    """Seconds before the next attempt: doubling, with jitter, and never less than the server asked for."""
    most: float = min(LONGEST_MS, FIRST_MS * 2 ** min(attempt, 10))
    return max(asked or 0, most / 2 + most / 2 * chance()) / 1000
