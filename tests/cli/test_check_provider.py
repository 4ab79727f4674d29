"""`trigon check --provider` admits a right GEMM and names what is wrong with the others."""

import json
import os
import unittest

from support import Case, trigon

FOLDER = os.environ["GEMM_FOLDER"]


class Provider(Case):
    def probes(self, provider, admitted, *more, seconds=1):
        done = trigon("check", "--provider", provider, "--seconds", str(seconds), "--json", "--quiet", *more)
        self.assertEqual(done.returncode, 0 if admitted else 1, done.stdout + done.stderr)
        out = json.loads(done.stdout)
        self.assertEqual(out["passed"], admitted)
        return {probe["property"]: probe for probe in out["probes"]}

    def finds(self, defect, *properties):
        """The GEMM with this defect fails these properties and no others."""
        probes = self.probes(f"{FOLDER}/libtest_gemm_{defect}.so", False, "--precision", "d")
        failed = [name for name, probe in probes.items() if not probe["passed"]]
        self.assertEqual(sorted(failed), sorted(properties))
        for name in failed:
            self.assertTrue(probes[name]["reason"])
            self.assertIn("gemm", probes[name]["call"])
        return probes

    RIGHT = "right results"
    BOUNDS = "no access out of bounds"
    OVERWRITES = "beta = 0 overwrites without reading"
    NAN = "NaN and Inf reach exactly the entries that depend on them"

    def test_a_right_one_is_admitted(self):
        # A busy machine needs more than a second for a hundred cases of each.
        probes = self.probes(f"{FOLDER}/libtest_gemm_none.so", True, seconds=4)
        self.assertEqual(len(probes), 7)
        for name in (self.RIGHT, self.BOUNDS, self.OVERWRITES, self.NAN):
            self.assertGreaterEqual(probes[name]["cases"], 100)

    def test_wrong_results(self):
        failed = [name for name, probe in self.probes(f"{FOLDER}/libtest_gemm_drops_terms.so", False).items()
                  if not probe["passed"]]
        self.assertIn(self.RIGHT, failed)

    def test_one_element_read_too_far(self):
        probes = self.finds("reads_too_far", self.BOUNDS)
        self.assertRegex(probes[self.BOUNDS]["reason"], "segmentation fault|exit status")

    def test_c_read_where_beta_is_zero(self):
        failed = [name for name, probe in self.probes(f"{FOLDER}/libtest_gemm_reads_c.so", False).items()
                  if not probe["passed"]]
        self.assertIn(self.OVERWRITES, failed)

    def test_nan_times_a_padded_zero(self):
        self.finds("spreads_nan", self.NAN)

    def test_nan_hidden_behind_a_zero(self):
        self.finds("skips_zeros", self.NAN)

    def test_padding_written(self):
        failed = [name for name, probe in self.probes(f"{FOLDER}/libtest_gemm_writes_padding.so", False).items()
                  if not probe["passed"]]
        self.assertIn(self.BOUNDS, failed)

    def test_one_buffer_for_all_callers(self):
        self.finds("is_not_reentrant", "eight callers at once")

    def test_threads_of_its_own(self):
        probes = self.finds("keeps_a_thread", "no threads of its own")
        self.assertIn("1 thread(s) of its own", probes["no threads of its own"]["reason"])

    def test_the_process_ended_as_if_all_were_well(self):
        probes = self.probes(os.environ["EXITS"], False, "--precision", "d")
        for probe in probes.values():
            self.assertFalse(probe["passed"])
            self.assertEqual(probe["reason"], "it ended the process without a report")
            self.assertIn("dgemm", probe["call"])
        self.fails(2, "opening .*: it ended the process without a report", "check", "--provider", os.environ["EXITS"],
                   env={"TEST_EXITS_WHEN_LOADED": "1"})

    def test_spurious_flags(self):
        self.finds("raises_flags", "no spurious floating-point exceptions")


class Names(Case):
    def test_what_is_no_provider(self):
        self.fails(2, "no such library is known", "check", "--provider", "oblas")
        self.fails(2, "cannot open /nowhere/lib.so", "check", "--provider", "/nowhere/lib.so")
        self.fails(2, "has no sgemm_", "check", "--provider", os.environ["BROKEN_BLAS"])

    def test_the_text_says_what_it_means(self):
        done = trigon("check", "--provider", f"{FOLDER}/libtest_gemm_reads_too_far.so", "--seconds", "0.5", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"no access out of bounds .* FAILED")
        self.assertIn("Not admitted", done.stdout)


if __name__ == "__main__":
    unittest.main()
