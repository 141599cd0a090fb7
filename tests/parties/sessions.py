#!/usr/bin/env python3
"""Runs whole sessions of real clients against the servers of this folder,
directly and through a proxy or a wrapper, and holds the two against each other
step by step: a step that is ok directly must be ok through it, and must bring
the same back.

    sessions.py                                     directly only, URLs and stdio
    sessions.py --proxy 'mcparse proxy --upstream {upstream} --listen {listen} --mode gate'
    sessions.py --wrap 'mcparse wrap -- {command}'
    sessions.py --short --proxy '...' --wrap '...'  one client a server, in less than 40 s

Exit status 0 if nothing was lost, 1 if something was, 2 if it could not be judged.
"""

import argparse
import json
import shlex
from pathlib import Path

from parties import HERE, MCPCHECK, NODE, PYTHON, PYTHON_V1, RUST, SERVERS, Trouble, command, installed, main, proxied, run, server, table

SESSION_SECONDS = 90

TYPESCRIPT = HERE / "typescript"
# Each takes its era, and then a URL, or `--` and the command of a server on stdio.
CLIENTS = {
    "typescript": [str(NODE), str(TYPESCRIPT / "client.mjs")],
    "typescript-v1": [str(NODE), str(TYPESCRIPT / "client-v1.mjs")],
    "python": [str(PYTHON), "-W", "ignore", str(HERE / "python" / "client.py")],
    "python-v1": [str(PYTHON_V1), "-W", "ignore", str(HERE / "python" / "client_v1.py")],
    "rmcp": [str(RUST / "client")],
}
# The older lines know the handshake only.
ERAS = {name: ["session"] if name.endswith("-v1") else ["modern", "session"] for name in CLIENTS}
# Each server once and each client once, with both eras and both transports among them.
SHORT = {
    ("typescript", "modern", "python"),
    ("typescript-v1", "session", "rmcp"),
    ("python", "modern", "rmcp"),
    ("python-v1", "session", "typescript"),
    ("rmcp", "session", "typescript"),
}

Steps = dict[str, tuple[bool, str]]


def steps(words: list[str]) -> Steps:
    """The steps that a client prints, by name: whether it is ok, and what it says."""
    status, out, errors = run(words, SESSION_SECONDS)
    found: Steps = {}
    for line in out.split("\n"):
        good, _, rest = line.partition(" ")
        if good in ("ok", "ERR"):
            name, _, said = rest.partition(": ")
            found[name] = good == "ok", said
    if status != 0:
        # A client that falls over says so in a step of its own, which then is compared as any other.
        found["the session"] = False, f"ended with {status}: {' / '.join(errors.strip().splitlines()[-3:])[:400]}"
    else:
        found["the session"] = True, "ended well"
    return found


def checked(url: str) -> Steps:
    """The checks of mcpcheck as steps, each with its own summary."""
    status, out, errors = run([str(MCPCHECK), url, "--probe", "all", "--json"], SESSION_SECONDS)
    try:
        checks = json.loads(out)["checks"]
        return {check["name"]: (bool(check["passed"]), check["summary"]) for check in checks}
    except (ValueError, KeyError) as why:
        raise Trouble(f"mcpcheck ended with {status}: {why}: {errors[-400:]}") from why


def losses(direct: Steps, through: Steps) -> list[str]:
    lost = []
    for name, (good, said) in direct.items():
        now, says = through.get(name, (False, "was not reached"))
        if good and not now:
            lost.append(f"{name}: {says}")
        elif good and said != says:
            lost.append(f"{name}: brought {says[:300]!r} in place of {said[:300]!r}")
    return lost


def body() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--proxy", action="append", default=[], help="a command with {upstream} and {listen}; may be given again")
    arguments.add_argument("--wrap", action="append", default=[], help="a command with {command}; may be given again")
    arguments.add_argument("--client", action="append", choices=CLIENTS, help="only this one; may be given again")
    arguments.add_argument("--server", action="append", choices=SERVERS, help="only this one; may be given again")
    arguments.add_argument("--short", action="store_true", help="a few of the pairs")
    arguments.add_argument("--transport", choices=("http", "stdio"), help="only this one")
    arguments.add_argument("--verbose", action="store_true", help="tell of the steps that fail directly, too")
    arguments.add_argument("--markdown", type=Path, help="write the table there, too")
    given = arguments.parse_args()
    installed()

    rows: list[list[object]] = []
    lost: list[str] = []

    def line(who: tuple[str, ...], way: str, found: Steps, direct: Steps | None) -> None:
        good = sum(good for good, _ in found.values())
        gone = losses(direct, found) if direct is not None else []
        rows.append([*who, way, f"{good}/{len(found)}", len(gone) if direct is not None else ""])
        lost.extend(f"{' '.join(who)} {way}: {loss}" for loss in gone)
        print(*rows[-1], flush=True)
        if given.verbose and direct is None:
            print(*(f"    ERR {name}: {said}" for name, (fine, said) in found.items() if not fine), sep="\n")

    pairs = [
        (client, era, host)
        for host in given.server or SERVERS
        for client in given.client or CLIENTS
        for era in ERAS[client]
        if not given.short or (client, era, host) in SHORT
    ]
    for host in dict.fromkeys(host for _, _, host in pairs):
        if given.transport != "stdio":
            with server(host) as url:
                for client, era, _ in (pair for pair in pairs if pair[2] == host):
                    direct = steps([*CLIENTS[client], era, url])
                    line((client, era, host, "http"), "direct", direct, None)
                    for at, template in enumerate(given.proxy, 1):
                        # One for each session, so that none has anything left of another.
                        with proxied(template, url) as (front, _):
                            through = steps([*CLIENTS[client], era, front])
                        line((client, era, host, "http"), f"proxy {at}", through, direct)
                if not given.client and not given.short:
                    direct = checked(url)
                    line(("mcpcheck", "all", host, "http"), "direct", direct, None)
                    for at, template in enumerate(given.proxy, 1):
                        with proxied(template, url) as (front, _):
                            line(("mcpcheck", "all", host, "http"), f"proxy {at}", checked(front), direct)
        if given.transport != "http":
            stdio = command(host, "--stdio")
            for client, era, _ in (pair for pair in pairs if pair[2] == host):
                direct = steps([*CLIENTS[client], era, "--", *stdio])
                line((client, era, host, "stdio"), "direct", direct, None)
                for at, template in enumerate(given.wrap, 1):
                    wrapped = shlex.split(template.format(command=shlex.join(stdio)))
                    line((client, era, host, "stdio"), f"wrap {at}", steps([*CLIENTS[client], era, "--", *wrapped]), direct)

    if not rows:
        raise Trouble("no pair was chosen")
    told = table(["client", "era", "server", "transport", "way", "steps", "lost"], rows)
    print(f"\n{told}\n")
    if given.markdown:
        given.markdown.write_text(f"{told}\n")
    if lost:
        print("LOST", *lost, sep="\n  ")
    return 1 if lost else 0


if __name__ == "__main__":
    main(body)
