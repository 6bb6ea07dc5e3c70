// Every loop against filtering all masks, for all sets of 7 elements and some of 8, 16, 32 and 64 bits.
#include "bitset_tricks.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

static int check_small() {
    for (unsigned set = 0; set < 128; ++set) {
        std::vector<unsigned> subsets, expected;
        polya::for_each_subset(set, [&](unsigned subset) { subsets.push_back(subset); });
        for (unsigned mask = 128; mask-- > 0;)
            if ((mask & ~set) == 0) expected.push_back(mask);
        if (subsets != expected) return std::printf("subsets of %u differ\n", set), 1;
        for (unsigned all = 0; all < 128; ++all) {
            if ((set & ~all) != 0) continue;
            subsets.clear(), expected.clear();
            polya::for_each_superset(set, all, [&](unsigned superset) { subsets.push_back(superset); });
            for (unsigned mask = 0; mask < 128; ++mask)
                if ((mask & set) == set && (mask & ~all) == 0) expected.push_back(mask);
            if (subsets != expected) return std::printf("supersets of %u in %u differ\n", set, all), 1;
        }
        if (set != 0 && polya::lowest_bit(set) != (set & -set)) return std::printf("the lowest of %u\n", set), 1;
    }
    return 0;
}

template <class Bits>
static int check_sizes(int n) {
    for (int size = 0; size <= n + 1; ++size) {
        std::vector<Bits> found, expected;
        polya::for_each_subset_of_size<Bits>(n, size, [&](Bits subset) { found.push_back(subset); });
        for (unsigned mask = 0; mask < 1u << n; ++mask)
            if (std::popcount(mask) == size) expected.push_back(Bits(mask));
        if (found != expected) return std::printf("%d of %d differ\n", size, n), 1;
    }
    return 0;
}

static int check_large(polya::Random& random) {
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t set = random() & (round % 3 == 0 ? random() & random() : ~std::uint64_t{0});
        int rank = 0;
        std::uint64_t rebuilt = 0;
        bool fails = false;
        polya::for_each_bit(set, [&](int index) {
            rebuilt |= std::uint64_t{1} << index;
            fails |= polya::nth_bit(set, rank++) != index;
        });
        if (fails || rebuilt != set || rank != std::popcount(set)) return std::printf("elements of a large set differ\n"), 1;
    }
    // The last ones of 64: the carry leaves the number.
    int count = 0;
    std::uint64_t last = 0;
    polya::for_each_subset_of_size<std::uint64_t>(64, 63, [&](std::uint64_t subset) { ++count, last = subset; });
    if (count != 64 || last != ~std::uint64_t{1}) return std::printf("63 of 64 differ\n"), 1;
    count = 0;
    polya::for_each_subset_of_size<std::uint64_t>(64, 1, [&](std::uint64_t) { ++count; });
    polya::for_each_subset_of_size<std::uint64_t>(64, 64, [&](std::uint64_t) { ++count; });
    if (count != 65) return std::printf("1 and 64 of 64 differ\n"), 1;
    for (const std::uint64_t end : {std::uint64_t{1} << 63, std::uint64_t{3} << 62})
        if (polya::next_of_same_size(end) != 0) return std::printf("there is one after the last\n"), 1;
    if (polya::next_of_same_size(std::uint64_t{1} << 62) != std::uint64_t{1} << 63) return std::printf("after 2^62\n"), 1;
    if (polya::first_bits<std::uint64_t>(64) != ~std::uint64_t{0} || polya::first_bits<std::uint8_t>(0) != 0) return std::printf("first bits\n"), 1;
    return 0;
}

int main() {
    polya::Random random(23);
    if (check_small() || check_sizes<std::uint8_t>(8) || check_sizes<std::uint16_t>(9) || check_sizes<std::uint32_t>(10)) return 1;
    if (check_large(random)) return 1;
    std::printf("ok\n");
}
