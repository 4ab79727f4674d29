#include "core/once.hpp"
#include "core/plugin.hpp"
#include "cpu/plugin.hpp"

#include <trigon/error.hpp>

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

namespace trigon::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "libtrigon-", suffix = ".so";

/// What is opened, and by which thread while it is not `ready`.
struct Entry {
  Registered backend;
  std::thread::id opener;
  bool ready = false;
};

/// Never destroyed: calls may still come from other libraries' exit handlers. The mutex is never held while foreign
/// code runs: drivers fork, and constructors of what they load may call a BLAS.
struct State {
  std::mutex mutex;
  std::condition_variable* changed = new std::condition_variable;
  std::map<std::string, Entry, std::less<>> known;
  bool devices = false;  ///< one could be used
  std::atomic<bool> forked{false};
};

State& state();

/// Only the thread that forked is in the child: what others were opening is forgotten, and so are those who waited. A
/// driver, its loader or a plug-in that they were inside of may be waited for there for ever: it is not asked again.
void after_fork_in_child() {
  State& child = state();
  child.changed = new std::condition_variable;
  const auto interrupted = std::erase_if(child.known, [](const auto& entry) {
    return !entry.second.ready && entry.second.opener != std::this_thread::get_id();
  });
  child.mutex.unlock();
  if (!child.devices && interrupted == 0) return;
  child.forked = true;
  if (chosen_backend.load()) chosen_backend = &cpu::plugin();
}

State& state() {
  return *once([] {
    State* const fresh = new State;
    pthread_atfork([] { state().mutex.lock(); }, [] { state().mutex.unlock(); }, after_fork_in_child);
    return fresh;
  });
}

/// Where libtrigon.so lies, asked for when it is loaded: a relative path would change its meaning with the working
/// directory.
const fs::path& folder() {
  return once([] {
    Dl_info self;
    std::error_code ignored;
    return dladdr(reinterpret_cast<const void*>(&choose_backend), &self)
               ? fs::absolute(self.dli_fname, ignored).parent_path()
               : fs::path();
  });
}
[[maybe_unused]] const fs::path& asked_at_load = folder();

/// A name becomes part of a path.
bool plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

fs::path path_of(std::string_view name) {
  return folder() / (std::string(prefix) + std::string(name) + std::string(suffix));
}
std::string absent(std::string_view name) {
  return "no such backend in this build: there is no " + path_of(name).string();
}

Registered open(std::string_view name) {
  Registered b{std::string(name), nullptr, {}};
  const fs::path path = path_of(name);
  std::error_code ignored;
  if (!plain(name) || !fs::exists(path, ignored)) {
    b.why = absent(name);
    return b;
  }
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    b.why = dlerror();
    return b;
  }
  const auto entry = reinterpret_cast<PluginEntry*>(dlsym(library, "trigon_plugin"));
  const Host& host = once([] { return Host{plugin_abi, environment(), tuning()}; });
  const Plugin* const table = entry ? entry(host) : nullptr;
  if (!table || table->abi != plugin_abi) {
    b.why = path.string() + (table ? " belongs to another version of libtrigon.so" : " is no plug-in of Trigon");
    dlclose(library);
    return b;
  }
  b.table = table;
  if (const char* why = table->unavailable()) b.why = why;
  return b;
}

/// What a thread gets that asks for a backend while it opens it, or while another one never gets done with it.
const Registered& being_opened() {
  return once([] { return Registered{"", nullptr, "it is being opened by a call that waits for this one"}; });
}

}  // namespace

const Registered& registered(std::string_view name) {
  if (name == "cpu") return once([] { return Registered{"cpu", &cpu::plugin(), {}}; });
  const Uncancelled until_open;
  State& s = state();
  const std::thread::id self = std::this_thread::get_id();
  std::unique_lock lock(s.mutex);
  while (true) {
    const auto found = s.known.find(name);
    if (found == s.known.end()) break;
    if (found->second.ready) return found->second.backend;
    if (found->second.opener == self) return being_opened();
    // The opener may wait for the loader's lock, which this thread has where a constructor calls BLAS.
    constexpr std::chrono::seconds patience(60);
    if (s.changed->wait_for(lock, patience) == std::cv_status::timeout) return being_opened();
  }
  Entry& entry = s.known.emplace(std::string(name), Entry{{}, self}).first->second;
  if (s.forked) {
    std::error_code ignored;
    const bool here = plain(name) && fs::exists(path_of(name), ignored);
    entry = {{std::string(name), nullptr, here ? off_devices : absent(name)}, self, true};
    return entry.backend;
  }
  lock.unlock();
  Registered opened;
  try {
    opened = open(name);
  } catch (...) {  // no memory: those who wait for it try themselves
    lock.lock();
    s.known.erase(s.known.find(name));
    s.changed->notify_all();
    throw;
  }
  lock.lock();
  entry.backend = std::move(opened);
  entry.ready = true;
  if (entry.backend.why.empty()) s.devices = true;
  s.changed->notify_all();
  return entry.backend;
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
  if (forked_off_devices()) {  // before anything is opened or asked
    chosen_backend.store(&cpu::plugin(), std::memory_order_release);
    return cpu::plugin();
  }
  const std::string& wanted = environment().backend;
  const Registered& b = registered(wanted == "auto" ? "cpu" : wanted);
  if (&b == &being_opened()) return cpu::plugin();
  const auto refuse = [&](const std::string& why) {
    throw backend_error("TRIGON_BACKEND=" + wanted + ": not available, because " + why);
  };
  if (!b.table || !b.why.empty()) refuse(b.why);
  if (const char* why = b.table->no_device ? b.table->no_device() : nullptr) refuse(why);
  chosen_backend.store(b.table, std::memory_order_release);
  return *b.table;
}

bool forked_off_devices() { return state().forked; }

}  // namespace trigon::core
