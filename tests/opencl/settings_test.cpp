// What a device is taken for, and the numbers that follow, on devices that nobody here has.
#include "opencl/settings.hpp"

#include <gtest/gtest.h>

namespace trigon::opencl {
namespace {

constexpr Precision precisions[] = {Precision::Single, Precision::Double, Precision::ComplexSingle,
                                    Precision::ComplexDouble};
constexpr std::size_t element[] = {4, 8, 8, 16};

Facts device(bool is_cpu, bool unified, const char* vendor, int units) {
  return {is_cpu, unified, vendor, units, 256, 32 << 10, is_cpu ? 8 : 1, is_cpu ? 4 : 1};
}

TEST(Classes, FollowFromWhatDriversSay) {
  EXPECT_EQ(classify(device(true, true, "AuthenticAMD pthread-AMD EPYC", 64)), Class::Cpu);
  EXPECT_EQ(classify(device(false, true, "Intel(R) Corporation Intel(R) Iris(R) Xe Graphics", 96)), Class::Integrated);
  EXPECT_EQ(classify(device(false, true, "Advanced Micro Devices, Inc. gfx1036", 2)), Class::Integrated);
  EXPECT_EQ(classify(device(false, true, "Apple Apple M1", 8)), Class::Integrated);
  EXPECT_EQ(classify(device(false, true, "Advanced Micro Devices, Inc. gfx942", 228)), Class::Discrete);
  EXPECT_EQ(classify(device(false, false, "NVIDIA Corporation NVIDIA H200", 132)), Class::Discrete);
  EXPECT_EQ(classify(device(false, false, "Intel(R) Corporation Intel(R) Arc(TM) A770 Graphics", 512)),
            Class::Discrete);
  EXPECT_EQ(classify(device(false, true, "ARM Mali-G78 r0p1", 24)), Class::Mobile);
  EXPECT_EQ(classify(device(false, true, "QUALCOMM Adreno(TM) 740", 6)), Class::Mobile);
}

core::Tuning table(const std::string& text) { return core::parse_tuning(text, "a test"); }

TEST(Defaults, OfEveryClassFitTheirDevices) {
  const Facts gpu = device(false, false, "a card", 32);
  for (int c = 1; c <= 4; ++c)
    for (std::size_t p = 0; p < 4; ++p) {
      const Settings s = settings(gpu, table("opencl.class " + std::to_string(c)), precisions[p]);
      EXPECT_EQ(s.wrong, "");
      EXPECT_EQ(static_cast<int>(s.device_class), c);
      EXPECT_EQ(s.kernels, c == 1 ? Kernels::Panels : Kernels::Tiles);
      EXPECT_LE(static_cast<std::size_t>(s.tile.items()), gpu.work_group);
      EXPECT_LE(s.tile.local_bytes(element[p]), gpu.local_memory);
      EXPECT_EQ(s.tile.local, c != 4);
      EXPECT_NE(in_words(s), "");
    }
}

TEST(Defaults, GiveWayToTheLimitsOfADevice) {
  Facts little = device(false, false, "a card", 32);
  little.local_memory = 6 << 10, little.work_group = 64;
  for (const Precision p : precisions) {
    const Settings s = settings(little, {}, p);
    EXPECT_EQ(s.wrong, "");
    EXPECT_EQ(s.kernels, Kernels::Tiles);
    EXPECT_EQ(s.tile.items(), 64);
  }
  little.work_group = 256, little.widest[1] = 8;
  for (const Precision p : precisions) {
    const Settings s = settings(little, {}, p);
    EXPECT_EQ(s.wrong, "");
    EXPECT_EQ(s.kernels, Kernels::Tiles);
    EXPECT_LE(s.tile.down(), 8);
  }
  little.widest[0] = 4;
  EXPECT_EQ(settings(little, {}, Precision::Double).strip_width, 4);
  little.work_group = 1;  // as Apple's processors
  const Settings s = settings(little, {}, Precision::Double);
  EXPECT_EQ(s.kernels, Kernels::Panels);
  EXPECT_EQ(s.strip_width, 1);
}

TEST(Defaults, AreThoseThatWereMeasuredOnProcessors) {
  const Facts cpu{true, true, "a processor", 2, 4096, 32 << 10, 16, 8};
  EXPECT_EQ(settings(cpu, {}, Precision::Single).shape, (Shape{16, 8, 3}));
  EXPECT_EQ(settings(cpu, {}, Precision::ComplexDouble).shape, (Shape{8, 4, 3}));
  const Facts narrower{true, true, "a processor", 2, 4096, 32 << 10, 8, 4};  // sixteen registers
  EXPECT_EQ(settings(narrower, {}, Precision::Double).shape, (Shape{4, 4, 3}));
  EXPECT_EQ(settings(narrower, {}, Precision::ComplexDouble).shape, (Shape{4, 2, 2}));
  EXPECT_EQ(settings(narrower, {}, Precision::ComplexSingle).shape, (Shape{8, 2, 2}));
  EXPECT_EQ(settings(cpu, {}, Precision::Double).leaf, 2048);
  EXPECT_EQ(settings(cpu, {}, Precision::Double).leaf_few, 256);
  EXPECT_EQ(settings(cpu, {}, Precision::ComplexSingle).gemm_k, 512);
  EXPECT_EQ(settings(cpu, {}, Precision::ComplexSingle).gemm_n, 1536);
}

TEST(Defaults, PackAndComputeAtOnceWhereWorkItemsCanWait) {
  Facts f{true, true, "a processor", 2, 4096, 32 << 10, 16, 8};
  EXPECT_EQ(settings(f, {}, Precision::Double).launches, 2);
  const core::Tuning one = table("opencl.launches.d 1"), two = table("opencl.launches.d 2");
  EXPECT_EQ(settings(f, one, Precision::Double).wrong,
            "opencl.launches.d 1 takes a processor that orders memory between work-items");
  f.orders_memory = true;
  EXPECT_EQ(settings(f, {}, Precision::Double).launches, 1);
  EXPECT_EQ(settings(f, one, Precision::Double).wrong, "");
  EXPECT_EQ(settings(f, two, Precision::Double).launches, 2);
  f.is_cpu = false;
  EXPECT_EQ(settings(f, {}, Precision::Double).launches, 2);
}

TEST(Tables, SayMoreThanClasses) {
  const Facts gpu = device(false, false, "a card", 32);
  const Settings s = settings(gpu,
                              table("opencl.tile_m.d 96\nopencl.tile_n.d 48\nopencl.tile_k.d 8\nopencl.item_m.d 6\n"
                                    "opencl.item_n.d 3\nopencl.leaf.d 77\nopencl.strip.d 32\nopencl.tile_local.d 2"),
                              Precision::Double);
  EXPECT_EQ(s.wrong, "");
  EXPECT_EQ(s.tile, (Tile{96, 48, 8, 6, 3, false}));
  EXPECT_EQ(s.leaf, 77);
  EXPECT_EQ(s.strip, 32);
  EXPECT_EQ(settings(gpu, table("opencl.kernels 1 1 1 1"), Precision::Double).kernels, Kernels::Panels);
}

TEST(Tables, ThatADeviceCannotDoAreRefusedInWords) {
  const Facts gpu = device(false, false, "a card", 32);
  const auto wrong = [&](const std::string& text) { return settings(gpu, table(text), Precision::Double).wrong; };
  EXPECT_EQ(wrong("opencl.tile_m.d 60\nopencl.item_m.d 8"), "opencl.tile_m.d 60 is no multiple of opencl.item_m 8");
  EXPECT_EQ(wrong("opencl.tile_n.d 60\nopencl.item_n.d 7"), "opencl.tile_n.d 60 is no multiple of opencl.item_n 7");
  EXPECT_EQ(wrong("opencl.tile_m.d 257"), "opencl.tile_m.d 257 is above 256");
  EXPECT_EQ(wrong("opencl.tile_m.d 128"),
            "opencl.tile_m.d 128 and the entries beside it take 512 work-items, where a work-group has 256 at most");
  EXPECT_EQ(wrong("opencl.tile_k.d 64"),
            "opencl.tile_m.d 64 and the entries beside it take 66560 bytes of local memory, of which there are 32768");
  EXPECT_EQ(wrong("opencl.vector.d 3"), "opencl.vector.d 3 is none of 2 4 8 16");
  EXPECT_EQ(wrong("opencl.rows.d 6"), "opencl.rows.d 6 is none of 2 4 8 16");
  EXPECT_EQ(wrong("opencl.vectors.d 5"), "opencl.vectors.d 5 is none of 1 2 3 4");
  EXPECT_EQ(wrong("opencl.kernels.d 3"), "opencl.kernels.d 3 is none of 1 2");
  EXPECT_EQ(wrong("opencl.strip.d 5"), "opencl.strip.d 5 is none of 4 8 16 32");
  EXPECT_EQ(wrong("opencl.class 5"), "opencl.class 5 is above 4");
  EXPECT_EQ(wrong("opencl.gemm_n.d 1099511627776"), "opencl.gemm_n.d 1099511627776 is above 1073741824");
  EXPECT_EQ(wrong("opencl.gemm_n.d 1073741824"), "");
  for (const char* entry :
       {"leaf", "leaf_few", "gemm_k", "gemm_m", "invert", "solve_k", "solve_whole", "solve_triangle"})
    EXPECT_EQ(wrong("opencl." + std::string(entry) + ".d 1099511627776"), "") << "computed with, in 64 bits";
  EXPECT_EQ(wrong("opencl.vector.s 3"), "") << "another precision's";
  Facts flat = gpu;
  flat.widest[0] = 256, flat.widest[1] = 1;
  EXPECT_EQ(settings(flat, table("opencl.kernels.d 2"), Precision::Double).wrong,
            "opencl.kernels.d 2 takes work-groups of 8 by 8, where they are 256 by 1 at most");
  Facts lonely = gpu;
  lonely.work_group = 1;
  EXPECT_EQ(settings(lonely, table("opencl.kernels.d 2"), Precision::Double).wrong,
            "opencl.kernels.d 2 takes 64 work-items, where a work-group has 1 at most");
}

}  // namespace
}  // namespace trigon::opencl
