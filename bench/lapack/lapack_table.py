"""LAPACK and SciPy routines on Trigon and on other BLAS libraries, in turns.

    /usr/bin/python3 lapack_table.py --build BUILD [--peer NAME=LIBRARY]... [--threads T] [--json FILE]

Every library is preloaded into processes of its own: one of the C program `routines`, one of SciPy. A peer brings its
own LAPACK where it has one, as a user gets it who preloads it; Trigon has libtrigon_lapack.so, and the system's LAPACK
for what that lacks. The processes are asked in turn, round after round, and stopped while others are timed. A ratio is
the peer's time over Trigon's, the median over rounds: above 1, Trigon is faster. Before a row is timed, every process
puts a result of its own into the equation that it has to solve: '!' marks a wrong one. Exit status 1: a wrong result
of Trigon, or a row below --min-ratio of the best peer that is right.
"""

import argparse
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import time

# Routine, uplo, m, n, nrhs. LU also of tall panels, in all precisions.
ROUTINES = [(name, uplo, n, n, nrhs)
            for n in (100, 300, 1000, 2000)
            for name, uplo, nrhs in (("dpotrf", "L", 1), ("dpotrf", "U", 1), ("dtrtri", "L", 1), ("dpotri", "L", 1),
                                     ("dposv", "L", 1),
                                     ("dgetrf", "N", 1), ("dgetri", "N", 1), ("dgesv", "N", 1), ("dgesv", "N", 100),
                                     ("dgetrs", "N", 1), ("dgetrs", "N", 100), ("dtrtrs", "L", 1), ("dtrtrs", "L", 100),
                                     ("dpotrs", "L", 1), ("dpotrs", "L", 100))
            ] + [(precision + "getrf", "N", m, n, 1)
                 for precision in "sdcz" for m, n in ((1000, 8), (10000, 8), (2000, 64), (3000, 300))]
SCIPY = [(name, "L", n, n, nrhs)
         for n in (100, 300, 1000, 2000)
         for name, nrhs in (("cholesky", 1), ("solve_triangular", 1), ("solve_triangular", 100), ("cho_solve", 100),
                            ("solve", 1), ("lu_factor", 1), ("inv", 1))]
SAMPLE = 0.03  # seconds


class Residual:
    """Whether a result solves its equation, by products with a vector, as residual.h does it: without the BLAS that is
    judged, which NumPy's `@` would call. A vector goes with what the sums of moduli would be."""

    def __init__(self, numpy, n, nrhs):
        self.numpy = numpy
        self.n = n
        random = numpy.random.default_rng(7)
        self.x, self.c = ((x, abs(x)) for x in (random.uniform(0.5, 1.5, size) for size in (n, nrhs)))

    def times(self, matrix, vector):
        return (matrix * vector[0]).sum(axis=1), (abs(matrix) * vector[1]).sum(axis=1)

    def sides(self, name, a, b, factor, result):
        """Both sides of the equation, applied to a vector."""
        times, x = self.times, self.x
        if name == "cholesky":
            return times(result, times(result.T, x)), times(a, x)
        if name == "inv":
            return times(a, times(result, x)), x
        if name == "lu_factor":
            factors, pivots = result
            lower = self.numpy.tril(factors, -1) + self.numpy.eye(self.n)
            right = times(a, x)
            for i, pivot in enumerate(pivots):
                for part in right:
                    part[[i, pivot]] = part[[pivot, i]]
            return times(lower, times(self.numpy.triu(factors), x)), right
        solution = times(result, self.c)
        left = {"solve": lambda: times(a, solution), "solve_triangular": lambda: times(factor, solution),
                "cho_solve": lambda: times(factor, times(factor.T, solution))}[name]()
        return left, times(b, self.c)

    def worst(self, *problem):
        """The worst difference over its bound."""
        (left, left_size), (right, right_size) = self.sides(*problem)
        bound = 4 * self.numpy.finfo(float).eps * (self.n + 8) * (left_size + right_size)
        worst = (abs(left - right) / bound).max()
        return worst if worst < float("inf") else float("inf")  # nor is NaN


def serve(processor):
    """The SciPy side: answers the same lines as the C program."""
    import numpy
    from scipy import linalg
    clock = time.process_time if processor else time.perf_counter
    for line in sys.stdin:
        name, uplo, _, n, nrhs, calls = line.split()
        n, nrhs = int(n), int(nrhs)
        random = numpy.random.default_rng(1)
        a = random.uniform(-1, 1, (n, n)) / n
        a = numpy.asfortranarray((a + a.T) / 2 + 2 * numpy.eye(n))
        b = numpy.asfortranarray(random.uniform(-1, 1, (n, nrhs)))
        factor = numpy.asfortranarray(numpy.tril(a))  # which no BLAS has had to make
        call = {
            "cholesky": lambda: linalg.cholesky(a, lower=True, check_finite=False),
            "solve_triangular": lambda: linalg.solve_triangular(factor, b, lower=True, check_finite=False),
            "solve": lambda: linalg.solve(a, b, check_finite=False),
            "lu_factor": lambda: linalg.lu_factor(a, check_finite=False),
            "inv": lambda: linalg.inv(a, check_finite=False),
            "cho_solve": lambda: linalg.cho_solve((factor, True), b, check_finite=False),
        }[name]
        if int(calls) == 0:
            try:
                error = Residual(numpy, n, nrhs).worst(name, a, b, factor, call())
            except (linalg.LinAlgError, IndexError):  # of pivots that are no rows
                error = float("inf")
            print(error, flush=True)
            continue
        call()
        begin = clock()
        for _ in range(int(calls)):
            call()
        print((clock() - begin) / int(calls), flush=True)


class Process:
    """A process with a library preloaded, stopped except while it is asked."""

    def __init__(self, command, preload, threads):
        environment = {**os.environ, "LD_PRELOAD": preload, "KMP_BLOCKTIME": "0",
                       "MKL_THREADING_LAYER": "SEQUENTIAL" if threads == 1 else "INTEL"}
        for name in ("TRIGON", "OPENBLAS", "BLIS", "MKL", "OMP"):
            environment[name + "_NUM_THREADS"] = str(threads)
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, row, calls):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(" ".join(map(str, (*row, calls))) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"lapack_table: {self.process.args} died on {row}")
        self.process.send_signal(signal.SIGSTOP)
        return float(answer)

    def end(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.close()
        self.process.wait()


def measure(rows, commands, libraries, threads, rounds):
    for command, table in zip(commands, rows):
        processes = {name: Process(command, library, threads) for name, library in libraries.items()}
        for row in table:
            errors = {name: process.ask(row, 0) for name, process in processes.items()}
            once = {name: process.ask(row, 1) for name, process in processes.items()}
            calls = {name: max(1, round(SAMPLE / max(t, 1e-7))) for name, t in once.items()}
            times = {name: [] for name in processes}
            for turn in range(rounds):
                order = list(processes)
                for name in order[turn % len(order):] + order[:turn % len(order)]:
                    times[name].append(processes[name].ask(row, min(calls[name], 3000)))
            yield row, times, errors
        for process in processes.values():
            process.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="Trigon's build folder")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=LIBRARY")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--min-ratio", type=float, default=0)
    parser.add_argument("--max-size", type=int, default=0, help="leave out rows with a larger M; 0: none")
    parser.add_argument("--json")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--processor-time", action="store_true", help=argparse.SUPPRESS)
    if "--serve" in sys.argv:
        return serve("--processor-time" in sys.argv)
    options = parser.parse_args()
    trigon = os.path.join(options.build, "bin/trigon")
    info = json.loads(subprocess.run([trigon, "info", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    libraries = {"trigon": " ".join(os.path.join(os.path.abspath(options.build), f"lib/libtrigon_{door}.so")
                                    for door in ("lapack", "blas"))}
    for peer in options.peer:
        name, _, library = peer.partition("=")
        if not os.path.isfile(library):
            sys.exit(f"lapack_table: --peer {peer}: there is no such file")
        libraries[name] = library
    clock = ["--processor-time"] if options.threads == 1 else []
    commands = ([os.path.join(options.build, "examples/lapack_routines"), *clock],
                [sys.executable, os.path.abspath(__file__), "--serve", *clock])
    peers = [name for name in libraries if name != "trigon"]
    tables = [[row for row in table if not 0 < options.max_size < row[2]] for table in (ROUTINES, SCIPY)]
    print(f"{'routine':<18}{'':>3}{'m':>7}{'n':>6}{'nrhs':>6}{'trigon us':>12} "
          + "".join(f"{p + ' us':>14} {'ratio':>7}" for p in peers))
    rows, wrong, least = [], 0, 9e9
    for row, times, errors in measure(tables, commands, libraries, options.threads, options.rounds):
        own = statistics.median(times["trigon"])
        right = {name: error <= 1 for name, error in errors.items()}
        mark = {name: " " if right[name] else "!" for name in right}
        routine, uplo, m, n, nrhs = row
        entry = {"routine": routine, "uplo": uplo, "m": m, "n": n, "nrhs": nrhs,
                 "seconds": {"trigon": own}, "ratio": {}, "right": right,
                 "error_over_bound": {name: error if error < 1e300 else None for name, error in errors.items()}}
        text = f"{routine:<18}{uplo:>3}{m:>7}{n:>6}{nrhs:>6}{own * 1e6:>12.1f}{mark['trigon']}"
        for peer in peers:
            entry["seconds"][peer] = statistics.median(times[peer])
            entry["ratio"][peer] = statistics.median(p / t for p, t in zip(times[peer], times["trigon"]))
            text += f"{entry['seconds'][peer] * 1e6:>14.1f}{mark[peer]}{entry['ratio'][peer]:>7.2f}"
        print(text, flush=True)
        rows.append(entry)
        wrong += not right["trigon"]
        least = min([least, *(entry["ratio"][peer] for peer in peers if right[peer])])
    if options.json:
        about = {"processor": info.get("cpu", {}).get("name", platform.processor()), "threads": options.threads,
                 "rounds": options.rounds, "libraries": {k: os.path.realpath(v) for k, v in libraries.items()},
                 "date": time.strftime("%Y-%m-%d")}
        with open(options.json, "w") as file:
            json.dump({"about": about, "rows": rows}, file, indent=1)
    if wrong:
        print(f"lapack_table: {wrong} wrong result(s) of Trigon", file=sys.stderr)
    if wrong or least < options.min_ratio:
        sys.exit(1)


if __name__ == "__main__":
    main()
