// A courier who always goes to the nearest house that is left, and who lives within 20.
#include "bucket_grid.hpp"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<polya::BucketGrid<int>::Point> houses{{10, 10}, {90, 20}, {30, 15}, {25, 40}, {80, 80}};
    polya::BucketGrid<int> left(houses);
    std::printf("nearest two of house 0:");
    for (const int house : left.k_nearest(houses[0], 2, 0)) std::printf(" %d", house);
    std::printf("\n");

    std::printf("tour:");
    for (polya::BucketGrid<int>::Point place{0, 0}; left.size() > 0;) {
        const int next = left.nearest(place);
        std::printf(" %d", next);
        left.erase(next);
        place = houses[next];
    }
    std::printf("\n");

    left.put_back(2);
    left.put_back(4);
    int near = 0;
    left.for_each_within({40, 30}, 20, [&](int) { ++near; });
    std::printf("houses left within 20: %d\n", near);
}
// prints: nearest two of house 0: 2 3
// prints: tour: 0 2 3 1 4
// prints: houses left within 20: 1
