"""What every test of the command line needs: the tool, a folder of its own, and checks of how it ended."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

TRIGON = os.environ["TRIGON"]


def trigon(*arguments, env=None, stdin=subprocess.DEVNULL, **more):
    """Runs the tool; environment variables that are None are removed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRIGON_")}
    for name, value in (env or {}).items():
        environment[name] = value
    environment = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run([TRIGON, *map(str, arguments)], capture_output=True, text=True, env=environment,
                          stdin=stdin, timeout=120, **more)


class Case(unittest.TestCase):
    """A test in a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="trigon-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb" if isinstance(content, bytes) else "w") as file:
            file.write(content)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def succeeds(self, *arguments, **more):
        done = trigon(*arguments, **more)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}{done.stdout}")
        return done

    def fails(self, status, says, *arguments, **more):
        """It ends with this status, with a message on standard error that matches, and prints nothing else."""
        done = trigon(*arguments, **more)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}{done.stdout}")
        self.assertRegex(done.stderr, re.compile(says))
        self.assertNotIn("terminate called", done.stderr)
        self.assertEqual(done.stdout, "")
        return done
