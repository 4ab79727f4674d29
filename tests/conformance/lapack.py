"""LAPACK's own test programs, from liblapack-test: the inputs that its lapack_testing.py runs."""

import re
from collections import Counter

import proof
import system
from session import Row

PACKAGES = ["liblapack-test", "liblapack3", "libblas3"]
TITLE = "LAPACK's test programs: linear equations, RFP, mixed precision, eigenproblems, least squares"

_PASSED = re.compile(r"All tests for (.+?)\s+passed the threshold\s*(?:\(\s*(\d+) tests run\))?")
_FAILED = re.compile(r"^\s*(.+?):\s*(\d+) out of\s+(\d+) tests failed to pass the threshold", re.MULTILINE)
_ERROR_EXITS = re.compile(r"^\s*(.+?) passed the tests of the error exits", re.MULTILINE)
_TROUBLE = re.compile(r"^.*(?:\*\*\*|[Ii]llegal|\bINFO\b|[Ff]ailed the tests|did not).*$", re.MULTILINE)

# What each program calls on its inputs: known from its sources, and required of the trace.
LINEAR = ("gemm", "trsm", "trmm", "trmv", "trsv")
RANK_K = {"s": ("syrk",), "d": ("syrk",), "c": ("herk",), "z": ("herk",)}


def _label(text):
    """'DGE routines' and 'DGE' are the same tests; 'DGE drivers' are others."""
    words = text.split()
    return words[0] + (" drivers" if "drivers" in words else "")


def parse(output):
    """A tester's output as plain data: tests run and failed by label, error exits passed, lines of trouble."""
    ran, failed = Counter(), Counter()
    for label, count in _PASSED.findall(output):
        ran[_label(label)] += int(count or 1)
    for label, bad, count in _FAILED.findall(output):
        ran[_label(label)] += int(count)
        failed[_label(label)] += int(bad)
    trouble = Counter(re.sub(r"[-+\d.]+", "#", " ".join(line.split())) for line in _TROUBLE.findall(output))
    return {"ran": ran, "failed": failed, "error exits": Counter(_ERROR_EXITS.findall(output)), "trouble": trouble,
            "ended": "End of tests" in output}


def judge(ours, base):
    """What is worse than without Trigon."""
    objections = []
    for label, count in ours["failed"].items():
        if count > base["failed"].get(label, 0):
            objections.append(f"{label}: {count} of {ours['ran'][label]} tests fail, "
                              f"{base['failed'].get(label, 0)} without Trigon")
    for label, count in base["ran"].items():
        if ours["ran"].get(label, 0) < count:
            objections.append(f"{label}: {ours['ran'].get(label, 0)} of {count} tests run")
    for label, count in base["error exits"].items():
        if ours["error exits"].get(label, 0) < count:
            objections.append(f"{label}: error exits not passed")
    for line, count in ours["trouble"].items():
        if count > base["trouble"].get(line, 0):
            objections.append(line)
    if base["ended"] and not ours["ended"]:
        objections.append("the output is cut short")
    if not sum(ours["ran"].values()):
        objections.append("no test was run")
    return objections


def programs(quick):
    """(label, program, input files, required routines). All eigenproblem inputs of a precision make one row."""
    if quick:
        yield "xlintstd", "xlintstd", ["dtest"], proof.names("d", *LINEAR, *RANK_K["d"])
        return
    for p in "sdcz":
        yield f"xlintst{p}", f"xlintst{p}", [f"{p}test"], proof.names(p, *LINEAR, *RANK_K[p])
        yield f"xlintstrf{p}", f"xlintstrf{p}", [f"{p}test_rfp"], proof.names(p, "gemm", "trsm", "trmm", *RANK_K[p])
        inputs = ["nep", "sep", "se2", "svd", f"{p}ec", f"{p}ed", f"{p}gg", f"{p}gd", f"{p}sb", f"{p}sg", f"{p}bb",
                  "glm", "gqr", "gsv", "csd", "lse"]
        yield f"xeigtst{p}", f"xeigtst{p}", inputs, proof.names(p, "gemm", "trsm", "trmm", "trmv", "trsv")
    yield "xlintstds", "xlintstds", ["dstest"], ["sgemm", "strsm", "dgemm", "dtrsm"]
    yield "xlintstzc", "xlintstzc", ["zctest"], ["cgemm", "ctrsm", "zgemm", "ztrsm"]


def run(session):
    for label, program, inputs, required in programs(session.quick):
        executable = system.lib("lapack", program)
        directory = session.directory("lapack", label)
        objections, calls, seconds, tests, known = [], Counter(), 0.0, 0, 0
        for source in inputs:
            text = system.lib("lapack", f"{source}.in").read_text()

            def once(name, trigon):
                outcome = session.execute([executable], directory, name, text, trigon=trigon, timeout=600)
                return outcome, parse(outcome.out) | {"problems": outcome.trouble()}

            base = session.baseline(f"lapack-{label}-{source}", PACKAGES, text,
                                    lambda: once(f"{source}.without", False)[1])
            outcome, ours = once(source, True)
            worse = judge(ours, base) + [p for p in ours["problems"] if p not in base["problems"]]
            objections += [f"{source}: {why}" for why in worse]
            calls += outcome.calls
            seconds += outcome.seconds
            tests += sum(ours["ran"].values())
            known += sum(base["failed"].values())
        objections += [f"never reached Trigon: {r}" for r in required if not calls[r]]
        detail = f"{tests} tests" + (f", {known} known failures without Trigon" if known else "")
        yield Row("lapack", label, objections, detail, calls, seconds)
