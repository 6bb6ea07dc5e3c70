// Optima of small assignment problems against all permutations, for both goals and both schedules; the share that is accepted
// against exp(-change / temperature); the temperatures against their formulas.
#include "simulated_annealing.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

static int wrong = 0;
using polya::Annealing, polya::AnnealingOptions, polya::Cooling, polya::Goal, polya::Random;

struct Assignment {
    int n;
    std::vector<int> flow, distance;
    int cost(const std::vector<int>& at) const {
        int sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) sum += flow[size_t(i * n + j)] * distance[size_t(at[size_t(i)] * n + at[size_t(j)])];
        return sum;
    }
};

template <Goal goal>
static void against_all(unsigned seed, Cooling cooling) {
    Random random(seed);
    const int n = 6;
    Assignment problem{n, std::vector<int>(n * n), std::vector<int>(n * n)};
    for (int& each : problem.flow) each = random.between(0, 9);
    for (int& each : problem.distance) each = random.between(0, 9);
    std::vector<int> at(n);
    std::iota(at.begin(), at.end(), 0);
    std::vector<int> order = at;
    polya::Best<goal, std::vector<int>, int> exact;
    do exact.offer(order, problem.cost(order));
    while (std::next_permutation(order.begin(), order.end()));

    Annealing<goal> annealing({.start_temperature = 100, .end_temperature = 1, .rounds = 6000, .cooling = cooling, .seed = seed});
    int cost = problem.cost(at);
    polya::Best<goal, std::vector<int>, int> best(at, cost);
    while (annealing.goes_on()) {
        const auto [i, j] = annealing.random().two_below(n);
        std::swap(at[size_t(i)], at[size_t(j)]);
        const int now = problem.cost(at);
        if (annealing.accepts(now - cost)) best.offer(at, cost = now);
        else std::swap(at[size_t(i)], at[size_t(j)]);
    }
    if (best.score() != exact.score())
        std::printf("seed %u: %d, and the best is %d\n", seed, best.score(), exact.score()), wrong++;
    if (annealing.rounds() != 6001) std::printf("%lld rounds\n", (long long)annealing.rounds()), wrong++;
}

static void accepts_by_law(double temperature, double worse) {
    Annealing<Goal::maximise> annealing({.start_temperature = temperature, .end_temperature = temperature, .rounds = 1});
    int accepted = 0;
    const int tries = 100000;
    for (int i = 0; i < tries; i++) accepted += annealing.accepts(-worse);
    const double share = double(accepted) / tries, law = std::exp(-worse / temperature);
    if (std::fabs(share - law) > 0.01) std::printf("%.3f accepted, the law says %.3f\n", share, law), wrong++;
}

static void cools(Cooling cooling, double at_half) {
    Annealing<> annealing({.start_temperature = 100, .end_temperature = 1, .rounds = 1000, .cooling = cooling});
    double half = 0, last = 101;
    while (annealing.goes_on()) {
        if (annealing.temperature() > last) std::printf("it gets hotter\n"), wrong++;
        last = annealing.temperature();
        if (annealing.rounds() == 501) half = last;
    }
    if (std::fabs(half - at_half) > 0.01 * at_half) std::printf("half way it is %f\n", half), wrong++;
    if (last > 1.2) std::printf("it ends at %f\n", last), wrong++;
}

// A busy machine may take the whole time away: then once more.
static void by_time() {
    long long rounds = 0;
    for (int tries = 0; rounds < 50 && tries < 100; tries++) {
        Annealing<> annealing({.start_temperature = 1, .end_temperature = 0.1, .seconds = 0.01});
        while (annealing.goes_on()) continue;
        rounds = annealing.rounds();
    }
    if (rounds < 50) std::printf("%lld rounds in its time\n", rounds), wrong++;
    // Nothing is left after the input was read: no round, and no end of the program.
    for (const double left : {0.0, -0.1})
        if (Annealing<>({.start_temperature = 1, .end_temperature = 0.1, .seconds = left}).goes_on())
            std::printf("a round without time\n"), wrong++;
}

// Linear cooling may end where only what is not worse passes.
static void to_zero() {
    Annealing<> annealing({.start_temperature = 10, .end_temperature = 0, .rounds = 1000, .cooling = Cooling::linear});
    while (annealing.goes_on()) continue;
    if (annealing.temperature() > 0.2 || !annealing.accepts(0)) std::printf("it does not cool down to 0\n"), wrong++;
}

int main() {
    to_zero();
    for (unsigned seed = 1; seed <= 8; seed++) {
        against_all<Goal::minimise>(seed, Cooling::exponential);
        against_all<Goal::maximise>(seed, Cooling::linear);
    }
    for (const double worse : {0.0, 0.5, 2.0, 5.0, 30.0}) accepts_by_law(2.5, worse);
    cools(Cooling::exponential, 10);
    cools(Cooling::linear, 50.5);
    // One worsening of 10: exp(-10 / t) = 0.5.
    const double found = polya::temperature_for({10}, 0.5);
    if (std::fabs(found - 10 / std::log(2)) > 1e-6) std::printf("temperature_for says %f\n", found), wrong++;
    by_time();
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
