// What launches are given besides buffers, one structure for each kernel: drivers spend time on every argument. The
// host reads this file too (numbers.hpp). NUMBERS declares those that have a `real`, which the host has two of. Places,
// strides and sizes are in elements; `at` is where element (0, 0) lies.

/// Which entries of a result exist. The diagonal of Hermitian ones is real.
enum { ALL, LOWER, UPPER, HERMITIAN = 4 };

/// How the entries of a product's factor are found: one triangle of a symmetric one is stored.
enum { GENERAL, SYMMETRIC_LOWER, SYMMETRIC_UPPER, HERMITIAN_LOWER, HERMITIAN_UPPER };

/// An operand of a product, maybe a second view behind the first along the steps.
typedef struct {
  long at, line_stride, step_stride, at2, line_stride2, step_stride2;
  int conj, form;
} operand_numbers;

/// What of C exists, and where.
typedef struct {
  long m, n, at, rs, cs;
  int mask;
} result_numbers;

NUMBERS(gemm_numbers) {
  operand_numbers a, b;
  result_numbers c;
  long steps;    // of each view
  long chunk;    // steps that a work-item packs at a time
  long items_a;  // pieces that A's rows are packed in, 0 if by those who use them
  long lying_a;  // so many row tiles of A are read where they lie, and not packed,
  long lying_b;  // so many panels of B
  long to_b;     // from where packed operands begin to B's
  long blocks;   // of rows
  long kc;
  int views, shared, most;
  real ar, ai, br, bi;
  real zero;  // what sums begin at: -0 where they are added to sums of earlier steps
};

NUMBERS(tiles_numbers) {
  operand_numbers a, b;
  result_numbers c;
  long steps, wrap;
  int views;
  real ar, ai, br, bi;
};

/// A lower triangle.
typedef struct {
  long n, at, rs, cs;
  int conj, unit;
} triangle_numbers;

/// Packed panels: the triangle, and the right-hand sides that it meets.
NUMBERS(panels_numbers) {
  triangle_numbers t;
  long chunk;      // steps that a work-item packs at a time
  long divide_at;  // in workspace: a flag for each tile on the diagonal
  long own;        // from the triangle that one work-item packs for itself to the next one's, 0 if all share one
  long x_at;       // in workspace: right-hand sides
  long cols, at, rs, cs;
  int solves, most;
  real ar, ai;
};

/// A triangle of either kind, and right-hand sides whose columns are contiguous.
NUMBERS(in_place_numbers) {
  triangle_numbers t;
  long own;   // in workspace: from what one work-item packs to what the next one does
  long to_t;  // from where that begins to the triangle
  long cols, at, cs;
  int upper, most;
  real ar, ai;
};

/// Inverses of diagonal blocks of so many tiles, and where they lie in workspace.
typedef struct {
  long n, divide_at, block, inverse_at, scratch_at;
  int unit;
} invert_numbers;

/// A triangle for GPUs, and its right-hand sides.
NUMBERS(strip_numbers) {
  triangle_numbers t;
  long cols, at, rs, cs;
  real ar, ai;
};

/// One right-hand side, its rows `rs` apart.
NUMBERS(vector_numbers) {
  triangle_numbers t;
  long at, rs;
  real ar, ai;
};

/// Columns [c0, c1) have been solved, rows [c1, c2) are next.
typedef struct {
  long c0, c1, c2, own, rows;
} step_numbers;

NUMBERS(scale_numbers) {
  result_numbers c;
  real br, bi;
};
