// Two mills and three bakeries: the cheapest way to bring all the flour, and the best business that can be made.
#include "min_cost_flow.hpp"

#include <cstdio>

int main() {
    // 0 source, 1 and 2 mills, 3 to 5 bakeries, 6 sink.
    polya::MinCostFlow<int> flow(7);
    flow.add_edge(0, 1, 7, 0);
    flow.add_edge(0, 2, 5, 0);
    const int costs[2][3] = {{4, 2, 9}, {3, 6, 1}};
    int road[2][3];
    for (int mill = 0; mill < 2; ++mill)
        for (int bakery = 0; bakery < 3; ++bakery) road[mill][bakery] = flow.add_edge(1 + mill, 3 + bakery, 10, costs[mill][bakery]);
    for (int bakery = 0; bakery < 3; ++bakery) flow.add_edge(3 + bakery, 6, 4, 0);

    const auto all = flow.solve(0, 6);
    std::printf("%d sacks for %lld\n", all.flow, all.cost);
    std::printf("from the first mill: %d, %d, %d\n", flow.flow(road[0][0]), flow.flow(road[0][1]), flow.flow(road[0][2]));
    const auto part = flow.solve(0, 6, {.flow = 5});
    std::printf("%d sacks for %lld\n", part.flow, part.cost);
    // No sack whose way costs more than 2.
    const auto cheap = flow.solve(0, 6, {.dearest = 2});
    std::printf("%d sacks for %lld\n", cheap.flow, cheap.cost);
}
// prints: 12 sacks for 27
// prints: from the first mill: 3, 4, 0
// prints: 5 sacks for 6
// prints: 8 sacks for 12
