// A robot that turns right wherever it cannot go on, and how much it could gather in the best square of two by two.
#include "grid.hpp"

#include <algorithm>
#include <cstdio>

int main() {
    polya::Grid<int> coins(3, 4);
    for (int cell = 0; cell < coins.shape().size(); ++cell) coins[cell] = cell * cell % 7;

    polya::Grid<char> visited(3, 4, 0);
    polya::Cell robot{0, 0};
    int direction = polya::east;
    for (int moves = 0; moves < 8; ++moves) {
        visited[robot] = 1;
        if (!coins.contains(robot + polya::grid_steps[direction])) direction = polya::right_of(direction);
        robot = robot + polya::grid_steps[direction];
    }
    std::printf("robot at (%d, %d), looking %c\n", robot.row, robot.column, polya::direction_letters[direction]);
    std::printf("cells visited: %d\n", int(std::count(visited.begin(), visited.end(), 1)));

    const polya::RectangleSums<int> sums(coins);
    int best = 0;
    for (int row = 0; row + 2 <= coins.height(); ++row)
        for (int column = 0; column + 2 <= coins.width(); ++column)
            best = std::max(best, sums.sum({row, column}, {row + 2, column + 2}));
    std::printf("best square of two: %d\n", best);
}
// prints: robot at (2, 0), looking L
// prints: cells visited: 8
// prints: best square of two: 11
