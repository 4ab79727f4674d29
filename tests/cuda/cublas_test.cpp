// cuBLAS as a provider of GEMM, with the stand-in of fake_cublas.cpp: how arguments are put into its words, what it is
// not asked for, and what happens when it fails.
#include "cuda/cublas.hpp"
#include "cuda/device_calls.hpp"
#include "cuda/plan.hpp"
#include "cuda/queue.hpp"
#include "cuda/shim/stream.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <random>

namespace trigon::test {
namespace {

using core::Matrix;
using cuda::Cublas;

long long count(const char* function) {
  static void* const library = dlopen(FAKE_CUBLAS, RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<long long (*)()>(dlsym(library, function))();
}

class CudaCublas : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cuda::open_cublas(FAKE_CUBLAS).path, FAKE_CUBLAS); }
  ~CudaCublas() override { unsetenv("FAKE_CUBLAS_FAILS"); }
  const cuda::Stream stream{nullptr, 0, 2};
  std::mt19937_64 random{11};
};

/// One operand in every way in which a view can lie in memory.
struct Lie {
  index row_stride, col_stride;
  bool conj;
};

/// All ways of A, B and C: those that BLAS has words for, and no others, are computed.
TEST_F(CudaCublas, TakesWhatBlasHasWordsFor) {
  using T = std::complex<double>;
  const Cublas cublas(stream);
  const index m = 5, n = 4, k = 3, ld = 7;
  const Lie ways[] = {{1, ld, false}, {ld, 1, false}, {1, ld, true}, {ld, 1, true}, {2, 2 * ld, false}};
  std::vector<T> a(100), b(100);
  for (T& x : a) x = {static_cast<double>(random() % 9) - 4, static_cast<double>(random() % 9) - 4};
  for (T& x : b) x = {static_cast<double>(random() % 9) - 4, static_cast<double>(random() % 9) - 4};
  const T alpha{2, 1}, beta{0, -1};
  int done = 0;
  for (const Lie& at : ways)
    for (const Lie& bt : ways)
      for (const Lie& ct : ways) {
        if (ct.conj) continue;
        std::vector<T> c(100, {1, 2}), expected = c;
        const Matrix<T*> va{a.data(), m, k, at.row_stride, at.col_stride, at.conj},
            vb{b.data(), k, n, bt.row_stride, bt.col_stride, bt.conj},
            vc{c.data(), m, n, ct.row_stride, ct.col_stride, false};
        const auto get = [](const Matrix<T*>& v, index i, index j) {
          const T x = v.data[i * v.row_stride + j * v.col_stride];
          return v.conj ? std::conj(x) : x;
        };
        for (index i = 0; i < m; ++i)
          for (index j = 0; j < n; ++j) {
            T sum = 0;
            for (index l = 0; l < k; ++l) sum += get(va, i, l) * get(vb, l, j);
            T& x = expected[static_cast<std::size_t>(i * ct.row_stride + j * ct.col_stride)];
            x = alpha * sum + beta * x;
          }
        const bool by_columns = ct.row_stride == 1;
        // Of a C by rows the transpose is computed: its factors are the transposes.
        const auto in_words = [&](const Lie& w) {
          if (w.row_stride == 2) return false;
          return !w.conj || (by_columns ? w.col_stride == 1 : w.row_stride == 1);
        };
        const bool possible = ct.row_stride != 2 && in_words(at) && in_words(bt);
        EXPECT_EQ(cublas.gemm(alpha, va, vb, beta, vc), possible);
        EXPECT_EQ(c, possible ? expected : std::vector<T>(100, {1, 2}));
        done += possible;
      }
  EXPECT_EQ(done, 2 * 3 * 3);
}

/// Every variant of GEMM, and TRSM and TRMM with products between their leaves: judged like all other code.
TEST_F(CudaCublas, SuppliesProductsOfAnyCall) {
  const Cublas cublas(stream);
  const long long before = count("fake_cublas_calls");
  int cases = 0;
  for (const Operation op : {Operation::Gemm, Operation::Trsm, Operation::Trmm, Operation::Symm, Operation::Her2k})
    for (const Precision p : all_precisions) {
      if (op == Operation::Her2k && !is_complex_precision(p)) continue;
      for (const Call& variant : variants(op, p)) {
        Case c{variant};
        const index order = 34 + static_cast<index>(random() % 40);
        set_sizes(c.call, order, 1 + static_cast<index>(random() % 40), 1 + static_cast<index>(random() % 30));
        c.call.alpha = -0.5, c.call.beta = random() % 2 ? 0.75 : 0;
        c.operands.seed = random();
        c.sample = {6, random()};
        c.check_flags = c.repeat = false;
        if (op != Operation::Gemm && random() % 3 != 0) continue;
        const Outcome outcome = run_case(on_device({.leaf = 32, .cublas = &cublas}), c);
        ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
        ++cases;
      }
    }
  EXPECT_GT(count("fake_cublas_calls") - before, cases / 2);
  const long long now = count("fake_cublas_calls");
  Operands symmetric(parse_call("dsymm m=40 n=20"));
  run_on_device(symmetric.call(), {.cublas = &cublas});
  EXPECT_EQ(count("fake_cublas_calls"), now) << "a symmetric product is ours";
}

/// Addresses that are multiples of a real number's size alone, which Trigon takes.
TEST_F(CudaCublas, IsNotAskedForComplexNumbersBetweenItsOwn) {
  using T = std::complex<double>;
  const Cublas cublas(stream);
  alignas(16) double memory[3][10];
  for (auto& m : memory)
    for (double& x : m) x = 1;
  for (int between = 0; between < 4; ++between) {  // none, A, B, C
    const auto at = [&](int i) {
      return Matrix<T*>{reinterpret_cast<T*>(memory[i] + (between == i + 1)), 2, 2, 1, 2, false};
    };
    EXPECT_EQ(cublas.gemm(T(1), at(0), at(1), T(0), at(2)), between == 0) << between;
  }
  Operands o(parse_call("zgemm m=4 n=5 k=6"));
  run_on_device(o.call(), {.cublas = &cublas});
  EXPECT_TRUE(o.verify().ok());
}

TEST_F(CudaCublas, OneHandleForEachStream) {
  const long long before = count("fake_cublas_handles");
  {
    const Cublas one(stream), other(stream);
    EXPECT_EQ(count("fake_cublas_handles"), before + 2);
  }
  EXPECT_EQ(count("fake_cublas_handles"), before);
}

/// Its products are on that stream, in a workspace of its own, as large as docs/cuda.md says.
TEST_F(CudaCublas, EachHandleHasItsStreamAndItsWorkspace) {
  simt::NativeStream natives[2];
  const cuda::Stream streams[] = {{&natives[0], 0, 2}, {&natives[1], 0, 2}};
  const Cublas one(streams[0]), other(streams[1]);
  long long workspaces[2];
  for (const int i : {0, 1, 0}) {
    Operands o(parse_call("dgemm m=4 n=4 k=4"));
    run_on_device(o.call(), {.cublas = i == 0 ? &one : &other});
    EXPECT_EQ(count("fake_cublas_stream"), reinterpret_cast<long long>(&natives[i]));
    EXPECT_EQ(count("fake_cublas_workspace_bytes"), 32ll << 20);
    workspaces[i] = count("fake_cublas_workspace");
  }
  EXPECT_NE(workspaces[0], workspaces[1]);
}

TEST_F(CudaCublas, SaysWhatFailed) {
  const auto words = [&](const char* where, auto&& work) -> std::string {
    setenv("FAKE_CUBLAS_FAILS", where, 1);
    try {
      work();
    } catch (const cuda::failure& f) {
      unsetenv("FAKE_CUBLAS_FAILS");
      return (f.status == core::Status::OutOfMemory ? "memory: " : "error: ") + std::string(f.what());
    }
    unsetenv("FAKE_CUBLAS_FAILS");
    return {};
  };
  const long long before = count("fake_cublas_handles");
  EXPECT_EQ(words("create", [&] { Cublas c(stream); }), "memory: cuBLAS, making a handle: no memory (status 3)");
  EXPECT_EQ(words("workspace", [&] { Cublas c(stream); }),
            "error: cuBLAS, setting the workspace: a fake failure (status 7)");
  EXPECT_EQ(count("fake_cublas_handles"), before);
  const Cublas cublas(stream);
  Operands o(parse_call("dgemm m=4 n=4 k=4"));
  EXPECT_EQ(words("gemm", [&] { run_on_device(o.call(), {.cublas = &cublas}); }),
            "memory: cuBLAS, GEMM: no memory (status 3)");
  EXPECT_EQ(o.intrusion(), "");
  run_on_device(o.call(), {.cublas = &cublas});
  EXPECT_TRUE(o.verify().ok());
}

TEST_F(CudaCublas, IsMadeBeforeAStreamIsCaptured) {
  simt::NativeStream native{.capturing = true};
  const cuda::Stream captured{&native, 0, 2};
  EXPECT_THROW(Cublas{captured}, cuda::failure);
  native.capturing = false;
  const Cublas cublas(captured);
  native.capturing = true;  // the shim refuses memory now
  Operands o(parse_call("dgemm m=40 n=40 k=40"));
  run_on_device(o.call(), {.cublas = &cublas});
  EXPECT_TRUE(o.verify().ok());
}

/// A second queue may find no memory for a handle of its own.
TEST_F(CudaCublas, IsDoneWithoutWhereItIsOnlyFaster) {
  setenv("FAKE_CUBLAS_FAILS", "create", 1);
  const cuda::Queue measured(stream, true, core::ProviderUse::Measured);
  EXPECT_EQ(measured.cublas(), nullptr);
  EXPECT_THROW(cuda::Queue(stream, true, core::ProviderUse::Always), cuda::failure);
  unsetenv("FAKE_CUBLAS_FAILS");
  const cuda::Queue other(stream, true, core::ProviderUse::Measured);
  EXPECT_NE(other.cublas(), nullptr);
}

TEST(CudaProvider, IsPlannedByNameOrByWork) {
  using core::ProviderUse;
  core::Tuning t;
  const auto provided = [&](const char* call, ProviderUse use) {
    return cuda::plan(core::canonical(parse_call(call)), t, use).provider;
  };
  EXPECT_FALSE(provided("dgemm m=900 n=900 k=900", ProviderUse::Never));
  EXPECT_FALSE(provided("dgemm m=900 n=900 k=900", ProviderUse::Measured));
  EXPECT_TRUE(provided("dgemm m=2 n=2 k=2", ProviderUse::Always));
  EXPECT_FALSE(provided("dsyrk n=900 k=900", ProviderUse::Always));
  EXPECT_FALSE(provided("dtrsm m=900 n=60", ProviderUse::Always)) << "one launch";
  EXPECT_FALSE(provided("dtrsm m=100 n=100", ProviderUse::Always)) << "one panel";
  EXPECT_TRUE(provided("dtrsm m=300 n=100", ProviderUse::Always));
  t.cuda_provider_work.value = {0, 1000000, 0, 0};
  EXPECT_TRUE(provided("dgemm m=100 n=100 k=100", ProviderUse::Measured));
  EXPECT_FALSE(provided("dgemm m=100 n=100 k=99", ProviderUse::Measured));
  EXPECT_FALSE(provided("sgemm m=900 n=900 k=900", ProviderUse::Measured));
  EXPECT_TRUE(provided("dtrsm m=200 n=109", ProviderUse::Measured));  // 72 × 109 × 128
  EXPECT_FALSE(provided("dtrsm m=200 n=108", ProviderUse::Measured));
  EXPECT_TRUE(provided("dtrsm m=513 n=100", ProviderUse::Measured)) << "256 × 100 × 256 follows 1 × 100 × 512";
}

}  // namespace
}  // namespace trigon::test
