"""The judges must see every way in which a test program can fail: python3 -m unittest discover tests/conformance."""

import unittest
from collections import Counter

import hpl
import lapack
import netlib
import proof
import scalapack
import scipy_suite
from session import Outcome

NETLIB_INPUT = """6                 NUMBER OF VALUES OF N
0 1 2 3 5 9       VALUES OF N
DTRSM  T PUT F FOR NO TEST. SAME COLUMNS.
DSYRK  T PUT F FOR NO TEST. SAME COLUMNS.
"""
NETLIB_OUTPUT = """
 DTRSM  PASSED THE TESTS OF ERROR-EXITS

 DTRSM  PASSED THE COMPUTATIONAL TESTS (  2592 CALLS)

 DSYRK  PASSED THE TESTS OF ERROR-EXITS

 DSYRK  PASSED THE COMPUTATIONAL TESTS (  1944 CALLS)

 END OF TESTS
"""
LAPACK_OUTPUT = """
 DGE routines passed the tests of the error exits

 All tests for DGE routines passed the threshold (   3653 tests run)
 DPO drivers passed the tests of the error exits
 All tests for DPO drivers  passed the threshold (   1910 tests run)

 End of tests
"""
HPL_OUTPUT = """
Begin of HPL section.
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0044729 ...... PASSED
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0051000 ...... PASSED

Finished      2 tests with the following results:
              2 tests completed and passed residual checks,
              0 tests completed and failed residual checks,
              0 tests skipped because of illegal input values.
End of HPL section.
"""
SCALAPACK_OUTPUT = """
WALL    U    13   4    9     5    1    1     0.00     0.00   187.93 PASSED

Finished    432 tests, with the following results:
  432 tests completed and passed residual checks.
    0 tests completed and failed residual checks.
    0 tests skipped because of illegal input values.

END OF TESTS.
"""
PBLAS_OUTPUT = """
     ***** Computational check: PDTRSM        PASSED  *****
  |  PDTRMM           16        16        0       0
  |  PDTRSM           16        16        0       0

  End of Tests.
"""
JUNIT = """<testsuites><testsuite>
<testcase classname="t.A" name="one"/>
<testcase classname="t.A" name="two">{}</testcase>
</testsuite></testsuites>"""
REPORT = """
trigon: routine  path            calls    largest      seconds      GFLOP   GFLOP/s
trigon: dtrsm    scale               9          9     0.000001      0.000      0.10
trigon: dtrsm    packed             12        500     0.000123      0.001      8.13
trigon: dtrsm    recursion           1       2000     0.100000      4.000     40.00
trigon: zherk    nothing             3          0     0.000000      0.000      0.00
trigon: total                       22                0.100124      4.001
trigon: GEMM blocks handed to the provider openblas: 7
"""


class Judges(unittest.TestCase):
    def check(self, judge, good, *damages):
        self.assertEqual(judge(good), [])
        for old, new in damages:
            self.assertIn(old, good)
            self.assertNotEqual(judge(good.replace(old, new, 1)), [], f"{old!r} -> {new!r} was not noticed")
        self.assertNotEqual(judge(""), [], "empty output was not noticed")

    def test_netlib(self):
        self.check(lambda text: netlib.judge(NETLIB_INPUT, text, False)[0], NETLIB_OUTPUT,
                   (" DTRSM  PASSED THE COMPUTATIONAL", " ******* DTRSM FAILED ON CALL NUMBER:"),
                   (" DSYRK  PASSED THE TESTS OF ERROR-EXITS", " ******* DSYRK FAILED THE TESTS OF ERROR-EXITS"),
                   (" DSYRK  PASSED THE COMPUTATIONAL TESTS (  1944 CALLS)", ""), (" END OF TESTS", ""))

    def test_netlib_wants_both_layouts_of_cblas(self):
        self.assertNotEqual(netlib.judge(NETLIB_INPUT, NETLIB_OUTPUT, True)[0], [])

    def test_netlib_sizes(self):
        text = netlib.with_sizes(NETLIB_INPUT, [17, 65])
        self.assertEqual(text.split("\n")[:2], ["2                 NUMBER OF VALUES OF N", "17 65       VALUES OF N"])
        with self.assertRaises(RuntimeError):
            netlib.with_sizes("no list here", [1])

    def test_lapack(self):
        base = lapack.parse(LAPACK_OUTPUT)
        self.check(lambda text: lapack.judge(lapack.parse(text), base)[0], LAPACK_OUTPUT,
                   ("All tests for DGE routines passed the threshold (   3653 tests run)",
                    "DGE:      1 out of   3653 tests failed to pass the threshold"),
                   ("All tests for DPO drivers  passed the threshold (   1910 tests run)", ""),
                   ("1910 tests run", "1909 tests run"), ("DGE routines passed the tests of the error exits", ""),
                   (" End of tests", ""), ("\n\n", "\n *** Error code from DGETRF = 3\n"))

    def test_lapack_allows_what_the_baseline_has(self):
        worse = LAPACK_OUTPUT.replace("All tests for DGE routines passed the threshold (   3653 tests run)",
                                      "DGE:      2 out of   3653 tests failed to pass the threshold")
        twice, thrice, good = map(lapack.parse, (worse, worse.replace("2 out of", "3 out of"), LAPACK_OUTPUT))
        self.assertEqual(lapack.judge(twice, twice), ([], []))
        self.assertNotEqual(lapack.judge(thrice, twice)[0], [])
        self.assertEqual(lapack.judge(twice, good, peer=thrice), ([], ["DGE 2 (openblas: 3)"]))
        self.assertNotEqual(lapack.judge(thrice, good, peer=twice)[0], [])

    def test_hpl(self):
        self.check(lambda text: hpl.judge(text, 2)[0], HPL_OUTPUT, ("...... PASSED", "...... FAILED"),
                   ("0.0044729 ...... PASSED", ""), ("0 tests skipped", "1 tests skipped"),
                   ("Finished      2", "Stopped"))
        self.assertEqual(hpl.judge(HPL_OUTPUT, 2)[1], "0.0051000")

    def test_scalapack(self):
        self.check(lambda text: scalapack.judge_factorisation(text)[0], SCALAPACK_OUTPUT,
                   ("187.93 PASSED", "187.93 FAILED"), ("432 tests completed and", "431 tests completed and"),
                   ("    0 tests skipped", "    1 tests skipped"), ("Finished    432", "Finished      0"))
        self.check(lambda text: scalapack.judge_pblas(text)[0], PBLAS_OUTPUT,
                   ("PDTRSM           16        16        0", "PDTRSM           16        15        1"),
                   ("PASSED  *****", "FAILED  *****"), ("End of Tests", ""))

    def test_pblas_without_some_tests(self):
        skipping = PBLAS_OUTPUT.replace("PDTRSM           16        16        0       0",
                                        "PDTRSM           16         8        0       8")
        self.assertNotEqual(scalapack.judge_pblas(skipping)[0], [])
        self.assertNotEqual(scalapack.judge_pblas(PBLAS_OUTPUT, ["PDTRSM"])[0], [])
        self.check(lambda text: scalapack.judge_pblas(text, ["PDTRSM"])[0], skipping,
                   ("16         8        0       8", "16         7        1       8"),
                   ("16         8        0       8", "16         7        0       9"))

    def test_scipy(self):
        base = scipy_suite.parse(JUNIT.format(""))
        self.assertEqual(scipy_suite.judge(base, base), [])
        for damage in ("<failure/>", "<error/>", "<skipped/>"):
            self.assertEqual(len(scipy_suite.judge(scipy_suite.parse(JUNIT.format(damage)), base)), 1)
        failing = scipy_suite.parse(JUNIT.format("<failure/>"))
        self.assertEqual(scipy_suite.judge(failing, failing), [])
        self.assertNotEqual(scipy_suite.judge({}, base), [])

    def test_proof(self):
        calls = proof.parse_report(REPORT)
        self.assertEqual(calls, Counter(dtrsm=13))
        outcome = Outcome(0, False, 0.0, "", "", calls, 1)
        self.assertEqual(proof.objections(outcome, ["dtrsm"]), [])
        self.assertNotEqual(proof.objections(outcome, ["dtrsm", "zherk"]), [], "calls without work are no proof")
        self.assertNotEqual(proof.objections(outcome, ["dtrsm"], processes=2), [])
        self.assertEqual(len(proof.ALL), 38)

    def test_how_a_run_ended(self):
        self.assertEqual(Outcome(0, False, 1.0, "", "").trouble(), [])
        for code, timed_out in ((1, False), (-11, False), (0, True)):
            self.assertNotEqual(Outcome(code, timed_out, 1.0, "", "").trouble(), [])


if __name__ == "__main__":
    unittest.main()
