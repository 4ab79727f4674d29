"""What `trigon bench` writes and reads: CSV, SVG, earlier results, journals, traces, breakdowns."""

import csv
import fcntl
import json
import os
import shutil
import stat
import subprocess
import unittest
import xml.dom.minidom

from support import TRIGON, Case, trigon

FAST = ("--seconds", "0.005", "--quiet", "--peers", "none")


class Files(Case):
    def json(self, name):
        with open(self.path(name)) as file:
            return json.load(file)

    def test_csv_has_the_rows_of_the_json(self):
        self.succeeds("bench", "trsm", "--sizes", "8,16", *FAST, "--json", self.path("j"), "--csv", self.path("c"))
        with open(self.path("c"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["n"] for row in rows], ["8", "16"])
        for row, full in zip(rows, self.json("j")["rows"]):
            self.assertAlmostEqual(float(row["trigon_gflops"]), full["results"][0]["gflops"], delta=1e-3)
            self.assertEqual(row["path"], full["plan"]["path"])

    def test_svg_is_well_formed_and_has_a_panel_per_routine(self):
        self.succeeds("bench", "trsm", "trmm", "--sizes", "8,16,32", *FAST, "--svg", self.path("s"))
        document = xml.dom.minidom.parse(self.path("s"))
        words = [node.firstChild.data for node in document.getElementsByTagName("text")]
        self.assertTrue(any(word.startswith("dtrsm") for word in words))
        self.assertTrue(any(word.startswith("dtrmm") for word in words))

    def test_a_plot_of_nothing_is_an_error(self):
        done = trigon("bench", "trsm", "--sizes", "8", *FAST, "--svg", self.path("s"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing to plot", done.stderr)

    def test_earlier_results_are_printed_again(self):
        first = self.succeeds("bench", "trsv", "--sizes", "8,16", *FAST, "--json", self.path("j"))
        again = self.succeeds("bench", "--from", self.path("j"))
        table = lambda text: [line for line in text.splitlines() if line.startswith("dtrsv   L")]
        self.assertEqual(table(first.stdout), table(again.stdout))
        for peer in ("opnblas", "provider"):  # one that is not there, and that of a run with its own GEMM
            self.fails(2, f"--against {peer}: .* has no rows of ", "bench", "--from", self.path("j"), "--against", peer)
        self.fails(2, "is no file of `trigon bench --json`", "bench", "--from", self.write("x", '{"rows": 3}'))
        self.fails(2, "is no file of `trigon bench --json`", "bench", "--from", self.write("y", '{"rows": []}'))

    def test_a_journal_resumes(self):
        arguments = ("bench", "trsm", *FAST, "--journal", self.path("journal"), "--json", self.path("j"), "--sizes")
        seconds = lambda: {row["call"]: row["results"][0]["seconds"] for row in self.json("j")["rows"]}
        self.succeeds(*arguments, "8,16")
        first = seconds()
        with open(self.path("journal"), "a") as file:
            file.write('{"call": "dtrsm m=2')  # an interruption
        self.succeeds(*arguments, "8,16,24")
        self.assertEqual(len(seconds()), 3)
        self.assertEqual({call: seconds()[call] for call in first}, first)
        self.succeeds(*arguments, "8")  # the cut line is gone
        self.fails(2, "a line is no JSON", "bench", "trsm", *FAST, "--journal", self.write("bad", "what\nis this\n"))

    def test_a_journal_of_other_settings_does_not_count(self):
        arguments = ("bench", "trsm", "--sizes", "8", *FAST, "--journal", self.path("journal"), "--json", self.path("j"))
        seconds = lambda: self.json("j")["rows"][0]["results"][0]["seconds"]
        self.succeeds(*arguments, env={"TRIGON_CPU_TARGET": "scalar"})
        first = seconds()
        seen = [first]
        for more in (("--door", "cpp"), ("--seed", "7"), ("--cold",)):
            self.succeeds(*arguments, *more, env={"TRIGON_CPU_TARGET": "scalar"})
            self.assertNotIn(seconds(), seen)
            seen.append(seconds())
        self.succeeds(*arguments)
        self.assertNotIn(seconds(), seen)
        self.succeeds(*arguments, env={"TRIGON_CPU_TARGET": "scalar"})
        self.assertEqual(seconds(), first)
        table = self.write("table", "cpu.leaf 48 48 48 48\n")
        self.succeeds(*arguments, env={"TRIGON_CPU_TARGET": "scalar", "TRIGON_TUNING": table})
        first = seconds()
        self.write("table", "cpu.leaf 64 64 64 64\n")
        self.succeeds(*arguments, env={"TRIGON_CPU_TARGET": "scalar", "TRIGON_TUNING": table})
        self.assertNotEqual(seconds(), first)

    def test_a_journal_of_other_kernels_does_not_count(self):
        arguments = ("bench", "trsm", "--sizes", "8", "--seconds", "0.005", "--quiet", "--peers", "openblas",
                     "--journal", self.path("journal"))
        rows = lambda: len(self.read("journal").splitlines())
        self.succeeds(*arguments)
        variables = ("OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE", "MKL_ENABLE_INSTRUCTIONS", "OMP_PROC_BIND")
        for n, variable in enumerate(variables):
            self.succeeds(*arguments, env={variable: "1"})
            self.assertEqual(rows(), n + 2, variable)
        self.succeeds(*arguments)
        self.assertEqual(rows(), 5)
        settings = json.loads(json.loads(self.read("journal").splitlines()[0])["settings"])
        self.assertEqual(settings["processor"], json.loads(trigon("info", "--json").stdout)["cpu"]["name"])
        self.assertTrue(any("OpenBLAS" in version for _, _, version in settings["from"]), settings)

    def test_a_journal_of_a_library_before_it_was_built_again_does_not_count(self):
        folder = os.path.dirname(os.environ["TRIGON_LIBRARY"])
        library = shutil.copy(os.environ["TRIGON_LIBRARY"], self.path(os.environ["TRIGON_SONAME"]))
        shutil.copy(f"{folder}/libtrigon_blas.so", self.path("libtrigon_blas.so"))
        for door in ("cpp", "blas"):
            arguments = ("bench", "trsm", "--sizes", "8", *FAST, "--door", door, "--journal", self.path(door))
            for rows in (1, 1, 2):
                if rows == 2:
                    os.utime(library)
                self.succeeds(*arguments, env={"LD_LIBRARY_PATH": self.folder})
                self.assertEqual(len(self.read(door).splitlines()), rows, door)

    def test_a_row_without_its_newline_stays_a_row(self):
        arguments = ("bench", "trsm", *FAST, "--journal", self.path("journal"), "--sizes")
        self.succeeds(*arguments, "8")
        self.write("journal", self.read("journal").rstrip(b"\n"))
        self.succeeds(*arguments, "8,16")
        self.assertEqual(len([json.loads(line) for line in self.read("journal").splitlines()]), 2)
        self.succeeds(*arguments, "8,16")

    def test_a_journal_is_of_one_run_at_a_time(self):
        with open(self.path("journal"), "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.fails(2, "journal: another run has it", "bench", "trsm", *FAST, "--sizes", "4", "--journal",
                       self.path("journal"))
        self.succeeds("bench", "trsm", *FAST, "--sizes", "4", "--journal", self.path("journal"))

    def test_no_other_file_becomes_a_journal(self):
        for content in ("my only notes\n", "my only notes", '{"notes": 1}\n', "{notes}\n", '{"notes'):
            notes = self.write("notes", content)
            self.fails(2, "a line is no JSON|is no row", "bench", "trsm", *FAST, "--sizes", "4", "--journal", notes)
            self.assertEqual(self.read("notes").decode(), content)

    def test_a_journal_of_other_peers_does_not_count(self):
        arguments = ("bench", "trsm", "--sizes", "8", "--seconds", "0.005", "--quiet", "--journal", self.path("journal"),
                     "--json", self.path("j"), "--peers")
        self.succeeds(*arguments, "none")
        self.succeeds(*arguments, "openblas")
        self.assertEqual(len(self.json("j")["rows"][0]["results"]), 2)

    def test_results_are_replaced_whole_or_not_at_all(self):
        before = self.write("j", "precious")
        self.fails(2, "is no operation", "bench", "nonsense", "--json", before)
        partial = self.write("j.partial", "mine")
        self.succeeds("bench", "trsm", *FAST, "--sizes", "4", "--json", before)
        self.assertEqual(self.read("j.partial"), b"mine")
        self.assertEqual(sorted(os.listdir(self.folder)), ["j", "j.partial"])
        self.write("j", "precious")
        self.fails(2, "is no operation", "bench", "nonsense", "--json", before)
        self.assertEqual(self.read("j"), b"precious")
        self.assertEqual(self.read("j.partial"), b"mine")

    def test_a_pipe_stays_one(self):
        os.mkfifo(self.path("pipe"))
        reader = subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE)
        self.succeeds("bench", "trsm", "--sizes", "8", *FAST, "--json", self.path("pipe"))
        self.assertEqual(len(json.loads(reader.communicate(timeout=60)[0])["rows"]), 1)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))

    def test_names_of_any_bytes(self):
        name = os.fsencode(self.folder) + b"/r\xe9sultat.csv"
        done = subprocess.run([TRIGON, "bench", "trsm", "--sizes", "8", *FAST, "--csv", name, "--json",
                               self.path("j")], capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(name))
        self.assertEqual(len(json.loads(self.read("j"))["rows"]), 1)

    def test_what_no_memory_holds(self):
        for sizes in ("m=10 n=9223372036854775807 ldb=10", "m=3037000500 n=3037000500", "m=100000000 n=100000000"):
            done = trigon("bench", "--call", "dtrsm " + sizes, "--peers", "none", "--quiet")
            self.assertEqual(done.returncode, 3)
            self.assertIn("out of memory", done.stderr)


    def test_a_row_that_no_memory_holds_costs_no_other(self):
        done = trigon("bench", "--call", "dtrsm m=8 n=8", "--call", "dtrsm m=100000000 n=100000000", "--call",
                      "dtrsm m=9 n=9", *FAST, "--json", self.path("j"), "--journal", self.path("journal"))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, "^trigon: dtrsm .* m=100000000 .*: out of memory\n$")
        results = [row["results"][0] for row in self.json("j")["rows"]]
        self.assertEqual([result["ran"] for result in results], [True, False, True])
        self.assertEqual(results[1]["missing"], "out of memory")
        self.assertEqual(len(self.read("journal").splitlines()), 2)
        self.succeeds("bench", "--from", self.path("j"))


class Replay(Case):
    TRACE = """# a comment
dtrsm layout=C side=L uplo=L transa=N diag=N m=30 n=20 alpha=1 lda=30 ldb=30 # seconds=1e-5 path=packed door=blas
strmv layout=C uplo=U trans=T diag=N n=17 lda=20 incx=2

dtrsm layout=C side=L uplo=L transa=N diag=N m=30 n=20 alpha=1 lda=30 ldb=30
dtrsm layout=C side=L uplo=L transa=N diag=N m=0 n=20 alpha=1 lda=30 ldb=30
"""

    def test_distinct_calls_are_weighted_the_heaviest_first(self):
        self.succeeds("bench", "--replay", self.write("t", self.TRACE), *FAST, "--json", self.path("j"))
        with open(self.path("j")) as file:
            rows = json.load(file)["rows"]
        self.assertEqual([(row["routine"], row["weight"]) for row in rows], [("dtrsm", 2), ("strmv", 1)])

    def test_a_limit_says_what_it_covers(self):
        done = self.succeeds("bench", "--replay", self.write("t", self.TRACE), "--limit", "1", *FAST)
        self.assertRegex(done.stdout, r"4 calls of 3 kinds.* the 1 timed here stand for 99\.\d %")

    def test_a_real_trace_replays(self):
        call = "dsyrk layout=R uplo=L trans=T n=33 k=12"
        self.succeeds("check", "--case", call, env={"TRIGON_TRACE": self.path("t")})
        self.succeeds("bench", "--replay", self.path("t"), *FAST, "--json", self.path("j"))
        with open(self.path("j")) as file:
            self.assertEqual(json.load(file)["rows"][0]["routine"], "dsyrk")

    def test_bad_lines_are_named(self):
        for line, says in (("dtrsm m=5 nonsense", "nonsense"), ("xtrsm m=5", "xtrsm"), ("dtrsm m=5 n=5 lda=2", "lda")):
            self.fails(2, f":2: .*{says}", "bench", "--replay", self.write("t", "# one\n" + line + "\n"), *FAST)
        self.fails(2, "no calls", "bench", "--replay", self.write("t", "# nothing\n"), *FAST)


class Breakdown(Case):
    def test_flops_and_tasks_add_up(self):
        self.succeeds("bench", "trsm", "--sizes", "1300", "--breakdown", "--seconds", "0.01", "--json", self.path("j"))
        with open(self.path("j")) as file:
            (call,) = json.load(file)["breakdown"]
        self.assertAlmostEqual(sum(part["flops"] for part in call["parts"]) / 1300**3, 1, delta=0.01)
        self.assertIn("gemm", {part["kind"] for part in call["parts"]})
        self.assertTrue(all(part["seconds"] > 0 for part in call["parts"]))

    def test_it_is_no_replay(self):
        self.fails(2, "excludes", "bench", "--breakdown", "--replay", self.write("t", "dtrsm m=4 n=4"))


if __name__ == "__main__":
    unittest.main()
