#include "cpu/scratch.hpp"

#include "core/once.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdlib>
#include <utility>

namespace trigon::cpu {
namespace {

constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20;

struct Block {
  void* data;
  std::size_t bytes;
};
/// Without destructors: those of the main thread run before the exit handlers of others, which may call.
constinit thread_local Block blocks[scratch_slots]{};

/// Has them freed when this thread ends; when the process ends they are left to it.
void free_with_thread() noexcept {
  static constexpr auto free_all = [](void*) {
    for (Block& block : blocks) std::free(block.data), block = {};
  };
  struct Key {
    pthread_key_t key;
    bool made;
  };
  const Key& key = core::once([] {
    Key fresh{};
    fresh.made = pthread_key_create(&fresh.key, free_all) == 0;
    return fresh;
  });
  if (key.made) pthread_setspecific(key.key, blocks);
}

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
  Block& block = blocks[slot];
  if (bytes > block.bytes) {
    free_with_thread();
    std::size_t grown = bytes + bytes / 4;
    void* fresh = allocate(grown);
    if (!fresh) {  // with what there was before, and no more than is asked for?
      std::free(std::exchange(block, {}).data);
      fresh = allocate(grown = bytes);
      if (!fresh) return nullptr;
    }
    std::free(block.data);
    block = {fresh, grown};
  }
  return block.data;
}

}  // namespace trigon::cpu
