"""`trigon tune` writes a table that Trigon reads, goes on after an interruption, and loses nothing."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

from support import TRIGON, Case, trigon

BACKENDS = json.loads(trigon("info", "--json").stdout)["backends"]
DEVICE = any(b["name"] == "opencl" and b["available"] for b in BACKENDS)

FAST = ("--precision", "d", "--threads", "1", "--seconds", "0.001", "--compare", "1", "--quiet")
# Wide enough for calls of a millisecond that others interrupt: nothing changes, and the last comparison is not about
# noise.
WIDE = ("--margin", "1000")
ONE = ("--only", "cpu.small_order", "--max-size", "24", *WIDE)


class Tune(Case):
    def tune(self, *arguments, **more):
        return self.succeeds("tune", "cpu", "--out", self.path("t"), *FAST, *arguments, **more)

    def lines(self):
        text = self.read("t").decode()
        return dict(line.split("#")[0].split() for line in text.splitlines() if not line.startswith("#"))

    def begun(self, found, env=None):
        """An unfinished run that has found these lines."""
        self.write("t.unfinished", "# unfinished tuning of: another machine\n")
        failed = self.fails(2, "began otherwise.*--fresh", "tune", "cpu", "--out", self.path("t"), *FAST, env=env)
        this = re.search(r"this is (.*)\); --fresh", failed.stderr).group(1)
        self.write("t.unfinished", f"# unfinished tuning of: {this}\n{found}")

    def test_the_table_is_whole_and_trigon_reads_it(self):
        done = self.tune("--only", "cpu.small_order", *WIDE)
        self.assertRegex(done.stdout, r"cpu\.small_order\.d +\d+ +\d+  measured, as before")
        self.assertFalse(os.path.exists(self.path("t.unfinished")))
        self.assertIn("# provenance: ", self.read("t").decode())
        info = self.succeeds("info", env={"TRIGON_TUNING": self.path("t")})
        self.assertEqual(info.stderr, "")
        self.assertIn(self.path("t"), info.stdout)
        for entry, value in self.lines().items():
            self.assertRegex(info.stdout, re.escape(entry) + " +" + value)

    def test_it_begins_with_the_table_in_force(self):
        before = self.write("before", "cpu.leaf 11 12 13 14\n")
        self.tune("--only", "cpu.narrow_order", *WIDE, env={"TRIGON_TUNING": before})
        self.assertEqual([self.lines()["cpu.leaf." + p] for p in "sdcz"], ["11", "12", "13", "14"])

    def test_it_does_not_go_on_over_another_table(self):
        before = self.write("before", "cpu.leaf 11 12 13 14\n")
        env = {"TRIGON_TUNING": before}
        self.begun("cpu.small_order.d 63  # found before\n", env)
        self.write("before", "cpu.leaf 48 12 13 14\n")
        self.fails(2, "began otherwise", "tune", "cpu", "--out", self.path("t"), *FAST, env=env)

    def test_it_does_not_go_on_under_other_settings(self):
        self.begun("cpu.small_order.d 63  # found before\n")
        for env in {"TRIGON_REPRODUCIBLE": "1", "TRIGON_TUNING": self.write("empty", "")}, {"TRIGON_SOLVE": "inverted"}:
            self.fails(2, "began otherwise", "tune", "cpu", "--out", self.path("t"), *FAST, env=env)
        began = self.read("t.unfinished").decode()
        self.assertRegex(began, r"^# unfinished tuning of: .*; trigon \S+ \S*; provider own; over ")

    def test_the_provenance_is_one_line_and_names_the_table_before(self):
        before = self.write("before\n#", "# provenance: another machine\ncpu.leaf 11 12 13 14\n")
        out = self.path("t\ncpu.leaf nonsense")
        self.succeeds("tune", "cpu", "--out", out, *FAST, *ONE, env={"TRIGON_TUNING": before})
        self.assertRegex(self.read("t\ncpu.leaf nonsense").decode(),
                         r"^# provenance: .*; provider own; .*; over .*/before # \(another machine\)\n")
        info = self.succeeds("info", "--json", env={"TRIGON_TUNING": out})
        self.assertEqual(info.stderr, "")
        self.assertIn("nonsense", json.loads(info.stdout)["tuning"]["provenance"])

    def test_it_goes_on_where_it_was(self):
        self.begun("cpu.small_order.d 63  # found before\n")
        done = self.tune("--only", "cpu.small_order", *WIDE)
        self.assertRegex(done.stdout, r"cpu\.small_order\.d +\d+ +63  found before")
        self.assertEqual(self.lines()["cpu.small_order.d"], "63")
        self.assertIn("# found before", self.read("t").decode())

    def test_values_that_trigon_refuses_are_not_gone_on_from(self):
        self.begun("cpu.leaf.d 0  # found before\n")
        self.fails(2, r"'cpu.leaf.d' is out of range(.|\n)*what .*t.unfinished has: Trigon does not take a table",
                   "tune", "cpu", "--out", self.path("t"), *FAST, "--only", "cpu.small_order")
        self.assertFalse(os.path.exists(self.path("t")))

    def test_fresh_forgets_what_is_unfinished(self):
        self.write("t.unfinished", "nonsense\n")
        self.fails(2, "no unfinished tuning", "tune", "cpu", "--out", self.path("t"), *FAST)
        self.tune("--only", "cpu.small_order", *WIDE, "--fresh")

    def test_an_existing_table_stays(self):
        self.write("t", "mine")
        self.fails(2, "exists already; --force", "tune", "cpu", "--out", self.path("t"), *FAST)
        self.assertEqual(self.read("t"), b"mine")
        self.tune("--only", "cpu.small_order", *WIDE, "--force")
        self.assertIn(b"provenance", self.read("t"))

    def test_a_slower_table_is_not_written(self):
        bad = "".join(f"cpu.{entry}.d 1  # found before\n" for entry in ("gemm_k", "gemm_m", "gemm_n"))
        self.begun(bad)
        done = trigon("tune", "cpu", "--out", self.path("t"), "--only", "cpu.gemm", *FAST)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("slower than the one before", done.stderr)
        self.assertFalse(os.path.exists(self.path("t")))
        self.assertTrue(os.path.exists(self.path("t.unfinished")))

    def test_the_best_values_are_comments(self):
        self.tune("--only", "cpu.gemm_m", *WIDE)
        text = self.read("t").decode()
        self.assertRegex(text, r"(#   \d\.\d{3}: \d+\n){5}cpu\.gemm_m\.d \d+  # ")

    @unittest.skipUnless("DIES_WITH_A_TABLE" in os.environ, "nothing can be preloaded")
    def test_a_process_that_dies_is_not_excused(self):
        died = trigon("tune", "cpu", "--out", self.path("t"), *FAST, "--only", "cpu.gemm_m", *WIDE,
                      env={"LD_PRELOAD": os.environ["DIES_WITH_A_TABLE"]})
        self.assertEqual(died.returncode, 3, died.stdout + died.stderr)
        self.assertRegex(died.stderr, r"dgemm .*: cpu\.gemm_m\.d \d+ died of Segmentation fault")
        self.assertFalse(os.path.exists(self.path("t")))

    @unittest.skipUnless(DEVICE, "no OpenCL device")
    def test_a_device(self):
        only = ("--only", "opencl.gemm_k", *WIDE)
        out = self.path("t")
        self.fails(3, "not available, because no OpenCL device", "tune", "opencl", "--out", out,
                   env={"OCL_ICD_VENDORS": "/nowhere"})
        panels = {"TRIGON_TUNING": self.write("panels", "opencl.kernels 1 1 1 1\n")}
        done = self.succeeds("tune", "opencl", "--out", out, *FAST, *only, env=panels)
        self.assertRegex(done.stdout, r"opencl\.gemm_k\.d +0 +0  measured, as before")
        text = self.read("t").decode()
        self.assertRegex(text, r"# provenance: opencl: .* compute units")
        self.assertRegex(text, r"(#   \d\.\d{3}: \d+\n){5}opencl\.gemm_k\.d 0  # measured")
        info = self.succeeds("info", env={"TRIGON_TUNING": out})
        self.assertEqual(info.stderr, "")

    def test_a_provider_is_tuned_where_tables_have_a_say(self):
        info = self.succeeds("info", "--json", env={"TRIGON_TUNING": self.write("all", "cpu.provider_work 1 1 1 1\n")})
        name = json.loads(info.stdout)["provider"]["name"]
        only = ("tune", "cpu", "--out", self.path("t"), *FAST, "--only", "cpu.provider_work", *WIDE)
        for named in ("own", "/nowhere/libblas.so") + (() if name == "own" else (name,)):
            self.fails(2, "--only: no entry that can be tuned", *only, env={"TRIGON_PROVIDER": named})
        self.fails(2, "--only: no entry that can be tuned", *only, env={"TRIGON_REPRODUCIBLE": "1"})
        if name == "own":
            self.fails(2, "--only: no entry that can be tuned", *only)
        else:
            self.assertRegex(self.succeeds(*only).stdout, r"cpu\.provider_work\.d +0 +0  measured")

    def test_what_cannot_be_written_is_told_at_once(self):
        only = (*FAST, *ONE)
        self.fails(2, "names no file", "tune", "cpu", "--out", "", *only)
        self.fails(2, "/dev/full: is no ordinary file", "tune", "cpu", "--out", "/dev/full", *only)
        self.fails(2, "cannot write .*unfinished", "tune", "cpu", "--out", self.path("t" * 245), *only)
        os.symlink(self.path("no/such"), self.path("link"))
        self.fails(2, "cannot write .*no/such", "tune", "cpu", "--out", self.path("link"), *only)
        os.mkdir(self.path("t.unfinished"))
        self.fails(2, "cannot write .*t.unfinished", "tune", "cpu", "--out", self.path("t"), *only)
        self.assertEqual(sorted(os.listdir(self.folder)), ["link", "t.unfinished"])

    def test_a_link_stays_a_link(self):
        os.symlink("table", self.path("t"))
        for more in ((), ("--force",)):
            self.tune(*ONE, *more)
            self.assertTrue(os.path.islink(self.path("t")))
            self.assertIn(b"provenance", self.read("table"))

    @unittest.skipUnless(DEVICE, "no OpenCL device")
    def test_entries_of_other_kernels_are_not_measured(self):
        for kernels, other, entries in (1, "panels", ["strip"]), (2, "tiles", ["gemm_k", "gemm_m", "gemm_n"]):
            table = self.write("table", f"opencl.kernels {kernels} {kernels} {kernels} {kernels}\n")
            only = ",".join("opencl." + entry for entry in entries)
            done = self.succeeds("tune", "opencl", "--out", self.path(other), *FAST, "--only", only, *WIDE,
                                 env={"TRIGON_TUNING": table})
            for entry in entries:
                self.assertRegex(done.stdout, rf"opencl\.{entry}\.d +0 +0  not measured: of kernels")

    def test_one_run_at_a_time(self):
        os.symlink("t", self.path("link"))
        run = subprocess.Popen([TRIGON, "tune", "cpu", "--out", self.path("t"), *FAST, "--only", "cpu.narrow"],
                               stdout=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        end = time.time() + 60
        while not os.path.exists(self.path("t.unfinished")):
            self.assertLess(time.time(), end, "nothing was found")
            time.sleep(0.01)
        for out in "t", "link":
            self.fails(2, "t.lock: another run has it", "tune", "cpu", "--out", self.path(out), *FAST)
        run.kill()
        run.wait()
        self.assertTrue(os.path.exists(self.path("t.lock")))
        self.tune("--fresh", *ONE)
        self.assertEqual(sorted(os.listdir(self.folder)), ["link", "t"])

    def test_a_signal_leaves_no_folder(self):
        os.mkdir(self.path("temporary"))
        run = subprocess.Popen([TRIGON, "tune", "cpu", "--out", self.path("t"), *FAST],
                               env={**os.environ, "TMPDIR": self.path("temporary")}, stdout=subprocess.DEVNULL)
        end = time.time() + 60
        while not any(files for _, _, files in os.walk(self.path("temporary"))):
            self.assertLess(time.time(), end, "no folder was seen")
            time.sleep(0.001)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(30), -signal.SIGTERM)
        self.assertEqual(os.listdir(self.path("temporary")), [])
        self.assertFalse(os.path.exists(self.path("t.lock")))

    def test_bad_options(self):
        out = self.path("t")
        self.fails(2, "backend", "tune", "gpu")
        self.fails(2, "--only: no entry", "tune", "cpu", "--out", out, "--only", "cpu.leaves")
        self.fails(2, "--precision", "tune", "cpu", "--out", out, "--precision", "dq")
        self.fails(2, "--threads", "tune", "cpu", "--out", out, "--threads", "-1")
        self.fails(2, "cannot write", "tune", "cpu", "--out", self.path("no/such/folder"))
        self.fails(2, "--device", "tune", "cpu", "--out", out, "--device", "nonsense")
        self.fails(3, "cudafoo: not available, because no such backend", "tune", "cudafoo", "--out", out)
        for none in (("1",), ("9", "--only", "cpu.leaf")):
            self.fails(2, "--max-size: leaves no call", "tune", "cpu", "--out", out, "--max-size", *none)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
