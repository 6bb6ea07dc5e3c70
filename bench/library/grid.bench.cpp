#include "contest.hpp"
#include "grid.hpp"
#include "xorshift.hpp"

#include <vector>

int main() {
    const int side = 60;
    polya::Random random(1);
    polya::Grid<int> ours(side, side);
    std::vector<std::vector<int>> plain(side, std::vector<int>(side));
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) ours[polya::Cell{row, column}] = plain[row][column] = random.between(0, 99);
    const int reach = 8, rounds = 4;
    const long long count = 1LL * rounds * (side - reach) * (side - reach);
    bench::contest(
        "the sum of a square of 8 x 8 cells", "adding them up in vectors of vectors", count,
        [&] {
            long long sum = 0;
            for (int round = 0; round < rounds; ++round) {
                // Anew each time, as if the grid had changed.
                const polya::RectangleSums<int> sums(ours);
                for (int row = 0; row < side - reach; ++row)
                    for (int column = 0; column < side - reach; ++column)
                        sum ^= sums.sum({row, column}, {row + reach, column + reach});
            }
            return sum;
        },
        [&] {
            long long sum = 0;
            for (int round = 0; round < rounds; ++round)
                for (int row = 0; row < side - reach; ++row)
                    for (int column = 0; column < side - reach; ++column) {
                        int square = 0;
                        for (int i = row; i < row + reach; ++i)
                            for (int j = column; j < column + reach; ++j) square += plain[i][j];
                        sum ^= square;
                    }
            return sum;
        });
}
