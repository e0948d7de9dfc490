"""Makes the synchronous form of the SDK, and of its tests, from the asynchronous one. With --check it only compares."""

from __future__ import annotations

import re
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent

#: The folders, and the files in them that are written by hand on both sides.
FOLDERS = {
    "src/bivouac/_async": ("src/bivouac/_sync", {"platform.py"}),
    "tests/aio": ("tests/sync", set[str]()),
}

HEAD = "# Made by scripts/unasync.py from {source}; do not edit.\n"

RULES = [
    (r"AsyncGenerator\[(.+?), None\]", r"Generator[\1, None, None]"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsync(Generator|Iterator|Iterable|Client)\b", r"\1"),
    (r"\ba(close|read|next|iter_raw)\(", r"\1("),
    (r"\baclosing\b", "closing"),
    (r"\bbivouac\._async\b", "bivouac._sync"),
    (r"\bfrom bivouac import\b", "from bivouac.sync import"),
    (r"^pytestmark = pytest\.mark\.anyio\n\n*", ""),
    (r"\b(client|sandbox|server)_async\b", r"\1_sync"),
]


def synchronous(text: str) -> str:
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def main(check: bool) -> int:
    wrong = []
    for source, (target, by_hand) in FOLDERS.items():
        made = {path.name: path for path in sorted((HOME / source).glob("*.py")) if path.name not in by_hand}
        for name, path in made.items():
            result = HOME / target / name
            text = HEAD.format(source=f"{source}/{name}") + synchronous(path.read_text())
            if result.exists() and result.read_text() == text:
                continue
            wrong.append(f"{target}/{name}")
            if not check:
                result.write_text(text)
        for left in sorted((HOME / target).glob("*.py")):
            if left.name not in made and left.name not in by_hand:
                wrong.append(f"{target}/{left.name}")
                if not check:
                    left.unlink()
    if check and wrong:
        print(
            f"not what the sources say: {', '.join(wrong)}; run: python3 sdk-python/scripts/unasync.py", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
