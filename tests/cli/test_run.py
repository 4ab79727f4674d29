"""`trigon run`: the program runs as it would alone, and its BLAS calls reach Trigon."""

import glob
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import unittest

from support import TRIGON, Case, trigon

LAPACK_PROGRAM = os.environ["LAPACK_PROGRAM"]
BUNDLED, PLAIN, WIDE = os.environ["BUNDLED_CLIENT"], os.environ["PLAIN_CLIENT"], os.environ["WIDE_CLIENT"]
STATIC, OWN_BLAS = os.environ["STATIC_PROGRAM"], os.environ["OWN_BLAS_PROGRAM"]


class Programs(Case):
    """What any wrapper of programs has to keep."""

    def test_the_exit_status_is_the_programs(self):
        for status in (0, 1, 3, 77, 255):
            done = trigon("run", "--", "sh", "-c", f"exit {status}")
            self.assertEqual((done.returncode, done.stderr), (status, ""))

    def test_death_by_a_signal_is_passed_on(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV):
            done = trigon("run", "--", "sh", "-c", f"kill -{int(number)} $$")
            self.assertEqual(done.returncode, -number)

    def test_signals_reach_the_program(self):
        script = "trap 'echo got it; exit 9' TERM; echo ready; while :; do sleep 0.05; done"
        process = subprocess.Popen([TRIGON, "run", "--", "sh", "-c", script], stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=30)
        self.assertEqual((output, process.returncode), ("got it\n", 9))

    def test_signals_that_would_end_it_reach_the_program_too(self):
        numbers = (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGPIPE, signal.SIGIO, signal.SIGPWR)
        for number in numbers:
            with self.subTest(number):
                process = subprocess.Popen([TRIGON, "run", "--", "sh", "-c", "echo $$; exec sleep 60"], text=True,
                                           stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": self.folder})
                program = int(process.stdout.readline())
                process.send_signal(number)
                process.communicate(timeout=30)
                self.assertEqual(process.returncode, -number)
                self.assertFalse(os.path.exists(f"/proc/{program}"))
                self.assertEqual(os.listdir(self.folder), [])

    def test_arguments_are_passed_verbatim(self):
        arguments = ["a b", "", "--report", "--", "-x", "--help", "$HOME", "*", "--trace=q", "--"]
        show = [sys.executable, "-c", "import sys; print(sys.argv[1:])", *arguments]
        self.assertEqual(self.succeeds("run", "--", *show).stdout, f"{arguments}\n")
        self.assertEqual(self.succeeds("run", *show).stdout, f"{arguments}\n")
        self.assertEqual(self.succeeds("run", "--quiet", *show).stdout, f"{arguments}\n")

    def test_standard_input_and_output_are_the_programs(self):
        with open(self.write("in", "one\ntwo\n")) as file:
            self.assertEqual(self.succeeds("run", "--", "cat", stdin=file).stdout, "one\ntwo\n")

    def test_nothing_is_said_of_a_program_without_linear_algebra(self):
        done = self.succeeds("run", "--", "ls", "/")
        self.assertEqual(done.stderr, "")

    def test_scripts_and_names_with_blanks(self):
        script = self.write("my script", f"#!{sys.executable} -B\nimport os; print(os.environ['LD_PRELOAD'])\n")
        os.chmod(script, 0o755)
        self.assertIn("libtrigon_blas.so", self.succeeds("run", "--", script).stdout)
        script = self.write("other", "#!/usr/bin/env -S FOO=1 python3 -B\nimport os; print(os.environ['FOO'])\n")
        os.chmod(script, 0o755)
        self.assertEqual(self.succeeds("run", "--", script).stdout, "1\n")

    def test_a_script_that_names_no_interpreter_is_the_shells(self):
        script = self.write("script", 'echo "$0" "$@"; echo $LD_PRELOAD; exit 3\n')
        os.chmod(script, 0o755)
        done = trigon("run", "--", script, "a b", "c")
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertTrue(done.stdout.startswith(f"{script} a b c\n"), done.stdout)
        self.assertIn("libtrigon_blas.so", done.stdout)
        os.chmod(self.write("empty", ""), 0o755)
        self.succeeds("run", "--", self.path("empty"))

    def test_programs_that_do_not_exist(self):
        self.fails(2, "nothere: there is no such program in PATH", "run", "--", "nothere")
        self.fails(2, "/no/where: there is no such program", "run", "--", "/no/where")
        self.fails(2, "name a program", "run")
        self.fails(2, "name a program", "run", "--report", "--")
        self.fails(2, "is not an executable file", "run", "--", self.write("data", "x"))
        self.fails(2, "is not an executable file", "run", "--", self.folder)
        bad = self.write("bad", "#!/no/interpreter\n")
        os.chmod(bad, 0o755)
        self.fails(2, "/no/interpreter: there is no such program", "run", "--", bad)

    def test_no_temporary_file_is_left(self):
        self.succeeds("run", "--", "true", env={"TMPDIR": self.folder})
        trigon("run", "--", "sh", "-c", "kill -9 $$", env={"TMPDIR": self.folder})
        self.assertEqual(os.listdir(self.folder), [])

    def test_environment(self):
        library = os.path.realpath("/proc/self/exe")  # anything that a loader would take
        show = ["run", "--threads", "3", "--forward", library, "--", "env"]
        env = dict(line.split("=", 1) for line in
                   self.succeeds(*show, env={"LD_PRELOAD": "/usr/lib/nothing.so"}).stdout.splitlines() if "=" in line)
        preload = env["LD_PRELOAD"].split(":")
        self.assertTrue(preload[0].endswith("/libtrigon_blas.so"))
        self.assertEqual(preload[-1], "/usr/lib/nothing.so")
        self.assertEqual(env["TRIGON_NUM_THREADS"], "3")
        self.assertEqual(env["TRIGON_BLAS_FORWARD"], library)
        self.assertNotIn("TRIGON_REPORT", env)

    def test_bad_options(self):
        self.fails(2, "threads", "run", "--threads", "0", "--", "true")
        self.fails(2, "cannot be read", "run", "--forward", "/no/lib.so", "--", "true")
        self.fails(2, "cannot be written", "run", "--trace", "/no/trace", "--", "true")
        self.fails(2, "cannot be written", "run", "--report=/no/report", "--", "true")
        self.fails(2, "cannot write /no/t.%p", "run", "--trace", "/no/t.%p", "--", "touch", self.path("ran"))
        self.assertEqual(os.listdir(self.folder), [])
        self.fails(2, "no library of this machine", "run", "--forward", "/etc/passwd", "--", "true")
        for both in (self.path("both"), self.folder + "/./both"):
            self.fails(2, "both --trace and --report", "run", "--trace", self.path("both"), f"--report={both}", "--",
                       "true")


class Reports(Case):
    """The report and the trace, on a real LAPACK program."""

    def total(self, report):
        return int(re.search(r"trigon: total +(\d+)", report).group(1))

    def test_report_on_standard_error(self):
        done = self.succeeds("run", "--report", "--", LAPACK_PROGRAM, "--size", "200")
        self.assertGreater(self.total(done.stderr), 0)
        for routine in ("dtrsm", "dtrmm", "dsyrk", "ztrsm", "zherk", "dsyr2k", "dsymm"):
            self.assertIn(f"trigon: {routine} ", done.stderr)

    def test_no_report_without_calls(self):
        self.assertIn("no BLAS call reached Trigon", self.succeeds("run", "--report", "--", "true").stderr)
        self.assertIn("no BLAS call", self.succeeds("run", f"--report={self.path('r')}", "--", "true").stderr)
        self.assertEqual(self.succeeds("run", "--report", "--quiet", "--", "true").stderr, "")

    def test_a_report_that_nobody_was_asked_for(self):
        code = "import os, numpy as np; a = np.ones((80, 80)); a @ a; os._exit(0)"
        done = self.succeeds("run", "--report", "--", "/usr/bin/python3", "-c", code)
        self.assertIn("or the processes that made them did not end by exit", done.stderr)

    def test_the_report_follows_what_the_program_says(self):
        done = self.succeeds("run", "--report", "--", "sh", "-c", f"{LAPACK_PROGRAM} --size 20; echo last >&2")
        self.assertTrue(done.stderr.startswith("last\n"), done.stderr)

    def test_report_to_a_file_is_of_this_run_only(self):
        report = self.write("report", "stale\n")
        done = self.succeeds("run", f"--report={report}", "--quiet", "--", LAPACK_PROGRAM, "--size", "100")
        self.assertEqual(done.stderr, "")
        first = self.read("report").decode()
        self.assertNotIn("stale", first)
        self.succeeds("run", f"--report={report}", "--", LAPACK_PROGRAM, "--size", "100")
        self.assertEqual(self.total(self.read("report").decode()), self.total(first))
        self.assertEqual(self.read("report").decode().count("trigon: total"), 1)

    def test_a_report_to_a_pipe_or_a_device(self):
        program = ("--", LAPACK_PROGRAM, "--size", "40")
        command = [TRIGON, "run", "--quiet", "--report=/dev/stdout", *program]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(self.total(done.stdout), 0)
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            self.succeeds("run", f"--report={pipe}", *program)
            self.assertGreater(self.total(reader.communicate(timeout=60)[0]), 0)
        self.assertNotIn("there is no report", self.succeeds("run", "--report=/dev/null", *program).stderr)

    def test_a_child_reports_its_own_calls(self):
        code = ("import os, numpy as np; a = np.ones((80, 80)); a @ a\n"
                "if os.fork() == 0: raise SystemExit\n"
                "os.wait()")
        done = self.succeeds("run", "--report", "--", "/usr/bin/python3", "-c", code)
        self.assertEqual(done.stderr.count("trigon: total"), 1, done.stderr)

    def test_relative_names_survive_a_change_of_folder(self):
        self.succeeds("run", "--report=report", "--trace", "trace", "--", "sh", "-c",
                      f"cd /; {LAPACK_PROGRAM} --size 40", cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), ["report", "trace"])

    def test_the_trace_has_every_call_and_each_can_be_explained(self):
        trace = self.path("trace")
        done = self.succeeds("run", "--report", "--trace", trace, "--", LAPACK_PROGRAM, "--size", "100")
        lines = self.read("trace").decode().splitlines()
        self.assertEqual(len(lines), self.total(done.stderr))
        for line in {re.sub(r"[mnk]=\d+|ld.=\d+|seconds=\S+", "", line): line for line in lines}.values():
            with self.subTest(line):
                self.assertRegex(line, r"^[sdcz]\w+ layout=[CR] .*# seconds=\d")
                out = json.loads(self.succeeds("explain", line, "--json").stdout)
                self.assertEqual(out["call"], line.split("#")[0].strip())

    def test_one_trace_per_process(self):
        self.succeeds("run", "--trace", self.path("trace.%p"), "--", "sh", "-c",
                      f"{LAPACK_PROGRAM} --size 20; {LAPACK_PROGRAM} --size 20")
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_results_are_those_of_the_system(self):
        folders = self.path("with"), self.path("without")
        for folder in folders:
            os.mkdir(folder)
        self.succeeds("run", "--", LAPACK_PROGRAM, "--size", "300", "--results", folders[0])
        subprocess.run([LAPACK_PROGRAM, "--size", "300", "--results", folders[1]], check=True, capture_output=True)
        import numpy as np
        for name in os.listdir(folders[0]):
            ours, theirs = (np.fromfile(os.path.join(folder, name)) for folder in folders)
            self.assertGreater(len(ours), 0)
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11 * abs(theirs).max())

    def test_scipy(self):
        """Debian's SciPy, whose LAPACK may be OpenBLAS's."""
        code = ("import numpy as np, scipy.linalg as s; a = np.eye(90) * 90 + 1; "
                "print(abs(s.cho_solve(s.cho_factor(a), a) - np.eye(90)).max() < 1e-12)")
        done = self.succeeds("run", "--report", "--", "/usr/bin/python3", "-c", code)
        self.assertEqual(done.stdout, "True\n")
        self.assertIn("trigon: dtrsm ", done.stderr)
        self.assertRegex(done.stderr, "trigon: dsyrk |trigon: dgemm ")


class ReferenceLapack(Case):
    """Its factorisations are Trigon's too, unless they are kept."""

    FOLDERS = glob.glob("/usr/lib/*/lapack")

    def solves(self, *options):
        """The triangular solves of a program on the reference LAPACK."""
        trace = self.path("trace")
        self.succeeds("run", *options, "--trace", trace, "--", LAPACK_PROGRAM, "--size", "96",
                      env={"LD_LIBRARY_PATH": self.FOLDERS[0]})
        return re.findall(r"^dtrsm .* m=\d+ n=\d+", self.read("trace").decode(), re.M)

    @unittest.skipUnless(FOLDERS, "the reference LAPACK (liblapack3) is not installed")
    def test_factors_are_halves_not_panels(self):
        ours, theirs = self.solves(), self.solves("--keep-lapack")
        half = "dtrsm layout=C side=R uplo=L transa=C diag=N m=48 n=48"
        self.assertIn(half, ours)
        self.assertNotIn(half, theirs)
        self.assertGreater(len(theirs), 0)


class Bundles(Case):
    """BLAS and LAPACK under the names that wheels give them."""

    def lines(self, *options):
        done = self.succeeds("run", *options, "--", BUNDLED)
        return done.stdout.splitlines(), done.stderr

    def test_without_trigon_the_bundle_is_called(self):
        done = subprocess.run([BUNDLED], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.count("bundled "), 17)

    def test_blas_and_lapack_are_intercepted(self):
        lines, errors = self.lines("--report")
        expected = [f"{name} 1 2" for name in ("scipy_dtrsm_", "dtrsm_64_", "scipy_dtrsm_64_", "scipy_cblas_dtrsm",
                                               "cblas_dtrsm64_", "scipy_cblas_dtrsm64_")]
        for name in ("scipy_dpotrf_", "dpotrf_", "dpotrf_64_", "scipy_dpotrf_64_"):
            expected += [f"{name} 2 1 -7 4", "info 0"]
        expected += ["indefinite 1", "scipy_dgesv_64_ 2 3", "pivots 2 2 -1 info 0", "tall pivots 2 3 -1 info 0",
                     "scipy_dgetrs_64_ 2 3", "scipy_dtrtrs_64_ 1 2", "info 0", "bundled scipy_ddot_", "other dgetrf_"]
        self.assertEqual(lines, expected)
        calls = int(re.search(r"trigon: dtrsm +\w+ +(\d+)", errors).group(1))
        self.assertGreaterEqual(calls, 6)
        self.assertRegex(errors, "the LAPACK in .*fake_openblas.so is OpenBLAS's.*Trigon's own took its place")

    def test_lapack_can_be_kept(self):
        lines, errors = self.lines("--keep-lapack")
        for name in ("scipy_dpotrf_", "dpotrf_", "dpotrf_64_", "scipy_dgesv_64_", "scipy_dtrtrs_64_"):
            self.assertIn(f"bundled {name}", lines)
        self.assertIn("scipy_dtrsm_ 1 2", lines)
        self.assertRegex(errors, "the LAPACK in .*fake_openblas.so is OpenBLAS's")

    def test_unknown_names_are_named(self):
        done = self.succeeds("run", "--", PLAIN)
        self.assertRegex(done.stderr, r"librenamed_openblas.so is a BLAS bundled under names of its own \(my_dtrsm_\)")
        self.assertEqual(self.succeeds("run", "--quiet", "--", PLAIN).stderr, "")


class WideIntegers(Case):
    """A BLAS with 64-bit integers under the plain names is left alone, or named."""

    def test_a_program_for_it_runs_without_trigon(self):
        done = self.succeeds("run", "--", WIDE)
        self.assertEqual(done.stdout, "wide dtrsm_\nx = 8\n")
        self.assertRegex(done.stderr, "libblas64.so.3, the BLAS of .*wide_client, has 64-bit integers")
        self.assertEqual(self.succeeds("run", "--quiet", "--", WIDE).stderr, "")

    def test_a_program_that_another_starts_is_named(self):
        for end in ("exit 0", "kill -9 $$"):
            done = trigon("run", "--", "sh", "-c", f"{WIDE}; {end}")
            self.assertRegex(done.stderr, "libblas64.so.3 has 64-bit integers .* may be wrong")


class OutOfReach(Case):
    """Programs that nothing can be loaded into are run, and named."""

    def runs(self, says, program):
        done = trigon("run", "--", program)
        self.assertEqual((done.returncode, done.stdout), (5, "my own\n"))
        self.assertRegex(done.stderr, says)

    def test_static(self):
        self.runs("linked statically", STATIC)

    def test_a_blas_of_its_own(self):
        self.runs("carries a BLAS of its own", OWN_BLAS)

    def test_set_user_id(self):
        program = shutil.copy(OWN_BLAS, self.path("program"))
        try:
            os.chown(program, 65534, -1)
        except PermissionError:
            self.skipTest("only root may give a file away")
        os.chmod(program, 0o4755 | stat.S_ISUID)
        os.chmod(self.folder, 0o755)
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest("this file system has no set-user-ID")
        self.runs("it is set-user-ID, and the loader ignores LD_PRELOAD", program)

    def test_another_machines_program(self):
        with open("/bin/true", "rb") as file:
            image = bytearray(file.read())
        image[18:20] = (8).to_bytes(2, "little")  # MIPS, by its header
        program = self.write("program", bytes(image))
        os.chmod(program, 0o755)
        self.fails(2, "is not a 64-bit ELF program of this machine(.|\n)*Exec format error", "run", "--", program)


if __name__ == "__main__":
    unittest.main()
