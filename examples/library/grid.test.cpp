// Distances, turns, indices and sums of rectangles against counting cell by cell, on grids of all small sizes.
#include "grid.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "xorshift.hpp"

static int failed(const char* what, int height, int width) {
    std::printf("%s differs on %d x %d\n", what, height, width);
    return 1;
}

static int check_sums(polya::Random& random, int height, int width) {
    polya::Grid<int> grid(height, width);
    for (int& each : grid) each = random.between(-9, 9);
    const polya::RectangleSums<long long> sums(grid);
    for (int top = 0; top <= height; ++top)
        for (int bottom = top; bottom <= height; ++bottom)
            for (int left = 0; left <= width; ++left)
                for (int right = left; right <= width; ++right) {
                    long long expected = 0;
                    for (int row = top; row < bottom; ++row)
                        for (int column = left; column < right; ++column) expected += grid[row * width + column];
                    if (sums.sum({top, left}, {bottom, right}) != expected) return failed("a sum", height, width);
                }
    const polya::Grid<int> turned = grid.turned();
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            if (turned[polya::Cell{column, height - 1 - row}] != grid[polya::Cell{row, column}]) return failed("a turn", height, width);
    return turned.turned().turned().turned() == grid ? 0 : failed("four turns", height, width);
}

static int check_cells(int height, int width) {
    const polya::GridShape shape{height, width};
    for (int a = 0; a < shape.size(); ++a) {
        const polya::Cell cell = shape.cell(a);
        if (shape.index(cell) != a || !shape.contains(cell)) return failed("an index", height, width);
        std::vector<int> neighbours(std::size_t(shape.size()));
        shape.for_each_neighbour(cell, [&](polya::Cell next, int direction) {
            if (polya::direction_between(cell, next) == direction) ++neighbours[std::size_t(shape.index(next))];
        });
        for (int b = 0; b < shape.size(); ++b) {
            const polya::Cell other = shape.cell(b);
            const int rows = std::abs(cell.row - other.row), columns = std::abs(cell.column - other.column);
            if (manhattan(cell, other) != rows + columns) return failed("a distance", height, width);
            if (chebyshev(cell, other) != (rows > columns ? rows : columns)) return failed("a king's way", height, width);
            if (neighbours[std::size_t(b)] != (rows + columns == 1)) return failed("a neighbour", height, width);
            if ((polya::direction_between(cell, other) >= 0) != (rows + columns == 1)) return failed("a step", height, width);
        }
        for (const polya::Cell outside : {polya::Cell{-1, 0}, {0, -1}, {height, 0}, {0, width}})
            if (shape.contains(outside)) return failed("the border", height, width);
    }
    return 0;
}

int main() {
    polya::Random random(11);
    for (int height = 0; height <= 5; ++height)
        for (int width = 0; width <= 5; ++width)
            if (check_sums(random, height, width) || check_cells(height, width)) return 1;
    for (int direction = 0; direction < 4; ++direction) {
        const polya::Cell step = polya::grid_steps[std::size_t(direction)];
        const polya::Cell right = polya::grid_steps[std::size_t(polya::right_of(direction))];
        // Rows grow downwards: turning right takes (row, column) to (column, -row).
        if (right != polya::Cell{step.column, -step.row}) return std::printf("a right turn of %d\n", direction), 1;
        if (polya::left_of(polya::right_of(direction)) != direction) return std::printf("a left turn of %d\n", direction), 1;
        if (step + polya::grid_steps[std::size_t(polya::opposite_of(direction))] != polya::Cell{}) return std::printf("no way back\n"), 1;
        if (polya::direction_of(polya::direction_letters[std::size_t(direction)]) != direction) return std::printf("a letter\n"), 1;
    }
    if (polya::direction_of('x') != -1) return std::printf("x is no direction\n"), 1;
    for (const polya::Cell step : polya::grid_steps_with_diagonals)
        if (chebyshev(step, {}) != 1) return std::printf("a diagonal\n"), 1;
    std::printf("ok\n");
}
