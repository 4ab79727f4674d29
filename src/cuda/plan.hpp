// How a call is carried out on a device.
#pragma once

#include "core/plan.hpp"
#include "cuda/execute.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace trigon::cuda {

/// Pure. Narrow: few right-hand sides, one launch. Packed: one product, or one leaf. Recursion: products between
/// leaves.
inline core::Plan plan(const core::Request& r, const core::Tuning& t) {
  core::Plan p = core::plan(r, {}, t);
  p.provider = false, p.threads = 1, p.leaf = 0;
  if (p.path == core::Path::Nothing || p.path == core::Path::Scale) return p;
  p.path = core::Path::Packed;
  if (!in_place(r.operation)) return p;
  p.leaf = t.cuda_leaf[r.precision];
  const bool vector = r.operation == Operation::Trmv || r.operation == Operation::Trsv;
  if (vector || r.b.cols <= t.cuda_narrow_rhs[r.precision])
    p.path = core::Path::Narrow;
  else if (r.a.rows > p.leaf)
    p.path = core::Path::Recursion;
  return p;
}

/// Bytes of workspace with which the call is taken, and every smaller one of its kind: with fewer right-hand sides it
/// may be narrow.
inline std::size_t workspace_size(const core::Request& r, const core::Plan& p, const core::Tuning& t) {
  if (p.path == core::Path::Nothing || p.path == core::Path::Scale || !in_place(r.operation)) return 0;
  if (p.path == core::Path::Narrow) return needed_bytes(r, p);
  return chain_bytes(r.precision, r.b.rows, std::min<index>(r.b.cols, t.cuda_narrow_rhs[r.precision]));
}

/// A plan in words, for `explain`.
inline std::vector<std::string> words(const core::Request& r, const core::Plan& p) {
  std::vector<std::string> lines;
  switch (p.path) {
    case core::Path::Nothing: return {"path: nothing to do"};
    case core::Path::Scale: lines = {"path: scale, one launch clears the result or multiplies it by beta"}; break;
    case core::Path::Narrow:
      lines = {"path: narrow, one launch: blocks take tiles of 32 rows by a ticket and wait for each other by flags",
               "workspace: " + std::to_string(needed_bytes(r, p)) + " bytes of tickets and flags"};
      break;
    case core::Path::Packed:
      lines = {in_place(r.operation) ? "path: packed, one launch of the panel kernel"
                                     : "path: packed, one product of our own GEMM kernel"};
      break;
    case core::Path::Recursion:
      lines = {"path: recursion, order " + std::to_string(r.a.rows) + " is halved down to panels of at most " +
                   std::to_string(p.leaf),
               "GEMM: our own kernel between them"};
      break;
  }
  lines.push_back(r.memory == core::Memory::Host
                      ? "operands: in the host's memory; copied to the device whole, and the result back"
                      : "operands: in device memory");
  return lines;
}

}  // namespace trigon::cuda
