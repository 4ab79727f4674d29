"""Runs programs with and without Trigon, in turns, and compares their times and their results.

    python3 compare.py --trigon PATH/trigon [--rounds R] [--threads T] -- PROGRAM [ARGUMENTS...] [-- PROGRAM...]

A program prints one line per stage, `NAME WALL-SECONDS PROCESSOR-SECONDS`, and takes `--results FOLDER`, into
which it writes NAME.f64. Two ways take turns, so that a busy machine is busy for both: as the system has it, and
under `trigon run`. With one thread the times are the processor's, else the clock's.
Ends with 1 if the results differ.
"""

import argparse
import array
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
    """One way to run a program: a command to put before it."""

    def __init__(self, title, prefix=()):
        self.title, self.prefix = title, list(prefix)
        self.seconds = {}  # stage -> one per round
        self.results = {}  # stage -> array of numbers

    def run(self, program, threads, column, folder):
        environment = dict(os.environ)
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


def ways(trigon, report):
    yield Way("system")
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
    with open(report) as file:
        return sides, file.read()


def total_calls(report):
    """The number of calls on the line that ends the report's table."""
    return sum(int(line.split()[2]) for line in report.splitlines() if line.startswith("trigon: total"))


def print_table(compared):
    """One line per stage of every program; returns the largest difference."""
    titles = list(dict.fromkeys(way.title for sides in compared for way in sides[:-1]))
    times = "".join(f"{title:>14}" for title in [*titles, "Trigon"])
    ratios = "".join(f"{'vs ' + title:>16}" for title in titles)
    print(f"{'stage':<24}{times}{ratios}{'difference':>12}")
    largest = 0.0
    for sides in compared:
        ours, others = sides[-1], {way.title: way for way in sides[:-1]}
        for stage in ours.seconds:
            mine = statistics.median(ours.seconds[stage])
            medians = {title: statistics.median(way.seconds[stage]) for title, way in others.items()}
            apart = max(difference(ours.results[stage], way.results[stage]) for way in others.values())
            largest = max(largest, apart)
            cells = "".join(f"{1e3 * medians[t]:11.1f} ms" if t in medians else f"{'-':>14}" for t in titles)
            cells += f"{1e3 * mine:11.1f} ms"
            cells += "".join(f"{medians[t] / mine if mine else 1:15.2f}x" if t in medians else f"{'-':>16}"
                             for t in titles)
            print(f"{stage:<24}{cells}{apart:12.1e}{'' if apart <= TOLERANCE else '  DIFFERENT'}")
    return largest


def main():
    arguments, programs = split(sys.argv[1:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trigon", required=True, help="the command line tool")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    if not programs or options.rounds < 1 or options.threads < 1:
        parser.error("name a program after --; rounds and threads are at least 1")

    compared, calls = [], []
    for program in programs:
        with tempfile.TemporaryDirectory(prefix="trigon-compare-") as folder:
            sides, report = compare(program, options, folder)
        compared.append(sides)
        calls.append(total_calls(report))
        print(f"\n{' '.join(program)}")
        print(report.strip() or "trigon: no call reached Trigon")

    clock = "wall-clock" if options.threads > 1 else "processor"
    print(f"\n{options.threads} thread(s), {clock} time, median of {options.rounds} rounds in turns")
    largest = print_table(compared)
    for program, count in zip(programs, calls):
        print(f"{count} BLAS calls of {os.path.basename(program[-1])} went through Trigon")
    print(f"the results {'agree' if largest <= TOLERANCE else 'DIFFER'}: largest difference {largest:.1e}, "
          f"{TOLERANCE:.0e} allowed")
    sys.exit(0 if largest <= TOLERANCE and all(calls) else 1)


if __name__ == "__main__":
    main()
