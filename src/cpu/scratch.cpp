#include "cpu/scratch.hpp"

#include <cstdlib>

namespace trigon::cpu {
namespace {

constexpr std::size_t page = 4096;

struct Block {
  void* data = nullptr;
  std::size_t bytes = 0;
  ~Block() { std::free(data); }
};

}  // namespace

void* scratch(int slot, std::size_t bytes) noexcept {
  static thread_local Block blocks[scratch_slots];
  Block& block = blocks[slot];
  if (bytes > block.bytes) {
    const std::size_t grown = (bytes + bytes / 4 + page - 1) / page * page;
    void* fresh = std::aligned_alloc(page, grown);
    if (!fresh) return nullptr;
    std::free(block.data);
    block = {nullptr, 0};
    block.data = fresh, block.bytes = grown;
  }
  return block.data;
}

}  // namespace trigon::cpu
