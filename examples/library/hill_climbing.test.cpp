// Random max-cuts: every climb ends where no move gains and has gained what it says; the best of many climbs is the optimum of
// all 2^n cuts.
#include "hill_climbing.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

static int wrong = 0;

struct Cut {
    int n;
    std::vector<int> weight;
    std::vector<int> side;
    int gain(int v) const {
        int sum = 0;
        for (int u = 0; u < n; u++)
            if (u != v) sum += side[size_t(u)] == side[size_t(v)] ? weight[size_t(u * n + v)] : -weight[size_t(u * n + v)];
        return sum;
    }
    int value() const {
        int sum = 0;
        for (int u = 0; u < n; u++)
            for (int v = 0; v < u; v++) sum += side[size_t(u)] != side[size_t(v)] ? weight[size_t(u * n + v)] : 0;
        return sum;
    }
};

static void climbs(unsigned seed) {
    polya::Random random(seed);
    const int n = 9;
    Cut cut{n, std::vector<int>(n * n), std::vector<int>(n)};
    for (int u = 0; u < n; u++)
        for (int v = 0; v < u; v++) cut.weight[size_t(u * n + v)] = cut.weight[size_t(v * n + u)] = random.between(-3, 6);
    int optimum = 0;
    for (unsigned mask = 0; mask < 1u << n; mask++) {
        for (int v = 0; v < n; v++) cut.side[size_t(v)] = int(mask >> v & 1);
        optimum = std::max(optimum, cut.value());
    }
    auto gain = [&](int v) { return cut.gain(v); };
    auto flip = [&](int v) { cut.side[size_t(v)] ^= 1; };
    int best = 0;
    long long kind = 0;
    const auto times = polya::climb_again_and_again(polya::TimeKeeper::of_rounds(60), random, [&](polya::Random& chance) {
        for (int& each : cut.side) each = int(chance.below(2));
        const int before = cut.value();
        int moved = 0;
        auto counted = [&](int v) { flip(v), moved++; };
        kind++;
        const auto climb = kind % 3 == 0   ? polya::climb_steepest(n, gain, counted)
                           : kind % 3 == 1 ? polya::climb_first(n, chance, gain, counted)
                                           : polya::climb_first(n, chance, gain, counted, 5);
        if (cut.value() != before + climb.gain) std::printf("it gained %d, not %d\n", cut.value() - before, climb.gain), wrong++;
        if (climb.moves != moved) std::printf("%d moves were made\n", moved), wrong++;
        for (int v = 0; v < n; v++)
            if (cut.gain(v) > 0) std::printf("seed %u: a move still gains\n", seed), wrong++;
        best = std::max(best, cut.value());
    });
    if (times != 60 || kind != 60) std::printf("%lld climbs\n", (long long)times), wrong++;
    if (best != optimum) std::printf("seed %u: %d, and the best is %d\n", seed, best, optimum), wrong++;
}

int main() {
    for (unsigned seed = 1; seed <= 30; seed++) climbs(seed);
    polya::Random random(1);
    int once = 0;
    polya::climb_again_and_again(polya::TimeKeeper(1e-9), random, [&](polya::Random&) { once++; });
    if (once != 1) std::printf("without time it ran %d times\n", once), wrong++;
    if (polya::climb_first(0, random, [](int) { return 1; }, [](int) {}).moves != 0) wrong++;
    // A plateau of ten steps that ends at the gain: crossed with enough moves to the side.
    int place = 0;
    auto gain = [&](int move) { return move == 1 ? -1 : place < 10 ? 0 : place == 10 ? 5 : -1; };
    auto step = [&](int) { place++; };
    if (polya::climb_first(2, random, gain, step, 9).gain != 0) std::printf("too far\n"), wrong++;
    place = 0;
    if (polya::climb_first(2, random, gain, step, 10).gain != 5) std::printf("not far enough\n"), wrong++;
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
