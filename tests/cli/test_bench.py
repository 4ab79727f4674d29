"""`trigon bench` times what it says, judges every result, and fails when it should."""

import json
import os
import re
import shutil
import unittest

from support import Case, trigon

FAST = ("--seconds", "0.005", "--quiet")


class Bench(Case):
    def bench(self, *arguments, status=0, **more):
        """Runs it and returns its JSON, with the text it printed as "text"."""
        done = trigon("bench", *arguments, *FAST, "--json", self.path("out.json"), **more)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        with open(self.path("out.json")) as file:
            out = json.load(file)
        out["text"], out["errors"] = done.stdout, done.stderr
        return out


class Rows(Bench):
    def test_a_row_has_all_there_is_to_know(self):
        out = self.bench("trsm", "--sizes", "24", "--peers", "openblas")
        (row,) = out["rows"]
        self.assertEqual(row["call"].split()[0], "dtrsm")
        self.assertEqual(row["flops"], 24**3)
        own, peer = row["results"]
        self.assertEqual((own["name"], peer["name"]), ("trigon", "openblas"))
        for result in (own, peer):
            self.assertTrue(result["right"])
            self.assertLessEqual(result["error_over_bound"], 1)
            self.assertAlmostEqual(result["gflops"], row["flops"] / result["seconds"] * 1e-9, delta=1e-6)
        self.assertAlmostEqual(row["ratio"], peer["ratio"])
        self.assertGreater(row["peak_gflops"], own["gflops"] * 0.5)
        self.assertEqual(row["best_peer"], "openblas")

    def test_provenance_names_everything_that_was_timed(self):
        out = self.bench("trmm", "--sizes", "8", "--peers", "openblas")
        provenance = out["provenance"]
        for key in ("date", "command", "commit", "cpu", "system", "provider", "tuning", "implementations"):
            self.assertIn(key, provenance)
        files = {one["name"]: one["path"] for one in provenance["implementations"]}
        for path in files.values():
            self.assertTrue(os.path.isfile(path))
        self.assertIn("trigon_blas", files["trigon"])

    def test_another_trigon_is_a_peer_apart_from_this_one(self):
        here = self.bench("trsm", "--sizes", "8", "--peers", "none")["provenance"]["implementations"][0]["path"]
        folder = shutil.copytree(os.path.dirname(here), self.path("another"), symlinks=True)
        out = self.bench("trsm", "--sizes", "8", "--peers", f"{folder}/{os.path.basename(here)},{here}")
        results = out["rows"][0]["results"]
        self.assertEqual([one["name"] for one in results], ["trigon", "libtrigon_blas", "libtrigon_blas-2"])
        self.assertTrue(all(one["right"] for one in results))
        # Theirs are not counted: they are other copies of everything.
        self.assertEqual(sum(path["calls"] for path in out["counts"]["paths"]), 1)

    def test_path_counts_prove_who_did_the_work(self):
        out = self.bench("symm", "trsv", "--sizes", "40", "--peers", "none")
        calls = {path["routine"]: path["calls"] for path in out["counts"]["paths"]}
        self.assertEqual(calls, {"dsymm": 1, "dtrsv": 1})
        self.assertIn("No other routine of a provider is called", out["text"])

    def test_all_variants_and_precisions(self):
        out = self.bench("trsm", "herk", "--variants", "all", "--precision", "dz", "--sizes", "5", "--peers", "none")
        count = {}
        for row in out["rows"]:
            count[row["routine"]] = count.get(row["routine"], 0) + 1
        self.assertEqual(count, {"dtrsm": 16, "ztrsm": 24, "zherk": 4})

    def test_a_sample_of_variants_and_random_rows_depend_on_the_seed_alone(self):
        def calls(seed, *operations):
            out = self.bench(*operations, "--variants", "sample", "--sizes", "6,9", "--random", "4", "--seed", seed,
                             "--peers", "none")
            return [row["call"] for row in out["rows"] if row["routine"] == "dtrmm"]
        first = calls(7, "trmm")
        self.assertEqual(len(first), 2 * 2 + 4)
        self.assertEqual(sorted(first), sorted(calls(7, "symm", "trmm")))
        self.assertNotEqual(first, calls(8, "trmm"))

    def test_leading_dimensions_increments_and_layouts(self):
        out = self.bench("trmv", "--sizes", "30", "--ld", "both", "--inc", "1,-3", "--layout", "C,R", "--peers", "none")
        rows = [row["call"] for row in out["rows"]]
        self.assertEqual(len(rows), 2 * 2 * 2)
        self.assertEqual(sum("lda=512" in row for row in rows), 4)
        self.assertEqual(sum("incx=-3" in row for row in rows), 4)
        self.assertEqual(sum("layout=R" in row for row in rows), 4)

    def test_every_door(self):
        for door in ("blas", "cblas", "cpp"):
            out = self.bench("trsm", "--sizes", "16", "--door", door, "--peers", "none")
            self.assertTrue(out["rows"][0]["results"][0]["right"])

    def test_two_threads_are_processes_of_their_own(self):
        out = self.bench("trsm", "--sizes", "64", "--threads", "1,2", "--peers", "openblas")
        self.assertEqual([row["threads"] for row in out["rows"]], [1, 2])
        self.assertTrue(all(result["right"] for row in out["rows"] for result in row["results"] if result["ran"]))

    def test_rows_beside_trigons_own_gemm(self):
        out = self.bench("all", "--variants", "sample", "-p", "sz", "--sizes", "12", "--shapes", "square,few-rhs,low-rank",
                         "--layout", "C,R", "--ld", "padded", "--rank", "5", "--threads", "1,2", "--peers", "gemm")
        for row in out["rows"]:
            gemm = next(r for r in row["results"] if r["name"] == "gemm")
            if row["routine"][1:] in ("trmv", "trsv"):
                self.assertIn("routine of vectors", gemm["missing"])
            else:
                self.assertTrue(gemm["right"], row["call"])
                self.assertGreater(gemm["gflops"], 0)
        counted = {path["routine"] for path in out["counts"]["paths"]}
        self.assertTrue({"sgemm", "zgemm", "ssymm", "zher2k"} <= counted, counted)

    def test_calls_in_their_own_words(self):
        out = self.bench("--call", "ztrsv n=19 incx=-2", "--call", "dgemm m=9 n=8 k=7", "--threads", "1,2",
                         "--peers", "none")
        self.assertEqual([(row["routine"], row["threads"]) for row in out["rows"]],
                         [("ztrsv", 1), ("dgemm", 1), ("ztrsv", 2), ("dgemm", 2)])

    def test_a_quick_standard_sweep(self):
        out = self.bench("standard", "--quick", "--precision", "c", "--peers", "openblas")
        operations = {row["routine"][1:] for row in out["rows"]}
        self.assertEqual(operations, {"symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm", "trmv", "trsv"})
        self.assertEqual({row["shape"] for row in out["rows"]}, {"square", "random", "few-rhs"})
        self.assertEqual(set(out["summary"]["operations"]), operations)

    def test_regions_have_bars(self):
        out = self.bench("regions", "--rounds", "3", "--time-limit", "2", "--peers", "openblas")
        self.assertGreater(len(out["regions"]), 0)
        measured = {f"{row['call']} threads={row['threads']}": row for row in out["rows"]}
        for standing in out["regions"]:
            row = measured[standing["call"]]
            self.assertAlmostEqual(standing["gflops"], row["results"][0]["gflops"], delta=1e-6)
            self.assertAlmostEqual(standing["ratio"], row["ratio"])
            if standing["ratio"] < 1 or standing["share_of_peak"] < standing["bars"]["share_of_peak"]["bar"]:
                self.assertFalse(standing["reached"])
        again = self.succeeds("bench", "--from", self.path("out.json")).stdout
        self.assertEqual(again[again.index("Regions:"):].split("\nPaths")[0].strip(),
                         out["text"][out["text"].index("Regions:"):].split("\nPaths")[0].strip())

    def test_how_even_the_variants_of_a_size_are(self):
        rows = ("trsm", "syrk", "--sizes", "20", "--variants", "all", "--evenness")
        trsm, syrk = self.bench(*rows)["evenness"]
        self.assertEqual((len(trsm["variants"]), len(syrk["variants"])), (16, 4))
        for group in (trsm, syrk):
            speeds = [v["speed"] for v in group["variants"]]
            self.assertEqual(speeds, sorted(speeds, reverse=True))
            self.assertEqual(speeds[0], 1)
            self.assertEqual(speeds[-1], group["slowest"])
        failed = self.bench(*rows, "--min-ratio", "1.01", status=1)
        self.assertIn("2 of 2 group(s) have a variant below 1.01", failed["errors"])
        self.assertEqual({g["measurements"] for g in failed["evenness"]}, {2})

    def test_a_time_limit_leaves_rows_out_and_says_so(self):
        out = self.bench("trsm", "--variants", "all", "--precision", "sdcz", "--sizes", "200", "--time-limit", "0.02",
                         "--peers", "none")
        self.assertGreater(out["left_out"], 0)
        self.assertEqual(out["left_out"] + len(out["rows"]), 2 * 16 + 2 * 24)
        self.assertIn("left out", out["text"])

    def test_progress_is_on_standard_error_and_can_be_silenced(self):
        self.assertEqual(self.bench("trsm", "--sizes", "8", "--peers", "none")["errors"], "")


class Slower(Bench):
    """Beside a library that takes a millisecond for what takes Trigon a microsecond."""
    SLOW = os.environ["BROKEN_BLAS"]
    NAME = "libtest_broken_blas"
    ROWS = ("trsm", "--sizes", "12", "--variants", "LLNN")

    def slower(self, *arguments, **more):
        return self.bench(*arguments, env={"TEST_BLAS_IS_SLOW": "1"}, **more)

    def test_a_ratio_is_their_time_over_trigons(self):
        out = self.slower(*self.ROWS, "--peers", self.SLOW, "--min-ratio", "10")
        (row,) = out["rows"]
        own, peer = row["results"]
        self.assertTrue(peer["right"])
        self.assertGreater(peer["seconds"], 5e-4)
        self.assertLess(own["seconds"], 1e-4)
        self.assertGreater(row["ratio"], 10)
        self.assertEqual(out["summary"]["all"]["below_1.0"], 0)
        self.assertNotIn("Rows behind", out["text"])

    def test_the_best_peer_is_the_fastest(self):
        out = self.slower(*self.ROWS, "--peers", f"{self.SLOW},openblas")
        (row,) = out["rows"]
        self.assertEqual(row["best_peer"], "openblas")
        self.assertEqual(row["ratio"], row["results"][2]["ratio"])
        against = self.slower(*self.ROWS, "--peers", f"{self.SLOW},openblas", "--against", self.NAME)
        self.assertGreater(against["summary"]["all"]["ratio"], 10)

    def test_a_trace_is_slower_by_as_much(self):
        trace = self.write("t", "dtrsm m=12 n=12\n" * 3)
        done = self.succeeds("bench", "--replay", trace, *FAST, "--peers", self.SLOW, env={"TEST_BLAS_IS_SLOW": "1"})
        self.assertRegex(done.stdout, r"3 calls of 1 kinds\n")
        self.assertRegex(done.stdout, r"libtest_br\w* +0\.0\d+ s  ratio \d{2,}\.")


class Judgement(Bench):
    BROKEN = os.environ["BROKEN_BLAS"]

    def test_a_wrong_peer_is_flagged_and_never_the_best(self):
        out = self.bench("trsm", "--sizes", "12", "--peers", self.BROKEN)
        own, peer = out["rows"][0]["results"]
        self.assertTrue(own["right"])
        self.assertFalse(peer["right"])
        self.assertIn("expected", peer["wrong"].replace("op(A) X there is", "expected"))
        self.assertIsNone(out["rows"][0]["best_peer"])
        self.assertIn("WRONG RESULT of libtest_broken_blas", out["text"])

    def test_a_peer_with_names_of_scipys_wheels_is_called(self):
        out = self.bench("trsm", "trmm", "--sizes", "12", "--peers", os.environ["PREFIXED_BLAS"])
        solved, multiplied = (row["results"][1] for row in sorted(out["rows"], key=lambda r: r["routine"], reverse=True))
        self.assertTrue(solved["ran"])
        self.assertFalse(solved["right"])
        self.assertIn("has no dtrmm", multiplied["missing"])

    def test_a_peer_without_the_routine_has_no_figure(self):
        out = self.bench("trmm", "--sizes", "12", "--peers", self.BROKEN)
        self.assertFalse(out["rows"][0]["results"][1]["ran"])
        self.assertIn("has no dtrmm", out["rows"][0]["results"][1]["missing"])

    def installation_with_a_broken_drop_in(self):
        shutil.copy(os.environ["TRIGON_LIBRARY"], self.path(os.environ["TRIGON_SONAME"]))
        shutil.copy(self.BROKEN, self.path("libtrigon_blas.so"))
        return {"LD_LIBRARY_PATH": self.folder}

    def test_a_wrong_result_of_ours_is_a_failure(self):
        out = self.bench("trsm", "--sizes", "12", "--peers", "none", status=1,
                         env=self.installation_with_a_broken_drop_in())
        self.assertFalse(out["rows"][0]["results"][0]["right"])
        self.assertIn("1 wrong or missing result(s) of Trigon", out["errors"])

    def test_a_wrong_result_is_not_forgotten_for_a_faster_one(self):
        out = self.bench("trsm", "--sizes", "64", "--variants", "LLNN", "--peers", "openblas", "--min-ratio", "1",
                         status=1, env={**self.installation_with_a_broken_drop_in(), "TEST_BLAS_MENDS": "1"})
        self.assertFalse(out["rows"][0]["results"][0]["right"])
        self.assertIn("1 wrong or missing result(s) of Trigon", out["errors"])

    def test_a_wrong_variant_is_a_failure_of_evenness(self):
        done = trigon("bench", "trsm", "--sizes", "12", "--variants", "all", "--evenness", *FAST,
                      env=self.installation_with_a_broken_drop_in())
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "dtrsm .*: wrong result, ")

    def test_a_plot_of_nothing_hides_no_failure(self):
        done = trigon("bench", "trsm", "--sizes", "12", "--peers", "none", *FAST, "--svg", self.path("s.svg"),
                      env=self.installation_with_a_broken_drop_in())
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 wrong or missing result(s) of Trigon", done.stderr)
        self.assertIn("nothing to plot", done.stderr)

    def test_nothing_to_be_held_against_is_a_failure(self):
        out = self.bench("trsm", "--sizes", "12", "--peers", self.BROKEN, "--min-ratio", "0.5", status=1)
        self.assertIn("no row has a right result of a peer", out["errors"])

    def test_the_total_of_a_trace_compares_the_same_work(self):
        trace = self.write("t", "dtrsm m=30 n=20 lda=30 ldb=30\nstrmv n=17 lda=20 incx=2\n")
        done = self.succeeds("bench", "--replay", trace, *FAST, "--peers", self.BROKEN + ",openblas")
        self.assertRegex(done.stdout, r"libtest_br\w* +has a right result of none")
        self.assertRegex(done.stdout, r"openblas +\d\.\d+ s  ratio \d+\.\d\d\n")

    def test_a_region_without_a_comparison_is_open(self):
        out = self.bench("regions", "--rounds", "3", "--time-limit", "0.5", "--peers", "none")
        for standing in out["regions"]:
            self.assertFalse(standing["reached"])
            self.assertIn("to compare with", standing["open"])

    def test_a_worker_that_crashes_is_named(self):
        done = trigon("bench", "trsm", "--sizes", "12", "--threads", "2", *FAST, "--peers", self.BROKEN,
                      env={"TEST_BLAS_CRASHES": "1"})
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"libtest_broken_blas.* died (of|with) ")

    def test_the_rows_of_a_worker_that_crashes_are_not_those_of_all(self):
        out = self.bench("trsm", "trmm", "--sizes", "12", "--threads", "2", "--peers", self.BROKEN, status=3,
                         env={"TEST_BLAS_CRASHES": "1"})
        trsm, trmm = out["rows"]
        for result in trsm["results"]:
            self.assertRegex(result["missing"], "libtest_broken_blas.* died (of|with) ")
        self.assertTrue(trmm["results"][0]["right"])
        self.assertRegex(out["errors"], "^trigon: dtrsm .* threads=2: libtest_broken_blas")
        self.assertNotIn("wrong or missing", out["errors"])

    def test_what_ends_the_process_does_not_end_it_well(self):
        exits = os.environ["EXITS"]
        done = trigon("bench", "trsm", "--sizes", "12", *FAST, "--peers", exits)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^trigon: libtest_exits, called as dtrsm .*, ended this process")
        done = trigon("bench", "trsm", "--sizes", "12", *FAST, "--peers", exits, "--threads", "2")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"libtest_exits.* died with status 0")

    def test_a_row_falls_short_only_in_two_measurements(self):
        out = self.bench("trsm", "--sizes", "12", "--peers", "openblas", "--min-ratio", "99", status=1)
        self.assertIn("again: dtrsm", out["text"])
        self.assertEqual(out["rows"][0]["measurements"], 2)
        self.assertIn("1 row(s) below 99", out["errors"])
        out = self.bench("trsm", "--sizes", "12", "--peers", "openblas", "--min-ratio", "0.0001")
        self.assertEqual(out["rows"][0]["measurements"], 1)

    def test_what_is_said_of_a_row_is_the_second_measurement_not_the_better(self):
        # Slow in the first, after which three rounds have made nine calls.
        out = self.bench("trsm", "--sizes", "64", "--variants", "LLNN", "--rounds", "3", "--peers", self.BROKEN,
                         "--min-ratio", "100", status=1, env={"TEST_BLAS_QUICKENS": "9"})
        (row,) = out["rows"]
        lines = [line for line in out["text"].splitlines() if re.match("(again: )?dtrsm +LLNN ", line)]
        first, second = (float(line.split()[-2]) for line in lines)
        self.assertLess(second, 0.7 * first)
        self.assertAlmostEqual(row["ratio"], second, delta=0.01)
        self.assertEqual(row["measurements"], 2)
        self.assertIn("1 row(s) below 100", out["errors"])


class BadUse(Case):
    def test_messages(self):
        self.fails(2, "stands alone", "bench", "regions", "trsm")
        self.fails(2, "has no other variant", "bench", "trsm", "--sizes", "8", "--evenness", "-q")
        self.fails(2, "times one thread", "bench", "trsm", "--sizes", "8", "--variants", "all", "--threads", "2",
                   "--evenness", "-q")
        bench = lambda says, *arguments: self.fails(2, says, "bench", *arguments)
        bench("name an operation")
        bench("'trsn' is no operation", "trsn")
        bench("--sizes: '0' is below 1", "trsm", "--sizes", "0")
        bench("--sizes: '9:3' is not a range", "trsm", "--sizes", "9:3")
        bench("more than a million sizes", "trsm", "--sizes", "1:9223372036854775807:1")
        bench("--threads: 4294967296 are more than 65536", "trsm", "--threads", "4294967296")
        bench("--sizes: '4x' is not a size", "trsm", "--sizes", "4x")
        bench("'q' is none of s, d, c, z", "trsm", "--precision", "q")
        bench("'LX' fits no variant", "trsm", "--variants", "LX")
        bench("'C512' is none of plain", "trsm", "--ld", "C512")
        bench("an increment cannot be 0|'0' is below 1", "trsv", "--inc", "0")
        bench("'oblas' is neither a path nor one of", "trsm", "--peers", "oblas")
        bench("cannot open /nowhere/libblas.so", "trsm", "--peers", "/nowhere/libblas.so")
        bench("mkl is not among the peers", "trsm", "--peers", "none", "--against", "mkl")
        bench("'R2' is neither C nor R", "trsm", "--layout", "R2")
        bench("no such precision", "herk", "--precision", "d")
        bench("the standard sweep has its own", "standard", "--shapes", "square")
        bench("the standard sweep has all, or a sample", "standard", "--variants", "LLNN")
        bench("cannot write /nowhere/out.json", "trsm", "--json", "/nowhere/out.json")
        bench("dtrsm: argument|lda", "--call", "dtrsm m=4 n=4 lda=2")
        bench("m=many", "--call", "dtrsm m=many")
        bench("does not exist", "--replay", "/nowhere/trace")

    def test_what_means_nothing_together(self):
        for mode in (("trsm", "--evenness"), ("trsm", "--breakdown"), ("trsm", "--first-call")):
            for option in (("--csv", self.path("c")), ("--svg", self.path("s")), ("--time-limit", "1")):
                self.fails(2, f"{option[0]}: means nothing with {mode[1]}", "bench", *mode, *option)
        self.fails(2, "--min-ratio: means nothing with --breakdown", "bench", "trsm", "--breakdown", "--min-ratio", "2")
        trace = self.write("trace", "dtrsm m=4 n=4\n")
        for file in (("--replay", trace), ("--from", trace)):
            self.fails(2, "an operation: means nothing with " + file[0], "bench", "trsm", *file)
            self.fails(2, "--call: means nothing with " + file[0], "bench", "--call", "dtrsm m=4 n=4", *file)
            self.fails(2, "--threads .*: means nothing with " + file[0], "bench", "--threads", "1,2", *file)

    def test_all_strides_are_named(self):
        done = self.succeeds("bench", "--call", "dgemm m=64 n=64 k=64 ldb=999", "--call", "dtrsv n=64 lda=99 incx=2",
                             "--peers", "none", *FAST)
        self.assertRegex(done.stdout, r"dgemm .* ld=64/999/64 ")
        self.assertRegex(done.stdout, r"dtrsv .* ld=99 inc=2 ")

    def test_numbers_out_of_range(self):
        for option in ("--seconds=-1", "--rounds=0", "--min-ratio=-2", "--time-limit=-1", "--seed=-1", "--limit=-1"):
            self.fails(2, option.split("=")[0], "bench", "trsm", option)

    def test_the_worker_is_not_for_people(self):
        self.fails(2, "started by `trigon bench`", "bench-worker", "--name", "x", close_fds=True)


if __name__ == "__main__":
    unittest.main()
