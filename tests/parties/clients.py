#!/usr/bin/env python3
"""Lets the official suite judge the clients of this folder, directly and through
a proxy that stands between the client and the suite's own server: what the suite
finds good of a client, it must find good of client and proxy together.

    clients.py                                      directly only
    clients.py --proxy 'mcparse proxy --upstream {upstream} --listen {listen} --mode gate'

The scenarios about authorisation are left out: there the URLs that the suite gives
out lead past the proxy. Exit status 0 if nothing was lost, 1 if something was, 2 if
it could not be judged.
"""

import argparse
import shlex
import sys
import tempfile
from pathlib import Path

from conformance import SUITE_SECONDS, Name, checks, counted, losses
from parties import HERE, NODE, SUITE, Trouble, installed, main, run, table
from sessions import CLIENTS

# By revision: the client's era, and the scenarios of the suite.
SCENARIOS = {
    "2026-07-28": (
        "modern",
        [
            "tools_call",
            "request-metadata",
            "sep-2322-client-request-state",
            "http-standard-headers",
            "http-custom-headers",
            "http-invalid-tool-headers",
            "json-schema-ref-no-deref",
        ],
    ),
    "2025-11-25": ("session", ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"]),
}


def judged(command: list[str], revision: str, proxy: str | None) -> dict[Name, dict]:
    era, scenarios = SCENARIOS[revision]
    more = {"THROUGH_PROXY": proxy} if proxy else {}
    before = [sys.executable, str(HERE / "through.py")] if proxy else []
    found: dict[Name, dict] = {}
    for scenario in scenarios:
        with tempfile.TemporaryDirectory() as folder:
            words = [str(NODE), str(SUITE), "client", "--command", shlex.join([*before, *command, era]), "-o", folder]
            status, out, errors = run([*words, "--scenario", scenario, "--spec-version", revision], SUITE_SECONDS, **more)
            of_this = checks(Path(folder))
        if status not in (0, 1) or not of_this:
            raise Trouble(f"the suite ended with {status} in {scenario}: {out[-1500:]} {errors[-1500:]}")
        found |= of_this
    return found


def body() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--proxy", help="a command with {upstream} and {listen}")
    arguments.add_argument("--client", action="append", choices=CLIENTS, help="only this one; may be given again")
    arguments.add_argument("--revision", action="append", choices=SCENARIOS, help="only this one; may be given again")
    given = arguments.parse_args()
    installed()
    rows: list[list[object]] = []
    lost: list[str] = []
    for client in given.client or CLIENTS:
        for revision in given.revision or SCENARIOS:
            if client.endswith("-v1") and SCENARIOS[revision][0] == "modern":
                continue
            direct = judged(CLIENTS[client], revision, None)
            rows.append([client, revision, "direct", counted(direct, set(), True), ""])
            print(*rows[-1], flush=True)
            if given.proxy:
                through = judged(CLIENTS[client], revision, given.proxy)
                gone = losses(direct, through)
                lost.extend(f"{client} {revision}: {loss}" for loss in gone)
                rows.append([client, revision, "proxy", counted(through, set(), True), len(gone)])
                print(*rows[-1], flush=True)
    print(f"\n{table(['client', 'revision', 'way', 'checks', 'lost'], rows)}\n")
    if lost:
        print("LOST", *lost, sep="\n  ")
    return 1 if lost else 0


if __name__ == "__main__":
    main(body)
