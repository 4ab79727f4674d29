"""`trigon info` says what is so."""

import json
import os
import unittest

from support import TRIGON, Case


class Info(Case):
    def info(self, **env):
        return json.loads(self.succeeds("info", "--json", env=env).stdout)

    def test_threads_that_are_no_number_are_told(self):
        for value in ("abc", "2x", "-3"):
            done = self.succeeds("info", env={"TRIGON_NUM_THREADS": value})
            self.assertIn(f"TRIGON_NUM_THREADS={value} is no number of threads", done.stderr)
        for value in ("2", " 2", "2 ", "+2", "0", ""):
            self.assertEqual(self.succeeds("info", env={"TRIGON_NUM_THREADS": value}).stderr, "")

    def test_text_has_every_part(self):
        text = self.succeeds("info").stdout
        for part in ("Backends", "Processor", "GEMM", "Drop-in", "Tuning table", "Environment"):
            self.assertIn(part, text)

    def test_the_processor_backend_is_available(self):
        backends = {backend["name"]: backend for backend in self.info()["backends"]}
        self.assertTrue(backends["cpu"]["available"])
        for backend in backends.values():
            self.assertTrue(backend["detail"], "a device, or the reason why there is none")

    def test_threads_follow_the_environment_and_say_why(self):
        processor = self.info(TRIGON_NUM_THREADS="1")["cpu"]
        self.assertEqual(processor["threads"], 1)
        self.assertIn("TRIGON_NUM_THREADS", processor["threads_why"])

    def test_threads_follow_the_affinity(self):
        one = min(os.sched_getaffinity(0))
        done = self.succeeds("info", "--json", preexec_fn=lambda: os.sched_setaffinity(0, {one}))
        self.assertEqual(json.loads(done.stdout)["cpu"]["threads"], 1)

    def test_the_instruction_set_can_be_chosen(self):
        supported = self.info()["cpu"]["supported"]
        self.assertTrue(supported)
        for target in supported:
            self.assertEqual(self.info(TRIGON_CPU_TARGET=target)["cpu"]["target"], target)

    def test_the_provider_can_be_ours(self):
        self.assertEqual(self.info(TRIGON_PROVIDER="own")["provider"]["name"], "own")

    def test_reproducible_tables_do_not_depend_on_the_processor(self):
        def values(name, **env):
            entries = self.info(**env)["tuning"]["entries"]
            return [entry["value"] for entry in entries if entry["name"].startswith(name + ".")]

        for name, same in (("cpu.leaf", [256, 256, 256, 128]), ("cpu.gemm_k", [384, 256, 256, 192]),
                           ("cpu.small_order", [64, 64, 64, 48]), ("cpu.in_place_solve", [256, 256, 256, 128])):
            self.assertEqual(values(name, TRIGON_REPRODUCIBLE="1"), same)
        self.assertIn(values("cpu.leaf"), ([256, 256, 256, 128], [1024] * 4))

    def test_only_an_ordinary_file_is_a_tuning_table(self):
        os.mkfifo(self.path("pipe"))
        for other in self.folder, self.path("pipe"), "/dev/zero":
            done = self.succeeds("info", env={"TRIGON_TUNING": other})
            self.assertIn(f"{other}: is no ordinary file; the built-in one is used", done.stderr)
        done = self.succeeds("info", env={"TRIGON_TUNING": self.path("none")})
        self.assertIn("cannot be read; the built-in one is used", done.stderr)
        done = self.succeeds("info", env={"TRIGON_TUNING": self.write("empty", "")})
        self.assertEqual(done.stderr, "")

    def test_a_provider_that_was_found_is_a_file(self):
        provider = self.info()["provider"]
        if provider["name"] == "own":
            self.assertTrue(provider["detail"], "why there is none")
        else:
            self.assertTrue(os.path.isfile(provider["path"]))
            self.assertTrue(provider["version"])

    def test_the_drop_in_lies_beside_the_tool_and_forwards(self):
        drop_in = self.info()["drop_in"]
        self.assertTrue(os.path.isfile(drop_in["path"]))
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(TRIGON)))
        self.assertTrue(drop_in["path"].startswith(prefix + "/"))
        self.assertTrue(os.path.isfile(drop_in["forwards_to"]))

    def test_the_forward_can_be_chosen(self):
        reference = "/usr/lib/" + os.uname().machine + "-linux-gnu/blas/libblas.so.3"
        if not os.path.exists(reference):
            self.skipTest("the reference BLAS is not installed")
        forward = self.info(TRIGON_BLAS_FORWARD=reference)["drop_in"]["forwards_to"]
        self.assertEqual(os.path.realpath(forward), os.path.realpath(reference))

    def test_the_tuning_table_has_meanings(self):
        table = self.info()["tuning"]
        self.assertTrue(table["source"])
        self.assertTrue(table["entries"])
        for entry in table["entries"]:
            self.assertIsInstance(entry["value"], int)
            self.assertTrue(entry["meaning"])

    def test_variables_are_listed_and_unknown_ones_are_pointed_out(self):
        self.assertEqual(self.info(TRIGON_VERBOSE="0")["environment"]["TRIGON_VERBOSE"], "0")
        text = self.succeeds("info", env={"TRIGON_THREADS": "3"}).stdout
        self.assertRegex(text, r"TRIGON_THREADS=3 .*unknown")


if __name__ == "__main__":
    unittest.main()
