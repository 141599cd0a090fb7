#!/usr/bin/env python3
"""Runs the official conformance suite against the servers of this folder,
directly and through a proxy, and holds the two against each other check by
check: what passes directly must pass through the proxy.

    conformance.py                                  directly only
    conformance.py --proxy 'mcparse proxy --upstream {upstream} --listen {listen} --mode gate'
    conformance.py --short --proxy '...'            one server for each revision, in less than 40 s
    conformance.py --server everything --told-only --proxy '...'   the suite's own server, which breaks rules
    conformance.py --server notes --proxy '...'     our own example, which must be right in what it has
    conformance.py --upstream URL --proxy '...'     a server that runs already, whatever it passes

Exit status 0 if nothing was lost, 1 if something was, 2 if it could not be judged.
"""

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from pathlib import Path

from parties import FAULTY, NODE, OURS, REVISIONS, SERVERS, SUITE, Lines, Trouble, installed, main, proxied, run, server, table

SUITE_SECONDS = 180
SCENARIO_SECONDS = 30
# Starting the suite takes longer than its scenarios, so a short run is whole sets, but of few servers.
SHORT = {("typescript", "2026-07-28"), ("python", "2025-11-25")}
PASSED, FAILED = "SUCCESS", "FAILURE"
# The scenarios of 2026-07-28 that ask for no fixture of the suite's own: what the example has
# of them must be right.
IMPLEMENTED = {
    "caching",
    "completion-complete",
    "dns-rebinding-protection",
    "http-custom-header-server-validation",
    "http-header-validation",
    "prompts-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "tools-list",
}

# A check's name: its scenario, its id, and which of those with that id it is.
Name = tuple[str, str, int]


def checks(folder: Path) -> dict[Name, dict]:
    """All that the suite has written down; its folders end in the time of day."""
    found: dict[Name, dict] = {}
    for file in sorted(folder.glob("*/checks.json")):
        scenario = re.sub(r"-\d{4}-\d\d-\d\dT.*$", "", file.parent.name).removeprefix("server-")
        seen: Counter = Counter()
        for check in json.loads(file.read_text()):
            name = check.get("id", "?")
            found[scenario, name, seen[name]] = check
            seen[name] += 1
    return found


def judged(url: str, revision: str) -> tuple[dict[Name, dict], set[str], float]:
    """The checks of a run, the scenarios that the revision does not require, and how long it took."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        chosen = ["--url", url, "--requirements", revision, "-o", folder, "--timeout", str(SCENARIO_SECONDS * 1000)]
        status, out, errors = run([str(NODE), str(SUITE), "server", *chosen], SUITE_SECONDS)
        if status not in (0, 1):
            raise Trouble(f"the suite ended with {status}: {out[-500:]} {errors[-500:]}")
        _, _, rest = out.partition("Not scored for")
        optional = set(re.findall(r"^\s+[✓✗] (\S+) \(", rest, re.MULTILINE))
        found = checks(Path(folder))
    if not found:
        raise Trouble(f"the suite wrote no checks for {url}: {out[-500:]}")
    return found, optional, time.monotonic() - start


def counted(found: dict[Name, dict], optional: set[str], required: bool) -> str:
    states = [check["status"] for (scenario, _, _), check in found.items() if (scenario not in optional) == required]
    return f"{states.count(PASSED)}/{states.count(PASSED) + states.count(FAILED)}"


def losses(direct: dict[Name, dict], through: dict[Name, dict]) -> list[str]:
    """The checks that passed directly and not through the proxy, with the suite's own words."""
    lost = []
    for name, check in direct.items():
        other = through.get(name, {"status": "not there"})
        if check["status"] == PASSED and other["status"] != PASSED:
            why = other.get("errorMessage") or json.dumps(other.get("details", ""))
            lost.append(f"{name[0]}: {name[1]}: {other['status']}: {why[:600]}")
    return lost


def wrong(found: dict[Name, dict]) -> list[str]:
    """What the example gets wrong of what it has, and which of that was not there at all."""
    passed = {scenario for (scenario, _, _), check in found.items() if check["status"] == PASSED}
    failed = [f"{name[0]}: {name[1]}" for name, check in found.items() if name[0] in IMPLEMENTED and check["status"] == FAILED]
    return failed + [f"{scenario}: nothing passed" for scenario in sorted(IMPLEMENTED - passed)]


def rule(line: str) -> str | None:
    """The rule that a line of the proxy's log tells of, if it tells of one."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    found = told.get("rule") if isinstance(told, dict) else None
    return found if isinstance(found, str) else None


def flagged(lines: Lines) -> Counter:
    return Counter(filter(None, map(rule, lines.lines)))


def body() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--proxy", action="append", default=[], help="a command with {upstream} and {listen}; may be given again")
    arguments.add_argument("--server", action="append", choices=[*SERVERS, *FAULTY, *OURS], help="only this one; may be given again")
    arguments.add_argument("--revision", action="append", choices=REVISIONS, help="only this one; may be given again")
    arguments.add_argument("--upstream", help="the URL of a server that runs already, in place of ours")
    arguments.add_argument("--told-only", action="store_true", help="losses are told, and no failure: for servers that break rules")
    arguments.add_argument("--short", action="store_true", help="one server for each revision")
    arguments.add_argument("--markdown", type=Path, help="write the table there, too")
    given = arguments.parse_args()
    installed()

    rows: list[list[object]] = []
    lost: list[str] = []
    rules: list[str] = []

    def line(who: str, revision: str, way: str, ran: tuple, missing: int | str) -> None:
        found, optional, seconds = ran
        row = [who, revision, way, counted(found, optional, True), counted(found, optional, False), missing, f"{seconds:.1f}"]
        rows.append(row)
        print(*row, flush=True)

    def one(who: str, url: str) -> None:
        served = REVISIONS[:1] if who in OURS else REVISIONS
        for revision in given.revision or served:
            if given.short and (who, revision) not in SHORT:
                continue
            direct = judged(url, revision)
            line(who, revision, "direct", direct, "")
            if who in OURS:
                lost.extend(f"{who} {revision}: {fault}" for fault in wrong(direct[0]))
            for at, template in enumerate(given.proxy, 1):
                with proxied(template, url) as (front, lines):
                    through = judged(front, revision)
                gone = losses(direct[0], through[0])
                lost.extend(f"{who} {revision} proxy {at}: {loss}" for loss in gone)
                line(who, revision, f"proxy {at}", through, len(gone))
                rules.extend(f"{who} {revision} proxy {at}: {count} x {name}" for name, count in flagged(lines).most_common())

    if given.upstream:
        one("upstream", given.upstream)
    else:
        for who in dict.fromkeys(who for who, _ in sorted(SHORT)) if given.short else given.server or SERVERS:
            with server(who) as url:
                one(who, url)

    head = ["server", "revision", "way", "required", "optional", "lost", "seconds"]
    told = table(head, rows)
    print(f"\n{told}\n")
    if given.markdown:
        given.markdown.write_text(f"{told}\n")
    for title, items in (("flagged by the proxy", rules), ("LOST", lost)):
        if items:
            print(title, *items, sep="\n  ")
    return 1 if lost and not given.told_only else 0


if __name__ == "__main__":
    main(body)
