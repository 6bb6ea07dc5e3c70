// The way out of a small garden, and how many hedges would have to be cut to walk straight through.
#include "grid_bfs.hpp"

#include <cstdio>
#include <string>
#include <vector>

int main() {
    const std::vector<std::string> garden = {
        ".#...",
        ".#.#.",
        "...#.",
        "##.#.",
    };
    polya::GridBfs bfs(4, 5);
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 5; ++column)
            if (garden[row][column] == '#') bfs.set_wall(bfs.index(row, column));
    // A gate between two cells that are both free.
    bfs.set_side(bfs.index(2, 2), polya::south);

    const int start = bfs.index(0, 0), exit = bfs.index(3, 4);
    bfs.run(start, exit);
    std::printf("steps: %d\n", bfs.distance(exit));
    std::printf("way: %s\n", bfs.moves_to(exit).c_str());
    bfs.run(start);
    std::printf("(3, 2) is %s\n", bfs.is_reached(bfs.index(3, 2)) ? "reached" : "behind the gate");

    const std::vector<int> starts{start};
    bfs.run_zero_one(starts, [](int, int, bool is_open) { return is_open ? 0 : 1; });
    std::printf("hedges to cut for (3, 0): %d\n", bfs.distance(bfs.index(3, 0)));
}
// prints: steps: 11
// prints: way: DDRRUURRDDD
// prints: (3, 2) is behind the gate
// prints: hedges to cut for (3, 0): 1
