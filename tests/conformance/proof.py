"""The proof that a program's calls reached Trigon: the summaries that the library itself wrote at exit."""

import re
from collections import Counter

ROUTINES = {
    "gemm": "sdcz", "symm": "sdcz", "hemm": "cz", "syrk": "sdcz", "herk": "cz", "syr2k": "sdcz", "her2k": "cz",
    "trmm": "sdcz", "trsm": "sdcz", "trmv": "sdcz", "trsv": "sdcz",
}
ALL = frozenset(precision + operation for operation, precisions in ROUTINES.items() for precision in precisions)

# Calls that had no work to do are not counted: their result could have come from anywhere.
IDLE = ("nothing", "scale")

# trigon: dtrsm    recursion          12        500     0.000123      0.001      8.13
_LINE = re.compile(r"^trigon: ([sdcz])([a-z0-9]+)\s+(\S+)\s+(\d+)\s+(\d+)\s", re.MULTILINE)


def names(precision, *operations):
    return [precision + operation for operation in operations]


def parse_report(text):
    """Calls with work in them, by routine, in one summary."""
    calls = Counter()
    for match in _LINE.finditer(text):
        routine = match[1] + match[2]
        if routine in ALL and match[3] not in IDLE:
            calls[routine] += int(match[4])
    return calls


def collect(files):
    """Calls by routine over the summaries of several processes, and how many of those processes made any."""
    total, processes = Counter(), 0
    for file in files:
        calls = parse_report(file.read_text(errors="replace"))
        total += calls
        processes += bool(calls)
    return total, processes


def objections(outcome, required, processes=1):
    """Why this outcome does not prove what it should; empty when it does."""
    found = []
    absent = [routine for routine in required if outcome.calls[routine] == 0]
    if absent:
        found.append("never reached Trigon: " + " ".join(absent))
    if outcome.processes < processes:
        found.append(f"{outcome.processes} of {processes} processes called Trigon")
    return found
