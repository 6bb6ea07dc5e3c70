// The best of many beginnings against all partitions of a few points; from the same beginning, the labels of plain Lloyd, which
// computes every distance in every round.
#include "k_means.hpp"

#include <algorithm>
#include <cstdio>

static int wrong = 0;
using Points = std::vector<polya::Point<2>>;

static Points cloud(int n, polya::Random& random) {
    Points points;
    for (int i = 0; i < n; i++) points.push_back({random.uniform(0, 100), random.uniform(0, 100)});
    return points;
}

static double cost_of(const Points& points, const std::vector<int>& label, int k) {
    double cost = 0;
    for (int c = 0; c < k; c++) {
        polya::Point<2> mean{};
        int count = 0;
        for (size_t i = 0; i < points.size(); i++)
            if (label[i] == c) mean[0] += points[i][0], mean[1] += points[i][1], count++;
        for (size_t i = 0; i < points.size(); i++)
            if (label[i] == c) cost += polya::square_distance(points[i], {mean[0] / count, mean[1] / count});
    }
    return cost;
}

// Whether the best partition was found: not every one can be reached from points as first centres.
static bool against_all(unsigned seed) {
    polya::Random random(seed);
    const int n = 7, k = 3;
    const Points points = cloud(n, random);
    double optimum = 1e18;
    std::vector<int> label(n), best;
    for (int code = 0; code < 2187; code++) {
        for (int i = 0, rest = code; i < n; i++, rest /= 3) label[size_t(i)] = rest % 3;
        const double cost = cost_of(points, label, k);
        if (cost < optimum) optimum = cost, best = label;
    }
    const auto found = polya::k_means(points, k, random, 40);
    if (found.cost < optimum - 1e-6) std::printf("seed %u: better than the best\n", seed), wrong++;
    if (std::fabs(cost_of(points, found.label, k) - found.cost) > 1e-6) std::printf("the cost is off\n"), wrong++;
    // The best partition is at rest.
    Points means(k, polya::Point<2>{});
    std::vector<int> count(k);
    for (size_t i = 0; i < points.size(); i++) count[size_t(best[i])]++;
    for (size_t i = 0; i < points.size(); i++)
        for (size_t d = 0; d < 2; d++) means[size_t(best[i])][d] += points[i][d] / count[size_t(best[i])];
    const auto kept = polya::KMeans<2>(points, means).run(100);
    if (kept.label != best) std::printf("seed %u: it left the best partition\n", seed), wrong++;
    return found.cost < optimum + 1e-6;
}

static std::vector<int> lloyd(const Points& points, Points centres, bool& has_empty) {
    std::vector<int> label(points.size(), -1);
    for (;;) {
        bool is_changed = false;
        for (size_t i = 0; i < points.size(); i++) {
            int best = 0;
            for (int c = 1; c < int(centres.size()); c++)
                if (polya::square_distance(points[i], centres[size_t(c)]) < polya::square_distance(points[i], centres[size_t(best)]))
                    best = c;
            is_changed = is_changed || label[i] != best;
            label[i] = best;
        }
        if (!is_changed) return label;
        for (int c = 0; c < int(centres.size()); c++) {
            polya::Point<2> sum{};
            int count = 0;
            for (size_t i = 0; i < points.size(); i++)
                if (label[i] == c) sum[0] += points[i][0], sum[1] += points[i][1], count++;
            if (count == 0) has_empty = true;
            else centres[size_t(c)] = {sum[0] / count, sum[1] / count};
        }
    }
}

int main() {
    int reached = 0;
    for (unsigned seed = 1; seed <= 8; seed++) reached += against_all(seed);
    if (reached < 6) std::printf("only %d of 8 optima were found\n", reached), wrong++;
    int compared = 0;
    for (unsigned seed = 1; seed <= 20; seed++) {
        polya::Random random(seed);
        const Points points = cloud(150, random);
        const auto centres = polya::spread_centres(points, 2 + int(seed % 9), random);
        bool has_empty = false;
        const auto expected = lloyd(points, centres, has_empty);
        const auto found = polya::KMeans<2>(points, centres).run(1000);
        if (has_empty) continue;
        compared++;
        if (found.label != expected) std::printf("seed %u: other labels than Lloyd's\n", seed), wrong++;
    }
    if (compared < 15) std::printf("only %d were compared\n", compared), wrong++;
    // Two centres that no point is next to are taken to points; fewer places than clusters do no harm.
    const Points four{{0, 0}, {0, 1}, {10, 0}, {10, 1}};
    auto filled = polya::KMeans<2>(four, {{5, 0}, {900, 900}, {901, 901}}).run(100);
    if (filled.cost > 0.5 + 1e-9) std::printf("an empty cluster stays: %f\n", filled.cost), wrong++;
    polya::Random random(1);
    if (polya::k_means(Points{{1, 1}, {1, 1}}, 3, random).cost != 0) std::printf("one place\n"), wrong++;
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
