"""The testers of the reference BLAS (xblat2*, xblat3*) and of CBLAS (x?cblat2, x?cblat3), from libblas-test."""

import re
from collections import Counter

import proof
import system
from session import Row

PACKAGES = ["libblas-test", "libblas3"]
TITLE = "BLAS testers of netlib, Fortran and CBLAS, all precisions"

# The sizes in the package end at 9. These surround vector and tile sizes and stay below the testers' limit of 65.
LARGE = [17, 32, 33, 65]

_REQUEST = re.compile(r"^(\S+)\s+T PUT F FOR NO TEST", re.MULTILINE)
_COMPUTED = re.compile(r"^\s*(\w+)\s+PASSED THE (?:\S+-MAJOR\s+)?COMPUTATIONAL TESTS \(\s*(\d+) CALLS\)",
                       re.MULTILINE)
_ERRORS = re.compile(r"^\s*(\w+)\s+PASSED THE TESTS OF ERROR-EXITS", re.MULTILINE)
_BAD = re.compile(r"^.*(?:\bFAIL|\*{3,}|SUSPECT|ABANDONED|FATAL).*$", re.MULTILINE)


def with_sizes(text, sizes):
    """The input file with other values of N."""
    text, count = re.subn(r"(?m)^\d+(\s+NUMBER OF VALUES OF N)$", rf"{len(sizes)}\1", text)
    text, values = re.subn(r"(?m)^[\d ]+?(\s+VALUES OF N)$", " ".join(map(str, sizes)) + r"\1", text)
    if (count, values) != (1, 1):
        raise RuntimeError("the input file of a netlib tester has no list of N where it used to be")
    return text


def requested(text):
    """The routines that an input file asks to be tested."""
    return _REQUEST.findall(text)


def judge(text, output, cblas):
    """Objections to a tester's output, and the number of calls it says it made."""
    asked = requested(text)
    objections = [" ".join(line.split()) for line in _BAD.findall(output)]
    computed = Counter(routine.lower() for routine, _ in _COMPUTED.findall(output))
    errors = len(_ERRORS.findall(output))
    # CBLAS is tested in both layouts, and each prints its line; not all testers say which is which.
    for routine in map(str.lower, asked):
        if computed[routine] != (2 if cblas else 1):
            objections.append(f"{routine}: {computed[routine]} passes of the computational tests")
    # By number: two of the CBLAS testers call cgerc by the name of cgeru here.
    if errors != len(asked):
        objections.append(f"{errors} of {len(asked)} routines pass the tests of error exits")
    if not computed and not errors:
        return ["no verdict at all: " + (" ".join(output.split())[:100] or "no output")], 0
    if not asked:
        objections.append("the input file asks for no test")
    if "END OF TESTS" not in output:
        objections.append("the output is cut short")
    return objections, sum(int(calls) for _, calls in _COMPUTED.findall(output))


def programs():
    for p in "sdcz":
        for level in (2, 3):
            yield f"xblat{level}{p}", f"{p}blat{level}.in", False
            yield f"x{p}cblat{level}", f"{p}in{level}", True


def run(session):
    for program, source, cblas in programs():
        stock = system.lib("blas", source).read_text()
        for name, text in ((program, stock), (f"{program}-large", with_sizes(stock, LARGE))):
            directory = session.directory("netlib", name)
            for stale in directory.glob("*.out"):
                stale.unlink()
            outcome = session.execute([system.lib("blas", program)], directory, "tester", text)
            # The Fortran testers write their verdicts to a file that the input names.
            summary = re.match(r"'(\S+\.out)'", text)
            written = directory / summary[1] if summary else None
            output = outcome.out + (written.read_text(errors="replace") if written and written.exists() else "")
            objections, calls = judge(text, output, cblas)
            ours = [r for r in (r.lower().removeprefix("cblas_") for r in requested(text)) if r in proof.ALL]
            objections = outcome.trouble() + objections + proof.objections(outcome, ours)
            yield Row("netlib", name, objections, f"{len(requested(text))} routines, {calls} calls", outcome.calls,
                      outcome.seconds)
