// Small sets as the bits of an integer: all elements, all subsets, all supersets, all subsets of a size, the n-th
// element, in a few instructions each. For sets of more than 64 see dynamic_bitset.hpp.
#pragma once
#include <bit>
#include <cassert>
#include <concepts>
#include <cstdint>

namespace polya {

template <std::unsigned_integral Bits>
constexpr Bits lowest_bit(Bits set) {
    return set & (~set + 1);
}

// The first n elements.
template <std::unsigned_integral Bits>
constexpr Bits first_bits(int n) {
    assert(0 <= n && n <= int(sizeof(Bits) * 8));
    return n == 0 ? Bits{0} : Bits(Bits(~Bits{0}) >> (int(sizeof(Bits) * 8) - n));
}

// visit(index) for each element, in rising order.
template <std::unsigned_integral Bits, class Visit>
constexpr void for_each_bit(Bits set, Visit&& visit) {
    for (; set != 0; set &= Bits(set - 1)) visit(std::countr_zero(set));
}

// visit(subset) for all 2^k subsets, the set itself first and the empty one last: falling, each before its subsets.
template <std::unsigned_integral Bits, class Visit>
constexpr void for_each_subset(Bits set, Visit&& visit) {
    Bits subset = set;
    while (true) {
        visit(subset);
        if (subset == 0) return;
        subset = Bits(subset - 1) & set;
    }
}

// visit(superset) for all sets between `set` and `all`, in rising order.
template <std::unsigned_integral Bits, class Visit>
constexpr void for_each_superset(Bits set, Bits all, Visit&& visit) {
    assert((set & ~all) == 0);
    Bits superset = set;
    while (true) {
        visit(superset);
        if (superset == all) return;
        // What cannot change is one here, so that the carry passes it.
        superset = Bits((Bits(superset | Bits(~all)) + 1) & all) | set;
    }
}

// The next larger number with as many ones (Gosper); 0 after the last. Not for 0.
template <std::unsigned_integral Bits>
constexpr Bits next_of_same_size(Bits set) {
    assert(set != 0);
    const Bits low = lowest_bit(set), carried = Bits(set + low);
    if (carried == 0) return 0;
    // The rest of the run of ones that was carried over, moved down to the right end.
    return carried | Bits(Bits(set ^ carried) >> 2 >> std::countr_zero(low));
}

// visit(subset) for each subset of `size` of the first n elements, in rising order.
template <std::unsigned_integral Bits, class Visit>
constexpr void for_each_subset_of_size(int n, int size, Visit&& visit) {
    assert(0 <= size && n <= int(sizeof(Bits) * 8));
    if (size > n) return;
    const Bits last = Bits(first_bits<Bits>(size) << (size == 0 ? 0 : n - size));
    for (Bits subset = first_bits<Bits>(size);; subset = next_of_same_size(subset)) {
        visit(subset);
        if (subset == last) return;
    }
}

// The index of the n-th element (from 0), in six steps whatever n is; there must be one.
constexpr int nth_bit(std::uint64_t set, int n) {
    assert(0 <= n && n < std::popcount(set));
    int index = 0;
    for (int half = 32; half > 0; half /= 2) {
        const int below = std::popcount(set & ((std::uint64_t{1} << half) - 1));
        if (n < below) continue;
        n -= below, index += half, set >>= half;
    }
    return index;
}

}  // namespace polya
