#include "contest.hpp"
#include "k_means.hpp"

// 4,000 points around 20 middles, from the same first centres, until no label changes.
int main() {
    const int n = 4000, k = 20;
    polya::Random random(1);
    std::vector<polya::Point<2>> middles, points;
    for (int i = 0; i < k; i++) middles.push_back({random.uniform(0, 1000), random.uniform(0, 1000)});
    for (int i = 0; i < n; i++) {
        const auto& middle = random.pick(middles);
        points.push_back({random.gaussian(middle[0], 40), random.gaussian(middle[1], 40)});
    }
    const auto centres = polya::spread_centres(points, k, random);
    bench::contest(
        "a point of 4,000 in 20 clusters, until no label changes", "Lloyd's rounds with all distances", n,
        [&] { return polya::KMeans<2>(points, centres).run(1000).cost; },
        [&] {
            auto means = centres;
            std::vector<int> label(n, -1);
            double cost = 0;
            for (bool is_changed = true; is_changed;) {
                is_changed = false;
                cost = 0;
                std::vector<polya::Point<2>> sum(k, polya::Point<2>{});
                std::vector<int> count(k);
                for (int i = 0; i < n; i++) {
                    int best = 0;
                    double least = 1e18;
                    for (int c = 0; c < k; c++) {
                        const double square = polya::square_distance(points[i], means[c]);
                        if (square < least) least = square, best = c;
                    }
                    is_changed = is_changed || label[i] != best;
                    label[i] = best;
                    cost += least;
                    sum[best][0] += points[i][0];
                    sum[best][1] += points[i][1];
                    count[best]++;
                }
                for (int c = 0; c < k; c++)
                    if (count[c]) means[c] = {sum[c][0] / count[c], sum[c][1] / count[c]};
            }
            return cost;
        });
}
