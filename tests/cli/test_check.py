"""`trigon check` tries what it says, repeats what it reports, and notices a broken library."""

import json
import os
import re
import shutil
import subprocess
import unittest

from support import TRIGON, Case, trigon

BACKENDS = json.loads(trigon("info", "--json").stdout)["backends"]
DEVICE = any(b["name"] == "opencl" and b["available"] for b in BACKENDS)
SHORT = ("--op", "trsm", "--precision", "d", "--max-size", "60", "--seconds", "1", "--quiet")


class Check(Case):
    def check(self, *arguments, status=0, **more):
        done = trigon("check", "--json", *arguments, **more)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        return json.loads(done.stdout)


class Library(Check):
    def test_every_instruction_set_thread_count_and_mode(self):
        out = self.check(*SHORT)
        self.assertTrue(out["passed"])
        self.assertEqual(out["failures"], [])
        titles = [part["title"] for part in out["parts"]]
        info = json.loads(self.succeeds("info", "--json").stdout)
        for target in info["cpu"]["supported"]:
            self.assertIn(f"{target}, 1 thread", titles)
            self.assertIn(f"reproducible: {target}, 2 threads", titles)
        self.assertIn(f"{info['cpu']['target']}, 2 threads", titles)
        self.assertIn("8 callers at once", titles)
        self.assertIn("wrong arguments", titles)
        for part in out["parts"]:
            self.assertGreater(part["cases"], 0, part["title"])
            self.assertEqual(part["failed"], 0)

    def test_accuracy_by_routine_and_conditioning(self):
        short = ("--op", "trsm", "herk", "--max-size", "40", "--seconds", "1", "--quiet", "--only", "1 thread")
        for part in self.check(*short)["parts"]:
            self.assertEqual(set(part["accuracy"]), {p + "trsm" for p in "sdcz"} | {"cherk", "zherk"})
            worst = [worst for routine in part["accuracy"].values() for worst in (routine["well"], routine["ill"])]
            self.assertTrue(all(0 <= w <= 1 for w in worst if w is not None))
            self.assertGreater(part["accuracy"]["dtrsm"]["ill"], 0)
            self.assertEqual(max(w for w in worst if w is not None), part["worst_error_over_bound"])
        text = self.succeeds("check", *short, "--accuracy").stdout
        self.assertRegex(text, r"trsm +(0\.\d\d +[0-9.-]+ *){4}")
        self.assertNotIn("symm ", text)

    def test_a_sweep_reaches_every_combination(self):
        out = self.check("--op", "trsm", "symm", "herk", "--max-size", "20", "--seconds", "0.1", "--only", "1 thread",
                         "--quiet")
        combinations = 2 * (16 + 16 + 24 + 24 + 4 * 4 + 2 * 4)
        for part in out["parts"]:
            self.assertGreaterEqual(part["cases"], combinations)
            routines = {path["routine"] for path in part["paths"]}
            self.assertEqual(routines, {p + "trsm" for p in "sdcz"} | {p + "symm" for p in "sdcz"} | {"cherk", "zherk"})

    def test_the_seed_is_printed_and_repeats_the_cases(self):
        done = self.succeeds("check", *SHORT, "--only", "2 threads")
        seed = re.search(r"seed (\d+),", done.stdout).group(1)
        self.assertIn("cases passed", done.stdout)
        self.assertEqual(self.check(*SHORT, "--only", "2 threads", "--seed", seed)["seed"], int(seed))

    def test_what_the_environment_settles_is_not_varied(self):
        env = {"TRIGON_CPU_TARGET": "scalar", "TRIGON_NUM_THREADS": "1", "TRIGON_REPRODUCIBLE": "1",
               "TRIGON_PROVIDER": "own"}
        titles = [part["title"] for part in self.check(*SHORT, env=env)["parts"]]
        self.assertEqual(titles, ["wrong arguments", "scalar, 1 thread", "8 callers at once"])
        titles = [part["title"] for part in self.check(*SHORT, env={**env, "TRIGON_NUM_THREADS": "2"})["parts"]]
        self.assertNotIn("1 thread", " ".join(titles))
        nothing = {name: "" for name in env}
        self.assertEqual([part["title"] for part in self.check(*SHORT, env=nothing)["parts"]],
                         [part["title"] for part in self.check(*SHORT)["parts"]])

    def test_nothing_is_traced_or_reported(self):
        env = {"TRIGON_TRACE": self.path("trace"), "TRIGON_REPORT": self.path("report")}
        self.check(*SHORT, "--only", "2 threads", env=env)
        self.assertEqual(os.listdir(self.folder), [])
        self.check("--case", "dtrsm m=5 n=3", env=env)
        self.assertEqual(sorted(os.listdir(self.folder)), ["report", "trace"], "of one case that somebody asks for")

    def test_the_drop_in_is_that_of_this_program(self):
        callers = self.check(*SHORT, "--only", "8 callers")["parts"][0]
        # Each is called twice. Were it another Trigon, its calls, a third of them, would not be counted.
        self.assertEqual(sum(path["calls"] for path in callers["paths"]), 2 * callers["cases"])

    @unittest.skipUnless(DEVICE, "no OpenCL device")
    def test_many_callers_of_a_device(self):
        callers = self.check(*SHORT, "--only", "8 callers", "--backend", "opencl")["parts"][0]
        self.assertGreater(callers["cases"], 0)
        self.assertEqual(callers["failed"], 0)


class OneCase(Check):
    def test_a_case_and_its_words(self):
        case = "ztrsm layout=R side=R uplo=U transa=C diag=U m=9 n=40 alpha=0.5,1 # seed=5 place=start shift=16 ill"
        out = self.check("--case", case)
        self.assertTrue(out["passed"])
        self.assertIn("seed=5 place=start shift=16 ill", out["case"])
        self.assertEqual(self.check("--case", out["case"])["bits"], out["bits"])

    def test_every_door_gives_the_same_bits(self):
        bits = {self.check("--case", f"dtrmm m=30 n=20 # seed=2 door={door}")["bits"] for door in ("cpp", "blas", "cblas")}
        self.assertEqual(len(bits), 1)

    def test_bad_cases(self):
        bad = lambda says, case: self.fails(2, says, "check", "--case", case)
        bad("dtrsn", "dtrsn m=3")
        bad("lda", "dtrsm m=9 n=9 lda=3")
        bad("'sed=3' is none of", "dtrsm m=3 n=3 # sed=3")
        bad("has no number", "dtrsm m=3 n=3 # seed=x")
        bad("no multiple of the element's 16 bytes", "ztrsm m=3 n=3 # shift=8")
        for case in ("dtrsm m=3037000500 n=3037000500", "dtrsm m=100000000 n=100000"):
            self.fails(3, "no memory for the operands", "check", "--case", case)

    def test_options_that_exclude_each_other(self):
        self.fails(2, "excludes", "check", "--case", "dtrsm m=3 n=3", "--provider", "openblas")
        self.fails(2, "excludes", "check", "--op", "trsm", "--provider", "openblas")


class BadUse(Check):
    def test_messages(self):
        self.fails(2, "'trsn' is no operation", "check", "--op", "trsn")
        for option in ("--case", "--provider", "--only"):
            self.fails(2, f"{option}: names nothing", "check", option, "")
        self.fails(2, "'q' is none of s, d, c, z", "check", "--precision", "q")
        self.fails(2, "no such precision", "check", "--op", "herk", "--precision", "d")
        self.fails(2, "no part of the check has 'gpu'", "check", "--only", "gpu")
        self.fails(2, "--max-size", "check", "--max-size", "0")
        self.fails(2, "--seconds", "check", "--seconds", "-3")
        self.fails(2, "--seed", "check", "--seed", "0")

    def test_the_worker_is_not_for_people(self):
        self.fails(2, "started by `trigon check`", "check-worker", "{}")
        self.fails(2, "started by `trigon check`", "check-worker", "nonsense")


class OtherDropIn(Check):
    """With another drop-in beside the library."""
    DROP_IN = None

    def setUp(self):
        super().setUp()
        shutil.copy(os.environ["TRIGON_LIBRARY"], self.path(os.environ["TRIGON_SONAME"]))
        shutil.copy(os.environ[self.DROP_IN], self.path("libtrigon_blas.so"))
        self.env = {"LD_LIBRARY_PATH": self.folder}

    def repeat(self, line, env):
        """Runs the line that a failure comes with."""
        words = line.replace("trigon check", f"'{TRIGON}' check", 1)
        return subprocess.run(words, shell=True, env={**os.environ, **env}, capture_output=True, text=True, timeout=120)


class OtherBits(OtherDropIn):
    """With a drop-in whose dtrsm is within all bounds, but not always the same."""
    DROP_IN = "OTHER_BITS"

    def findings(self, when, only):
        """What fails in these parts, and the environment in which it does."""
        folder = os.path.dirname(os.environ["TRIGON_LIBRARY"])
        env = {**self.env, "TEST_BLAS_FORWARD": f"{folder}/libtrigon_blas.so", "TEST_BLAS_DIFFERS": when}
        out = self.check(*SHORT, "--only", only, status=1, env=env)
        self.assertGreater(len(out["failures"]), 0)
        self.assertEqual(out["failed"], len(out["failures"]))
        return out["failures"], env

    def test_in_a_second_run(self):
        failures, env = self.findings("second call", "2 threads")
        # Where the second call is one of operands elsewhere, it is found as that.
        here = [failure for failure in failures if "reproducible" not in failure["part"]]
        self.assertGreater(len(here), 0)
        for failure in here:
            self.assertEqual((failure["kind"], failure["words"]), ("repeat", "a second run gave other bits"))
        done = self.repeat(here[0]["repeat"], env)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("repeat: a second run gave other bits", done.stdout)

    def test_where_operands_lie_elsewhere(self):
        failures, env = self.findings("alignment", "reproducible")
        for failure in failures:
            self.assertEqual((failure["kind"], failure["words"]),
                             ("repeat", "operands one element further on gave other bits"))
        self.assertIn("further on gave other bits", self.repeat(failures[0]["repeat"], env).stdout)

    def test_between_environments(self):
        failures, env = self.findings("two threads", "reproducible")
        for failure in failures:
            self.assertEqual(failure["kind"], "other bits")
            self.assertIn("2 threads", failure["part"])
            self.assertRegex(failure["words"], "^not the bits of reproducible: .*, 1 thread: TRIGON_CPU_TARGET=.* "
                             "TRIGON_NUM_THREADS=1 TRIGON_REPRODUCIBLE=1 trigon check --case 'dtrsm ")
        theirs = re.sub("^.*1 thread: ", "", failures[0]["words"])
        bits = {self.repeat(line, env).stdout.split("bits ")[1] for line in (failures[0]["repeat"], theirs)}
        self.assertEqual(len(bits), 2)


    def test_subnormals_flushed_from_then_on(self):
        """The results are right, and so is the way they are rounded: what comes after is not."""
        folder = os.path.dirname(os.environ["TRIGON_LIBRARY"])
        env = {**self.env, "TEST_BLAS_FORWARD": f"{folder}/libtrigon_blas.so", "TEST_BLAS_DIFFERS": "subnormals"}
        out = self.check("--case", "dtrsm m=20 n=20 # door=blas", status=1, env=env)
        self.assertEqual((out["failure"], out["words"]),
                         ("control state", "the floating-point control state has changed"))


class EndingLibrary(OtherDropIn):
    """With a drop-in that ends the process, and nothing is wrong with the status."""
    DROP_IN = "EXITS"

    def test_a_case_without_a_report_is_not_right(self):
        out = self.check("--case", "dtrsm m=5 n=4 # door=blas", status=1, env=self.env)
        self.assertFalse(out["passed"])
        self.assertEqual((out["failure"], out["words"]), ("crash", "it ended the process without a report"))

    def test_nor_is_any_other(self):
        out = self.check(*SHORT, "--only", "2 threads", status=1, env=self.env)
        for failure in out["failures"]:
            self.assertEqual(failure["kind"], "crash")
            self.assertIn("it ended the process without a report", failure["words"])


class BrokenLibrary(OtherDropIn):
    """With a drop-in whose dtrsm does nothing, or crashes."""
    DROP_IN = "BROKEN_BLAS"

    def test_wrong_results_are_reported_with_the_line_that_repeats_them(self):
        out = self.check(*SHORT, "--only", ", 1 thread", status=1, env=self.env)
        self.assertFalse(out["passed"])
        self.assertEqual({failure["kind"] for failure in out["failures"]}, {"accuracy"})
        self.assertTrue(all(part["stopped"] == (part["failed"] >= 25) for part in out["parts"]))
        done = self.repeat(out["failures"][0]["repeat"], self.env)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("accuracy: entry", done.stdout)
        self.assertEqual(self.repeat(out["failures"][0]["repeat"], {}).returncode, 0)  # with the right drop-in

    def test_crashes_are_reported_and_the_rest_is_tried(self):
        env = {**self.env, "TEST_BLAS_CRASHES": "1"}
        out = self.check(*SHORT, "--only", ", 1 thread", status=1, env=env)
        crashes = [failure for failure in out["failures"] if failure["kind"] == "crash"]
        self.assertGreater(len(crashes), 1)
        done = self.repeat(crashes[0]["repeat"], env)
        self.assertEqual(done.returncode, 1)
        self.assertIn("crash: ", done.stdout)

    def test_what_many_callers_find_is_repeated_by_all_of_them(self):
        out = self.check("--seconds", "1", "--op", "trsm", "-p", "d", "--max-size", "40", "--only", "callers", status=1,
                         env=self.env)
        line = out["failures"][0]["repeat"]
        self.assertIn("--op trsm", line)
        done = self.repeat(line + " -q", self.env)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("32 combinations", done.stdout)

    def test_the_text_says_so_too(self):
        done = trigon("check", *SHORT, "--only", "2 threads", env=self.env)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"\d+ of \d+ cases FAILED")
        self.assertRegex(done.stdout, r"TRIGON_NUM_THREADS=2 trigon check --case 'dtrsm .*door=c?blas'")


if __name__ == "__main__":
    unittest.main()
