// The cheapest assignment against trying all of them, for all small shapes, with ties, negative costs and fractions.
#include "hungarian.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "xorshift.hpp"

template <class Cost>
static Cost tried(int rows, int columns, const std::vector<Cost>& costs, int row, unsigned taken, int skips) {
    if (row == rows) return Cost{};
    Cost best = Cost(1e9);
    if (skips > 0) best = tried(rows, columns, costs, row + 1, taken, skips - 1);
    for (int column = 0; column < columns; ++column) {
        if (taken >> column & 1) continue;
        const Cost rest = tried(rows, columns, costs, row + 1, taken | 1u << column, skips);
        best = std::min(best, costs[std::size_t(row * columns + column)] + rest);
    }
    return best;
}

template <class Cost>
static int check(polya::Hungarian<Cost>& solver, int rows, int columns, const std::vector<Cost>& costs) {
    const polya::Assignment<Cost> found = solver.solve(rows, columns, costs);
    const Cost expected = tried(rows, columns, costs, 0, 0, std::max(0, rows - columns));
    Cost sum{};
    int assigned = 0;
    for (int row = 0; row < rows; ++row) {
        const int column = found.column_of_row[std::size_t(row)];
        if (column < 0) continue;
        if (found.row_of_column[std::size_t(column)] != row) return std::printf("row %d and column %d do not agree\n", row, column), 1;
        sum += costs[std::size_t(row * columns + column)], ++assigned;
    }
    for (int column = 0; column < columns; ++column)
        if (const int row = found.row_of_column[std::size_t(column)]; row >= 0 && found.column_of_row[std::size_t(row)] != column) return std::printf("column %d has a stranger\n", column), 1;
    if (assigned != std::min(rows, columns)) return std::printf("%d x %d: only %d are assigned\n", rows, columns, assigned), 1;
    if (std::fabs(double(sum - expected)) > 1e-6 || std::fabs(double(found.cost - expected)) > 1e-6)
        return std::printf("%d x %d: %f, not %f\n", rows, columns, double(found.cost), double(expected)), 1;
    return 0;
}

int main() {
    polya::Random random(19);
    polya::Hungarian<int> whole;
    polya::Hungarian<double> real;
    for (int rows = 0; rows <= 5; ++rows)
        for (int columns = 0; columns <= 6; ++columns)
            for (int round = 0; round < 24; ++round) {
                std::vector<int> costs(static_cast<std::size_t>(rows * columns));
                const int most = round % 3 == 0 ? 2 : 100;
                for (int& each : costs) each = random.between(-most, most);
                if (check(whole, rows, columns, costs)) return 1;
                std::vector<double> fractions(costs.size());
                for (double& each : fractions) each = random.uniform(-1, 1);
                if (check(real, rows, columns, fractions)) return 1;
            }
    if (polya::cheapest_assignment<int>(2, 2, {1, 2, 2, 4}).cost != 4) return std::printf("2 + 2 is not 4\n"), 1;
    std::printf("ok\n");
}
