"""Starts aider so that a person is asked wherever it would ask its terminal, and before each command that it runs.

Aider takes the end of its input for a yes, and a repository's settings can answer for the user. Here neither is asked:
what bivouac-ask does not grant is not done. A launch rule's prefix may say where aider is: --program=PATH, first of all.
"""

import os
import subprocess
import sys

ASK = "/.bivouac/bin/bivouac-ask"
PLACES = ("/.bivouac/bin/aider", "/usr/local/bin/aider", "/usr/bin/aider", "/opt/aider/bin/aider")
PROGRAM = "--program="
STARTED = "BIVOUAC_AIDER_STARTED"
TIMEOUT = "300"
LONGEST_ACTION = 200
LONGEST = 4000


def main():
    named = [word[len(PROGRAM) :] for word in sys.argv[1:2] if word.startswith(PROGRAM)]
    places = named or PLACES
    program = next((path for path in places if os.path.isfile(path)), None)
    if program is None:
        sys.exit("There is no aider at " + ", ".join(places))
    interpreter = interpreter_of(os.path.realpath(program))
    if os.path.abspath(sys.executable) != interpreter and STARTED not in os.environ:
        os.environ[STARTED] = "yes"
        os.execv(interpreter, [interpreter, "-I", __file__, *sys.argv[1:]])
    os.environ.pop(STARTED, None)
    start(sys.argv[1 + len(named) :])


def interpreter_of(program):
    """The one that the program was installed for, from its first lines."""
    with open(program, encoding="utf-8", errors="replace") as text:
        lines = [text.readline().strip(), text.readline().strip()]
    words = lines[0][2:].split() if lines[0].startswith("#!") else []
    if words and os.path.basename(words[0]) == "sh":
        # A path that is too long for a first line is on the second: '''exec' PYTHON "$0" "$@"
        words = lines[1].replace("'''exec'", "").replace('"', " ").split()
    if not words or not os.path.isabs(words[0]) or not os.path.basename(words[0]).startswith("python"):
        sys.exit(f"{program} does not say which Python it is for")
    return words[0]


def ask(action, resource):
    """Whether a person says yes. Whatever goes wrong is a no."""
    if len(resource.encode()) > LONGEST:
        return False
    words = [ASK, "--source", "aider", "--timeout", TIMEOUT, "--action", action[:LONGEST_ACTION], "--resource", resource]
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def start(arguments):
    import aider.run_cmd
    from aider.io import InputOutput

    granted = set()

    def confirm_ask(self, question, default="y", subject=None, **_):
        self.num_user_asks += 1
        answer = ask(question, subject or "")
        if answer and subject:
            granted.update(line.strip() for line in subject.splitlines())
        self.append_chat_history(f"{question} {'yes' if answer else 'no'}", linebreak=True, blockquote=True)
        return answer

    def prompt_ask(self, question, default="", subject=None):
        self.num_user_asks += 1
        return "yes" if ask(question, subject or "") else "no"

    def asking(run):
        def run_if_granted(command, *more, **named):
            line = command.strip()
            if line in granted:
                granted.discard(line)
            elif not ask("Run shell command?", line):
                return 1, "Denied."
            return run(command, *more, **named)

        return run_if_granted

    InputOutput.confirm_ask = confirm_ask
    InputOutput.prompt_ask = prompt_ask
    # Before anything else of aider's takes them by name; run_cmd leads to one of them.
    for name in ("run_cmd_subprocess", "run_cmd_pexpect"):
        setattr(aider.run_cmd, name, asking(getattr(aider.run_cmd, name)))

    from aider.main import main as aider_main

    # A repository's settings could name a command for notifications, which nobody would be asked about.
    sys.exit(aider_main([*arguments, "--no-notifications", "--no-show-release-notes"]))


main()
