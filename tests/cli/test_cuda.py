"""`--backend` of a CUDA device: over the CPU shim, which SHIM_FOLDER has beside a link to the library; and, where the
real plug-in is built, the reason why it cannot be used on a machine without a driver."""

import json
import os
import re
import unittest

from support import Case, trigon

SHIM = {"LD_LIBRARY_PATH": os.environ["SHIM_FOLDER"]}
ON_SHIM = ("--backend", "cuda_shim")
FAST = ("--seconds", "0.005", "--quiet")


class OnTheShim(Case):
    def device(self, env):
        backends = json.loads(self.succeeds("info", "--json", env=env).stdout)["backends"]
        (shim,) = [b for b in backends if b["name"] == "cuda_shim"]
        self.assertTrue(shim["available"])
        return shim["detail"]

    def test_info_lists_it(self):
        self.assertIn("CPU shim", self.device(SHIM))
        self.assertIn("own GEMM: the tuning table sends none to cuBLAS", self.device(SHIM))

    def test_explain_says_what_the_device_does(self):
        text = self.succeeds("explain", "dtrsv", "n=500", *ON_SHIM, env=SHIM).stdout
        self.assertIn("backend: cuda_shim", text)
        self.assertIn("narrow, one launch", text)
        out = json.loads(self.succeeds("explain", "dtrsm", "m=500", "n=100", "--tasks", "--json", *ON_SHIM, env=SHIM).stdout)
        self.assertEqual(out["plan"]["leaf"], 128)
        self.assertEqual({task["kind"] for task in out["tasks"]}, {"gemm", "solve"})

    def test_cublas_is_a_provider_on_request(self):
        fake = os.environ["FAKE_CUBLAS"]
        by_name = {"LD_LIBRARY_PATH": SHIM["LD_LIBRARY_PATH"] + ":" + os.path.dirname(fake), "TRIGON_PROVIDER": "cublas"}
        table = self.write("table", "cuda.provider_work.d 1000\n")
        for env, call, provider in (({"TRIGON_PROVIDER": fake}, "dgemm m=5 n=5 k=5", "cublas"),
                                    (by_name, "dtrsm m=300 n=100", "cublas"),
                                    ({**by_name, "TRIGON_PROVIDER": None, "TRIGON_TUNING": table}, "dgemm m=10 n=10 k=10", "cublas"),
                                    ({**by_name, "TRIGON_PROVIDER": None, "TRIGON_TUNING": table}, "dgemm m=10 n=10 k=9", "own"),
                                    ({**by_name, "TRIGON_PROVIDER": "own"}, "dgemm m=9 n=9 k=9", "own"),
                                    ({**by_name, "TRIGON_REPRODUCIBLE": "1"}, "dgemm m=9 n=9 k=9", "own"),
                                    ({}, "dgemm m=9 n=9 k=9", "own")):
            with self.subTest(env=env, call=call):
                env = {**SHIM, **env}
                plan = json.loads(self.succeeds("explain", call, "--json", *ON_SHIM, env=env).stdout)["plan"]
                self.assertEqual(plan["provider"], provider)
                self.assertIn("GEMM: cuBLAS" if provider == "cublas" else "GEMM: our own", plan["words"])
        self.assertIn("own GEMM: cuBLAS, making a handle: no memory",
                      self.device({**by_name, "TRIGON_PROVIDER": None, "TRIGON_TUNING": table, "FAKE_CUBLAS_FAILS": "create"}))
        shim = self.device({**SHIM, "TRIGON_PROVIDER": fake})
        self.assertIn("GEMM of " + fake + ": TRIGON_PROVIDER", shim)
        self.assertIn("own GEMM: TRIGON_PROVIDER=/no/such.so: /no/such.so: cannot open", self.device({**SHIM, "TRIGON_PROVIDER": "/no/such.so"}))
        self.assertIn("has no cublasCreate_v2", self.device({**SHIM, "TRIGON_PROVIDER": os.environ["TRIGON_LIBRARY"]}))

    def test_products_by_cublas_are_right(self):
        env = {**SHIM, "TRIGON_PROVIDER": os.environ["FAKE_CUBLAS"]}
        self.succeeds("check", "--op", "gemm", "trsm", "--precision", "d", "--seconds", "0.5", "--max-size", "100", "--only", "operands", "-q", *ON_SHIM, env=env)
        failed = trigon("explain", "dgemm", *ON_SHIM, env={**env, "FAKE_CUBLAS_FAILS": "create"})
        self.assertEqual(failed.returncode, 0, "a plan needs no handle")
        failed = trigon("bench", "gemm", "--sizes", "8", "--peers", "none", *FAST, *ON_SHIM, env={**env, "FAKE_CUBLAS_FAILS": "create"})
        self.assertEqual(failed.returncode, 3)
        self.assertIn("cuBLAS, making a handle: no memory", failed.stderr)

    def test_tiles_are_inverted_on_request(self):
        def plan(*words):
            return json.loads(self.succeeds("explain", *words, "--json", *ON_SHIM, env=SHIM).stdout)["plan"]["words"]
        self.assertIn("solve: inverted, one launch inverts", plan("dtrsm", "m=200", "n=100", "--solve", "inverted"))
        self.assertIn("solve: inverted, each block inverts", plan("dtrsv", "n=200", "--solve", "inverted"))
        self.assertNotIn("solve:", plan("dtrsm", "m=200", "n=100") + plan("dtrmm", "m=200", "n=100", "--solve", "inverted"))
        self.succeeds("check", "--op", "trsm", "trsv", "--precision", "d", "--seconds", "0.5", "--max-size", "80", "--only", "operands", "--solve", "inverted",
                      "-q", *ON_SHIM, env=SHIM)

    def test_bench_times_device_memory(self):
        done = self.succeeds("bench", "gemm", "trsm", "trsv", "herk", "--precision", "dz", "--sizes", "33", "--peers", "none",
                             "--json", self.path("out"), *FAST, *ON_SHIM, env=SHIM)
        rows = json.loads(self.read("out"))["rows"]
        self.assertEqual(len(rows), 7)
        for row in rows:
            self.assertTrue(row["results"][0]["right"])
        self.assertIn("narrow", done.stdout)

    def test_tune_tries_every_entry_and_goes_on(self):
        def tune(*more, status=0, env=SHIM):
            done = trigon("tune", "cuda_shim", "--out", self.path("t"), "-p", "d", "-t", "1", "--max-size", "160", "--seconds", "0.001",
                          "--compare", "1", "--margin", "1000", "-q", *more, env=env)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            return done
        self.assertIn("--only", tune("--only", "cuda.provider_work", status=2).stderr)  # no cuBLAS
        fake = {"LD_LIBRARY_PATH": SHIM["LD_LIBRARY_PATH"] + ":" + os.path.dirname(os.environ["FAKE_CUBLAS"])}
        done = tune("--only", "cuda.provider_work", env=fake)
        self.assertRegex(done.stdout, r"cuda\.provider_work\.d +0 +0  measured, as before")
        done = tune("--only", "cuda.leaf,cuda.large_tiles,cuda.tensor_units,cuda.tile_n,cuda.panel_warps,"
                    "cuda.chain_warps,cuda.chain_blocks", "--force")
        for entry in ("cuda.large_tiles", "cuda.leaf.d", "cuda.tensor_units.d", "cuda.tile_n.d", "cuda.panel_warps.d",
                      "cuda.chain_warps.d", "cuda.chain_blocks.d"):
            self.assertRegex(done.stdout, re.escape(entry) + r" +\d+ +\d+  measured, as before")
        self.assertRegex(self.read("t").decode(), "# provenance: cuda_shim: CPU shim.*; trigon ")
        self.write("u.unfinished", "# unfinished tuning of: another device\n")
        failed = self.fails(2, "began otherwise.*this is cuda_shim: CPU shim", "tune", "cuda_shim", "--out", self.path("u"), "-t", "1", env=SHIM)
        this = re.search(r"this is (.*)\); --fresh", failed.stderr).group(1)
        self.write("t.unfinished", f"# unfinished tuning of: {this}\ncuda.narrow_rhs.d 63  # found before\n")
        done = tune("--only", "cuda.narrow_rhs", "--force")
        self.assertRegex(done.stdout, r"cuda\.narrow_rhs\.d +64 +63  found before")
        self.assertIn("cuda.narrow_rhs.d 63  # found before", self.read("t").decode())
        self.fails(2, "nothing of 'gpu' can be tuned", "tune", "gpu")

    def test_check_judges_both_memories(self):
        out = json.loads(self.succeeds("check", "--op", "trsm", "trmv", "--seconds", "1", "--max-size", "40", "--json", "-q", *ON_SHIM,
                                       env=SHIM).stdout)
        self.assertTrue(out["passed"])
        titles = [part["title"] for part in out["parts"]]
        for title in ("cuda_shim, operands of the host", "cuda_shim, operands in device memory", "cuda_shim, same bits"):
            self.assertIn(title, titles)

    def test_a_case_in_device_memory_can_be_repeated(self):
        done = self.succeeds("check", "--case", "dtrsv n=40 incx=-2 # seed=3 door=device", *ON_SHIM, env=SHIM)
        self.assertIn("right", done.stdout)

    def test_a_device_that_is_not_there_is_named(self):
        self.fails(3, 'no device "9"', "explain", "dgemm", *ON_SHIM, "--device", "9", env=SHIM)


class TheRealOne(Case):
    def test_commands_say_why_it_is_unavailable(self):
        backends = json.loads(self.succeeds("info", "--json").stdout)["backends"]
        cuda = [b for b in backends if b["name"] == "cuda"]
        if cuda and cuda[0]["available"]:
            self.skipTest(cuda[0]["detail"])
        why = cuda[0]["detail"] if cuda else "no such backend in this build"
        for command in (["explain", "dgemm"], ["bench", "gemm", "--sizes", "8", "--peers", "none", *FAST],
                        ["check", "--seconds", "1", "-q"], ["tune"]):
            with self.subTest(command):
                done = trigon(*command, *(["cuda", "--out", self.path("t")] if command == ["tune"] else ["--backend", "cuda"]))
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(why, done.stderr)


if __name__ == "__main__":
    unittest.main()
