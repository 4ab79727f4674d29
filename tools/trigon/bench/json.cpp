// Results as JSON and CSV, and where they come from.
#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <trigon/error.hpp>

#include "trigon/bench/report.hpp"
#include "trigon/files/formats.hpp"

namespace trigon::bench {

using nlohmann::json;

namespace {

// JSON has neither infinity nor NaN.
json finite(double v) { return std::isfinite(v) ? json(v) : json(); }
double number(const json& v) { return v.is_number() ? v.get<double>() : HUGE_VAL; }

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string command_line() {
  std::string text = file_text("/proc/self/cmdline");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  for (char& c : text)
    if (c == '\0') c = ' ';
  return text;
}

std::string field_of(const std::string& path, const std::string& field) {
  std::istringstream lines(file_text(path));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(field, 0) == 0)
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return {};
}

/// The commit of the sources this program was built in, when it still lies among them.
std::string git_describe() {
  std::error_code ignored;
  const auto folder = std::filesystem::canonical("/proc/self/exe", ignored).parent_path().string();
  if (folder.empty() || folder.find('\'') != std::string::npos) return {};
  std::FILE* pipe = popen(("git -C '" + folder + "' describe --always --dirty 2>/dev/null").c_str(), "r");
  if (!pipe) return {};
  char text[128] = {};
  const bool any = std::fgets(text, sizeof text, pipe) != nullptr;
  pclose(pipe);
  std::string commit = any ? text : "";
  while (!commit.empty() && commit.back() == '\n') commit.pop_back();
  return commit;
}

}  // namespace

json to_json(const Result& r) {
  const Call& c = r.row.call;
  json out = {
      {"call", to_text(c)},
      {"routine", routine(c)},
      {"variant", variant(c)},
      {"shape", r.row.shape},
      {"threads", r.row.threads},
      {"weight", r.row.weight},
      {"flops", flops(c)},
      {"bytes", r.footprint},
      {"peak_gflops", r.peak * 1e-9},
      {"bandwidth_gbytes", r.bandwidth * 1e-9},
      {"rounds", r.rounds},
      {"measurements", r.measurements},
      {"plan",
       {{"backend", r.plan.backend},
        {"path", r.plan.path},
        {"provider", r.plan.provider},
        {"leaf", r.plan.leaf},
        {"threads", r.plan.threads}}},
      {"results", json::array()},
  };
  for (const Timing& t : r.timings) {
    json entry = {{"name", t.name}, {"ran", t.ran}};
    if (t.ran) {
      entry.update({{"seconds", t.seconds},
                    {"gflops", r.gflops(t)},
                    {"spread", t.spread},
                    {"uncertainty", finite(t.uncertainty)},
                    {"ratio", finite(t.ratio)},
                    {"inner", t.inner},
                    {"right", t.checked.right},
                    {"error_over_bound", finite(t.checked.ratio)}});
      if (!t.checked.right) entry["wrong"] = t.checked.words;
    } else {
      entry["missing"] = t.missing;
    }
    out["results"].push_back(entry);
  }
  const Timing* best = r.best_peer();
  out["best_peer"] = best ? json(best->name) : json();
  out["ratio"] = best ? finite(best->ratio) : json();
  return out;
}

Result result_from_json(const json& j) {
  try {
    Result r;
    r.row.call = parse_call(j.at("call").get<std::string>());
    r.row.shape = j.at("shape"), r.row.threads = j.at("threads"), r.row.weight = j.at("weight");
    r.footprint = j.at("bytes");
    r.peak = j.at("peak_gflops").get<double>() * 1e9;
    r.bandwidth = j.at("bandwidth_gbytes").get<double>() * 1e9;
    r.rounds = j.at("rounds"), r.measurements = j.at("measurements");
    const json& plan = j.at("plan");
    r.plan.backend = plan.at("backend"), r.plan.path = plan.at("path"), r.plan.provider = plan.at("provider");
    r.plan.leaf = plan.at("leaf"), r.plan.threads = plan.at("threads");
    for (const json& e : j.at("results")) {
      Timing t;
      t.name = e.at("name"), t.ran = e.at("ran");
      if (t.ran) {
        t.seconds = e.at("seconds"), t.spread = e.at("spread"), t.inner = e.at("inner");
        t.uncertainty = number(e.at("uncertainty")), t.ratio = number(e.at("ratio"));
        t.checked = {e.at("right"), number(e.at("error_over_bound")), e.value("wrong", "")};
      } else {
        t.missing = e.at("missing");
      }
      r.timings.push_back(t);
    }
    if (r.timings.empty()) throw error("a row has no results");
    return r;
  } catch (const json::exception& e) {
    throw error(std::string("this is no row of `trigon bench --json`: ") + e.what());
  }
}

json counts_json(const Counted& counted) {
  json paths = json::array();
  for (const PathCount& p : counted.paths)
    paths.push_back({{"routine", p.routine}, {"path", p.path}, {"calls", p.calls}, {"flops", p.flops}});
  return {{"paths", paths}, {"provider_gemm_calls", counted.provider_gemms}};
}

json provenance(const std::vector<std::pair<int, std::vector<Contender>>>& contenders, const std::string& commit) {
  const CpuInfo cpu = cpu_info();
  const ProviderInfo provider = gemm_provider();
  const TuningInfo table = tuning();
  utsname host{};
  uname(&host);
  char date[32];
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  json implementations = json::array();
  for (const auto& [threads, list] : contenders)
    for (const Contender& c : list)
      implementations.push_back({{"name", c.name},
                                 {"threads", threads},
                                 {"door", to_string(c.entry)},
                                 {"path", c.path},
                                 {"version", c.version}});
  return {
      {"date", date},
      {"command", command_line()},
      {"commit", commit.empty() ? git_describe() : commit},
      {"trigon", trigon::version()},
      {"cpu",
       {{"model", field_of("/proc/cpuinfo", "model name")},
        {"name", cpu.name},
        {"target", cpu.target},
        {"supported", cpu.supported},
        {"flags", field_of("/proc/cpuinfo", "flags")},
        {"cores", std::thread::hardware_concurrency()}}},
      {"system", std::string(host.sysname) + " " + host.release + " " + host.machine},
      {"provider",
       {{"name", provider.name}, {"version", provider.version}, {"path", provider.path}, {"detail", provider.detail}}},
      {"tuning", {{"source", table.source}, {"provenance", table.provenance}}},
      {"probe_target", probe_target()},
      {"implementations", implementations},
  };
}

std::string to_csv(const std::vector<Result>& results, const std::vector<std::string>& peers) {
  std::ostringstream out;
  out.precision(6);
  out << "routine,variant,layout,shape,m,n,k,lda,ldb,ldc,incx,threads,path,peak_gflops,trigon_gflops,trigon_spread";
  for (const auto& peer : peers) out << "," << peer << "_gflops," << peer << "_ratio," << peer << "_right";
  out << ",best_peer,ratio_to_best\n";
  for (const Result& r : results) {
    const Call& c = r.row.call;
    out << routine(c) << ',' << variant(c) << ',' << static_cast<char>(c.layout) << ',' << r.row.shape << ',' << c.m
        << ',' << c.n << ',' << c.k << ',' << c.lda << ',' << c.ldb << ',' << c.ldc << ',' << c.incx << ','
        << r.row.threads << ',' << r.plan.path << ',' << r.peak * 1e-9 << ',' << r.gflops(r.trigon()) << ','
        << r.trigon().spread;
    for (const auto& peer : peers) {
      const Timing* found = nullptr;
      for (const Timing& t : r.timings)
        if (t.name == peer && t.ran) found = &t;
      if (found)
        out << ',' << r.gflops(*found) << ',' << found->ratio << ',' << (found->checked.right ? "yes" : "no");
      else
        out << ",,,";
    }
    const Timing* best = r.best_peer();
    if (best)
      out << ',' << best->name << ',' << best->ratio << '\n';
    else
      out << ",,\n";
  }
  return out.str();
}

void write_file(const std::string& path, const std::string& text) {
  cli::write_atomically(path, true, [&](const cli::Sink& put) { put(text.data(), text.size()); });
}

}  // namespace trigon::bench
