"""What is installed on this Debian machine and where: triplet, packages, the BLAS and LAPACK flavours."""

import functools
import os
import shutil
import subprocess
from pathlib import Path


@functools.lru_cache(maxsize=None)
def triplet():
    """The multiarch name of this machine's libraries, such as x86_64-linux-gnu."""
    for command in (["gcc", "-print-multiarch"], ["dpkg-architecture", "-qDEB_HOST_MULTIARCH"]):
        if shutil.which(command[0]):
            name = subprocess.run(command, capture_output=True, text=True).stdout.strip()
            if name:
                return name
    for found in sorted(Path("/usr/lib").glob("*-linux-gnu*/libc.so.6")):
        return found.parent.name
    raise RuntimeError("cannot tell the multiarch triplet: gcc and dpkg-architecture are both missing")


def lib(*parts):
    return Path("/usr/lib", triplet(), *parts)


# Each directory holds a libblas.so.3; the second name is the file that the drop-in forwards to. For OpenBLAS it is
# the whole library, because its libblas.so.3 is a stub that looks for libopenblas.so.0 by name.
BLAS = {
    "reference": ("blas", "libblas.so.3", "libblas3"),
    "openblas": ("openblas-serial", "libopenblas.so.0", "libopenblas0-serial"),
    "blis": ("blis-serial", "libblas.so.3", "libblis4-serial"),
}


def blas_directory(name):
    return lib(BLAS[name][0])


def blas_file(name):
    return lib(BLAS[name][0], BLAS[name][1])


def lapack_directory():
    """The reference LAPACK: OpenBLAS's own calls its kernels directly, so no BLAS call could be intercepted."""
    return lib("lapack")


@functools.lru_cache(maxsize=None)
def version(package):
    """The installed version of a package, or None."""
    query = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package],
                           capture_output=True, text=True)
    state, _, number = query.stdout.partition(" ")
    return number if state == "installed" else None


def missing(packages):
    return [p for p in packages if version(p) is None]


def default_blas():
    """The file behind the system's libblas.so.3: no package of ours may change it unnoticed."""
    return os.path.realpath(lib("libblas.so.3"))


@functools.lru_cache(maxsize=None)
def mpirun(ranks):
    """Open MPI's launcher for `ranks` local processes, on however few cores, also as root in a container."""
    program = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
    if program is None:
        raise RuntimeError("mpirun is missing")
    command = [program, "-n", str(ranks), "--oversubscribe", "--bind-to", "none",
               "--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "mpi_yield_when_idle", "1"]
    if os.geteuid() == 0:
        command.append("--allow-run-as-root")
    return tuple(command)
