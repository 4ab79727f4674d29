"""Help, versions, and how misuse ends."""

import subprocess
import unittest

from support import TRIGON, Case

COMMANDS = ["info", "run", "bench", "check", "explain", "tune", "solve", "multiply"]


class Usage(Case):
    def test_help_names_every_command_and_the_exit_statuses(self):
        text = self.succeeds("--help").stdout
        for word in COMMANDS + ["Exit status", "Examples"]:
            self.assertIn(word, text)

    def test_every_command_has_help_with_examples(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.succeeds(command, "--help").stdout
                self.assertIn("Examples:", text)
                self.assertIn(f"trigon {command}", text)

    def test_version(self):
        self.assertRegex(self.succeeds("--version").stdout, r"^trigon \d+\.\d+\.\d+$")

    def test_misuse_ends_with_2(self):
        self.fails(2, "subcommand is required")
        self.fails(2, "no command 'nonsense'", "nonsense")
        self.fails(2, "no command ''", "")
        for command in COMMANDS:
            with self.subTest(command):
                self.fails(2, ".", command, "--no-such-option")

    def test_no_number_is_in_no_range(self):
        for command in (("tune", "cpu", "--seconds"), ("tune", "cpu", "--margin"), ("bench", "gemm", "--min-ratio"),
                        ("bench", "gemm", "--seconds"), ("bench", "gemm", "--time-limit"), ("check", "--seconds")):
            for value in ("nan", "-NAN", "inf"):
                with self.subTest(command):
                    self.fails(2, f"{command[-1]}: Value {value} ", *command[:-1], f"{command[-1]}={value}")

    def test_required_options_are_named(self):
        self.fails(2, "--triangle is required", "solve", "--rhs", "b.npy", "--out", "x.npy")
        self.fails(2, "--rhs.* is required", "solve", "--triangle", "a.npy", "--out", "x.npy")
        self.fails(2, "--out is required", "solve", "--triangle", "a.npy", "--rhs", "b.npy")
        self.fails(2, "triangle.*is required", "multiply", "--rhs", "b.npy", "--out", "x.npy")

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([TRIGON, "info"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("could not be written", done.stderr)


if __name__ == "__main__":
    unittest.main()
