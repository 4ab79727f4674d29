#include "trigon/bench/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace trigon::bench {

Progress::Progress(std::size_t total, bool quiet)
    : total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {}

void Progress::next(const std::string& what) { show(done_++, what); }
void Progress::note(const std::string& what) { show(done_, what); }

void Progress::show(std::size_t done, const std::string& what) {
  if (quiet_) return;
  const Time time = std::chrono::steady_clock::now();
  const double since = std::chrono::duration<double>(time - last_).count();
  if (since < (terminal_ ? 0.1 : 20.0)) return;
  last_ = time;
  const double elapsed = std::chrono::duration<double>(time - begin_).count();
  const double left = done ? elapsed / static_cast<double>(done) * static_cast<double>(total_ - done) : 0;
  std::fprintf(stderr, "%s[%zu/%zu] %d:%02d left  %s%s", terminal_ ? "\r\033[K" : "", done, total_,
               static_cast<int>(left) / 60, static_cast<int>(left) % 60, what.substr(0, 70).c_str(),
               terminal_ ? "" : "\n");
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (terminal_ && shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace trigon::bench
