"""`trigon solve` and `trigon multiply`: right results for every variant and every file format."""

import itertools
import json
import os
import unittest

import numpy as np

from support import Case

TYPES = ["f4", "f8", "c8", "c16"]
RANDOM = np.random.default_rng(7)


def numbers(shape, kind="f8"):
    values = RANDOM.uniform(-1, 1, shape)
    return values + 1j * RANDOM.uniform(-1, 1, shape) if kind.startswith("c") else values


def square(order, kind="f8"):
    """Well conditioned in both triangles, and different in them."""
    return numbers((order, order), kind) / max(order, 1) + 2 * np.eye(order)


def op(a, trans):
    return {"N": a, "T": a.T, "C": a.conj().T}[trans]


def matrix_market(a, form, field, symmetry="general"):
    """The text of a Matrix Market file, written independently of the tool."""
    show = (lambda x: f"{x.real!r} {x.imag!r}") if field == "complex" else (
        (lambda x: str(int(x))) if field == "integer" else (lambda x: repr(float(x))))
    rows, columns = a.shape
    places = [(i, j) for j in range(columns) for i in range(rows) if symmetry == "general" or i >= j]
    lines = [f"%%MatrixMarket matrix {form} {field} {symmetry}", "% a comment", "%"]
    if form == "array":
        lines.append(f"{rows} {columns}")
        lines += [show(a[i, j]) for i, j in places]
    else:
        places = [(i, j) for i, j in places if a[i, j] != 0]
        lines.append(f"{rows} {columns} {len(places)}")
        lines += [f"{i + 1} {j + 1} {show(a[i, j])}" for i, j in places]
    return "\n".join(lines) + "\n"


def read_matrix_market(path):
    with open(path) as file:
        header = file.readline().split()
        rows, columns = map(int, file.readline().split())
        values = [complex(*map(float, line.split())) for line in file]
    values = np.array(values).reshape((columns, rows)).T
    return values if header[3] == "complex" else values.real


class Files(Case):
    def save(self, name, values):
        np.save(self.path(name), values)
        return self.path(name)

    def carry_out(self, command, a, b, *options, out="x.npy", which="--triangle"):
        done = self.succeeds(command, which, a, "--rhs", b, "--out", self.path(out), "--force", *options)
        self.assertRegex(done.stdout, r"backward error \d")
        return np.load(self.path(out)) if out.endswith(".npy") else read_matrix_market(self.path(out))

    def assertClose(self, got, expected, kind="f8"):
        self.assertEqual(got.shape, expected.shape)
        np.testing.assert_allclose(got, expected, rtol=1e-4 if kind in ("f4", "c8") else 1e-11, atol=1e-5
                                   if kind in ("f4", "c8") else 1e-12)

    def test_every_variant(self):
        for kind in TYPES:
            a = square(6, kind)
            for uplo, trans, unit, side in itertools.product(("lower", "upper"), "NTC", (False, True),
                                                             ("left", "right")):
                with self.subTest(kind=kind, uplo=uplo, trans=trans, unit=unit, side=side):
                    b = numbers((6, 4) if side == "left" else (4, 6), kind)
                    t = np.tril(a) if uplo == "lower" else np.triu(a)
                    if unit:
                        np.fill_diagonal(t, 1)
                    t = op(t, trans)
                    files = self.save("a.npy", a.astype(kind)), self.save("b.npy", b.astype(kind))
                    options = [f"--{uplo}", "--trans", trans, "--side", side, *(["--unit"] if unit else [])]
                    product = self.carry_out("multiply", *files, *options)
                    self.assertEqual(product.dtype, np.dtype(kind))
                    self.assertClose(product, t @ b if side == "left" else b @ t, kind)
                    x = self.carry_out("solve", *files, *options)
                    self.assertClose(t @ x if side == "left" else x @ t, b, kind)

    def test_symmetric_and_hermitian(self):
        for kind, which, uplo, side in itertools.product(TYPES, ("symmetric", "hermitian"), (None, "lower", "upper"),
                                                         ("left", "right")):
            with self.subTest(kind=kind, which=which, uplo=uplo, side=side):
                a = square(5, kind)
                b = numbers((5, 3) if side == "left" else (3, 5), kind)
                t = np.triu(a, 1) if uplo == "upper" else np.tril(a, -1)
                diagonal = np.diag(np.diag(a).real if which == "hermitian" else np.diag(a))
                full = t + diagonal + (t.conj().T if which == "hermitian" else t.T)
                files = self.save("a.npy", a.astype(kind)), self.save("b.npy", b.astype(kind))
                options = ["--side", side, *([f"--{uplo}"] if uplo else [])]
                got = self.carry_out("multiply", *files, *options, which=f"--{which}")
                self.assertClose(got, full @ b if side == "left" else b @ full, kind)

    def test_sizes(self):
        for order, columns in itertools.product((0, 1, 2, 63, 64, 65, 300), (0, 1, 2, 70)):
            with self.subTest(order=order, columns=columns):
                a, b = np.tril(square(order)), numbers((order, columns))
                x = self.carry_out("solve", self.save("a.npy", a), self.save("b.npy", b))
                self.assertClose(a @ x, b)

    def test_npy_orders_and_bytes(self):
        a, b = np.tril(square(7, "c16")), numbers((7, 5), "c16")
        for kind, order, end in itertools.product(TYPES, "CF", "<>="):
            with self.subTest(kind=kind, order=order, end=end):
                left, right = (a, b) if kind.startswith("c") else (a.real, b.real)
                files = (self.save("a.npy", np.array(left, dtype=end + kind, order=order)),
                         self.save("b.npy", np.array(right, dtype=end + kind, order=order)))
                x = self.carry_out("solve", *files)
                self.assertEqual(x.flags.c_contiguous, order == "C")
                self.assertClose(left @ x, right, kind)

    def test_npy_versions(self):
        a = np.tril(square(4))
        b = self.save("b.npy", numbers((4, 2)))
        for version in ((1, 0), (2, 0), (3, 0)):
            with self.subTest(version=version):
                with open(self.path("a.npy"), "wb") as file:
                    np.lib.format.write_array(file, a, version=version)
                self.assertClose(a @ self.carry_out("solve", self.path("a.npy"), b), np.load(b))

    def test_npy_header_written_by_others(self):
        a, b = np.tril(square(3)), numbers((3, 2))
        header = b'{"shape": (3L,3L), "descr":"<f8","fortran_order":False}'.ljust(117) + b"\n"
        self.write("a.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + a.tobytes())
        self.assertClose(a @ self.carry_out("solve", self.path("a.npy"), self.save("b.npy", b)), b)

    def test_vectors(self):
        a, b = np.tril(square(6)), numbers(6)
        files = self.save("a.npy", a), self.save("b.npy", b)
        self.assertClose(a @ self.carry_out("solve", *files), b)
        self.assertClose(self.carry_out("solve", *files, "--side", "right") @ a, b)
        self.assertClose(self.carry_out("multiply", *files, out="x.mtx"), (a @ b)[:, None])

    def test_precisions_are_widened(self):
        a, b = np.tril(square(5)), numbers((5, 2))
        for left, right in itertools.product(TYPES, TYPES):
            with self.subTest(left=left, right=right):
                files = self.save("a.npy", a.astype(left)), self.save("b.npy", b.astype(right))
                x = self.carry_out("solve", *files)
                self.assertEqual(x.dtype, np.promote_types(left, right))

    def test_the_triangle_is_found(self):
        a, b = square(5), numbers((5, 2))
        for triangle in (np.tril(a), np.triu(a), np.diag(np.diag(a))):
            x = self.carry_out("solve", self.save("a.npy", triangle), self.save("b.npy", b))
            self.assertClose(triangle @ x, b)

    def test_bad_alpha(self):
        files = self.save("a.npy", np.eye(3)), self.save("b.npy", np.ones((3, 2)))
        for alpha in ("2#3", "2 m=5", "", "inf", "x"):
            with self.subTest(alpha):
                self.fails(2, "alpha", "solve", "--triangle", files[0], "--rhs", files[1], "--out", self.path("x.npy"),
                           "--alpha", alpha)

    def test_alpha(self):
        a, b = np.tril(square(5, "c16")), numbers((5, 2), "c16")
        files = self.save("a.npy", a), self.save("b.npy", b)
        self.assertClose(a @ self.carry_out("solve", *files, "--alpha", "-2.5"), -2.5 * b)
        self.assertClose(self.carry_out("multiply", *files, "--alpha", "0,1"), 1j * (a @ b))
        self.assertClose(self.carry_out("multiply", *files, "--alpha", "0"), 0 * b)

    def test_matrix_market_forms(self):
        for form, field in itertools.product(("array", "coordinate"), ("real", "integer", "complex")):
            with self.subTest(form=form, field=field):
                a = np.tril(RANDOM.integers(-3, 4, (5, 5)) + 9 * np.eye(5))
                b = RANDOM.integers(-9, 9, (5, 3)).astype(float)
                if field != "integer":
                    a, b = a / 7, b / 7
                if field == "complex":
                    a, b = a + 1j * np.tril(numbers((5, 5))), b + 1j * numbers((5, 3))
                files = (self.write("a.mtx", matrix_market(a, form, field)),
                         self.write("b.mtx", matrix_market(b, form, field)))
                x = self.carry_out("solve", *files, out="x.mtx")
                self.assertClose(a @ x, b)
                self.assertEqual(np.iscomplexobj(x), field == "complex")

    def test_matrix_market_symmetry(self):
        for form, which in itertools.product(("array", "coordinate"), ("symmetric", "hermitian")):
            with self.subTest(form=form, which=which):
                a = square(5, "c16")
                a = a + (a.conj().T if which == "hermitian" else a.T)
                b = numbers((5, 3), "c16")
                file = self.write("a.mtx", matrix_market(a, form, "complex", which))
                for uplo in ("--lower", "--upper"):  # both are there
                    got = self.carry_out("multiply", file, self.save("b.npy", b), uplo, which=f"--{which}")
                    self.assertClose(got, a @ b)

    def test_matrix_market_is_liberal_in_what_the_standard_is_liberal_in(self):
        text = "%%matrixmarket MATRIX Coordinate Real General\r\n% c\r\n\r\n2 2 2\r\n\r\n1 1 +2e0\r\n 2  2\t4.\r\n\r\n"
        x = self.carry_out("solve", self.write("a.mtx", text), self.save("b.npy", np.array([2.0, 8.0])))
        self.assertClose(x, np.array([1.0, 2.0]))

    def test_subnormal_numbers_are_kept(self):
        two = self.save("a.npy", np.diag([2.0, 4.0]))
        x = self.carry_out("solve", two, self.save("b.npy", np.array([2e-323, 4e-320])))
        np.testing.assert_array_equal(x, np.array([1e-323, 1e-320]))
        self.assertGreater(x[0], 0)

    def test_matrix_market_keeps_every_bit(self):
        # Of order 1: no sum makes 0 of -0.
        one = self.save("a.npy", np.eye(1))
        for b in (np.array([[1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 0.0]]),
                  np.array([[complex(-0.0, 1 / 3), complex(5e-324, -0.0), complex(-0.0, -0.0)]])):
            self.carry_out("solve", one, self.save("b.npy", b), "--unit", out="x.mtx")
            again = self.carry_out("solve", one, self.path("x.mtx"), "--unit", out="y.npy")
            self.assertEqual(again.dtype, b.dtype)
            self.assertEqual(again.tobytes(), b.tobytes(), f"{again} {b}")

    def test_the_other_triangle_is_not_read(self):
        a, b = square(6), numbers((6, 2))
        a[np.triu_indices(6, 1)] = np.nan
        x = self.carry_out("solve", self.save("a.npy", a), self.save("b.npy", b), "--lower")
        self.assertClose(np.tril(np.nan_to_num(a)) @ x, b)
        np.fill_diagonal(a, np.inf)
        self.carry_out("solve", self.save("a.npy", a), self.path("b.npy"), "--lower", "--unit")

    def test_json(self):
        files = self.save("a.npy", np.tril(square(40))), self.save("b.npy", numbers((40, 3)))
        done = self.succeeds("solve", "--triangle", files[0], "--rhs", files[1], "--out", self.path("x.npy"), "--json")
        out = json.loads(done.stdout)
        self.assertLess(out["backward_error"], 1e-15)
        self.assertLessEqual(out["error_over_bound"], 1)
        self.assertTrue(out["call"].startswith("dtrsm "))
        self.succeeds("explain", out["call"])

    def test_a_large_result_is_checked_by_sample(self):
        files = self.save("a.npy", np.tril(square(1500))), self.save("b.npy", numbers((1500, 800)))
        done = self.succeeds("solve", "--triangle", files[0], "--rhs", files[1], "--out", self.path("x.npy"))
        self.assertRegex(done.stdout, r"on \d+ rows and \d+ columns")

    def test_output_may_be_an_input(self):
        a, b = np.tril(square(4)), numbers((4, 2))
        files = self.save("a.npy", a), self.save("b.npy", b)
        self.succeeds("solve", "--triangle", files[0], "--rhs", files[1], "--out", files[1], "--force")
        self.assertClose(a @ np.load(files[1]), b)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.npy", "b.npy"])


if __name__ == "__main__":
    unittest.main()
