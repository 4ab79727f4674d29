#include "core/plugin.hpp"
#include "cpu/plugin.hpp"

#include <trigon/error.hpp>

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

namespace trigon::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "libtrigon-", suffix = ".so";

/// Never destroyed: calls may still come from other libraries' exit handlers.
struct State {
  std::mutex mutex;
  std::map<std::string, Registered, std::less<>> known;
  std::atomic<bool> opened{false}, forked{false};
};

State& state() {
  static State& s = []() -> State& {
    State& fresh = *new State;
    fresh.known.emplace("cpu", Registered{"cpu", &cpu::plugin(), {}});
    pthread_atfork([] { state().mutex.lock(); }, [] { state().mutex.unlock(); },
                   [] {
                     State& child = state();
                     child.mutex.unlock();
                     if (!child.opened) return;
                     child.forked = true;
                     if (chosen_backend.load()) chosen_backend = &cpu::plugin();
                   });
    return fresh;
  }();
  return s;
}

fs::path folder() {
  Dl_info self;
  return dladdr(reinterpret_cast<const void*>(&choose_backend), &self) ? fs::path(self.dli_fname).parent_path()
                                                                       : fs::path();
}

/// A name becomes part of a path.
bool plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Registered open(std::string_view name) {
  Registered b{std::string(name), nullptr, {}};
  const fs::path path = folder() / (std::string(prefix) + b.name + std::string(suffix));
  std::error_code ignored;
  if (!plain(name) || !fs::exists(path, ignored)) {
    b.why = "no such backend in this build: there is no " + path.string();
    return b;
  }
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    b.why = dlerror();
    return b;
  }
  const auto entry = reinterpret_cast<PluginEntry*>(dlsym(library, "trigon_plugin"));
  static const Host& host = *new Host{plugin_abi, environment(), tuning()};
  const Plugin* const table = entry ? entry(host) : nullptr;
  if (!table || table->abi != plugin_abi) {
    b.why = path.string() + (table ? " belongs to another version of libtrigon.so" : " is no plug-in of Trigon");
    dlclose(library);
    return b;
  }
  state().opened = true;
  b.table = table;
  if (const char* why = table->unavailable()) b.why = why;
  return b;
}

}  // namespace

const Registered& registered(std::string_view name) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto found = s.known.find(name);
  return found != s.known.end() ? found->second : s.known.emplace(std::string(name), open(name)).first->second;
}

std::vector<const Registered*> all_backends() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder(), ignored)) {
    const std::string file = entry.path().filename();
    if (!file.starts_with(prefix) || !file.ends_with(suffix)) continue;
    const std::string name = file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
    if (plain(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  std::vector<const Registered*> all{&registered("cpu")};
  for (const std::string& name : names) all.push_back(&registered(name));
  return all;
}

const Plugin& choose_backend() {
  const std::string& wanted = environment().backend;
  const Registered& b = registered(wanted == "auto" || forked_off_devices() ? "cpu" : wanted);
  if (!b.table || !b.why.empty()) throw backend_error("TRIGON_BACKEND=" + wanted + ": not available, because " + b.why);
  chosen_backend.store(b.table, std::memory_order_release);
  return *b.table;
}

bool forked_off_devices() { return state().forked; }

}  // namespace trigon::core
