#include "trigon/bench/contestants.hpp"

#include <trigon/error.hpp>

#include <algorithm>
#include <cstdio>
#include <map>

#include "trigon/bench/find_blas.hpp"
#include "trigon/bench/opencl_peer.hpp"
#include "trigon/bench/own_gemm.hpp"
#include "trigon/locate.hpp"
#include "trigon/setting.hpp"

namespace trigon::bench {
namespace {

Contender trigon_itself(Entry door) {
  if (door == Entry::Cpp || door == Entry::Device) return {"trigon", "", trigon::version(), door, true};
  const std::string path = cli::beside_the_library("libtrigon_blas.so");
  if (path.empty())
    throw backend_error("libtrigon_blas.so is not beside libtrigon.so; --door cpp times the C++ interface instead");
  return {"trigon", path, trigon::version(), door, true};
}

bool measures_opencl() { return setting("TRIGON_BACKEND") == "opencl"; }

/// The peers for a number of threads; a known name that is not installed is reported and left out.
std::vector<Contender> find_peers(const std::vector<std::string>& wanted, int threads, Entry door) {
  std::vector<Contender> list;
  const Entry entry = door == Entry::Cblas ? Entry::Cblas : Entry::Fortran;
  for (const std::string& word : wanted) {
    if (word == "none" || word == own_gemm_name) continue;
    if (word.find('/') != std::string::npos) {
      std::string name = word.substr(word.rfind('/') + 1);
      name = name.substr(0, name.find(".so"));
      list.push_back({name, word, "", entry, false});
      continue;
    }
    const auto known = known_blas();
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      std::string names;
      for (const auto& k : known) names += " " + k;
      throw error("--peers: '" + word + "' is neither a path nor one of" + names + " gemm none");
    }
    const std::string path = find_blas(word, threads);
    if (path.empty())
      std::fprintf(stderr, "peer %s: no build for %d thread(s) found, left out\n", word.c_str(), threads);
    else
      list.push_back({word, path, "", entry, false});
  }
  for (Contender& c : list) {
    if (!OpenclPeer::is(c.path)) continue;
    if (!measures_opencl())
      throw error("--peers: " + c.name + " works on OpenCL's device memory only: --backend opencl");
    c.entry = Entry::Device;
  }
  // Two files may have one name, or that of what is no peer.
  std::map<std::string, int> seen = {{"trigon", 1}, {own_gemm_name, 1}};
  for (Contender& c : list)
    if (const int before = seen[c.name]++; before > 0) c.name += "-" + std::to_string(before + 1);
  return list;
}

}  // namespace

std::vector<Contender> contenders(const std::vector<std::string>& peers, int threads, Entry door) {
  std::vector<Contender> list = find_peers(peers, threads, door);
  list.insert(list.begin(), trigon_itself(door));
  return list;
}

std::vector<std::unique_ptr<Contestant>> open_all(const std::vector<std::string>& peers, int threads, Entry door) {
  std::vector<std::unique_ptr<Contestant>> opened;
  const auto pool = std::make_shared<OperandPool>();
  const auto open = [&](Contender c, const std::shared_ptr<OperandPool>& operands) {
    return threads == 1 ? open_here(std::move(c), operands) : open_apart(std::move(c), threads);
  };
  for (Contender& c : contenders(peers, threads, door)) opened.push_back(open(std::move(c), pool));
  if (std::find(peers.begin(), peers.end(), own_gemm_name) != peers.end())
    opened.push_back(as_gemm(open(trigon_itself(door), std::make_shared<OperandPool>())));
  return opened;
}

}  // namespace trigon::bench
