"""`trigon bench --backend opencl`: Trigon and CLBlast on device memory, in turn, both judged."""

import glob
import json
import unittest

from support import Case, trigon

CLBLAST = glob.glob("/usr/lib/*/libclblast.so.1")
BACKENDS = json.loads(trigon("info", "--json").stdout)["backends"]
DEVICE = any(b["name"] == "opencl" and b["available"] for b in BACKENDS)


@unittest.skipUnless(DEVICE, "no OpenCL device")
@unittest.skipUnless(CLBLAST, "no libclblast1")
class Clblast(Case):
    def bench(self, *arguments):
        self.succeeds("bench", *arguments, "--backend", "opencl", "--seconds", "0.005", "--quiet",
                      "--json", self.path("out.json"))
        with open(self.path("out.json")) as file:
            return json.load(file)

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
