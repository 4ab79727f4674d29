#include "cpu/scratch.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace trigon::cpu {
namespace {

constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20;

struct Block {
  void* data = nullptr;
  std::size_t bytes = 0;
  ~Block() { std::free(data); }
};

/// Packed blocks are walked through many times per call: large ones ask for huge pages, so that they do
/// not compete with C for translations. All pages are made to exist: some are fetched ahead before they are written, or
/// lie behind what is, and looking for a page in vain takes long, above all in a virtual machine.
void* allocate(std::size_t& bytes) noexcept {
  const std::size_t unit = bytes >= huge_page / 2 ? huge_page : page;
  bytes = (bytes + unit - 1) / unit * unit;
  void* const data = std::aligned_alloc(unit, bytes);
  if (data && unit == huge_page) madvise(data, bytes, MADV_HUGEPAGE);
  for (std::size_t at = 0; data && at < bytes; at += page) static_cast<volatile char*>(data)[at] = 0;
  return data;
}

}  // namespace

void* scratch(int slot, std::size_t bytes) noexcept {
  static thread_local Block blocks[scratch_slots];
  Block& block = blocks[slot];
  if (bytes > block.bytes) {
    std::size_t grown = bytes + bytes / 4;
    void* fresh = allocate(grown);
    if (!fresh) return nullptr;
    std::free(block.data);
    block.data = fresh, block.bytes = grown;
  }
  return block.data;
}

}  // namespace trigon::cpu
