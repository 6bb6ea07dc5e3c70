// Drawing by weights that change: what was drawn becomes rarer. And counting how many of a permutation are out of order.
#include "fenwick_tree.hpp"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<int> weights{5, 0, 3, 2};
    polya::FenwickTree<int> wheel(weights);
    std::printf("total: %d\n", wheel.total());
    // In a contest: wheel.find(random.below(wheel.total())).
    for (const int drawn : {0, 4, 5, 9}) std::printf("%d falls on %d\n", drawn, wheel.find(drawn));
    wheel.set(0, 1);
    std::printf("5 now falls on %d\n", wheel.find(5));

    const std::vector<int> order{3, 0, 2, 1};
    polya::FenwickTree<int> seen(4);
    int inversions = 0;
    for (const int each : order) {
        inversions += seen.sum(each + 1, 4);
        seen.add(each, 1);
    }
    std::printf("inversions: %d\n", inversions);
}
// prints: total: 10
// prints: 0 falls on 0
// prints: 4 falls on 0
// prints: 5 falls on 2
// prints: 9 falls on 3
// prints: 5 now falls on 3
// prints: inversions: 4
