"""bench/gpu_run, with a program in place of the one that measures: what of earlier results it uses."""

import json
import os
import pathlib
import runpy
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

GPU_RUN = pathlib.Path(__file__).resolve().parents[2] / "bench" / "gpu_run"
GPU = "CPU shim"  # of a dry run
COMMIT = "v1-2-gabcdef"
MEASURE = pathlib.Path(os.environ.get("GPU_MEASURE", "no such file"))
LIBRARIES = os.environ.get("SHIM_FOLDER", "")

PROGRAM = """\
    #!/usr/bin/env python3
    import json, os, sys
    said = {"arguments": sys.argv[1:], "path": os.environ["PATH"]}
    if "--measured" in sys.argv:
        said["measured"] = open(sys.argv[sys.argv.index("--measured") + 1]).read().splitlines()
    json.dump(said, open(os.environ["SAID"], "w"))
    """


def row(call, seconds, who="trigon"):
    return {"stage": "bench", "routine": call.split()[0], "call": call, "m": 1, "n": 1, "k": 1, "path": "packed",
            "implementation": who, "seconds": seconds, "gflops": 1, "bytes": 1, "gbps": 1}


class GpuRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "commit.txt").write_text(COMMIT)
        self.program("gpu_measure_shim", PROGRAM)
        self.out = self.folder / "out.jsonl"

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(textwrap.dedent(text))
        path.chmod(0o755)

    def run_stage(self, stage, *arguments, status=0):
        command = [sys.executable, "-B", GPU_RUN, "--dry-run", "--no-build", "--build", self.folder, "--stage", stage,
                   "--out", self.out, *arguments]
        done = subprocess.run(command, env={**os.environ, "SAID": str(self.folder / "said.json")},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def write_earlier(self):
        rows = ((COMMIT, GPU, "dtrsm m=7", 1), ("v1-1-gfedcba", GPU, "dtrsm m=8", 1),
                (COMMIT, "NVIDIA H100", "dtrsm m=9", 1), ("v1-1-gfedcba", GPU, "dtrsm m=7", 1e-6))
        self.out.write_text("".join(json.dumps({"commit": commit, "gpu": gpu, **row(call, seconds)}) + "\n"
                                    for commit, gpu, call, seconds in rows))

    def test_the_table_has_this_commit_and_gpu_alone(self):
        self.write_earlier()
        before = self.out.read_text()
        said = self.run_stage("stress")
        self.assertIn("3 results in", said)
        table = self.out.with_suffix(".txt").read_text()
        self.assertIn(f"{GPU}, commit {COMMIT}", table)
        rows = [line.split() for line in table.splitlines() if line.endswith(("m=7", "m=8", "m=9"))]
        self.assertEqual([(words[5], words[-1]) for words in rows], [("1000000.0", "m=7")])
        self.assertTrue(self.out.read_text().startswith(before), "the others are left alone")

    def test_earlier_results_are_kept_by_a_run_of_everything(self):
        self.write_earlier()
        before = self.out.read_text()
        stages = runpy.run_path(str(GPU_RUN))["STAGES"]
        self.run_stage("build", "--stage", *stages)
        self.assertTrue(self.out.read_text().startswith(before))
        self.assertIn('"stage": "bench"', self.out.read_text()[len(before):])

    def test_what_is_wrong_is_shown(self):
        self.program("gpu_measure_shim", """\
            #!/bin/sh
            echo '{"stage": "stress", "call": "dtrsv n=6"}'
            echo '{"stage": "stress", "wrong": "dtrsv n=7"}'
            exit 1
            """)
        said = self.run_stage("stress", status=1)
        self.assertIn("dtrsv n=7", said)
        self.assertNotIn("dtrsv n=6", said)

    def test_cuda_need_not_be_in_the_path(self):
        os.environ["PATH"], before = "/usr/bin:/bin", os.environ["PATH"]
        self.addCleanup(os.environ.update, PATH=before)
        self.run_stage("stress")
        said = json.loads((self.folder / "said.json").read_text())
        self.assertEqual(said["path"], "/usr/bin:/bin:/usr/local/cuda/bin")

    def test_every_kernel_of_products_runs_under_some_table(self):
        default = {"cuda.tensor_units": "0 1 0 1", "cuda.tile_n": "128 128 64 64", "cuda.large_tiles": "128"}
        kernels = set()
        for text in runpy.run_path(str(GPU_RUN))["TABLES"].values():
            table = {**default, **dict(line.split(" ", 1) for line in text.splitlines())}
            if int(table["cuda.large_tiles"]) <= 9:  # reached by calls of some hundred rows
                kernels.update(zip("sdcz", table["cuda.tensor_units"].split(), table["cuda.tile_n"].split()))
        self.assertEqual(kernels, {(p, units, str(columns)) for p, whole in zip("sdcz", (128, 128, 64, 64))
                                   for units in ("01" if p in "dz" else "0") for columns in (whole, whole // 2)})

    def test_the_benchmark_is_told_what_it_has_measured(self):
        self.write_earlier()
        self.run_stage("bench")
        said = json.loads((self.folder / "said.json").read_text())
        self.assertEqual(said["measured"], ["dtrsm m=7"])

    @unittest.skipUnless(MEASURE.exists(), "the program that measures is not built")
    def test_a_stage_goes_on_where_a_call_is_refused(self):
        fake = pathlib.Path(LIBRARIES).parent / "fake" / "libcublas.so.13"
        for stage, one_of_both in (("bench", "implementation"), ("correctness", "cases"), ("doors", "graphs")):
            done = subprocess.run([MEASURE, stage, "--tiny"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "LD_LIBRARY_PATH": LIBRARIES, "TRIGON_PROVIDER": str(fake),
                                       "FAKE_CUBLAS_FAILS": "gemm"})
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual(done.returncode, 1, stage)
            refused = [row for row in rows if "gemm" in row.get("wrong", "")]
            self.assertIn("no memory", refused[0]["words"])
            self.assertTrue([row for row in rows if one_of_both in row], stage)

    @unittest.skipUnless(MEASURE.exists(), "the program that measures is not built")
    def test_nothing_goes_on_without_a_device(self):
        done = subprocess.run([MEASURE, "bench", "--tiny"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "LD_LIBRARY_PATH": LIBRARIES, "TRIGON_SHIM_DEVICES": "Old GPU!"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("too old", done.stderr)

    @unittest.skipUnless(MEASURE.exists(), "the program that measures is not built")
    def test_a_stage_that_is_ended_says_in_which_call(self):
        with subprocess.Popen([MEASURE, "bench", "--tiny"], stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "LD_LIBRARY_PATH": LIBRARIES}) as process:
            self.assertIn("absent", process.stdout.readline())
            self.assertIn("call", process.stdout.readline())
            process.terminate()
            last = json.loads(process.stdout.read().splitlines()[-1])
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual(last["stage"], "bench")
        self.assertIn(" n=", last["unfinished"])

    @unittest.skipUnless(MEASURE.exists(), "the program that measures is not built")
    def test_what_was_measured_comes_last(self):
        def calls(*arguments):
            done = subprocess.run([MEASURE, "bench", "--tiny", *arguments], stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, "LD_LIBRARY_PATH": LIBRARIES})
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            left_out = [row["left_out"] for row in rows if "left_out" in row]
            return [row["call"] for row in rows if row.get("implementation") == "trigon"], left_out

        measured = self.folder / "measured"
        all_calls, left_out = calls()
        self.assertEqual(left_out, [])
        first = all_calls[:10]
        measured.write_text("\n".join(first) + "\n")
        self.assertEqual(calls("--measured", measured), (all_calls[10:] + first, []))
        _, left_out = calls("--measured", measured, "--seconds", "0.000001")
        self.assertEqual(left_out, [len(all_calls) - 10])
        measured.write_text("\n".join(all_calls) + "\n")
        self.assertEqual(calls("--measured", measured, "--seconds", "0.000001"), ([], []))


if __name__ == "__main__":
    unittest.main()
