"""HPL, the Linpack benchmark, as the package hpcc has it: an LU factorisation and solve distributed over MPI ranks."""

import re

import proof
from session import Row

PACKAGES = ["hpcc", "openmpi-bin", "libblas3"]
TITLE = "HPL (hpcc) on two MPI ranks, residuals checked"
RANKS = 2

# Line by line as HPL's documentation has it; {form}: 0 for the transposed, 1 for the plain form of L1 and U.
INPUT = """HPLinpack benchmark input file
Trigon conformance
HPL.out      output file name (ignored)
8            device out (ignored)
{count_n}    # of problems sizes (N)
{n}          Ns
{count_nb}   # of NBs
{nb}         NBs
0            PMAP process mapping (0=Row-,1=Column-major)
2            # of process grids (P x Q)
1 2          Ps
2 1          Qs
16.0         threshold
{count_pf}   # of panel fact
{pf}         PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
{form}       L1 in (0=transposed,1=no-transposed) form
{form}       U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
"""

_CHECK = re.compile(r"\|\|Ax-b\|\|_oo/.*=\s*(\S+) \.+ (PASSED|FAILED)")
_FINISHED = re.compile(r"Finished\s+(\d+) tests with the following results:\s+"
                       r"(\d+) tests completed and passed residual checks,\s+"
                       r"(\d+) tests completed and failed residual checks,\s+"
                       r"(\d+) tests skipped")


def describe(n, nb, pf, form):
    """An input file, and the number of factorisations that it asks for."""
    text = INPUT.format(count_n=len(n), n=" ".join(map(str, n)), count_nb=len(nb), nb=" ".join(map(str, nb)),
                        count_pf=len(pf), pf=" ".join(map(str, pf)), form=form)
    return text, 2 * len(n) * len(nb) * len(pf)


def judge(output, expected):
    """Objections to the HPL part of hpcc's output, and the largest scaled residual."""
    section = output.partition("Begin of HPL section")[2].partition("End of HPL section")[0]
    checks = _CHECK.findall(section)
    objections = [f"residual {value} FAILED" for value, verdict in checks if verdict == "FAILED"]
    if len(checks) != expected:
        objections.append(f"{len(checks)} of {expected} residuals printed")
    finished = _FINISHED.search(section)
    if finished is None:
        objections.append("HPL did not finish")
    elif [int(word) for word in finished.groups()] != [expected, expected, 0, 0]:
        objections.append("passed {1}, failed {2}, skipped {3} of {0}".format(*finished.groups()))
    return objections, max((value for value, _ in checks), key=float, default="none")


def run(session):
    # NB is the order of the triangles that HPL solves with: one below, one above the order where recursion starts.
    shape = dict(n=[500, 1200], nb=[80, 320], pf=[2]) if session.quick else \
        dict(n=[500, 1500], nb=[80, 320], pf=[0, 1, 2])
    for form, name in ((0, "hpl-transposed"), (1, "hpl-plain")):
        text, expected = describe(**shape, form=form)
        directory = session.directory("hpl", name)
        (directory / "hpccinf.txt").write_text(text)
        (directory / "hpccoutf.txt").unlink(missing_ok=True)
        outcome = session.execute(["/usr/bin/hpcc"], directory, "hpcc", ranks=RANKS, timeout=900)
        result = directory / "hpccoutf.txt"
        objections, residual = judge(result.read_text() if result.exists() else "", expected)
        required = ["dgemm", "dtrsm", "dtrsv"]
        objections = outcome.trouble() + objections + proof.objections(outcome, required, processes=RANKS)
        yield Row("hpl", name, objections, f"{expected} solves on {RANKS} ranks, residual at most {residual} (< 16)",
                  outcome.calls, outcome.seconds)
