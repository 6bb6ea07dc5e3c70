// Partitions of random numbers into two piles against all 2^n, minimised and, as a score with the sign turned, maximised; the
// score it returns is that of the state it returns; kicks keep within their strengths.
#include "iterated_local_search.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int wrong = 0;
using Side = std::vector<int>;

template <polya::Goal goal>
static void against_all(unsigned seed) {
    polya::Random random(seed);
    const int n = 10, sign = goal == polya::Goal::minimise ? 1 : -1;
    std::vector<int> numbers(n);
    for (int& each : numbers) each = random.between(1, 500);
    auto score = [&](const Side& side) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += side[size_t(i)] ? numbers[size_t(i)] : -numbers[size_t(i)];
        return sign * std::abs(sum);
    };
    int optimum = score(Side(n));
    for (unsigned mask = 1; mask < 1u << n; mask++) {
        Side side(n);
        for (int i = 0; i < n; i++) side[size_t(i)] = int(mask >> i & 1);
        if (polya::is_better<goal>(score(side), optimum)) optimum = score(side);
    }
    auto improve = [&](Side& side) {
        int now = score(side);
        for (size_t i = 0; i < side.size(); i++) {
            side[i] ^= 1;
            const int then = score(side);
            if (polya::is_better<goal>(then, now)) now = then;
            else side[i] ^= 1;
        }
        return now;
    };
    int weakest = 99, strongest = 0, kicks = 0;
    auto kick = [&](Side& side, int strength, polya::Random& chance) {
        weakest = std::min(weakest, strength), strongest = std::max(strongest, strength), kicks++;
        for (int i = 0; i < strength; i++) chance.pick(side) ^= 1;
    };
    const polya::IteratedOptions options{.rounds = 4000, .weakest_kick = 2, .strongest_kick = 5, .patience = 20,
                                         .back_to_best_after = 200, .tolerance = seed % 2 ? 0.0 : 20.0, .seed = seed};
    const auto best = polya::iterated_local_search<goal>(Side(n), options, improve, kick);
    if (best.score() != optimum) std::printf("seed %u: %d, and the best is %d\n", seed, best.score(), optimum), wrong++;
    if (score(best.state()) != best.score()) std::printf("state and score differ\n"), wrong++;
    if (weakest != 2 || strongest != 5 || kicks != 4000) std::printf("%d kicks of %d to %d\n", kicks, weakest, strongest), wrong++;
    const auto again = polya::iterated_local_search<goal>(Side(n), options, improve, kick);
    if (again.state() != best.state()) std::printf("the same seed gave another state\n"), wrong++;
}

int main() {
    for (unsigned seed = 1; seed <= 10; seed++) {
        against_all<polya::Goal::minimise>(seed);
        against_all<polya::Goal::maximise>(seed);
    }
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
