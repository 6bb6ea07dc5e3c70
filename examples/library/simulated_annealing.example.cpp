// A tour through the points of a circle, given in random order: the best is the circle itself. Reversing a part of the tour
// is the move; its change is known before anything is moved.
#include "simulated_annealing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <vector>

int main() {
    const int n = 40;
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; i++) {
        x[i] = std::cos(2 * std::numbers::pi * i / n);
        y[i] = std::sin(2 * std::numbers::pi * i / n);
    }
    auto distance = [&](int a, int b) { return std::hypot(x[a] - x[b], y[a] - y[b]); };

    polya::Annealing<polya::Goal::minimise> annealing(
        {.start_temperature = 1.0, .end_temperature = 0.005, .rounds = 300'000});
    std::vector<int> tour(n);
    std::iota(tour.begin(), tour.end(), 0);
    annealing.random().shuffle(tour);
    double length = 0;
    for (int i = 0; i < n; i++) length += distance(tour[i], tour[(i + 1) % n]);

    polya::Best<polya::Goal::minimise, std::vector<int>, double> best(tour, length);
    while (annealing.goes_on()) {
        auto [i, j] = annealing.random().two_below(n);
        if (i > j) std::swap(i, j);
        const int before = tour[(i + n - 1) % n], first = tour[i], last = tour[j], after = tour[(j + 1) % n];
        // The whole tour reversed is the same tour.
        if (before == last) continue;
        const double change =
            distance(before, last) + distance(first, after) - distance(before, first) - distance(last, after);
        if (!annealing.accepts(change)) continue;
        std::reverse(tour.begin() + i, tour.begin() + j + 1);
        length += change;
        best.offer(tour, length);
    }
    std::printf("length %.4f, the circle %.4f\n", best.score(), 2 * n * std::sin(std::numbers::pi / n));
}
// prints: length 6.2767, the circle 6.2767
