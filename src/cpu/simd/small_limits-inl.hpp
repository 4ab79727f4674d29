// What is small enough to be multiplied without being packed first: see small-inl.hpp, which does it.
#if defined(TRIGON_CPU_SIMD_SMALL_LIMITS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SMALL_LIMITS_INL
#undef TRIGON_CPU_SIMD_SMALL_LIMITS_INL
#else
#define TRIGON_CPU_SIMD_SMALL_LIMITS_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/kernels.hpp"
#include "cpu/simd/few_steps-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Copies of blocks up to this order lie on the stack.
inline constexpr index small_order = 32;
/// Whether tiles have sums enough to be as wide as eight columns.
inline constexpr bool sums_widely = registers == 32;

/// Whether the columns of a factor read in place fall on each other.
template <class T>
bool is_aliased(const Factor<T>& f) {
  const bool in_place = f.form == Form::General || f.form == Form::Pair;
  return in_place && f.a.row_stride == 1 && falls_together<T>(f.a.col_stride);
}

/// Whether so many entries come from memory rather than from caches.
template <class T>
bool is_far(index entries) {
  return entries * static_cast<index>(sizeof(T)) >= index{8} << 20;
}

/// With sixteen registers packed tiles load less than those of what is not packed. But what meets few lines of C, or,
/// of reals, has few to meet, is packed for little: instead of `small`, the limit is three times as much or half as
/// much again. The lower one for triangles; for doubles each step of which is another line; for symmetric matrices of
/// eight-byte parts, which are copied whole; and for others that few rows meet. These leave vectors partly empty that
/// lanes down the matrix would fill, see is_slender: if less than one is filled, nothing is added. Nor to sums of more
/// than three times `small` steps.
template <class T>
index small_of_few_lines(const Factor<T>& a, const Factor<T>& bt, const Matrix<T*>& c, Mask mask, index small) {
  constexpr index lanes = unit_lanes<T>;
  constexpr bool eight_bytes = sizeof(real_t<T>) == 8, reals = !is_complex<T>;
  const bool turned = c.row_stride != 1;
  const Factor<T>&down = turned ? bt : a, &across = turned ? a : bt;  // of `down` columns run as those of C
  const index rows = turned ? c.cols : c.rows, lines = std::min(c.rows, c.cols);
  const index depth = a.depth(), least = reals ? std::min(lines, depth) : lines;
  if (least > std::min(small, small_order) || depth > 3 * small || (down.a.row_stride != 1 && !down.mirrored()))
    return small;
  if (across.mirrored() && rows > 1 && rows < lanes) return std::min(small, small_order);
  const bool few_rows = across.mirrored() && rows < 2 * lanes && (reals || rows > 1);
  const bool copies = eight_bytes && (down.mirrored() || across.mirrored());
  const bool by_rows = eight_bytes && reals && !across.mirrored() && across.a.row_stride == 1;
  const bool soon = mask != Mask::All || few_rows || copies || by_rows;
  return small + (least <= 20 && !soon ? 2 * small : small / 2);
}

/// Whether C is so narrow that neither factor is packed for it, with sixteen registers. Across its contiguous
/// direction: more lines if sums are short, and of complex numbers; fewer where what runs down them comes from memory,
/// unless it would be transposed on its way. Along it: more rows than that; fewer doubles if each step of what is
/// broadcast is another line. `small`: the largest order of products that are not packed.
template <class T>
bool is_narrow(const Factor<T>& a, const Factor<T>& bt, const Matrix<T*>& c, index small) {
  if (a.mirrored() || bt.mirrored()) return false;
  const bool turned = c.row_stride != 1;
  const Factor<T>&down = turned ? bt : a, &across = turned ? a : bt;
  const index rows = turned ? c.cols : c.rows, lines = turned ? c.rows : c.cols, depth = a.depth();
  constexpr bool doubles = sizeof(T) == 8 && !is_complex<T>;
  const auto few = [&](index n, index most) { return n <= std::min(small, most); };
  if (few(rows, is_complex<T> ? 28 : doubles && across.a.row_stride == 1 ? 12 : 24)) return true;
  const bool far = is_far<T>(down.a.rows * depth);
  if (down.a.row_stride != 1) return far && few(lines, 8);
  return !far && few(lines, is_complex<T> ? 20 : depth <= 64 ? 16 : depth <= 128 ? 12 : 8);
}

/// Whether sums of at most `most` steps are so short that packing costs more: of few while C stays in the caches; of
/// reals with thirty-two registers while the second one holds C, with sixteen as many more as C is small, but for
/// columns that would have to be copied or push each other out of the cache.
template <class T>
bool has_short_sums(const Factor<T>& a, const Factor<T>& bt, const Matrix<T*>& c, Mask mask, index most) {
  constexpr index middling = 160;
  const index steps = a.depth(), largest = std::max(c.rows, c.cols), entries = c.rows * c.cols;
  if (steps > most) return false;
  // Half of what comes from memory: what is larger is asked for ahead where it is packed.
  if (steps <= few_steps_of_all<T> && !is_far<T>(entries * (mask == Mask::All ? 2 : 1))) return true;
  // From the second cache it comes as fast as tiles take it.
  constexpr index second = (index{1} << 20) / static_cast<index>(sizeof(T));
  if (!is_complex<T> && sums_widely && entries <= (mask == Mask::All ? second : 2 * second)) return true;
  if (a.a.cols <= 8 && largest <= middling) return true;
  const Factor<T>& down = c.row_stride != 1 ? bt : a;
  if (is_complex<T> || sums_widely || down.a.row_stride != 1 || is_aliased(down)) return false;
  return largest <= (steps <= 16 ? 512 : 320);
}

/// Whether packing would take longer than it saves: C has at most `small` rows and columns; two sizes are quite small;
/// sums are short; or C is a triangle, whose diagonal takes more of a packed product the smaller it is.
template <class T>
bool is_small(const Factor<T>& a, const Factor<T>& bt, const Matrix<T*>& c, Mask mask, index small) {
  const index few = std::min(small, small_order), depth = a.a.cols, given = small;
  if (has_short_sums(a, bt, c, mask, few)) return true;
  if ((c.rows > few) + (c.cols > few) + (depth > few) <= 1) return true;
  // If the second factor has contiguous columns each step is another line, which comes again for all rows of C.
  const bool by_rows = !is_complex<T> && !bt.mirrored() && bt.a.row_stride == 1;
  const bool mirrored = a.mirrored() || bt.mirrored();
  if constexpr (!sums_widely) small = small_of_few_lines(a, bt, c, mask, std::min<index>(small, 64));
  if (mask != Mask::All) {
    // Of long complex sums each vector is shuffled at each step, which packing does once.
    constexpr index most = is_complex<T> || sums_widely ? 4 : 1;
    const index most_rows = by_rows && a.depth() > 192 ? 256 : 384;
    if (is_complex<T> && c.rows > 128 && is_far<T>(c.rows * a.depth())) return false;
    return c.rows <= std::min(most_rows, (is_complex<T> && depth > few ? 2 : most) * small);
  }
  if (!is_complex<T> && !sums_widely && is_aliased(a)) small = std::min(small, small_order);
  // All of a symmetric matrix is copied, which costs more than it saves where elements of a large one are broadcast.
  constexpr index most_mirrored = is_complex<T> ? 160 : sizeof(T) == 4 ? 96 : 192;
  if (mirrored && sums_widely && (is_complex<T> || c.row_stride != 1)) small = std::min(small, most_mirrored);
  if (by_rows && is_aliased(bt))
    small = std::min<index>(small, sums_widely ? 96 : small_order);
  else if (by_rows)
    small = std::min<index>(small, depth <= 224 ? 224 : a.a.row_stride == 1 ? 112 : sums_widely ? 64 : small_order);
  // What is packed would be used too seldom, however long C is in one direction.
  if constexpr (sums_widely) {
    // As it is computed, with contiguous columns of C.
    const bool turned = c.row_stride != 1;
    const Factor<T>& x = turned ? a : bt;
    const bool far = (turned ? c.rows > c.cols : c.cols > c.rows) && !x.mirrored() && x.a.row_stride == 1;
    const index few_lines = std::min(c.rows, c.cols);
    const index most = is_complex<T> ? (far ? 8 : 16) : (far ? 56 : 128);
    const index most_together = !is_complex<T> && far ? 56 * 56 : 128 * 128;
    // All of a symmetric factor, which has `depth` rows, would be copied.
    const bool copied = mirrored && depth > small;
    if (!copied && few_lines <= std::min(small, most) && few_lines * depth <= most_together) return true;
  }
  if (!sums_widely && is_narrow(a, bt, c, given)) return true;
  return std::max(c.rows, c.cols) <= small;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
