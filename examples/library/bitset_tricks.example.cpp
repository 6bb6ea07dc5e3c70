// The best partition of three tasks by their subsets, and all pairs of four.
#include "bitset_tricks.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    // What one worker earns with a set of tasks; every task is done by somebody.
    const std::vector<int> earned{0, 3, 4, 9, 5, 7, 8, 12};
    std::vector<int> best(8);
    for (unsigned tasks = 1; tasks < 8; ++tasks)
        polya::for_each_subset(tasks, [&](unsigned part) {
            if (part != 0) best[tasks] = std::max(best[tasks], earned[part] + best[tasks ^ part]);
        });
    std::printf("best partition: %d\n", best[7]);

    std::printf("pairs of four:");
    polya::for_each_subset_of_size<unsigned>(4, 2, [](unsigned pair) {
        std::printf(" ");
        polya::for_each_bit(pair, [](int element) { std::printf("%d", element); });
    });
    std::printf("\n");
    std::printf("the second of {1, 4, 6}: %d\n", polya::nth_bit(0b1010010, 1));
}
// prints: best partition: 14
// prints: pairs of four: 01 02 12 03 13 23
// prints: the second of {1, 4, 6}: 4
