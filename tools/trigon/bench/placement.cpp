#include "trigon/bench/placement.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace trigon::bench {

void spread_threads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const unsigned here = static_cast<unsigned>(sched_getcpu());
  std::vector<unsigned> others;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (cpu != here && CPU_ISSET(cpu, &allowed)) others.push_back(cpu);
  if (others.empty()) return;
  std::size_t next = 0;
  std::error_code ended;  // a thread may end meanwhile
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ended)) {
    const pid_t thread = std::atoi(task.path().filename().c_str());
    if (thread == gettid()) continue;
    cpu_set_t before, one;
    // What a library has bound stays where it is.
    if (sched_getaffinity(thread, sizeof before, &before) != 0 || !CPU_EQUAL(&before, &allowed)) continue;
    CPU_ZERO(&one);
    CPU_SET(others[next++ % others.size()], &one);
    if (sched_setaffinity(thread, sizeof one, &one) == 0) sched_setaffinity(thread, sizeof before, &before);
  }
}

}  // namespace trigon::bench
