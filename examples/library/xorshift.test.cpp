// Each distribution against its own counts (chi square), all orders of four and all samples; the stream against a copy that
// is written out step by step.
#include "xorshift.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

static int wrong = 0;

// Chi square in units of its own deviation; beyond 6 nobody is that unlucky.
static void fair(const char* what, const std::vector<int>& counts, double expected) {
    double chi = 0;
    for (int each : counts) chi += (each - expected) * (each - expected) / expected;
    const double freedom = double(counts.size()) - 1;
    const double off = (chi - freedom) / std::sqrt(2 * freedom);
    if (std::fabs(off) > 6) std::printf("%s is not fair: %.1f deviations off\n", what, off), wrong++;
}

static std::uint64_t turned(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

int main() {
    polya::Random random(7);
    for (unsigned bound : {2u, 3u, 7u, 10u, 97u}) {
        std::vector<int> counts(bound);
        for (unsigned i = 0; i < 2000 * bound; i++) counts[random.below(bound)]++;
        fair("below", counts, 2000);
    }
    if (random.below(1) != 0) std::printf("below(1) is not 0\n"), wrong++;
    // Of a bound of three quarters of 2^32, a remainder would fall into the first third twice as often.
    std::vector<int> thirds(3);
    for (int i = 0; i < 30000; i++) thirds[random.below(3u << 30) >> 30]++;
    fair("a large bound", thirds, 10000);

    std::vector<int> sides(11);
    for (int i = 0; i < 22000; i++) sides[size_t(random.between(-5, 5) + 5)]++;
    fair("between", sides, 2000);
    std::vector<int> signs(2);
    for (int i = 0; i < 2000; i++) signs[random.between(-2147483647 - 1, 2147483647) < 0]++;
    fair("all of int", signs, 1000);

    std::map<std::vector<int>, int> orders, samples;
    for (int i = 0; i < 24000; i++) {
        std::vector<int> four{0, 1, 2, 3};
        random.shuffle(four);
        orders[four]++;
    }
    std::vector<int> counts;
    for (const auto& [order, count] : orders) counts.push_back(count);
    if (counts.size() != 24) std::printf("%zu orders of four\n", counts.size()), wrong++;
    fair("shuffle", counts, 1000);

    for (int i = 0; i < 10000; i++) samples[random.sample(2, 5)]++;
    counts.clear();
    for (const auto& [sample, count] : samples) counts.push_back(count);
    if (counts.size() != 10) std::printf("%zu samples of two of five\n", counts.size()), wrong++;
    fair("sample", counts, 1000);

    std::vector<int> pairs(20);
    for (int i = 0; i < 20000; i++) {
        const auto [a, b] = random.two_below(5);
        if (a == b) return std::printf("twice %d\n", a), 1;
        pairs[size_t(a * 4 + b - (b > a))]++;
    }
    fair("two_below", pairs, 1000);

    double sum = 0, squares = 0, within = 0;
    for (int i = 0; i < 100000; i++) {
        const double x = random.gaussian(3, 2);
        sum += x;
        squares += (x - 3) * (x - 3);
        within += std::fabs(x - 3) < 2;
    }
    if (std::fabs(sum / 1e5 - 3) > 0.04) std::printf("mean %f\n", sum / 1e5), wrong++;
    if (std::fabs(squares / 1e5 - 4) > 0.1) std::printf("variance %f\n", squares / 1e5), wrong++;
    if (std::fabs(within / 1e5 - 0.6827) > 0.01) std::printf("within one deviation %f\n", within / 1e5), wrong++;

    std::vector<int> tenths(10);
    for (int i = 0; i < 20000; i++) tenths[size_t(random.uniform() * 10)]++;
    fair("uniform", tenths, 2000);

    std::uint64_t seed = 42, state[2];
    for (std::uint64_t& word : state) {
        std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        word = z ^ (z >> 31);
    }
    polya::Random same(42);
    for (int i = 0; i < 1000; i++) {
        const std::uint64_t result = turned(state[0] + state[1], 17) + state[0];
        state[1] ^= state[0];
        state[0] = turned(state[0], 49) ^ state[1] ^ (state[1] << 21);
        state[1] = turned(state[1], 28);
        if (same() != result) return std::printf("the stream differs at %d\n", i), 1;
    }
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
