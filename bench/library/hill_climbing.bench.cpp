#include "contest.hpp"
#include "hill_climbing.hpp"

#include <vector>

// Max-cut of 300 vertices with 2,400 edges from the same random sides; gains by the edges of the vertex in both.
int main() {
    const int n = 300, edges = 2400, climbs = 40;
    polya::Random random(3);
    std::vector<std::vector<int>> near(n);
    for (int e = 0; e < edges; e++) {
        const auto [u, v] = random.two_below(n);
        near[u].push_back(v);
        near[v].push_back(u);
    }
    std::vector<int> side(n);
    auto gain = [&](int v) {
        int sum = 0;
        for (const int u : near[v]) sum += side[u] == side[v] ? 1 : -1;
        return sum;
    };
    auto flip = [&](int v) { side[v] ^= 1; };
    auto begin = [&](unsigned seed) {
        polya::Random chance(seed);
        for (int& each : side) each = int(chance.below(2));
    };
    bench::contest(
        "a climb to a local optimum of max-cut, 300 vertices", "the best of all moves in each step", climbs,
        [&] {
            long long sum = 0;
            for (int i = 0; i < climbs; i++) begin(i), sum += polya::climb_first(n, random, gain, flip).gain;
            return sum;
        },
        [&] {
            long long sum = 0;
            for (int i = 0; i < climbs; i++) {
                begin(i);
                for (;;) {
                    int best = 0;
                    for (int v = 1; v < n; v++)
                        if (gain(v) > gain(best)) best = v;
                    if (gain(best) <= 0) break;
                    sum += gain(best);
                    flip(best);
                }
            }
            return sum;
        });
}
