"""LAPACK's own test programs, from liblapack-test: the inputs that its lapack_testing.py runs."""

import re
from collections import Counter

import proof
import system
from session import Row

PACKAGES = ["liblapack-test", "liblapack3", "libblas3", "libopenblas0-serial"]
TITLE = "LAPACK's test programs: linear equations, RFP, mixed precision, eigenproblems, least squares"

_PASSED = re.compile(r"All tests for (.+?)\s+passed the threshold\s*(?:\(\s*(\d+) tests run\))?")
_FAILED = re.compile(r"^\s*(.+?):\s*(\d+) out of\s+(\d+) tests failed to pass the threshold", re.MULTILINE)
_ERROR_EXITS = re.compile(r"^\s*(.+?) passed the tests of the error exits", re.MULTILINE)
_TROUBLE = re.compile(r"^.*(?:\*\*\*|[Ii]llegal|\bINFO\b|[Ff]ailed the tests|did not).*$", re.MULTILINE)

# A few of these tests compare two ways of computing the same thing with each other, some of them bit by bit. They
# pass with the reference BLAS by its order of operations, and no optimised BLAS passes them all. So what fails is
# held against this one as well, and named in the summary when only that excuses it.
PEER = "openblas"

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


def judge(ours, base, peer=None):
    """What is worse than without Trigon, and what is excused only because the peer fails there too."""
    objections, excused = [], []
    for kind, what in (("failed", "{0}: {1} of {2} tests fail, {3} without Trigon"), ("trouble", "{0}")):
        for name, count in ours[kind].items():
            known = base[kind].get(name, 0)
            if count <= known:
                continue
            if peer is not None and count <= peer[kind].get(name, 0):
                if kind == "failed":
                    excused.append(f"{name} {count} ({PEER}: {peer[kind][name]})")
                continue
            objections.append(what.format(name, count, ours["ran"].get(name, 0), known))
    for label, count in base["ran"].items():
        count -= base["failed"].get(label, 0)  # some tests are counted only when they fail
        if ours["ran"].get(label, 0) < count:
            objections.append(f"{label}: {ours['ran'].get(label, 0)} of {count} tests run")
    for label, count in base["error exits"].items():
        if ours["error exits"].get(label, 0) < count:
            objections.append(f"{label}: error exits not passed")
    if base["ended"] and not ours["ended"]:
        objections.append("the output is cut short")
    if not sum(ours["ran"].values()):
        objections.append("no test was run")
    return objections, excused


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


def rows(quick):
    """Those of linear equations once more with libtrigon_lapack.so: (label, program, inputs, required, whether)."""
    for label, program, inputs, required in programs(quick):
        yield label, program, inputs, required, False
        if program.startswith("xlintst"):
            yield f"{label}+lapack", program, inputs, required, True


def run(session):
    calls_before = Counter()
    for label, program, inputs, required, own_lapack in rows(session.quick):
        executable = system.lib("lapack", program)
        directory = session.directory("lapack", label)
        objections, excused, calls, seconds, tests = [], [], Counter(), 0.0, 0
        for source in inputs:
            text = system.lib("lapack", f"{source}.in").read_text()

            def once(name, **how):
                outcome = session.execute([executable], directory, name, text, timeout=600, lapack=own_lapack, **how)
                return outcome, parse(outcome.out) | {"problems": outcome.trouble()}

            def without(blas):
                return session.baseline(f"lapack-{program}-{source}", PACKAGES, text, blas=blas, compute=lambda: once(
                    f"{source}.{blas}", trigon=False, blas=blas)[1])

            base = without(session.blas)
            outcome, ours = once(source)
            worse, alike = judge(ours, base)
            if worse:  # the peer is asked only where it matters
                worse, alike = judge(ours, base, without(PEER))
            worse += [problem for problem in ours["problems"] if problem not in base["problems"]]
            objections += [f"{source}: {why}" for why in worse]
            excused += alike
            calls += outcome.calls
            seconds += outcome.seconds
            tests += sum(ours["ran"].values())
        objections += [f"never reached Trigon: {routine}" for routine in required if not calls[routine]]
        if own_lapack and calls == calls_before:
            objections.append("the same calls as without libtrigon_lapack.so")
        calls_before = calls
        detail = f"{tests} tests" + (f"; fail as with another optimised BLAS: {', '.join(excused)}" if excused else "")
        yield Row("lapack", label, objections, detail, calls, seconds)
