// Three robots and four errands: who does what, so that they walk least together.
#include "hungarian.hpp"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<int> steps{
        7, 2, 9, 4,  //
        6, 1, 5, 3,  //
        8, 3, 6, 6,  //
    };
    const auto best = polya::cheapest_assignment(3, 4, steps);
    std::printf("steps: %d\n", best.cost);
    for (int robot = 0; robot < 3; ++robot) std::printf("robot %d: errand %d\n", robot, best.column_of_row[robot]);
    for (int errand = 0; errand < 4; ++errand)
        if (best.row_of_column[errand] < 0) std::printf("errand %d is left over\n", errand);
}
// prints: steps: 11
// prints: robot 0: errand 1
// prints: robot 1: errand 3
// prints: robot 2: errand 2
// prints: errand 0 is left over
