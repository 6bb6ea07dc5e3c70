// Max-cut: two sides, so that as many edges as possible lie between them. A move takes one vertex to the other side.
#include "hill_climbing.hpp"

#include <cstdio>
#include <vector>

int main() {
    const int n = 12;
    // A ring of even length: a perfect cut has all of its edges.
    std::vector<int> side(n);
    auto gain = [&](int v) {
        const int next = side[(v + 1) % n], before = side[(v + n - 1) % n];
        return (side[v] == next ? 1 : -1) + (side[v] == before ? 1 : -1);
    };
    auto flip = [&](int v) { side[v] ^= 1; };

    polya::Random random(5);
    int most = 0;
    polya::climb_again_and_again(polya::TimeKeeper::of_rounds(20), random, [&](polya::Random& chance) {
        for (int& each : side) each = int(chance.below(2));
        polya::climb_first(n, chance, gain, flip, 10);
        int cut = 0;
        for (int v = 0; v < n; v++) cut += side[v] != side[(v + 1) % n];
        if (cut > most) most = cut;
    });
    std::printf("%d of %d edges are cut\n", most, n);
}
// prints: 12 of 12 edges are cut
