#include "contest.hpp"
#include "hungarian.hpp"
#include "xorshift.hpp"

#include <vector>

namespace {

// The short version of the books: potentials, one row after the other.
int plain_assignment(const std::vector<std::vector<int>>& costs) {
    const int rows = int(costs.size()), columns = int(costs[0].size()), infinite = 1'000'000'000;
    std::vector<int> u(rows + 1), v(columns + 1), row_of(columns + 1), before(columns + 1);
    for (int row = 1; row <= rows; ++row) {
        row_of[0] = row;
        int column = 0;
        std::vector<int> least(columns + 1, infinite);
        std::vector<bool> used(columns + 1, false);
        do {
            used[column] = true;
            const int at = row_of[column];
            int delta = infinite, next = 0;
            for (int j = 1; j <= columns; ++j) {
                if (used[j]) continue;
                const int reduced = costs[at - 1][j - 1] - u[at] - v[j];
                if (reduced < least[j]) least[j] = reduced, before[j] = column;
                if (least[j] < delta) delta = least[j], next = j;
            }
            for (int j = 0; j <= columns; ++j)
                if (used[j]) u[row_of[j]] += delta, v[j] -= delta;
                else least[j] -= delta;
            column = next;
        } while (row_of[column] != 0);
        do {
            const int next = before[column];
            row_of[column] = row_of[next];
            column = next;
        } while (column != 0);
    }
    return -v[0];
}

}  // namespace

int main() {
    const int side = 200;
    polya::Random random(5);
    std::vector<int> flat(side * side);
    std::vector<std::vector<int>> rows(side, std::vector<int>(side));
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) rows[i][j] = flat[i * side + j] = random.between(0, 100'000);
    polya::Hungarian<int> solver;
    bench::contest(
        "an assignment of 200 x 200", "the short O(n^3) version with potentials", 1,
        [&] { return solver.solve(side, side, flat).cost; }, [&] { return plain_assignment(rows); });
}
