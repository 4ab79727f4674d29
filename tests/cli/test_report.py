"""What TRIGON_REPORT and TRIGON_TRACE say of a call is what was called."""

import json
import re
import unittest

import numpy as np

from support import Case


class Observed(Case):
    def solve(self, m, n, **env):
        """Solves for n right-hand sides; what the report and the trace of that say."""
        np.save(self.path("a.npy"), 2 * np.eye(m))
        np.save(self.path("b.npy"), np.ones((m, n)))
        self.succeeds("solve", "--triangle", self.path("a.npy"), "--rhs", self.path("b.npy"), "--out",
                      self.path("x.npy"), "--lower", "--force",
                      env={"TRIGON_REPORT": self.path("report"), "TRIGON_TRACE": self.path("trace"), **env})
        return self.read("report").decode(), self.read("trace").decode().splitlines()

    def columns(self, report, routine):
        return next(line.split()[1:] for line in report.splitlines() if line.startswith(f"trigon: {routine} "))

    def test_a_report_has_sizes_flops_and_seconds(self):
        report, (line,) = self.solve(100, 5000)
        _, path, calls, largest, seconds, gflop, speed = self.columns(report, "dtrsm")
        self.assertEqual(path, re.search(r"path=(\S+)", line)[1])
        self.assertEqual((int(calls), int(largest)), (1, 5000))
        self.assertEqual(float(gflop), 100**2 * 5000 * 1e-9)
        self.assertGreater(float(seconds), 0)
        self.assertAlmostEqual(float(speed) / (float(gflop) / float(seconds)), 1, delta=0.05)
        self.assertEqual(self.columns(report, "total"), ["total", calls, seconds, gflop])

    def test_a_trace_has_the_seconds_that_the_report_adds_up(self):
        self.solve(100, 5000)
        report, lines = self.solve(100, 700)  # both add to what is there
        seconds = [float(re.search(r"seconds=(\S+)", line)[1]) for line in lines]
        self.assertEqual(len(seconds), 2)
        self.assertTrue(all(s > 0 for s in seconds), lines)
        reported = re.findall(r"trigon: total +1 +(\S+)", report)
        for in_trace, in_report in zip(seconds, reported, strict=True):
            self.assertAlmostEqual(in_trace, float(in_report), delta=1e-6)

    def test_calls_that_multiply_nothing_add_no_flops(self):
        code = ("import numpy as np; from scipy.linalg.blas import dgemm\n"
                "a = np.ones((300, 300), order='F'); dgemm(0.0, a, a)")
        done = self.succeeds("run", "--report", "--", "/usr/bin/python3", "-c", code)
        self.assertEqual(self.columns(done.stderr, "dgemm")[5], "0.000", done.stderr)

    def test_a_trace_has_the_threads_of_the_call(self):
        for threads in (1, 2):
            with self.subTest(threads):
                env = {"TRIGON_NUM_THREADS": str(threads)}
                if json.loads(self.succeeds("info", "--json", env=env).stdout)["cpu"]["threads"] < threads:
                    self.skipTest("one thread")
                _, lines = self.solve(700, 700, **env)
                self.assertEqual(re.search(r"threads=(\d+)", lines[-1])[1], str(threads))
                explained = json.loads(self.succeeds("explain", lines[-1], "--json", env=env).stdout)
                self.assertEqual(explained["plan"]["threads"], threads)


if __name__ == "__main__":
    unittest.main()
