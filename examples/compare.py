"""Runs programs with and without Trigon, in turns, and compares their times and their results.

    python3 compare.py --trigon PATH/trigon [--rounds R] [--threads T] -- PROGRAM [ARGUMENTS...] [-- PROGRAM...]

A program prints one line per stage, `NAME WALL-SECONDS PROCESSOR-SECONDS`, and takes `--results FOLDER`, into
which it writes NAME.f64. Three ways take turns, so that a busy machine is busy for all of them: as the system
has it; with LAPACK from the reference implementation (the one that Trigon uses, over the system's BLAS), where
that is another; and under `trigon run`. With one thread the times are the processor's, else the clock's.
Ends with 1 if the results differ.
"""

import argparse
import array
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

# Relative to the largest number of a stage. The stages are well conditioned; both sides round differently.
TOLERANCE = 1e-9


def split(arguments):
    """The lists between the "--"s."""
    lists = [[]]
    for argument in arguments:
        if argument == "--":
            lists.append([])
        else:
            lists[-1].append(argument)
    return lists[0], [program for program in lists[1:] if program]


class Way:
    """One way to run a program: a command to put before it, and changes to the environment."""

    def __init__(self, title, prefix=(), **environment):
        self.title, self.prefix, self.environment = title, list(prefix), environment
        self.seconds = {}  # stage -> one per round
        self.results = {}  # stage -> array of numbers

    def run(self, program, threads, column, folder):
        environment = {**os.environ, **self.environment}
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "TRIGON_NUM_THREADS"):
            environment[name] = str(threads)
        command = [*self.prefix, *program, "--results", folder]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"compare: {' '.join(command)} ended with status {done.returncode}")
        for line in done.stdout.splitlines():
            stage, *times = line.split()
            self.seconds.setdefault(stage, []).append(float(times[column]))
            with open(os.path.join(folder, stage + ".f64"), "rb") as file:
                self.results[stage] = array.array("d", file.read())


def difference(ours, theirs):
    """The largest difference, relative to the largest number; infinite where one is not a number."""
    if len(ours) != len(theirs):
        return math.inf
    largest = max(map(abs, theirs), default=0.0)
    apart = max((abs(a - b) for a, b in zip(ours, theirs)), default=0.0)
    if not all(map(math.isfinite, ours)) or not all(map(math.isfinite, theirs)):
        return math.inf
    return apart / largest if largest else apart


def report_totals(path):
    """Calls and the share of GEMM blocks, from the lines that the library writes at exit."""
    with open(path) as file:
        return file.read()


def ways(trigon, report):
    info = json.loads(subprocess.run([trigon, "info", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    yield Way("system")
    reference = info["drop_in"].get("reference_lapack", "")
    if reference and info["drop_in"]["lapack"] != os.path.realpath(reference):
        yield Way("same LAPACK", LD_LIBRARY_PATH=os.path.dirname(reference))
    yield Way("Trigon", [trigon, "run", "--quiet", f"--report={report}", "--"])


def compare(program, options, folder):
    report = os.path.join(folder, "report")
    sides = list(ways(options.trigon, report))
    for round_number in range(options.rounds + 1):
        for way in sides:
            way.run(program, options.threads, 0 if options.threads > 1 else 1, folder)
            if round_number == 0:
                way.seconds.clear()  # the first round warms the caches of the disk
        if sys.stderr.isatty():
            print(f"\r{os.path.basename(program[-1])}: round {round_number} of {options.rounds}", end="\r",
                  file=sys.stderr)
    return sides, report_totals(report)


def print_table(sides):
    """Returns whether the results agree."""
    agree = True
    others = sides[:-1]
    ours = sides[-1]
    heads = "".join(f"{way.title:>13}" for way in sides) + "".join(f"{'vs ' + way.title:>16}" for way in others)
    print(f"{'stage':<24}{heads}{'difference':>13}")
    for stage in ours.seconds:
        medians = [statistics.median(way.seconds[stage]) for way in sides]
        apart = max(difference(ours.results[stage], way.results[stage]) for way in others)
        agree &= apart <= TOLERANCE
        cells = "".join(f"{1e3 * m:10.1f} ms" for m in medians)
        ratios = "".join(f"{m / medians[-1] if medians[-1] else math.inf:15.2f}x" for m in medians[:-1])
        print(f"{stage:<24}{cells}{ratios}{apart:13.1e}{'' if apart <= TOLERANCE else '  DIFFERENT'}")
    return agree


def main():
    arguments, programs = split(sys.argv[1:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trigon", required=True, help="the command line tool")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    if not programs or options.rounds < 1 or options.threads < 1:
        parser.error("name a program after --; rounds and threads are at least 1")

    agree = True
    for program in programs:
        with tempfile.TemporaryDirectory(prefix="trigon-compare-") as folder:
            sides, report = compare(program, options, folder)
        clock = "wall-clock" if options.threads > 1 else "processor"
        print(f"\n{' '.join(program)}")
        print(f"{options.threads} thread(s), {clock} time, median of {options.rounds} rounds in turns")
        agree &= print_table(sides)
        print(report.rstrip() or "trigon: no call reached Trigon")
        agree &= bool(report.strip())
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
