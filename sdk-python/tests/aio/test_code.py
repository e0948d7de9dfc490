from __future__ import annotations

import base64

import pytest

from bivouac import Sandbox

pytestmark = pytest.mark.anyio

#: The smallest picture that there is.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE = f"""import base64
class Picture:
    def _repr_png_(self):
        return base64.b64decode("{PIXEL}")
Picture()"""


async def test_code_keeps_its_variables_and_tells_what_it_shows(sandbox_async: Sandbox) -> None:
    heard: list[str] = []
    first = await sandbox_async.code.run('x = 41\nprint("hello")\nx + 1', on_stdout=heard.append)
    assert (first.stdout, first.text, first.error) == ("hello\n", "42", None)
    assert (first.exit.ok, first.exit.session, "".join(heard)) == (True, "kept", "hello\n")
    assert (await sandbox_async.code.run("x * 2")).text == "82"
    failed = await sandbox_async.code.run("1 / 0")
    assert failed.error is not None
    assert (failed.error.name, failed.exit.ok) == ("ZeroDivisionError", False)
    shown = (await sandbox_async.code.run(PICTURE)).results[0]
    assert await shown.png() == base64.b64decode(PIXEL)
    assert await shown.jpeg() is None


async def test_a_session_of_its_own_is_interrupted_started_anew_and_ended(sandbox_async: Sandbox) -> None:
    code = sandbox_async.code
    session = await code.sessions.create("python", cwd="/tmp")
    assert (session.language, session.cwd) == ("python", "/tmp")
    await code.run("y = 1", session=session)
    ended = None
    async for event in code.run_stream('print("going", flush=True)\nwhile True: pass', session=session):
        if event.type == "stdout":
            await code.sessions.interrupt(session)
        ended = event.exit
    assert ended is not None
    assert (ended.ok, ended.session) == (False, "kept")
    assert (await code.run("y", session=session.id)).text == "1"
    await code.sessions.restart(session)
    assert (await code.run("y", session=session)).error is not None
    await code.sessions.delete(session)
    assert session.id not in [one.id async for one in code.sessions.list()]
