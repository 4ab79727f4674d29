"""Runs test programs with and without the drop-in, keeps their output, remembers baselines."""

import hashlib
import json
import os
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import proof
import system


@dataclass
class Outcome:
    """What one run of a program left behind."""

    code: int
    timed_out: bool
    seconds: float
    out: str
    err: str
    calls: Counter = field(default_factory=Counter)
    processes: int = 0

    def trouble(self):
        """Reasons why the run itself, whatever it printed, is not a success."""
        if self.timed_out:
            return [f"still running after {self.seconds:.0f} s"]
        if self.code < 0:
            return [f"killed by {signal.Signals(-self.code).name}"]
        if not self.code:
            return []
        last = self.err.strip().splitlines()[-1:]
        return [f"exit status {self.code}" + "".join(f": {line[:120]}" for line in last)]


@dataclass
class Row:
    """One line of the summary."""

    case: str
    program: str
    objections: list
    detail: str
    calls: Counter
    seconds: float

    @property
    def passed(self):
        return not self.objections


class Session:
    def __init__(self, library, blas, work, quick, fresh):
        self.library, self.blas, self.work, self.quick, self.fresh = library, blas, work, quick, fresh
        (work / "baseline").mkdir(parents=True, exist_ok=True)

    def directory(self, *parts):
        """A scratch directory of this session, created when needed."""
        path = self.work.joinpath(*parts)
        path.mkdir(parents=True, exist_ok=True)
        return path

    def environment(self, trigon, report, blas, lapack):
        """The program's environment and, apart from it, what only the program itself (not mpirun) may see."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("TRIGON_") and k != "LD_PRELOAD"}
        env["LD_LIBRARY_PATH"] = f"{system.lapack_directory()}:{system.blas_directory(blas)}"
        # The BLAS underneath is the same in both runs, and one thread of it: only Trigon differs.
        env.update(OPENBLAS_NUM_THREADS="1", BLIS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1", LC_ALL="C.UTF-8")
        if not trigon:
            return env, {}
        libraries = [self.library.with_name("libtrigon_lapack.so")] if lapack else []
        return env, {"LD_PRELOAD": " ".join(map(str, [*libraries, self.library])), "TRIGON_REPORT": str(report) + ".%p",
                     "TRIGON_BLAS_FORWARD": str(system.blas_file(blas))}

    def execute(self, argv, directory, label, stdin="", trigon=True, ranks=0, timeout=300, extra=None,
                blas=None, lapack=False):
        """Runs `argv` in `directory`, if so wished with Trigon's LAPACK routines. Output goes to files named after
        `label` there, and into the Outcome."""
        report = directory / f"{label}.report"
        for stale in directory.glob(f"{label}.report.*"):
            stale.unlink()
        env, own = self.environment(trigon, report, blas or self.blas, lapack)
        own.update(extra or {})
        if ranks:
            own.setdefault("TRIGON_NUM_THREADS", "1")
            exports = [word for name, value in own.items() for word in ("-x", f"{name}={value}")]
            argv = [*system.mpirun(ranks), *exports, *argv]
        else:
            env.update(own)

        paths = [directory / f"{label}.{kind}" for kind in ("in", "out", "err")]
        paths[0].write_text(stdin)
        start = time.monotonic()
        with open(paths[0]) as source, open(paths[1], "w") as out, open(paths[2], "w") as err:
            child = subprocess.Popen([str(word) for word in argv], cwd=directory, env=env, stdin=source, stdout=out,
                                     stderr=err, start_new_session=True)
            code, timed_out = _wait(child, timeout)
        calls, processes = proof.collect(sorted(directory.glob(f"{label}.report.*")))
        return Outcome(code, timed_out, time.monotonic() - start, paths[1].read_text(errors="replace"),
                       paths[2].read_text(errors="replace"), calls, processes)

    def baseline(self, label, packages, inputs, compute, blas=None):
        """What `compute` returns without Trigon: from the cache while packages and inputs are the same."""
        blas = blas or self.blas
        versions = {p: system.version(p) for p in [*packages, system.BLAS[blas][2], "liblapack3"]}
        key = json.dumps([label, blas, versions, inputs], sort_keys=True)
        path = self.work / "baseline" / f"{label}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"
        if path.exists() and not self.fresh:
            return json.loads(path.read_text())
        value = compute()
        scratch = path.with_suffix(f".{os.getpid()}")
        scratch.write_text(json.dumps(value, indent=1))
        scratch.replace(path)
        return value


def _wait(child, timeout):
    """Exit status and whether the time ran out. However the wait ends, the process group is gone afterwards."""
    try:
        return child.wait(timeout), False
    except subprocess.TimeoutExpired:
        _stop(child)
        return child.returncode, True
    except BaseException:
        _stop(child)
        raise


def _stop(child):
    # Politely first: mpirun takes its ranks, which are in process groups of their own, down with it.
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, how)
            child.wait(10)
            return
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    child.wait()
