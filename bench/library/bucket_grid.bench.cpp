#include "bucket_grid.hpp"
#include "contest.hpp"
#include "xorshift.hpp"

#include <algorithm>
#include <utility>
#include <vector>

int main() {
    const int size = 2000;
    const std::size_t k = 10;
    polya::Random random(12);
    std::vector<polya::BucketGrid<int>::Point> points(size);
    for (auto& point : points) point = {random.between(0, 10'000), random.between(0, 10'000)};
    const long long count = 200;
    bench::contest(
        "the 10 nearest of 2,000 points", "sorting all by their distance (std::partial_sort)", count,
        [&] {
            const polya::BucketGrid<int> grid(points);
            long long sum = 0;
            for (int point = 0; point < count; ++point)
                for (const int near : grid.k_nearest(points[point], k, point)) sum += near;
            return sum;
        },
        [&] {
            long long sum = 0;
            std::vector<std::pair<long long, int>> near;
            for (int point = 0; point < count; ++point) {
                near.clear();
                for (int other = 0; other < size; ++other)
                    if (other != point) near.push_back({polya::BucketGrid<int>::squared_distance(points[point], points[other]), other});
                std::partial_sort(near.begin(), near.begin() + k, near.end());
                for (std::size_t each = 0; each < k; ++each) sum += near[each].second;
            }
            return sum;
        });
}
