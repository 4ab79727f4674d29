"""`trigon bench --backend opencl`: Trigon, CLBlast and clBLAS on device memory, in turn, all of them judged."""

import glob
import json
import pathlib
import unittest

from support import TRIGON, Case, trigon

CLBLAST = glob.glob("/usr/lib/*/libclblast.so.1")
OWN_CLBLAS = pathlib.Path(TRIGON).parents[1] / "lib" / "libtrigon_clblas.so"
BACKENDS = json.loads(trigon("info", "--json").stdout)["backends"]
DEVICE = any(b["name"] == "opencl" and b["available"] for b in BACKENDS)


class DeviceCase(Case):
    def bench(self, *arguments):
        self.succeeds("bench", *arguments, "--backend", "opencl", "--seconds", "0.005", "--quiet",
                      "--json", self.path("out.json"))
        with open(self.path("out.json")) as file:
            return json.load(file)


@unittest.skipUnless(DEVICE, "no OpenCL device")
@unittest.skipUnless(OWN_CLBLAS.exists(), "no clBLAS door in this build")
class Clblas(DeviceCase):
    """clBLAS's interface, of which Trigon's own door is the only implementation that is sure to be here."""

    def test_every_operation_is_called_rightly(self):
        calls = [f"{call} layout={layout}" for layout in "RC" for call in (
            "sgemm m=5 n=9 k=7 transa=T", "zgemm m=5 n=9 k=7 transb=C", "zhemm m=5 n=9 side=R uplo=U",
            "csymm m=5 n=9 uplo=U", "dsyrk n=9 k=4 uplo=U trans=T", "cherk n=9 k=4 uplo=U", "zsyr2k n=9 k=4 uplo=U",
            "cher2k n=9 k=4 trans=C", "dtrmm m=6 n=9 side=R uplo=U diag=U", "ztrsm m=6 n=9 uplo=U transa=C",
            "ctrmv n=9 incx=-2 uplo=U trans=C", "dtrsv n=9 incx=3 diag=U", "ztrsv n=9 incx=-1 uplo=U")]
        out = self.bench(*(word for call in calls for word in ("--call", call)), "--peers", OWN_CLBLAS)
        self.assertEqual(len(out["rows"]), len(calls))
        for row in out["rows"]:
            for result in row["results"]:
                self.assertTrue(result.get("right"), row["call"] + json.dumps(result))
        versions = {one["name"]: one["version"] for one in out["provenance"]["implementations"]}
        self.assertRegex(versions["libtrigon_clblas"], r"clBLAS \d")

    def test_works_on_device_memory_only(self):
        self.fails(2, "--backend opencl", "bench", "trsv", "--sizes", "8", "--peers", OWN_CLBLAS)


@unittest.skipUnless(DEVICE, "no OpenCL device")
@unittest.skipUnless(CLBLAST, "no libclblast1")
class Clblast(DeviceCase):
    def test_is_a_peer_like_the_others(self):
        out = self.bench("--call", "dtrsv n=33", "--call", "dtrsv n=5 incx=-1", "--peers", "clblast,openblas")
        right, backwards = out["rows"]
        names = [result["name"] for result in right["results"]]
        self.assertEqual(names, ["trigon", "clblast", "openblas"])
        for result in right["results"]:
            self.assertTrue(result["right"], result)
        self.assertGreater(right["results"][1]["ratio"], 0)
        self.assertIn("no negative increments", json.dumps(backwards["results"][1]))
        versions = {one["name"]: one["version"] for one in out["provenance"]["implementations"]}
        self.assertRegex(versions["clblast"], r"CLBlast \d")

    def test_works_on_device_memory_only(self):
        for peer in ("clblast", CLBLAST[0]):
            self.fails(2, "--backend opencl", "bench", "trsv", "--sizes", "8", "--peers", peer)


@unittest.skipUnless(DEVICE, "no OpenCL device")
class FirstCall(Case):
    def test_is_timed_with_and_without_what_was_compiled_before(self):
        done = self.succeeds("bench", "--call", "strsv n=9", "--backend", "opencl", "--peers", "none", "--first-call",
                             "--quiet", "--json", self.path("out.json"))
        self.assertRegex(done.stdout, r"strsv +LNN +0 +9 +0 +\d+\.\d+ +\d+\.\d+ +\d+\.\d+\n")
        with open(self.path("out.json")) as file:
            (call,) = json.load(file)["first_calls"]
        self.assertTrue(call["trigon"]["right"])
        self.assertLess(call["trigon"]["warm"], call["trigon"]["cold"])

    def test_is_of_devices(self):
        self.fails(2, "for devices only: --backend", "bench", "trsv", "--first-call", "--peers", "none")


if __name__ == "__main__":
    unittest.main()
