// Memory in which one byte too far is a crash.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace trigon {

/// Pages with inaccessible ones on both sides. The content ends exactly where the accessible pages end, or
/// starts exactly where they start; the rest of its pages is the caller's to poison.
class GuardedMemory {
 public:
  enum class Place { EndsAtGuard, StartsAtGuard };

  GuardedMemory() = default;

  /// `shift` bytes are left between the content and the guard that it would otherwise touch.
  GuardedMemory(std::size_t bytes, Place place, std::size_t shift = 0) : GuardedMemory() {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), most = std::size_t(-1) - 3 * page;
    if (bytes > most || shift > most - bytes) throw std::bad_alloc();
    accessible_ = std::max<std::size_t>(1, (bytes + shift + page - 1) / page) * page;
    mapped_ = accessible_ + 2 * page;
    void* base = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(base);
    begin_ = base_ + page;
    protect(PROT_READ | PROT_WRITE);
    data_ = place == Place::StartsAtGuard ? begin_ + shift : begin_ + accessible_ - bytes - shift;
  }
  GuardedMemory(GuardedMemory&& other) noexcept { swap(other); }
  GuardedMemory& operator=(GuardedMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GuardedMemory() {
    if (base_ != nullptr) munmap(base_, mapped_);
  }

  std::byte* data() const { return data_; }
  /// All accessible bytes: the content and the rest of its pages.
  std::byte* begin() const { return begin_; }
  std::size_t size() const { return accessible_; }

  /// PROT_READ, PROT_READ | PROT_WRITE or PROT_NONE.
  void protect(int protection) const {
    if (mprotect(begin_, accessible_, protection) != 0) throw std::bad_alloc();
  }

 private:
  void swap(GuardedMemory& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(begin_, other.begin_);
    std::swap(data_, other.data_);
    std::swap(mapped_, other.mapped_);
    std::swap(accessible_, other.accessible_);
  }

  std::byte *base_ = nullptr, *begin_ = nullptr, *data_ = nullptr;
  std::size_t mapped_ = 0, accessible_ = 0;
};

}  // namespace trigon
