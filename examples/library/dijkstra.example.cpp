// The way through a few towns; then a search without a graph, where a state is (place, fuel).
#include "dijkstra.hpp"

#include <cstdio>
#include <vector>

int main() {
    const polya::WeightedGraph<int> roads(5, {{0, 1, 4}, {0, 2, 1}, {2, 1, 2}, {1, 3, 5}}, true);
    polya::Dijkstra<int> search(5);
    search.run(roads, 0, 3);
    std::printf("length: %d\n", search.distance(3));
    std::printf("way:");
    for (const int town : search.path_to(3)) std::printf(" %d", town);
    std::printf("\n");
    search.run(roads, 0);
    std::printf("town 4 is %s\n", search.is_reached(4) ? "connected" : "not connected");

    // Places 0 to 9 in a row, at most 3 units of fuel; filling up one unit costs 2 at even places and 5 at odd ones.
    polya::Dijkstra<int> trip(10 * 4);
    const std::vector<polya::Dijkstra<int>::Start> starts{{0, 0}};
    trip.run_with(starts, [](int state, auto&& visit) {
        const int place = state / 4, fuel = state % 4;
        if (fuel < 3) visit(state + 1, place % 2 == 0 ? 2 : 5);
        if (fuel > 0 && place < 9) visit(state + 4 - 1, 0);
    });
    std::printf("to the last place for %d\n", trip.distance(9 * 4));
}
// prints: length: 8
// prints: way: 0 2 1 3
// prints: town 4 is not connected
// prints: to the last place for 18
