// The cheapest of the offers that are still open, and how far a budget reaches.
#include "segment_tree.hpp"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<int> prices{5, 3, 8, 3, 9, 1};

    using Cheapest = polya::monoid::FirstMinimum<int>;
    std::vector<Cheapest::Value> offers;
    for (int index = 0; index < 6; ++index) offers.push_back({prices[index], index});
    polya::SegmentTree<Cheapest> cheapest(offers);
    std::printf("cheapest of the first four: %d, at %d\n", cheapest.fold(0, 4).value, cheapest.fold(0, 4).index);
    cheapest.set(1, Cheapest::identity());
    std::printf("without that: at %d\n", cheapest.fold(0, 4).index);

    const polya::SegmentTree<polya::monoid::Sum<int>> sums(prices);
    std::printf("from the second on 15 buys up to before %d\n", sums.last_that(1, [](int sum) { return sum <= 15; }));
}
// prints: cheapest of the first four: 3, at 1
// prints: without that: at 3
// prints: from the second on 15 buys up to before 4
