"""The packed kernels keep their sums in registers, and others load once what they use twice.

A compiler that takes them for an array in memory makes a library that is right and half as fast, on one instruction set
of several: a lambda that held the variable of an unrolled loop by reference was enough. So the compiled code is read:
the loop of each tile with the most multiply-adds for its length, and all of those tiles that are not packed, of which a
function has many.

What lies where the caller put it begins anywhere, and each load of 64 bytes meets two lines of the cache. Two or three
products with a vector had it as an operand in memory, each its own, and took up to 1.8 times as long.

    registers_test.py OBJDUMP LIBRARY
"""
import re
import subprocess
import sys
import unittest

OBJDUMP, LIBRARY = sys.argv[1:3]

TILES = re.compile(r"N_AVX[23]::(gemm_tile|gemm_pair|gemm_halved|gemm_tile_lying)<"
                   r"|N_AVX[23]::(Solve|Multiply)<[^()]*>::tiles\(")
NOT_PACKED = re.compile(r"N_AVX[23]::(small|tiny)_columns<|N_AVX3::small_run<")
LOADS_ONCE = re.compile(r"N_AVX3::(dotted_rows|down_rows|short_tile)<")
FROM_MEMORY = re.compile(r"\svfn?m(?:add|sub)\S+\s+(-?(?:0x[0-9a-f]+)?\(%r[^)]*\)),%zmm")
WRITES = re.compile(r"\s(?!cmp|test|j|v|prefetch)\w+\s.*?(%r\w+)$|\s(?:inc|dec)\w*\s+(%r\w+)$")
SCALES = re.compile(r"\svmulp")  # as what writes sums does, not what adds to them
MULTIPLY_ADD = re.compile(r"\svfn?m(add|sub)")
VECTOR_ON_THE_STACK = re.compile(r"\(%r[sb]p\).*[xyz]mm|[xyz]mm.*\(%rsp\)")
# Signs; masks and orders of lanes, which are loaded as integers.
NO_SUM = re.compile(r"\svxorp|\svmovdqa\s+\S+\(%rsp\),")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def functions(tiles):
    """The name, address and size of each function whose name has that pattern."""
    for line in output(OBJDUMP, "--syms", "--demangle", "--wide", LIBRARY).splitlines():
        found = re.match(r"([0-9a-f]{16}) .{7} \.text\S*\s+([0-9a-f]{16}) +(.*)", line)
        if found and tiles.search(found[3]) and ".cold" not in found[3]:
            yield found[3], int(found[1], 16), int(found[2], 16)


def innermost_loops(address, size):
    """Lists of instructions: what lies between a jump back and where it goes, without another one in it."""
    text = output(OBJDUMP, "--disassemble", "--no-show-raw-insn", f"--start-address={address}",
                  f"--stop-address={address + size}", LIBRARY)
    lines = [line for line in text.splitlines() if re.match(r"\s+[0-9a-f]+:\t", line)]
    place = {int(line.split(":")[0], 16): i for i, line in enumerate(lines)}
    loops = []
    for i, line in enumerate(lines):
        jump = re.search(r"\sj[a-z]+\s+([0-9a-f]+)", line)
        if jump and place.get(int(jump[1], 16), i + 1) <= i:
            loops.append((place[int(jump[1], 16)], i))
    for begin, end in loops:
        if not any(begin <= b and e <= end and (b, e) != (begin, end) for b, e in loops):
            yield lines[begin:end + 1]


def loaded_again(loop):
    """Operands in memory of several multiply-adds while the pointers in them stay where they are."""
    seen, again = set(), []
    for line in loop:
        line = line.split("#")[0].rstrip()
        if (used := FROM_MEMORY.search(line)) and "(%rsp" not in used[1]:
            again += [used[1]] if used[1] in seen else []
            seen.add(used[1])
        elif moved := WRITES.search(line):
            register = moved[1] or moved[2]
            seen = {operand for operand in seen if register not in operand}
    return again


def count(pattern, loop):
    return sum(bool(pattern.search(line)) for line in loop)


class Registers(unittest.TestCase):
    def test_sums_of_tiles_are_not_in_memory(self):
        tiles = list(functions(TILES))
        self.assertGreater(len(tiles), 20)
        for name, address, size in tiles:
            loop = max(innermost_loops(address, size), key=lambda loop: count(MULTIPLY_ADD, loop) / len(loop))
            products, stored = count(MULTIPLY_ADD, loop), count(VECTOR_ON_THE_STACK, loop)
            with self.subTest(name):
                self.assertGreaterEqual(products, 4)
                # Complex solves of 32 registers have a row of packed elements there.
                self.assertLessEqual(stored, products // 12, "\n".join(loop))

    def test_sums_of_tiles_that_are_not_packed_are_not_in_memory(self):
        tiles = 0
        for name, address, size in functions(NOT_PACKED):
            for loop in innermost_loops(address, size):
                products = count(MULTIPLY_ADD, loop)
                stored = count(VECTOR_ON_THE_STACK, [line for line in loop if not NO_SUM.search(line)])
                if products < 6 or len(loop) >= 5 * products or count(SCALES, loop) > 0:
                    continue  # what follows the sums
                tiles += 1
                with self.subTest(name):
                    self.assertLessEqual(stored, products // 12, "\n".join(loop))
        self.assertGreater(tiles, 100)

    def test_what_is_used_twice_is_loaded_once(self):
        kernels = 0
        for name, address, size in functions(LOADS_ONCE):
            kernels += 1
            for loop in innermost_loops(address, size):
                with self.subTest(name):
                    self.assertEqual(loaded_again(loop), [], "\n".join(loop))
        self.assertGreater(kernels, 100)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
