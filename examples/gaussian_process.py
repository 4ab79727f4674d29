"""Gaussian process regression and its neighbours, as people write them with SciPy.

Nothing here knows of Trigon. Run it as it is, or under `trigon run --report --`, and compare:

    python3 gaussian_process.py [--size N] [--results FOLDER]

Each stage prints its name, its wall-clock seconds and its processor seconds. With --results, the numbers
that each stage ends with are written to FOLDER/STAGE.f64, so that two runs can be compared.
"""

import argparse
import os
import time

import numpy as np
from scipy import linalg


def kernel(x, y, length=0.4):
    """The squared-exponential covariance between two sets of points."""
    squares = (x**2).sum(1)[:, None] + (y**2).sum(1)[None, :] - 2 * x @ y.T
    return np.exp(-0.5 * np.maximum(squares, 0) / length**2)


def regression(x, y, x_new, noise=0.05):
    """Mean and standard deviation of the process at new points, and the log likelihood of the data."""
    factor = linalg.cholesky(kernel(x, x) + noise**2 * np.eye(len(x)), lower=True)
    weights = linalg.cho_solve((factor, True), y)
    across = kernel(x, x_new)
    mean = across.T @ weights
    whitened = linalg.solve_triangular(factor, across, lower=True)
    deviation = np.sqrt(1 + noise**2 - (whitened**2).sum(0))
    likelihood = -0.5 * y @ weights - np.log(np.diag(factor)).sum() - 0.5 * len(x) * np.log(2 * np.pi)
    return factor, np.concatenate([mean, deviation, [likelihood]])


def leave_one_out(factor, y):
    """Leave-one-out residuals: they need the diagonal of the inverse, so the triangle is inverted."""
    inverse, status = linalg.lapack.dtrtri(factor, lower=1)
    if status != 0:
        raise linalg.LinAlgError("singular")
    precision = inverse.T @ inverse
    return (precision @ y) / np.diag(precision)


def least_squares(a, b):
    """Polynomial features fitted by QR: the factorisation, then one triangular system for all targets."""
    q, r = linalg.qr(a, mode="economic")
    return linalg.solve_triangular(r, q.T @ b)


def vibration(stiffness, mass):
    """The generalised symmetric eigenproblem K v = w M v of a structure."""
    return linalg.eigh(stiffness, mass, eigvals_only=True)


def kalman(steps, transition, observation, process, measurement, seed=3):
    """A Kalman filter: small matrices, many calls."""
    random = np.random.default_rng(seed)
    order, sensors = len(transition), len(observation)
    state, covariance = np.zeros(order), np.eye(order)
    for _ in range(steps):
        state = transition @ state
        covariance = transition @ covariance @ transition.T + process
        spread = observation @ covariance @ observation.T + measurement
        gain = linalg.cho_solve(linalg.cho_factor(spread, lower=True), observation @ covariance).T
        state = state + gain @ (random.standard_normal(sensors) - observation @ state)
        covariance = covariance - gain @ observation @ covariance
        covariance = (covariance + covariance.T) / 2
    return np.concatenate([state, np.diag(covariance)])


class Stages:
    """Times each stage and keeps what it ended with."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, name, work):
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        print(f"{name} {wall:.6f} {processor:.6f}", flush=True)
        numbers = result[-1] if isinstance(result, tuple) else result
        if self.folder:
            np.ascontiguousarray(numbers, dtype=np.float64).tofile(os.path.join(self.folder, name + ".f64"))
        return result


def main():
    parser = argparse.ArgumentParser(description="Gaussian process regression and its neighbours")
    parser.add_argument("--size", type=int, default=1500, help="points of the regression")
    parser.add_argument("--results", metavar="FOLDER", help="write what each stage ends with")
    options = parser.parse_args()

    n = options.size
    random = np.random.default_rng(1)
    x, x_new = random.uniform(-1, 1, (n, 4)), random.uniform(-1, 1, (n // 2, 4))
    y = np.sin(3 * x[:, 0]) * x[:, 1] + x[:, 2] ** 2 + 0.05 * random.standard_normal(n)
    features, targets = random.standard_normal((n, n // 3)), random.standard_normal((n, 40))
    half = random.standard_normal((n // 3, n // 3))
    mass = half @ half.T / len(half) + np.eye(len(half))
    stiffness = half + half.T + 4 * np.sqrt(len(half)) * np.eye(len(half))
    order, sensors = 80, 40
    transition = 0.9 * np.eye(order) + 0.05 * random.standard_normal((order, order)) / np.sqrt(order)
    observation = random.standard_normal((sensors, order)) / np.sqrt(order)

    stages = Stages(options.results)
    factor, _ = stages.run("regression", lambda: regression(x, y, x_new))
    stages.run("leave-one-out", lambda: leave_one_out(factor, y))
    stages.run("least-squares", lambda: least_squares(features, targets))
    stages.run("vibration", lambda: vibration(stiffness, mass))
    stages.run("kalman", lambda: kalman(200, transition, observation, 0.01 * np.eye(order), np.eye(sensors)))


if __name__ == "__main__":
    main()
