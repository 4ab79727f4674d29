"""Bad input to `solve` and `multiply`: a message that names the file and the fault, and no output."""

import os
import unittest

import numpy as np

from support import Case, trigon

LOWER = np.array([[2.0, 0, 0], [1, 3, 0], [1, 1, 4]])


class BadFiles(Case):
    def setUp(self):
        super().setUp()
        np.save(self.path("a.npy"), LOWER)
        np.save(self.path("b.npy"), np.ones((3, 2)))

    def rejects(self, says, a="a.npy", b="b.npy", *options, out="x.npy", status=2, command="solve",
                which="--triangle"):
        before = sorted(os.listdir(self.folder))
        self.fails(status, says, command, which, self.path(a), "--rhs", self.path(b), "--out", self.path(out),
                   *options)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def npy(self, header, data=b"", version=b"\x01\x00"):
        header = header.encode() if isinstance(header, str) else header
        return self.write("bad.npy", b"\x93NUMPY" + version + len(header).to_bytes(2, "little") + header + data)

    def test_no_file(self):
        self.rejects("nothere.npy: cannot be opened: No such file", a="nothere.npy")
        self.rejects("nothere.npy: cannot be opened", b="nothere.npy")

    def test_no_ordinary_file(self):
        os.mkdir(self.path("folder"))
        os.mkfifo(self.path("pipe"))
        self.rejects("folder: is not an ordinary file", a="folder")
        self.rejects("pipe: is not an ordinary file", a="pipe")

    def test_no_matrix(self):
        self.write("bad.npy", b"")
        self.rejects("bad.npy: is empty", a="bad.npy")
        self.write("bad.npy", b"PK\x03\x04 something else")
        self.rejects("bad.npy: is neither a .npy nor a Matrix Market file", a="bad.npy")

    def test_npy_cut_off(self):
        whole = self.read("a.npy")
        for length in (6, 9, 11, 40, 127):
            with self.subTest(length):
                self.write("bad.npy", whole[:length])
                self.rejects("bad.npy: is cut off within its header", a="bad.npy")
        self.write("bad.npy", whole[:-1])
        self.rejects("bad.npy: is cut off: 71 bytes of numbers where 72", a="bad.npy")
        self.write("bad.npy", whole + b"x")
        self.rejects("bad.npy: has more than its header says: 73", a="bad.npy")

    def test_npy_malformed_header(self):
        good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }"
        for header in ("", "{", "{}", "()", good[:-3], good + "x", good.replace("'shape'", "'size'"),
                       good.replace("False", "Maybe"), good.replace("(3, 3)", "(3, -3)"),
                       good.replace("(3, 3)", "(3; 3)"), good.replace("(3, 3)", "3"), good.replace("'<f8'", "'<f8"),
                       good.replace("'descr': '<f8', ", "")):
            with self.subTest(header):
                self.npy(header, LOWER.tobytes())
                self.rejects("bad.npy: has a malformed .npy header", a="bad.npy")

    def test_npy_absurd_sizes(self):
        for shape in ("(3000000000, 3000000000)", "(9223372036854775807, 2)", "(4611686018427387904, 4)",
                      "(99999999999999999999, 1)"):
            with self.subTest(shape):
                self.npy("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }" % shape, b"12345678")
                self.rejects("bad.npy: (has a size in its header that is too large|is cut off)", a="bad.npy")
        self.write("bad.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}")
        self.rejects("cut off within its header", a="bad.npy")

    def test_columns_without_rows(self):
        self.write("a.mtx", "%%MatrixMarket matrix array real general\n0 0\n")
        self.write("b.mtx", "%%MatrixMarket matrix array real general\n0 4611686018427387904\n")
        self.succeeds("multiply", "--triangle", self.path("a.mtx"), "--matrix", self.path("b.mtx"), "--out",
                      self.path("x.npy"))

    def test_rows_without_columns(self):
        """In the order of C, which is read and written by rows."""
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 0), }"
        self.npy(header.ljust(117) + "\n")
        np.save(self.path("none.npy"), np.zeros((0, 0)))
        self.succeeds("solve", "--triangle", self.path("none.npy"), "--rhs", self.path("bad.npy"), "--side", "right",
                      "--out", self.path("x.npy"))

    def test_npy_unknown_version(self):
        self.npy("{}", version=b"\x04\x00")
        self.rejects("bad.npy: has .npy version 4.0", a="bad.npy")

    def test_npy_wrong_types(self):
        for values, word in ((LOWER.astype(int), "<i8"), (LOWER.astype(bool), "b1"), (LOWER.astype("f2"), "<f2"),
                             (LOWER.astype("S3"), "S3"), (LOWER.astype(np.longdouble), "<f16")):
            with self.subTest(word):
                np.save(self.path("bad.npy"), values)
                self.rejects(rf"bad.npy: holds numbers of type '\|?{word}'", a="bad.npy")
        np.save(self.path("bad.npy"), np.zeros(3, dtype=[("x", "f8")]))
        self.rejects("bad.npy: holds records", a="bad.npy")
        np.save(self.path("bad.npy"), np.array([None, 1], dtype=object), allow_pickle=True)
        self.rejects("bad.npy: holds numbers of type", a="bad.npy")

    def test_wrong_dimensions(self):
        np.save(self.path("bad.npy"), np.float64(3))
        self.rejects("bad.npy: has 0 dimensions", a="bad.npy")
        np.save(self.path("bad.npy"), np.zeros((2, 2, 2)))
        self.rejects("bad.npy: has 3 dimensions", a="bad.npy")
        np.save(self.path("bad.npy"), np.zeros(9))
        self.rejects("bad.npy: has one dimension; a square matrix is needed", a="bad.npy")

    def test_not_square(self):
        np.save(self.path("bad.npy"), np.ones((3, 4)))
        self.rejects("bad.npy: is 3 x 4, not square", a="bad.npy")

    def test_mismatched(self):
        np.save(self.path("bad.npy"), np.ones((4, 3)))
        self.rejects("bad.npy: is 4 x 3; with a matrix of order 3 on the left it must have as many rows", b="bad.npy")
        np.save(self.path("bad.npy"), np.ones((3, 4)))
        self.rejects("bad.npy: is 3 x 4; .*on the right.*as many columns", "a.npy", "bad.npy", "--side", "right")
        np.save(self.path("bad.npy"), np.ones(4))
        self.rejects("bad.npy: is 4 x 1;", b="bad.npy")

    def test_not_triangular(self):
        np.save(self.path("bad.npy"), np.ones((3, 3)))
        self.rejects("bad.npy: is not triangular; --lower or --upper", a="bad.npy")

    def test_singular(self):
        bad = LOWER.copy()
        bad[1, 1] = 0
        np.save(self.path("bad.npy"), bad)
        self.rejects("bad.npy: is singular, its diagonal is zero in row 2", a="bad.npy")
        bad[1, 1] = 1e-308
        np.save(self.path("bad.npy"), bad)
        np.save(self.path("big.npy"), np.full((3, 2), 1e10))
        self.rejects("result is not finite in row 2, column 1: .*bad.npy is too close to singular, or it overflows",
                     "bad.npy", "big.npy")

    def test_alpha_beyond_the_precision(self):
        np.save(self.path("a4.npy"), LOWER.astype("f4"))
        np.save(self.path("b4.npy"), np.full((3, 1), 1e-20, "f4"))
        for alpha, how in (("1e40", "large"), ("1e-40", "small"), ("-1e-50", "small")):
            for command in ("solve", "multiply"):
                self.rejects(f"--alpha is too {how} for matrices in single precision", "a4.npy", "b4.npy", "--alpha",
                             alpha, command=command)
        self.rejects("--alpha is too small for matrices in double precision", "a.npy", "b.npy", "--alpha", "1e-310")

    def test_overflow_of_a_product(self):
        np.save(self.path("big.npy"), np.full((3, 1), 1e308))
        self.rejects("result is not finite in row 1, column 1: it overflows", "a.npy", "big.npy", command="multiply")

    def test_not_finite(self):
        for value in (np.nan, np.inf, -np.inf):
            bad = LOWER.copy()
            bad[2, 1] = value
            np.save(self.path("bad.npy"), bad)
            self.rejects("bad.npy: is not finite in row 3, column 2", a="bad.npy")
            np.save(self.path("bad.npy"), np.array([1, 2, value]))
            self.rejects("bad.npy: is not finite in row 3, column 1", b="bad.npy")
        bad = LOWER.astype(complex)
        bad[2, 0] = 1 + 1j * np.nan
        np.save(self.path("bad.npy"), bad)
        self.rejects("bad.npy: is not finite in row 3, column 1", a="bad.npy")

    def test_options_that_exclude_each_other(self):
        self.rejects("--lower and --upper", "a.npy", "b.npy", "--lower", "--upper")
        self.rejects("--trans and --unit are for triangles", "a.npy", "b.npy", "--trans", "T", command="multiply",
                     which="--symmetric")
        self.rejects("--trans", "a.npy", "b.npy", "--trans", "X")
        self.rejects("--side", "a.npy", "b.npy", "--side", "middle")
        self.rejects("alpha.*x.*is not a number", "a.npy", "b.npy", "--alpha", "x")
        self.rejects("--alpha is complex", "a.npy", "b.npy", "--alpha", "1,1")
        self.rejects("--alpha is not finite", "a.npy", "b.npy", "--alpha", "inf")

    def test_matrix_market(self):
        head = "%%MatrixMarket matrix "
        cases = {
            "malformed Matrix Market header": ["%%MatrixMarket\n", head + "array real\n1 1\n1\n"],
            "holds a vector, not a matrix": ["%%MatrixMarket vector array real general\n1 1\n1\n"],
            "'pattern' matrix": [head + "coordinate pattern general\n1 1 1\n1 1\n"],
            "'skew-symmetric' matrix": [head + "array real skew-symmetric\n2 2\n1\n"],
            "'sparse' matrix": [head + "sparse real general\n1 1 0\n"],
            "Hermitian by its header, but not complex": [head + "array real hermitian\n1 1\n1\n"],
            "the number of rows is missing": [head + "array real general\n% nothing more\n"],
            "'x' where the number of columns": [head + "array real general\n2 x\n"],
            "negative number of rows": [head + "array real general\n-2 2\n"],
            "symmetric by its header, but not square": [head + "array real symmetric\n2 3\n1\n2\n3\n4\n5\n6\n"],
            "more entries than it has room for": [head + "array real general\n1000 1000\n1\n",
                                                  head + "coordinate real general\n3 3 99999\n1 1 1\n",
                                                  head + "array real general\n4000000000 4000000000\n1\n"],
            "cut off: a number is missing": [head + "array real general\n2 2\n1\n2\n3\n"],
            "cut off: an imaginary part is missing": [head + "array complex general\n1 1\n1\n"],
            "'1,5' where a number": [head + "array real general\n1 1\n1,5\n"],
            "'1e999', which is out of range": [head + "array real general\n1 1\n1e999\n"],
            "goes on after its last entry": [head + "array real general\n1 1\n1\n2\n"],
            r"a row that the matrix does not have, 4": [head + "coordinate real general\n3 3 1\n4 1 1.0\n"],
            r"a column that the matrix does not have, 0": [head + "coordinate real general\n3 3 1\n1 0 1.0\n"],
            "two entries for one place": [head + "coordinate real general\n3 3 2\n1 1 1.0\n1 1 2.0\n"],
            "above the diagonal of a symmetric matrix": [head + "coordinate real symmetric\n3 3 1\n1 2 1.0\n"],
            "diagonal entry that is not real": [head + "array complex hermitian\n1 1\n1 2\n"],
            "do not fit this machine's memory": [head + "coordinate real general\n3000000 3000000 1\n1 1 1.0\n"],
            "is not finite in row 1, column 1": [head + "array real general\n1 1\nnan\n"],
        }
        np.save(self.path("one.npy"), np.ones(1))
        for says, texts in cases.items():
            for text in texts:
                with self.subTest(text):
                    self.write("bad.mtx", text)
                    self.rejects(r"bad.mtx: .*" + says, "bad.mtx", "one.npy")
        self.write("bad.mtx", head + "array real general\n% c\n2 2\n1\n2\n3\nx\n")
        self.rejects(r"\(line 7\)", a="bad.mtx")

    def test_damaged_files_never_crash(self):
        """Every single byte of the header changed, and every truncation: an error or a result, no crash."""
        whole = self.read("a.npy")
        random = np.random.default_rng(3)
        texts = [whole[:i] + bytes([int(random.integers(256))]) + whole[i + 1:] for i in range(6, 70, 2)]
        texts += [whole[:i] for i in range(0, len(whole), 17)]
        text = b"%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 1 1\n2 2 3\n3 3 4\n"
        texts += [text[:i] + bytes([int(random.integers(33, 127))]) + text[i + 1:] for i in range(14, len(text), 2)]
        for content in texts:
            with self.subTest(content):
                self.write("bad.npy", content)
                done = trigon("solve", "--triangle", self.path("bad.npy"), "--rhs", self.path("b.npy"), "--out",
                              self.path("x.npy"), "--force", "--lower")
                self.assertIn(done.returncode, (0, 2), done.stderr)


if __name__ == "__main__":
    unittest.main()
