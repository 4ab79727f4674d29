"""The control: without Trigon the proof must not succeed, and damaged output must not pass."""

import io
import time
import unittest
from collections import Counter

import netlib
import proof
import system
from session import Row

PACKAGES = netlib.PACKAGES
TITLE = "a tester without Trigon must not prove anything, and damaged output must not pass"


def run(session):
    directory = session.directory("control")
    text = system.lib("blas", "dblat3.in").read_text()
    # Another BLAS in Trigon's place, and the same request for a report.
    outcome = session.execute([system.lib("blas", "xblat3d")], directory, "tester", text,
                              extra={"LD_PRELOAD": str(system.blas_file(session.blas))})
    summary = directory / "dblat3.out"
    objections, calls = netlib.judge(text, outcome.out + (summary.read_text() if summary.exists() else ""), False)
    objections += outcome.trouble()
    if not proof.objections(outcome, ["dtrsm"]):
        objections.append("calls were counted although Trigon was not loaded")
    yield Row("control", "xblat3d", objections, f"{calls} calls, none of them counted", outcome.calls,
              outcome.seconds)

    start = time.monotonic()
    result = unittest.TextTestRunner(io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromName("test_judges"))
    objections = [f"{test.id()} fails" for test, _ in result.failures + result.errors]
    if not result.testsRun:
        objections.append("no test was run")
    yield Row("control", "judges", objections, f"{result.testsRun} tests with damaged output", Counter(),
              time.monotonic() - start)
