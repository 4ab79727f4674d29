// How a call is carried out on a device.
#pragma once

#include "core/algorithm.hpp"
#include "core/plan.hpp"
#include "cuda/execute.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace trigon::cuda {

/// m n k from which a general product goes to the provider; negative: none does.
inline index provider_work(core::ProviderUse use, Precision precision, const core::Tuning& t) {
  if (use == core::ProviderUse::Always) return 0;
  const index from = t.cuda_provider_work[precision];
  return use == core::ProviderUse::Measured && from > 0 ? from : -1;
}

/// What the table says of the kernels. The order of sums on a tensor unit is the device's: who wants the same bits
/// everywhere goes without.
inline Choice choice(Precision precision, const core::Tuning& t, bool reproducible) {
  const auto number = [&](const core::PerPrecision& entry) { return static_cast<int>(entry[precision]); };
  return {.large_tiles = t.cuda_large_tiles,
          .tile_columns = t.cuda_tile_n[precision],
          .tensor_units = t.cuda_tensor_units[precision] != 0 && !reproducible,
          .panel_warps = number(t.cuda_panel_warps),
          .chain_warps = number(t.cuda_chain_warps),
          .chain_blocks = number(t.cuda_chain_blocks)};
}

/// Whether the largest general product of a plan goes to the provider.
inline bool is_provided(const core::Request& r, const core::Plan& p, index from) {
  if (from < 0) return false;
  const auto work = [](index m, index n, index k) {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  };
  const bool recursion = p.path == core::Path::Recursion;
  if (!recursion && r.operation != Operation::Gemm) return false;
  if (!recursion) return work(r.c.rows, r.c.cols, r.a.cols) >= static_cast<double>(from);
  // Just above a power of two the first cut leaves few rows, and the largest product is one level down.
  const index half = core::cut(r.a.rows), next = half > p.leaf ? half / 2 : 0;
  return std::max(work(r.a.rows - half, r.b.cols, half), work(next, r.b.cols, next)) >= static_cast<double>(from);
}

/// Pure. Narrow: few right-hand sides, one launch. Packed: one product, or one leaf. Recursion: products between
/// leaves.
inline core::Plan plan(const core::Request& r, const core::Tuning& t,
                       core::ProviderUse use = core::ProviderUse::Never) {
  core::Plan p = core::plan(r, {}, t);
  p.provider = false, p.threads = 1, p.leaf = 0;
  if (p.path == core::Path::Nothing || p.path == core::Path::Scale) return p;
  p.path = core::Path::Packed;
  if (!in_place(r.operation)) {
    p.provider = is_provided(r, p, provider_work(use, r.precision, t));
    return p;
  }
  p.leaf = inverts(r) ? std::max(t.cuda_leaf[r.precision], diagonal_tile) : t.cuda_leaf[r.precision];
  const bool vector = r.operation == Operation::Trmv || r.operation == Operation::Trsv;
  if (vector || r.b.cols <= t.cuda_narrow_rhs[r.precision])
    p.path = core::Path::Narrow;
  else if (r.a.rows > p.leaf)
    p.path = core::Path::Recursion;
  p.provider = is_provided(r, p, provider_work(use, r.precision, t));
  return p;
}

/// Bytes of workspace with which the call is taken, and every smaller one of its kind: with fewer right-hand sides it
/// may be narrow, and not be asked to invert tiles.
inline std::size_t workspace_size(const core::Request& r, const core::Plan& p, const core::Tuning& t) {
  if (p.path == core::Path::Nothing || p.path == core::Path::Scale || !in_place(r.operation)) return 0;
  const std::size_t narrow =
      chain_bytes(r.precision, r.b.rows, std::min<index>(r.b.cols, t.cuda_narrow_rhs[r.precision]));
  return std::max(narrow, needed_bytes(r, p));
}

/// A plan in words, for `explain`.
inline std::vector<std::string> words(const core::Request& r, const core::Plan& p, const Choice& c) {
  std::vector<std::string> lines;
  switch (p.path) {
    case core::Path::Nothing: return {"path: nothing to do"};
    case core::Path::Scale: lines = {"path: scale, one launch clears the result or multiplies it by beta"}; break;
    case core::Path::Narrow:
      lines = {"path: narrow, one launch: blocks take tiles of 32 rows by a ticket and wait for each other by flags",
               "blocks: " + std::to_string(c.chain_warps) + " warps each, at most " + std::to_string(c.chain_blocks) +
                   " per multiprocessor",
               "workspace: " + std::to_string(needed_bytes(r, p)) + " bytes of tickets and flags"};
      break;
    case core::Path::Packed:
      lines = {in_place(r.operation) ? "path: packed, one launch of the panel kernel" : "path: packed, one product"};
      break;
    case core::Path::Recursion:
      lines = {"path: recursion, order " + std::to_string(r.a.rows) + " is halved down to panels of at most " +
               std::to_string(p.leaf)};
      break;
  }
  const bool recursion = p.path == core::Path::Packed || p.path == core::Path::Recursion;
  if (recursion)
    lines.push_back(p.provider ? "GEMM: cuBLAS for large blocks that BLAS has words for, our own kernels for others"
                               : "GEMM: our own kernels");
  if (recursion && c.tensor_units && (p.path == core::Path::Recursion || !in_place(r.operation)))
    lines.push_back("our own kernels: FP64 tensor units, where the device has them (sm_80 and newer)");
  if (recursion && in_place(r.operation))
    lines.push_back("panels: blocks of " + std::to_string(c.panel_warps) + " warps, four right-hand sides each");
  if (recursion && (p.path == core::Path::Recursion || !in_place(r.operation))) {
    lines.push_back("tiles: large ones, of general products with " + std::to_string(c.tile_columns) +
                    " columns, where a result has " + std::to_string(c.large_tiles) + " of them, else small ones");
  }
  if (inverts(r) && p.path == core::Path::Narrow)
    lines.push_back(
        "solve: inverted, each block inverts its diagonal tile of 32 rows while it waits, and refines once");
  else if (inverts(r) && recursion)
    lines.push_back("solve: inverted, one launch inverts the diagonal tiles of 32 rows, each result is refined once; " +
                    std::to_string(needed_bytes(r, p)) + " bytes of workspace");
  lines.push_back(r.memory == core::Memory::Host
                      ? "operands: in the host's memory; copied to the device whole, and the result back"
                      : "operands: in device memory");
  return lines;
}

}  // namespace trigon::cuda
