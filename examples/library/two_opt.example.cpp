// A tour through the points of a circle, from a random order: 2-opt finds the circle.
#include "two_opt.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

int main() {
    const int n = 50;
    std::vector<double> x(n), y(n);
    std::vector<int> order(n);
    for (int i = 0; i < n; i++) {
        x[i] = 1000 * std::cos(2 * std::numbers::pi * i / n);
        y[i] = 1000 * std::sin(2 * std::numbers::pi * i / n);
        order[i] = i * 17 % n;
    }
    auto distance = [&](int a, int b) { return std::hypot(x[a] - x[b], y[a] - y[b]); };

    polya::Tour tour(order);
    const double before = polya::tour_length(tour.order(), distance);
    const double gained = polya::two_opt(tour, polya::near_cities(n, 10, distance), distance);
    std::printf("%.1f, shorter by %.1f\n", polya::tour_length(tour.order(), distance), gained);
    std::printf("the sum is right: %s\n",
                std::fabs(before - gained - polya::tour_length(tour.order(), distance)) < 1e-6 ? "yes" : "no");
}
// prints: 6279.1, shorter by 81351.6
// prints: the sum is right: yes
