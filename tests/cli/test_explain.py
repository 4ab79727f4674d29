"""`trigon explain` takes a line of a trace and says what would be done."""

import json
import unittest

from support import Case, trigon

BACKENDS = json.loads(trigon("info", "--json").stdout)["backends"]
DEVICE = any(b["name"] == "opencl" and b["available"] for b in BACKENDS)


class Explain(Case):
    def explain(self, *words):
        return json.loads(self.succeeds("explain", *words, "--json").stdout)

    def test_words_name_the_backend_and_the_path(self):
        text = self.succeeds("explain", "dtrsm", "m=1024", "n=16").stdout
        self.assertIn("dtrsm", text)
        self.assertIn("backend: cpu", text)
        self.assertIn("path: ", text)

    def test_inverses_that_the_processor_does_not_have_are_said_to_be_none(self):
        said = "solve: exact, this backend inverts no blocks"
        self.assertIn(said, self.succeeds("explain", "--solve", "inverted", "dtrsm", "m=100", "n=100").stdout)
        self.assertIn(said, self.succeeds("explain", "dtrsv", "n=9", env={"TRIGON_SOLVE": "inverted"}).stdout)
        self.assertNotIn("solve:", self.succeeds("explain", "dtrsm", "m=100", "n=100").stdout)
        self.assertNotIn("solve:", self.succeeds("explain", "--solve", "inverted", "dtrmm", "m=9", "n=9").stdout)
        self.assertIn("neither exact nor inverted",
                      self.succeeds("explain", "dtrsm", "m=9", "n=9", env={"TRIGON_SOLVE": "fast"}).stderr)

    def test_every_routine(self):
        routines = [p + o for p in "sdcz" for o in
                    ("gemm", "symm", "syrk", "syr2k", "trmm", "trsm", "trmv", "trsv")]
        routines += [p + o for p in "cz" for o in ("hemm", "herk", "her2k")]
        no_k, no_m = ("mm", "sm"), ("rk", "r2k", "mv", "sv")
        for routine in routines:
            with self.subTest(routine):
                sizes = ["m=70", "n=50", "k=30"]
                if routine.endswith(no_m):
                    sizes.remove("m=70")
                if routine[1:] != "gemm" and routine.endswith((*no_k, "mv", "sv")):
                    sizes.remove("k=30")
                out = self.explain(routine, *sizes)
                self.assertEqual(out["routine"], routine)
                self.assertGreater(out["flops"], 0)
                self.assertTrue(out["plan"]["words"])

    def test_what_it_prints_can_be_explained_again(self):
        first = self.explain("ztrmm", "uplo=U", "transa=C", "side=R", "m=300", "n=200", "alpha=2,-1", "lda=512")
        again = self.explain(first["call"])
        self.assertEqual(first, again)

    def test_the_sign_of_an_imaginary_zero_is_kept(self):
        call = self.explain("ztrsm", "m=3", "n=2", "alpha=2,-0")["call"]
        self.assertIn(" alpha=2,-0 ", call)
        self.assertEqual(self.explain(call)["call"], call)
        self.assertIn(" alpha=2 ", self.explain("ztrsm", "m=3", "n=2", "alpha=2,0")["call"])

    def test_comments_of_a_trace_are_ignored(self):
        self.assertEqual(self.explain("dtrsm m=5 n=3 # seconds=1 path=packed door=fortran"),
                         self.explain("dtrsm", "m=5", "n=3"))

    def test_tasks_do_all_the_work(self):
        for words in (["dtrsm", "m=2000", "n=300"], ["ztrmm", "m=700", "n=90", "side=R"], ["dsyrk", "n=900", "k=100"]):
            with self.subTest(words):
                out = self.explain(*words, "--tasks")
                self.assertGreater(len(out["tasks"]), 0)
                total = sum(task["flops"] for task in out["tasks"])
                # A leaf of a rank-k update counts its triangle as n (n + 1) / 2; BLAS counts n squared in all.
                self.assertAlmostEqual(total / out["flops"], 1, delta=0.02)
                self.assertEqual(min(task["level"] for task in out["tasks"]), min(
                    task["level"] for task in out["tasks"] if task["flops"] > 0))

    def test_tasks_are_printed(self):
        text = self.succeeds("explain", "dtrsm", "m=2000", "n=300", "--tasks").stdout
        self.assertRegex(text, r"\n +1 +\w+ ")
        self.assertIn("share", text)

    def test_any_size_can_be_explained(self):
        self.assertGreater(self.explain("dtrsm", "m=900000000000", "n=50")["flops"], 1e25)
        self.fails(2, "more than a million", "explain", "dtrsm", "m=900000000000", "n=50", "--tasks")

    def test_calls_that_multiply_nothing_have_no_flops(self):
        for words in (("dtrsm", "m=1000", "n=100", "alpha=0"), ("zgemm", "m=9", "n=9", "k=9", "alpha=0", "beta=2")):
            out = self.explain(*words)
            self.assertEqual((out["plan"]["path"], out["flops"]), ("scale", 0))

    def test_an_instruction_set_that_there_is_not_is_said(self):
        done = self.succeeds("explain", "dtrsm", "m=10", "n=10", env={"TRIGON_CPU_TARGET": "bogus"})
        self.assertIn("TRIGON_CPU_TARGET=bogus: not built", done.stderr)
        self.assertIn("instructions: ", done.stdout)
        done = self.succeeds("explain", "dtrsm", "m=10", "n=10", env={"TRIGON_CPU_TARGET": "scalar"})
        self.assertIn("instructions: scalar\n", done.stdout)

    def test_bad_calls_are_named(self):
        self.fails(2, "'bad=1'.*unknown field", "explain", "dtrsm", "bad=1")
        self.fails(2, "'dfoo' is not a routine", "explain", "dfoo")
        self.fails(2, "'m=x'.*not a number", "explain", "dtrsm", "m=x")
        self.fails(2, r"\(m\) is -1", "explain", "dtrsm", "m=-1")
        self.fails(2, r"\(lda\)", "explain", "dtrsm", "m=10", "n=2", "lda=3")
        self.fails(2, "'uplo=Q'", "explain", "dtrsm", "uplo=Q")
        self.fails(2, "'beta=5': dtrsm has no beta", "explain", "dtrsm", "m=3", "n=2", "beta=5")
        self.fails(2, "'m=3': given twice", "explain", "dtrsm", "m=3", "m=3")
        self.fails(2, "'lda=0': must be at least 1", "explain", "dtrsm", "m=3", "n=2", "lda=0")
        self.fails(2, "'alpha=1,2': dtrsm takes a real alpha", "explain", "dtrsm", "alpha=1,2")
        self.fails(2, "required", "explain")


@unittest.skipUnless(DEVICE, "no OpenCL device")
class Opencl(Case):
    TRSM = ("dtrsm", "m=500", "n=500")
    INVERTS = "solve: by inverses of diagonal blocks of order "

    def explain(self, *words, table="", solve=None):
        env = {"TRIGON_TUNING": self.write("t.tuning", table) if table else None, "TRIGON_SOLVE": solve}
        return self.succeeds("explain", "--backend", "opencl", *words, env=env).stdout

    def test_what_is_inverted_on_request(self):
        panels = "opencl.kernels 1 1 1 1\nopencl.invert.d 64\n"
        self.assertIn(self.INVERTS + "64,", self.explain(*self.TRSM, table=panels, solve="inverted"))
        self.assertIn(self.INVERTS + "64,", self.explain(*self.TRSM, "--solve", "inverted", table=panels))
        for solve in (None, "exact"):
            self.assertNotIn("solve:", self.explain(*self.TRSM, table=panels, solve=solve))
        self.assertNotIn("solve:", self.explain("dtrmm", "m=500", "n=500", table=panels, solve="inverted"))
        self.assertNotIn("solve:", self.explain(*self.TRSM, "alpha=0", table=panels, solve="inverted"))

    def test_what_is_exact_on_request_of_inverses_too(self):
        self.assertIn("solve: exact, one right-hand side is substituted",
                      self.explain("dtrsv", "n=500", solve="inverted"))
        self.assertIn("solve: exact, these kernels invert no blocks",
                      self.explain(*self.TRSM, table="opencl.kernels 2 2 2 2\n", solve="inverted"))

    def test_a_table_that_does_not_suit_the_device_is_said_to_do_no_call(self):
        wrong = "no call is made: tuning entry opencl.vector.d 3 is none of 2 4 8 16"
        self.assertIn(wrong, self.explain(*self.TRSM, table="opencl.vector.d 3\n"))
        self.assertNotIn("no call is made", self.explain("strsm", "m=500", "n=500", table="opencl.vector.d 3\n"))


if __name__ == "__main__":
    unittest.main()
