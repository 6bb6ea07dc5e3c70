#include "contest.hpp"
#include "grid_bfs.hpp"
#include "xorshift.hpp"

#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<std::vector<int>> plain_search(const std::vector<std::string>& map, int row, int column) {
    const int height = int(map.size()), width = int(map[0].size());
    std::vector<std::vector<int>> distance(height, std::vector<int>(width, -1));
    std::queue<std::pair<int, int>> queue;
    distance[row][column] = 0;
    queue.push({row, column});
    const int rows[4] = {-1, 0, 1, 0}, columns[4] = {0, 1, 0, -1};
    while (!queue.empty()) {
        const auto [i, j] = queue.front();
        queue.pop();
        for (int direction = 0; direction < 4; ++direction) {
            const int k = i + rows[direction], l = j + columns[direction];
            if (k < 0 || k >= height || l < 0 || l >= width || map[k][l] == '#' || distance[k][l] >= 0) continue;
            distance[k][l] = distance[i][j] + 1;
            queue.push({k, l});
        }
    }
    return distance;
}

}  // namespace

int main() {
    const int side = 50;
    polya::Random random(1);
    std::vector<std::string> map(side, std::string(side, '.'));
    polya::GridBfs bfs(side, side);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            if (random.below(5) == 0) map[row][column] = '#', bfs.set_wall(bfs.index(row, column));
    const long long count = 400;
    bench::contest(
        "a search over a grid of 50 x 50, one cell in five a wall", "std::queue of pairs over vectors of vectors", count,
        [&] {
            long long sum = 0;
            for (int each = 0; each < count; ++each) {
                bfs.run(bfs.index(each % side, each / side));
                sum += bfs.distance(bfs.index(side / 2, side - 1));
            }
            return sum;
        },
        [&] {
            long long sum = 0;
            for (int each = 0; each < count; ++each) sum += plain_search(map, each % side, each / side)[side / 2][side - 1];
            return sum;
        });
}
