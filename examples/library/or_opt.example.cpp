// Towns along two streets; the tour of the towns in the order of their names is mended by moving short rows of them.
#include "or_opt.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
    const std::vector<int> x{0, 50, 10, 40, 20, 30, 0, 50, 10, 40, 20, 30};
    const std::vector<int> y{0, 0, 0, 0, 0, 0, 10, 10, 10, 10, 10, 10};
    const int n = int(x.size());
    auto distance = [&](int a, int b) { return std::abs(x[a] - x[b]) + std::abs(y[a] - y[b]); };
    std::vector<int> order(n);
    for (int i = 0; i < n; i++) order[i] = i;

    polya::Tour tour(order);
    const auto near = polya::near_cities(n, 8, distance);
    std::printf("%d by the names", polya::tour_length(order, distance));
    polya::or_opt(tour, near, distance);
    polya::two_opt_and_or_opt(tour, near, distance);
    std::printf(", %d now\n", polya::tour_length(tour.order(), distance));
}
// prints: 380 by the names, 120 now
