// One process per implementation: its threads are stopped while another implementation is timed, because
// idle threads of a BLAS spin. Requests and answers are lines of JSON over a pair of pipes.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <trigon/error.hpp>

#include "trigon/bench/contestant.hpp"
#include "trigon/json_text.hpp"

extern char** environ;

namespace trigon::bench {
namespace {

using nlohmann::json;

constexpr int answers_fd = 3;

json to_json(const PlanInfo& p) {
  return {{"backend", p.backend}, {"path", p.path},       {"provider", p.provider},
          {"leaf", p.leaf},       {"threads", p.threads}, {"words", p.words}};
}

PlanInfo plan_from(const json& j) {
  return {j.at("backend"), j.at("path"), j.at("provider"), j.at("leaf"), j.at("threads"), j.at("words")};
}

/// A copy of this program that serves one implementation.
class Worker {
 public:
  Worker(const Contender& who, int threads) : name_(who.path.empty() ? who.name : who.name + " (" + who.path + ")") {
    // Everything that allocates happens before the fork.
    std::map<std::string, std::string> variables;
    for (char** v = environ; *v; ++v)
      if (const char* equals = std::strchr(*v, '='))
        variables[std::string(static_cast<const char*>(*v), equals)] = equals + 1;
    for (const auto& [name, value] : thread_environment(threads)) variables[name] = value;
    for (const auto& [name, value] : who.environment) variables[name] = value;
    std::vector<std::string> settings;
    for (const auto& [name, value] : variables) settings.push_back(name + "=" + value);
    std::vector<std::string> words = {"trigon", "bench-worker",       "--name",    who.name,
                                      "--door", to_string(who.entry), "--threads", std::to_string(threads)};
    if (!who.path.empty()) words.insert(words.end(), {"--path", who.path});
    if (who.is_trigon) words.push_back("--trigon");
    std::vector<char*> argv, envp;
    for (auto& w : words) argv.push_back(w.data());
    for (auto& s : settings) envp.push_back(s.data());
    argv.push_back(nullptr), envp.push_back(nullptr);

    int requests[2], answers[2];
    if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
      throw backend_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    child_ = fork();
    if (child_ < 0) throw backend_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      // Copied high first: either pipe may itself sit on a descriptor that is about to be replaced.
      const int in = fcntl(requests[0], F_DUPFD, 16), out = fcntl(answers[1], F_DUPFD, 16);
      dup2(in, STDIN_FILENO);
      dup2(out, answers_fd);
      close(in), close(out);
      execve("/proc/self/exe", argv.data(), envp.data());
      _exit(127);
    }
    close(requests[0]), close(answers[1]);
    to_ = requests[1];
    from_ = fdopen(answers[0], "r");
  }
  ~Worker() {
    close(to_);
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (from_) std::fclose(from_);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Wakes the process for one question and stops it after the answer.
  json ask(const json& question) {
    if (child_ < 0 || !from_) throw worker_died(name_ + " has died");
    kill(child_, SIGCONT);
    const std::string line = cli::in_text(question, -1) + "\n";
    // A worker that has died makes the read below end; the write must not end this process.
    struct sigaction ignore = {}, old = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &old);
    const bool sent = write(to_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    sigaction(SIGPIPE, &old, nullptr);
    char* text = nullptr;
    std::size_t capacity = 0;
    const ssize_t length = sent ? getline(&text, &capacity, from_) : -1;
    const std::string answer(length > 0 ? text : "");
    std::free(text);
    if (length <= 0) throw worker_died(name_ + " died" + how());
    kill(child_, SIGSTOP);
    const json j = json::parse(answer);
    if (j.contains("error")) throw error(j.at("error").get<std::string>());
    return j;
  }

 private:
  std::string how() {
    int status = 0;
    const bool reaped = waitpid(child_, &status, 0) == child_;
    child_ = -1;
    if (!reaped) return "";
    return WIFSIGNALED(status) ? std::string(" of ") + strsignal(WTERMSIG(status))
                               : " with status " + std::to_string(WEXITSTATUS(status));
  }

  std::string name_;
  pid_t child_ = -1;
  int to_ = -1;
  std::FILE* from_ = nullptr;
};

class Remote final : public Contestant {
 public:
  Remote(Contender who, int threads) : who_(std::move(who)), worker_(who_, threads) {
    const json hello = worker_.ask({{"do", "hello"}});
    who_.path = hello.at("path"), who_.version = hello.at("version"), who_.tuning = hello.at("tuning");
  }

  const Contender& who() const override { return who_; }
  bool prepare(const Row& row, std::uint64_t seed, std::string& why) override {
    const json answer = worker_.ask({{"do", "prepare"}, {"call", to_text(row.call)}, {"seed", seed}});
    why = answer.at("why");
    return answer.at("able");
  }
  Checked check() override {
    const json answer = worker_.ask({{"do", "check"}});
    const json& ratio = answer.at("ratio");  // JSON has no infinity
    return {answer.at("right"), ratio.is_number() ? ratio.get<double>() : HUGE_VAL, answer.at("words")};
  }
  double sample(int inner, bool cold) override {
    return worker_.ask({{"do", "sample"}, {"inner", inner}, {"cold", cold}}).at("seconds");
  }
  PlanInfo plan() override { return plan_from(worker_.ask({{"do", "plan"}})); }
  Counted counted() override {
    const json answer = worker_.ask({{"do", "counted"}});
    Counted all{{}, answer.at("provider_gemms")};
    for (const json& p : answer.at("paths"))
      all.paths.push_back({p.at("routine"), p.at("path"), p.at("calls"), p.at("flops"), p.at("seconds")});
    return all;
  }
  void release() override { worker_.ask({{"do", "release"}}); }

 private:
  Contender who_;
  Worker worker_;
};

}  // namespace

std::unique_ptr<Contestant> open_apart(Contender who, int threads) {
  return std::make_unique<Remote>(std::move(who), threads);
}

int serve(const Contender& contender, int threads) {
  std::FILE* out = fdopen(answers_fd, "w");
  if (!out) throw error("bench-worker is started by `trigon bench`, not by hand");
  const auto reply = [&](const json& j) {
    std::fputs((cli::in_text(j, -1) + "\n").c_str(), out);
    std::fflush(out);
  };
  std::unique_ptr<Contestant> me;
  char* text = nullptr;
  std::size_t capacity = 0;
  while (getline(&text, &capacity, stdin) > 0) {
    try {
      if (!me) me = open_here(contender, std::make_shared<OperandPool>());
      const json q = json::parse(text);
      const std::string what = q.at("do");
      if (what == "hello") {
        const std::string table = contender.is_trigon ? tuning().source : "";
        reply({{"path", me->who().path}, {"version", me->who().version}, {"tuning", table}});
      } else if (what == "prepare") {
        Row row;
        row.call = parse_call(q.at("call").get<std::string>());
        row.threads = threads;
        std::string why;
        const bool able = me->prepare(row, q.at("seed"), why);
        reply({{"able", able}, {"why", why}});
      } else if (what == "check") {
        const Checked c = me->check();
        reply({{"right", c.right}, {"ratio", c.ratio}, {"words", c.words}});
      } else if (what == "sample") {
        reply({{"seconds", me->sample(q.at("inner"), q.at("cold"))}});
      } else if (what == "plan") {
        reply(to_json(me->plan()));
      } else if (what == "counted") {
        const Counted all = me->counted();
        json paths = json::array();
        for (const auto& p : all.paths)
          paths.push_back({{"routine", p.routine},
                           {"path", p.path},
                           {"calls", p.calls},
                           {"flops", p.flops},
                           {"seconds", p.seconds}});
        reply({{"provider_gemms", all.provider_gemms}, {"paths", paths}});
      } else if (what == "release") {
        me->release();
        reply(json::object());
      }
    } catch (const std::bad_alloc&) {
      reply({{"error", out_of_memory_words}});
    } catch (const std::exception& e) {
      reply({{"error", e.what()}});
    }
  }
  std::free(text);
  return 0;
}

}  // namespace trigon::bench
