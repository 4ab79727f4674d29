// Queues of the plug-in, and device memory for programs that know no driver.
#include "cuda/plugin.hpp"
#include "cuda/queue.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace trigon::cuda::plugin {
namespace {

using core::Message;
using core::Status;

/// cudaStreamPerThread, and HIP's, is another stream in every host thread; a queue has one order and one workspace.
void* one_stream(void* native) {
  if (reinterpret_cast<std::uintptr_t>(native) == 2)
    throw failure(Status::InvalidArgument,
                  "the stream per thread is another one in every thread and cannot be a queue; make a stream");
  return native;
}

template <class Open>
Queue* opened(const Message& message, Open&& open) {
  Queue* queue = nullptr;
  return guarded(message, [&] { queue = open(); }) == Status::Success ? queue : nullptr;
}

void* adopt(void* native, Message message) {
  return opened(message, [&] {
    const Stream stream = adopt_stream(one_stream(native));
    return new Queue(stream, true, provider(stream.device).use);
  });
}

void* create(const char* name, Message message) {
  return opened(message, [&] {
    const int device = device_number(name);
    const core::ProviderUse use = provider(device).use;
    return new Queue(open_stream(device), false, use);
  });
}

void* native(void* queue) { return static_cast<Queue*>(queue)->stream().handle; }

/// Runs `work(stream)` on the queue's device.
template <class Work>
Status on_stream(void* queue, const Message& message, Work&& work) {
  return guarded(message, [&] {
    const Stream& stream = static_cast<Queue*>(queue)->stream();
    const OnDevice scope(stream);
    work(stream);
  });
}

/// A graph would run without what is asked for here: its memory and its copies are its caller's business. A wait would
/// end the capture.
void refuse_capture(const Stream& s) {
  if (capturing(s))
    throw failure(
        Status::InvalidArgument,
        "the stream is being captured: nothing waits, and no device memory is made or copied, until that ends");
}

Status finish(void* queue, Message message) {
  return on_stream(queue, message, [](const Stream& s) {
    refuse_capture(s);
    wait(s);
  });
}

void close(void* queue) { delete static_cast<Queue*>(queue); }

Status allocate(void* queue, std::size_t bytes, void** memory, Message message) {
  return on_stream(queue, message, [&](const Stream& s) {
    refuse_capture(s);
    *memory = cuda::allocate(s, std::max<std::size_t>(bytes, 1));
  });
}

void release(void* queue, void* memory) {
  (void)on_stream(queue, {}, [&](const Stream& s) { cuda::release(s, memory); });
}

Status write(void* queue, void* memory, std::size_t at, const void* from, std::size_t bytes, Message message) {
  if (bytes == 0) return Status::Success;
  return on_stream(queue, message, [&](const Stream& s) {
    refuse_capture(s);
    copy_in(s, static_cast<std::byte*>(memory) + at, from, bytes);
    wait(s);
  });
}

Status read(void* queue, void* memory, std::size_t at, void* to, std::size_t bytes, Message message) {
  if (bytes == 0) return Status::Success;
  return on_stream(queue, message, [&](const Stream& s) {
    refuse_capture(s);
    copy_out(s, to, static_cast<const std::byte*>(memory) + at, bytes);
    wait(s);
  });
}

std::string unusable(const std::string& device, const std::string& why) { return device + " cannot be used: " + why; }

}  // namespace

const core::Host* host = nullptr;

const Found& found() {
  static const Found& f = *new Found([] {
    Found now;
    try {
      now.devices = cuda::devices();
    } catch (const std::exception& e) {
      now.why = e.what();
    }
    return now;
  }());
  return f;
}

std::string why_none() {
  if (!found().why.empty()) return found().why;
  std::string all;
  const auto& list = found().devices;
  for (int i = 0; i < static_cast<int>(list.size()); ++i) {
    const std::string why = lacks(i);
    if (why.empty()) return {};
    all += (all.empty() ? "" : "; ") + unusable(list[static_cast<std::size_t>(i)], why);
  }
  return all;
}

int device_number(const std::string& name) {
  const auto& list = found().devices;
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  std::string why_none_can;
  for (int i = 0; i < static_cast<int>(list.size()); ++i) {
    const std::string& words = list[static_cast<std::size_t>(i)];
    if (!name.empty() && (is_number ? i != number : words.find(name) == std::string::npos)) continue;
    const std::string why = why_not(i);
    if (why.empty()) return i;
    why_none_can += (why_none_can.empty() ? "" : "; ") + unusable(words, why);
  }
  if (!why_none_can.empty()) throw failure(Status::Unavailable, why_none_can);
  throw failure(Status::Unavailable, "there is no device \"" + name + "\" among " + std::to_string(list.size()));
}

const core::Queues queues{.adopt = adopt,
                          .create = create,
                          .native = native,
                          .finish = finish,
                          .close = close,
                          .allocate = allocate,
                          .release = release,
                          .write = write,
                          .read = read};

}  // namespace trigon::cuda::plugin
