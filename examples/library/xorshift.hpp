// Fast random numbers for local search: xoroshiro128++ (64 bits, period 2^128 - 1), seeded by SplitMix64.
// Whole numbers without modulo bias, reals, bells, shuffles, samples. Not for secrets. The same seed gives the same numbers
// on every machine, which the distributions of the standard library do not promise.
#pragma once
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace polya {

class Random {
public:
    using result_type = std::uint64_t;

    // Seeds that differ in one bit must not give streams that look alike, so the state is not the seed itself.
    explicit Random(std::uint64_t seed = 88172645463325252ULL) {
        for (std::uint64_t& word : state_) word = split_mix(seed);
    }

    // All 64 bits.
    std::uint64_t operator()() {
        const std::uint64_t a = state_[0];
        std::uint64_t b = state_[1];
        const std::uint64_t result = std::rotl(a + b, 17) + a;
        b ^= a;
        state_[0] = std::rotl(a, 49) ^ b ^ (b << 21);
        state_[1] = std::rotl(b, 28);
        return result;
    }
    static constexpr std::uint64_t min() { return 0; }
    static constexpr std::uint64_t max() { return ~std::uint64_t(0); }

    // Uniform in [0, bound), without bias: a product in the place of a division, and another draw only where the low half
    // says that this one may be unfair.
    std::uint32_t below(std::uint32_t bound) {
        assert(bound > 0);
        std::uint64_t product = (operator()() >> 32) * bound;
        if (std::uint32_t(product) < bound) [[unlikely]] {
            const std::uint32_t unfair = (0u - bound) % bound;
            while (std::uint32_t(product) < unfair) product = (operator()() >> 32) * bound;
        }
        return std::uint32_t(product >> 32);
    }

    // Uniform in [low, high], both included.
    int between(int low, int high) {
        assert(low <= high);
        const std::uint32_t width = std::uint32_t(high) - std::uint32_t(low) + 1u;
        // Zero stands for all 2^32 values: then every draw is fair.
        const std::uint32_t drawn = width == 0 ? std::uint32_t(operator()() >> 32) : below(width);
        return int(std::uint32_t(low) + drawn);
    }

    // Uniform in [0, 1), with 53 bits.
    double uniform() { return double(operator()() >> 11) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    bool chance(double probability) { return uniform() < probability; }

    // Normal distribution by the polar method; the second of each pair is kept for the next call.
    double gaussian(double mean = 0, double deviation = 1) {
        if (has_spare_) {
            has_spare_ = false;
            return mean + deviation * spare_;
        }
        double x, y, square;
        do {
            x = uniform(-1, 1);
            y = uniform(-1, 1);
            square = x * x + y * y;
        } while (square >= 1 || square == 0);
        const double factor = std::sqrt(-2 * std::log(square) / square);
        spare_ = y * factor;
        has_spare_ = true;
        return mean + deviation * x * factor;
    }

    // Every order is as likely as every other.
    template <class Range>
    void shuffle(Range& range) {
        using std::swap;
        for (std::size_t left = std::size(range); left > 1; --left)
            swap(range[left - 1], range[below(std::uint32_t(left))]);
    }

    template <class Range>
    auto& pick(Range& range) {
        assert(std::size(range) > 0);
        return range[below(std::uint32_t(std::size(range)))];
    }

    // Two different numbers below `bound`, in any order: what swaps and 2-opt ask for.
    std::pair<int, int> two_below(int bound) {
        assert(bound >= 2);
        const int first = int(below(std::uint32_t(bound)));
        const int second = int(below(std::uint32_t(bound - 1)));
        return {first, second + (second >= first)};
    }

    // `count` different numbers below `bound`, ascending, in O(bound): each is taken with the share that is still wanted.
    std::vector<int> sample(int count, int bound) {
        assert(0 <= count && count <= bound);
        std::vector<int> chosen;
        chosen.reserve(std::size_t(count));
        for (int each = 0; int(chosen.size()) < count; ++each)
            if (int(below(std::uint32_t(bound - each))) < count - int(chosen.size())) chosen.push_back(each);
        return chosen;
    }

    // A stream of its own, for another part of the program.
    Random split() { return Random(operator()()); }

private:
    static std::uint64_t split_mix(std::uint64_t& state) {
        state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t word = state;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
        word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
        return word ^ (word >> 31);
    }

    std::array<std::uint64_t, 2> state_;
    double spare_ = 0;
    bool has_spare_ = false;
};

}  // namespace polya
