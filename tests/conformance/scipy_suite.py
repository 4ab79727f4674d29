"""SciPy's and NumPy's own test-suites of linear algebra, as Debian packages them: their BLAS and LAPACK wrappers, solvers,
decompositions, and NumPy's error handler, which raises."""

import xml.etree.ElementTree as ElementTree
from collections import Counter

import proof
from session import Row

PACKAGES = ["python3-scipy", "python3-numpy", "python3-pytest", "python3-hypothesis", "liblapack3"]
TITLE = "the test-suites of scipy.linalg and numpy.linalg (python3-scipy, python3-numpy)"

# The modules whose tests call the routines directly, and the solvers and factorisations built on them.
QUICK = ["test_blas", "test_fblas", "test_lapack", "test_decomp_cholesky", "test_cython_blas", "test_solvers"]

REQUIRED = [p + op for op, precisions in proof.ROUTINES.items() for p in precisions if op in
            ("gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm", "trmv")]


def parse(text):
    """Outcome by test, from a JUnit file. A test that fails and errs counts as failed."""
    outcomes = {}
    for case in ElementTree.fromstring(text).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        kinds = {child.tag for child in case}
        outcome = next((kind for kind in ("failure", "error", "skipped") if kind in kinds), "passed")
        if outcomes.get(name) not in ("failure", "error"):
            outcomes[name] = outcome
    return outcomes


def judge(ours, base):
    """Tests that do worse than without Trigon, or that did not run."""
    bad = ("failure", "error")
    objections = [f"{name}: {outcome}" for name, outcome in sorted(ours.items())
                  if outcome in bad and base.get(name) not in bad]
    objections += [f"{name}: not run" for name in sorted(base) if name not in ours]
    objections += [f"{name}: skipped, passed without Trigon" for name in sorted(base)
                   if base[name] == "passed" and ours.get(name) == "skipped"]
    if not any(outcome == "passed" for outcome in ours.values()):
        objections.append("no test passed")
    return objections


def run(session):
    directory = session.directory("scipy")
    modules = [f"scipy.linalg.tests.{name}" for name in QUICK] if session.quick else ["scipy.linalg"]
    modules.append("numpy.linalg")
    label = "linalg-quick" if session.quick else "linalg"

    def once(name, trigon):
        xml = directory / f"{name}.xml"
        xml.unlink(missing_ok=True)
        # The interpreter that Debian's SciPy belongs to, whatever comes first in PATH.
        command = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={xml}",
                   "--pyargs", *modules]
        outcome = session.execute(command, directory, name, trigon=trigon, timeout=1200)
        return outcome, parse(xml.read_text()) if xml.exists() else {}

    base = session.baseline(f"scipy-{label}", PACKAGES, modules, lambda: once(f"{label}.without", False)[1])
    outcome, ours = once(label, True)
    objections = judge(ours, base)
    # pytest exits with 1 when tests fail: those have been judged. Anything else is trouble.
    if outcome.timed_out or outcome.code not in (0, 1):
        objections += outcome.trouble()
    objections += proof.objections(outcome, REQUIRED)
    counts = Counter(ours.values())
    known = sum(base[name] in ("failure", "error") for name in base)
    detail = f"{counts['passed']} passed, {counts['skipped']} skipped" + (f", {known} known failures" if known else "")
    yield Row("scipy", label, objections, detail, outcome.calls, outcome.seconds)
