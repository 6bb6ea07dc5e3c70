#include <algorithm>
#include <cmath>

#include "contest.hpp"
#include "two_opt.hpp"
#include "xorshift.hpp"

int main() {
    const int n = 600;
    polya::Random random(1);
    std::vector<double> x(n), y(n);
    std::vector<int> start(n);
    for (int i = 0; i < n; i++) x[i] = random.uniform(0, 1000), y[i] = random.uniform(0, 1000), start[i] = i;
    auto distance = [&](int a, int b) { return std::sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b])); };
    bench::contest(
        "a city of 600, from a random tour to a local optimum, lists made", "all pairs, again and again", n,
        [&] {
            polya::Tour tour(start);
            return polya::two_opt(tour, polya::near_cities(n, 10, distance), distance);
        },
        [&] {
            std::vector<int> tour = start;
            double gained = 0;
            for (bool goes_on = true; goes_on;) {
                goes_on = false;
                for (int i = 0; i < n - 1; i++)
                    for (int j = i + 2; j < n - (i == 0); j++) {
                        const int a = tour[i], b = tour[i + 1], c = tour[j], d = tour[(j + 1) % n];
                        const double gain = distance(a, b) + distance(c, d) - distance(a, c) - distance(b, d);
                        if (gain <= 1e-9) continue;
                        std::reverse(tour.begin() + i + 1, tour.begin() + j + 1);
                        gained += gain;
                        goes_on = true;
                    }
            }
            return gained;
        },
        5);
}
