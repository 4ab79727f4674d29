"""bench/lapack/lapack_table.py judges what it times."""

import json
import os
import subprocess
import sys
import unittest

from support import TRIGON, Case

try:
    import scipy
except ImportError:
    scipy = None


@unittest.skipUnless(scipy, "no SciPy")
class Table(Case):
    def setUp(self):
        super().setUp()
        self.lapack = os.environ["LAPACK"]

    def table(self, *arguments, status=0):
        """Runs it on a folder like that of a build, with this LAPACK as Trigon's."""
        for folder in ("bin", "lib", "examples"):
            os.mkdir(self.path(folder))
        os.symlink(TRIGON, self.path("bin/trigon"))
        os.symlink(os.environ["ROUTINES"], self.path("examples/lapack_routines"))
        os.symlink(os.environ["BLAS"], self.path("lib/libtrigon_blas.so"))
        os.symlink(self.lapack, self.path("lib/libtrigon_lapack.so"))
        done = subprocess.run([sys.executable, os.environ["TABLE"], "--build", self.folder, "--rounds", "1",
                               "--max-size", "100", "--json", self.path("j"), *arguments],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        with open(self.path("j")) as file:
            rows = json.load(file)["rows"]
        self.assertEqual(len(rows), 22)
        self.text, self.errors = done.stdout.splitlines()[1:], done.stderr
        return rows

    def test_every_result_is_judged_and_right(self):
        for row in self.table("--peer", "blas=" + os.environ["BLAS"]):
            self.assertEqual(row["right"], {"trigon": True, "blas": True}, row)
            for error in row["error_over_bound"].values():
                self.assertLessEqual(0, error)
                self.assertLess(error, 0.5)
        self.assertNotIn("!", "".join(self.text))

    def test_a_wrong_result_of_a_peer_is_marked_and_no_peer(self):
        rows = self.table("--peer", "wrong=" + os.environ["WRONG"], "--min-ratio", "1e-9")
        for row, line in zip(rows, self.text):
            self.assertTrue(row["right"]["trigon"], row)
            self.assertEqual("!" in line, not row["right"]["wrong"], line)
            if row["routine"] in ("dpotrf", "cholesky"):
                self.assertFalse(row["right"]["wrong"], row)
            if row["routine"] in ("dgetrf", "dtrtri", "lu_factor", "inv", "solve_triangular"):
                self.assertTrue(row["right"]["wrong"], row)

    def test_a_wrong_result_of_ours_is_a_failure(self):
        self.lapack = os.environ["WRONG"]
        rows = self.table(status=1)
        wrong = [row for row in rows if not row["right"]["trigon"]]
        self.assertLessEqual({"dpotrf", "cholesky"}, {row["routine"] for row in wrong})
        self.assertIn(f"{len(wrong)} wrong result(s) of Trigon", self.errors)


if __name__ == "__main__":
    unittest.main()
