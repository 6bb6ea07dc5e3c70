// All three questions against looking at every point, for points that are spread, in heaps, on a line and in one place,
// asked from within and from far outside, while points leave and come back.
#include "bucket_grid.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

template <class Coordinate>
static int check(polya::Random& random, int kind) {
    using Grid = polya::BucketGrid<Coordinate>;
    using Point = typename Grid::Point;
    const int size = random.between(kind == 0 ? 0 : 1, 40);
    const auto number = [&](int low, int high) { return Coordinate(random.between(2 * low, 2 * high)) / 2; };
    std::vector<Point> points(static_cast<std::size_t>(size));
    for (Point& point : points) {
        point = {number(-30, 30), number(-30, 30)};
        if (kind == 1) point.y = 4;
        if (kind == 2) point = {3, -7};
        if (kind == 3 && random.below(4) != 0) point = {number(-2, 2), number(20, 23)};
        if (kind == 4) point = {number(0, 1), number(-900, 900)};
    }
    Grid grid(points);
    std::vector<char> present(points.size(), 1);
    for (int round = 0; round < 60; ++round) {
        const int chosen = size > 0 ? int(random.below(unsigned(size))) : -1;
        if (size > 0 && random.below(2) == 0) {
            if (grid.contains(chosen) != bool(present[std::size_t(chosen)])) return std::printf("contains(%d) differs\n", chosen), 1;
            present[std::size_t(chosen)] ? grid.erase(chosen) : grid.put_back(chosen);
            present[std::size_t(chosen)] ^= 1;
        }
        const Point place = chosen >= 0 && random.below(3) == 0 ? points[std::size_t(chosen)] : Point{number(-60, 60), number(-60, 60)};
        const int except = random.below(2) == 0 ? chosen : -1;
        const Coordinate radius = number(0, 40);
        const auto distance = [&](int point) { return Grid::squared_distance(place, points[std::size_t(point)]); };
        std::vector<std::pair<typename Grid::Distance, int>> sorted;
        std::vector<char> within(points.size(), 0);
        int count = 0;
        for (int point = 0; point < size; ++point) {
            if (!present[std::size_t(point)]) continue;
            ++count;
            if (point != except) sorted.push_back({distance(point), point});
            if (distance(point) <= typename Grid::Distance(radius) * typename Grid::Distance(radius)) within[std::size_t(point)] = 1;
        }
        std::sort(sorted.begin(), sorted.end());
        if (grid.size() != count) return std::printf("size differs\n"), 1;
        if (grid.nearest(place, except) != (sorted.empty() ? -1 : sorted[0].second)) return std::printf("the nearest differs, kind %d\n", kind), 1;
        const std::size_t k = random.below(8);
        sorted.resize(std::min(k, sorted.size()));
        std::vector<int> expected;
        for (const auto& each : sorted) expected.push_back(each.second);
        if (grid.k_nearest(place, k, except) != expected) return std::printf("the %zu nearest differ, kind %d\n", k, kind), 1;
        grid.for_each_within(place, radius, [&](int point) { within[std::size_t(point)] ^= 1; });
        for (const char each : within)
            if (each != 0) return std::printf("what is within differs, kind %d\n", kind), 1;
    }
    return 0;
}

int main() {
    polya::Random random(26);
    for (int round = 0; round < 150; ++round)
        if (check<int>(random, round % 5) || check<double>(random, round % 5)) return 1;
    // Far apart: the squares need more than 32 bits.
    const polya::BucketGrid<int> far({{-1'000'000'000, 0}, {1'000'000'000, 0}, {0, 1'000'000'000}});
    if (far.nearest({1, 0}, 2) != 1) return std::printf("far points differ\n"), 1;
    std::printf("ok\n");
}
