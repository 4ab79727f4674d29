"""ScaLAPACK's testers on four MPI ranks (scalapack-mpi-test): Cholesky, LU, inverses, PBLAS levels 2 and 3."""

import re

import proof
import system
from session import Row

PACKAGES = ["scalapack-mpi-test", "openmpi-bin", "liblapack3", "libblas3"]
TITLE = "ScaLAPACK's Cholesky, LU, inversion and PBLAS testers on four MPI ranks"
RANKS = 4

# ScaLAPACK 2.2.1's condition estimator can deadlock in real arithmetic with any BLAS, the reference one included
# (Reference-ScaLAPACK issue 121): its ranks disagree about whether to iterate on. It is left out there.
ESTIMATOR = re.compile(r"(?m)^T(\s+\(T or F\) Test Cond)")

# The packaged problems have order 23 at most, in blocks of 5. These are larger, as far as the testers' fixed memory
# allows; the LU tester reads a list of M before that of N.
LARGE_ORDERS = {"s": "200 500", "d": "200 350", "c": "150 250", "z": "100 200"}
LARGE = """'{kind} on larger problems'
'MPI'
'{kind}.out'
6 device out
{first}2 number of problem sizes
{orders}
2 number of NB
32 64
2 number of NRHS
9 64
1 number of NBRHS
16
4 number of process grids
1 2 1 4 values of P
1 2 4 1 values of Q
3.0 threshold
F condition estimation and iterative refinement
"""

# Those of PBLAS level 3 are of order 30 at most, from the left and without a unit diagonal. Lines of their input, and
# what they are for eight problems; the logical block size is what is handed to the local BLAS. The transposition that
# these take HERK and HER2K of complex matrices have not: they skip half of them.
LARGE_PBLAS3 = {
    "logical computational blocksize": "64",
    "number of tests problems": "8",
    "DIAG": "'N' 'U' 'N' 'U' 'N' 'U' 'N' 'U'",
    "SIDE": "'L' 'L' 'R' 'R' 'L' 'L' 'R' 'R'",
    "TRANSA": "'N' 'T' 'N' 'T' 'T' 'N' 'T' 'N'",
    "TRANSB": "'N' 'N' 'T' 'T' 'N' 'N' 'T' 'T'",
    "UPLO": "'U' 'L' 'L' 'U' 'L' 'U' 'U' 'L'",
    "[MNK]": "100 93 64 120 33 17 110 75",
    r"[MN]_[ABC]": " ".join(["130"] * 8),
    "I?[MN]B_[ABC]": "64 32 48 64 16 32 64 48",
    "[RC]SRC_[ABC]": " ".join(["0"] * 8),
    "[IJ][ABC]": "1 2 1 5 1 1 3 7",
}


def larger_pblas3(text):
    """The packaged input with problems of LARGE_PBLAS3."""
    for what, values in LARGE_PBLAS3.items():
        text, found = re.subn(rf"(?m)^.*?[ \t]+((?:values? of )?(?:the )?{what}(?:[ \t].*)?)$", rf"{values}\t\1", text)
        assert found, what
    return text


_FINISHED = re.compile(r"Finished\s+(\d+) tests, with the following results:\s+"
                       r"(\d+) tests completed and passed residual checks.\s+"
                       r"(\d+) tests completed and failed residual checks.\s+"
                       r"(\d+) tests skipped")
_PBLAS = re.compile(r"^\s*\|\s+(P\w+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$", re.MULTILINE)


def judge_factorisation(output):
    """Objections to the output of xdllt, xdlu or xdinv, and what it says of itself."""
    found = _FINISHED.search(output)
    if found is None:
        return ["the tester did not finish"], "no result"
    total, passed, failed, skipped = map(int, found.groups())
    objections = []
    if not total or (passed, failed, skipped) != (total, 0, 0):
        objections.append(f"passed {passed}, failed {failed}, skipped {skipped} of {total}")
    if "FAILED" in output:
        objections.append("a line says FAILED")
    return objections, f"{passed} tests"


def judge_pblas(output, half=()):
    """The same for a PBLAS tester, which ends with a table by routine; those of `half` skip every other test."""
    rows = [(name, *map(int, numbers)) for name, *numbers in _PBLAS.findall(output)]
    objections = [f"{name}: passed {passed}, failed {failed}, skipped {skipped} of {total}"
                  for name, total, passed, failed, skipped in rows
                  if not total or failed or passed + skipped != total
                  or skipped != (total // 2 if name in half else 0)]
    if not rows or "End of Tests" not in output:
        objections.append("the tester did not finish")
    if re.search(r"\bFAILED\s+\*", output):
        objections.append("a check says FAILED")
    return objections, f"{len(rows)} routines, {sum(row[2] for row in rows)} tests"


def inputs(kind, precision):
    """(suffix, input file) for a tester: the packaged one, and larger problems for the factorisations."""
    text = system.lib("scalapack", "openmpi-tests", f"{kind}.dat").read_text()
    yield "", ESTIMATOR.sub(r"F\1", text) if precision in "sd" else text
    if kind in ("LLT", "LU"):
        orders = LARGE_ORDERS[precision]
        yield "-large", LARGE.format(kind=kind, **(
            {"first": "'L' triangle\n", "orders": orders} if kind == "LLT" else
            {"first": "", "orders": f"{orders}\n{orders}"}))


def testers(quick):
    """(program, kind of input, precision, required routines).

    PBLAS builds most of its routines from GEMM on each rank; required is what reaches the local BLAS, as counted with
    the reference BLAS. Of level 3 nothing else does, also of larger problems.
    """
    if quick:
        yield "xdllt", "LLT", "d", proof.names("d", "gemm", "trsm", "syrk")
        return
    for p in "sdcz":
        rank_k, product = ("syrk", "symm") if p in "sd" else ("herk", "hemm")
        yield f"x{p}llt", "LLT", p, proof.names(p, "gemm", "trsm", rank_k)
        yield f"x{p}lu", "LU", p, proof.names(p, "gemm", "trsm")
        yield f"x{p}inv", "INV", p, proof.names(p, "gemm", "trsm", "trmv", rank_k, product)
        yield f"{p}pb2tst", "PBLAS2", p, proof.names(p, "trsv")
        yield f"{p}pb3tst", "PBLAS3", p, proof.names(p, "gemm", "trsm")


def run(session):
    home = system.lib("scalapack", "openmpi-tests")
    for program, kind, precision, required in testers(session.quick):
        if kind.startswith("PBLAS"):
            # Each reads a file named P<precision>BLAS<level>TST.dat in the current directory.
            name = f"P{precision.upper()}BLAS{kind[-1]}TST.dat"
            text = (home / "PBLAS" / name).read_text()
            cases = [("", text)] + ([("-large", larger_pblas3(text))] if kind == "PBLAS3" else [])
            executable = home / "PBLAS" / program
        else:
            name, executable = f"{kind}.dat", home / program
            cases = list(inputs(kind, precision))
        for suffix, text in cases:
            directory = session.directory("scalapack", program + suffix)
            (directory / name).write_text(text)
            outcome = session.execute([executable], directory, "tester", ranks=RANKS, timeout=120)
            if not kind.startswith("PBLAS"):
                objections, detail = judge_factorisation(outcome.out)
            else:
                hermitian = [f"P{precision.upper()}{name}" for name in ("HERK", "HER2K")]
                objections, detail = judge_pblas(outcome.out, hermitian if suffix else ())
            objections = outcome.trouble() + objections + proof.objections(outcome, required, processes=RANKS)
            yield Row("scalapack", program + suffix, objections, f"{detail} on {RANKS} ranks", outcome.calls,
                      outcome.seconds)
