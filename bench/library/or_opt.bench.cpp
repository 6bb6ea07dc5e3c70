#include <algorithm>
#include <cmath>

#include "contest.hpp"
#include "or_opt.hpp"
#include "xorshift.hpp"

// From a tour that 2-opt has left, as Or-opt is used.
int main() {
    const int n = 400;
    polya::Random random(1);
    std::vector<double> x(n), y(n);
    std::vector<int> order(n);
    for (int i = 0; i < n; i++) x[i] = random.uniform(0, 1000), y[i] = random.uniform(0, 1000), order[i] = i;
    auto distance = [&](int a, int b) { return std::sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b])); };
    const auto near = polya::near_cities(n, 10, distance);
    polya::Tour start(order);
    polya::two_opt(start, near, distance);
    bench::contest(
        "a city of 400, from a 2-opt tour to a local optimum", "all segments to all places, erased and inserted", n,
        [&] {
            polya::Tour tour = start;
            return polya::or_opt(tour, near, distance);
        },
        [&] {
            std::vector<int> tour = start.order();
            double gained = 0;
            for (bool goes_on = true; goes_on;) {
                goes_on = false;
                for (int count = 1; count <= 3; count++)
                    for (int i = 0; i + count <= n; i++)
                        for (int j = 0; j < n; j++) {
                            if (j >= i - 1 && j < i + count) continue;
                            if (i == 0 && j == n - 1) continue;
                            const int left = tour[(i + n - 1) % n], first = tour[i], last = tour[i + count - 1];
                            const int right = tour[(i + count) % n], a = tour[j], b = tour[(j + 1) % n];
                            const double freed = distance(left, first) + distance(last, right) - distance(left, right);
                            const double straight = freed + distance(a, b) - distance(a, first) - distance(last, b);
                            const double turned = freed + distance(a, b) - distance(a, last) - distance(first, b);
                            if (std::max(straight, turned) <= 1e-9) continue;
                            std::vector<int> segment(tour.begin() + i, tour.begin() + i + count);
                            if (turned > straight) std::reverse(segment.begin(), segment.end());
                            tour.erase(tour.begin() + i, tour.begin() + i + count);
                            const int place = j > i ? j - count + 1 : j + 1;
                            tour.insert(tour.begin() + place, segment.begin(), segment.end());
                            gained += std::max(straight, turned);
                            goes_on = true;
                        }
            }
            return gained;
        },
        5);
}
