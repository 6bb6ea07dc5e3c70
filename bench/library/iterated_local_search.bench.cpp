#include "contest.hpp"
#include "iterated_local_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

// Tours through 70 random points by 2-opt. Both sides search until they have a tour as short as a long search found.
struct Points {
    std::vector<double> x, y;
    double distance(int a, int b) const { return std::hypot(x[a] - x[b], y[a] - y[b]); }
};

static double two_opt(const Points& points, std::vector<int>& tour) {
    const int n = int(tour.size());
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int i = 0; i < n - 1; i++)
            for (int j = i + 2; j < n - (i == 0); j++) {
                const int a = tour[i], b = tour[i + 1], c = tour[j], d = tour[(j + 1) % n];
                const double gain =
                    points.distance(a, b) + points.distance(c, d) - points.distance(a, c) - points.distance(b, d);
                if (gain > 1e-9) std::reverse(tour.begin() + i + 1, tour.begin() + j + 1), goes_on = true;
            }
    }
    double length = 0;
    for (int i = 0; i < n; i++) length += points.distance(tour[i], tour[(i + 1) % n]);
    return length;
}

int main() {
    const int n = 70, instances = 3;
    std::vector<Points> all(instances);
    std::vector<double> wanted(instances);
    polya::Random random(8);
    std::vector<int> begin(n);
    std::iota(begin.begin(), begin.end(), 0);
    auto kick = [](std::vector<int>& tour, int strength, polya::Random& chance) {
        for (int i = 0; i < strength; i++) {
            // The double bridge: three cuts, which 2-opt does not undo.
            int cut[3] = {chance.between(1, n - 1), chance.between(1, n - 1), chance.between(1, n - 1)};
            std::sort(cut, cut + 3);
            std::rotate(tour.begin() + cut[0], tour.begin() + cut[1], tour.begin() + cut[2]);
        }
    };
    for (int i = 0; i < instances; i++) {
        for (int k = 0; k < n; k++) all[i].x.push_back(random.uniform()), all[i].y.push_back(random.uniform());
        auto improve = [&](std::vector<int>& tour) { return two_opt(all[i], tour); };
        wanted[i] = polya::iterated_local_search<polya::Goal::minimise>(begin, {.rounds = 3000}, improve, kick).score();
    }
    unsigned seed = 1;
    bench::contest(
        "a tour of 70 cities within 1 % of the best known, 2-opt inside", "2-opt from random tours, again and again",
        instances,
        [&] {
            double sum = 0;
            for (int i = 0; i < instances; i++) {
                bool is_found = false;
                auto improve = [&](std::vector<int>& tour) {
                    if (is_found) return 1e9;
                    const double length = two_opt(all[i], tour);
                    is_found = length <= wanted[i] * 1.01;
                    return length;
                };
                auto step = [&](std::vector<int>& tour, int strength, polya::Random& chance) {
                    if (!is_found) kick(tour, strength, chance);
                };
                for (int rounds = 64; !is_found; rounds *= 2)
                    sum += polya::iterated_local_search<polya::Goal::minimise>(begin, {.rounds = rounds, .seed = seed++},
                                                                               improve, step)
                               .score();
            }
            return sum;
        },
        [&] {
            double sum = 0;
            polya::Random chance(seed++);
            for (int i = 0; i < instances; i++)
                for (double length = 1e9; length > wanted[i] * 1.01; sum += length) {
                    std::vector<int> tour = begin;
                    chance.shuffle(tour);
                    length = two_opt(all[i], tour);
                }
            return sum;
        },
        3);
}
