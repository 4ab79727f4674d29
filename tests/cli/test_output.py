"""Output files are complete or not there."""

import os
import resource
import signal
import subprocess
import time
import unittest

import numpy as np

from support import TRIGON, Case


class Output(Case):
    def setUp(self):
        super().setUp()
        self.a, self.b, self.out = self.path("a.npy"), self.path("b.npy"), self.path("x.npy")
        np.save(self.a, np.tril(np.ones((500, 500))) + np.eye(500))
        np.save(self.b, np.ones((500, 400)))

    def command(self, out=None, *options):
        return ["solve", "--triangle", self.a, "--rhs", self.b, "--out", out or self.out, *options]

    def contents(self):
        return sorted(name for name in os.listdir(self.folder) if name not in ("a.npy", "b.npy"))

    def test_an_existing_file_stays_without_force(self):
        self.write("x.npy", "precious")
        self.fails(2, "x.npy: exists already; --force replaces it", *self.command())
        self.assertEqual(self.read("x.npy"), b"precious")
        self.succeeds(*self.command(None, "--force"))
        self.assertEqual(np.load(self.out).shape, (500, 400))
        self.assertEqual(self.contents(), ["x.npy"])

    def test_bad_names(self):
        self.fails(2, "name the output .npy or .mtx", *self.command(self.path("x.txt")))
        self.fails(2, "name the output .npy or .mtx", *self.command(self.path("x")))
        self.fails(2, "there is no folder", *self.command(self.path("no/x.npy")))
        os.mkdir(self.path("d.npy"))
        self.fails(2, "exists and is not an ordinary file", *self.command(self.path("d.npy"), "--force"))

    def test_permissions_are_those_of_any_new_file(self):
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        self.succeeds(*self.command())
        self.assertEqual(os.stat(self.out).st_mode & 0o777, 0o640)

    def test_permissions_of_what_is_replaced_stay(self):
        for mode in (0o600, 0o664):
            self.write("x.npy", "old")
            os.chmod(self.out, mode)
            self.succeeds(*self.command(), "--force")
            self.assertEqual(os.stat(self.out).st_mode & 0o777, mode)

    def test_a_link_stays_a_link(self):
        self.write("real.npy", "old")
        os.symlink("real.npy", self.out)
        self.succeeds(*self.command(None, "--force"))
        self.assertTrue(os.path.islink(self.out))
        self.assertEqual(np.load(self.path("real.npy")).shape, (500, 400))

    def test_a_link_to_nothing_stays_a_link(self):
        os.symlink("real.npy", self.out)
        for more in ((), ("--force",)):
            self.succeeds(*self.command(None, *more))
            self.assertTrue(os.path.islink(self.out))
            self.assertEqual(np.load(self.path("real.npy")).shape, (500, 400))
            os.remove(self.path("real.npy"))

    def test_no_room_leaves_nothing(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        self.fails(3, "x.npy: cannot be written: File too large; no file was left behind", *self.command(),
                   preexec_fn=limit)
        self.assertEqual(self.contents(), [])
        self.write("x.npy", "precious")
        self.fails(3, "cannot be written", *self.command(None, "--force"), preexec_fn=limit)
        self.assertEqual(self.contents(), ["x.npy"])
        self.assertEqual(self.read("x.npy"), b"precious")
        self.fails(3, "cannot be written", *self.command(self.path("x.mtx")), preexec_fn=limit)
        self.assertEqual(self.contents(), ["x.npy"])

    def test_a_full_disk_leaves_nothing(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", disk],
                                              stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.fails(3, "No space left on device", *self.command(os.path.join(disk, "x.npy")))
        self.assertEqual(os.listdir(disk), [])

    def test_a_folder_without_permission(self):
        closed = self.path("closed")
        os.mkdir(closed, 0o500)
        if os.access(closed, os.W_OK):
            self.skipTest("this user may write everywhere")
        self.fails(3, "Permission denied", *self.command(os.path.join(closed, "x.npy")))

    def test_a_signal_while_writing_leaves_nothing(self):
        """Stopped in the middle of a slow text output, for as long as it takes to be in the middle."""
        np.save(self.b, np.random.default_rng(1).standard_normal((500, 20000)))
        for ending in (signal.SIGTERM, signal.SIGQUIT, signal.SIGXCPU):
            process = subprocess.Popen([TRIGON, *self.command(self.path("x.mtx"))], stdout=subprocess.DEVNULL,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
            end = time.time() + 60
            while not [name for name in os.listdir(self.folder) if name.startswith("x.mtx.")]:
                self.assertLess(time.time(), end, "no unfinished file was seen")
                self.assertIsNone(process.poll(), "it ended before it could be stopped")
                time.sleep(0.001)
            process.send_signal(ending)
            self.assertEqual(process.wait(30), -ending)
            self.assertEqual([name for name in self.contents() if name.startswith("x")], [])

    def test_a_signal_that_is_ignored_stays_ignored(self):
        np.save(self.b, np.random.default_rng(1).standard_normal((500, 5000)))
        process = subprocess.Popen([TRIGON, *self.command(self.path("x.mtx"))], stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        sent = 0
        while process.poll() is None:
            if [name for name in os.listdir(self.folder) if name.startswith("x.mtx.")]:
                process.send_signal(signal.SIGHUP)
                sent += 1
            time.sleep(0.001)
        self.assertEqual(process.returncode, 0)
        self.assertGreater(sent, 0)
        self.assertIn("x.mtx", self.contents())


if __name__ == "__main__":
    unittest.main()
