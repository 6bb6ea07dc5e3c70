// Distances and ways against Bellman and Ford's relaxation until nothing changes, on random small grids whose walls come
// and go between searches, which reuse one object.
#include "grid_bfs.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

using Cost = std::vector<int>;

// cost[cell * 4 + direction]: -1 where there is no way.
static std::vector<int> relaxed(const polya::GridShape& shape, const std::vector<int>& sources, const Cost& cost) {
    std::vector<int> distance(std::size_t(shape.size()), -1);
    for (const int source : sources) distance[std::size_t(source)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int cell = 0; cell < shape.size(); ++cell)
            shape.for_each_neighbour(shape.cell(cell), [&](polya::Cell next, int direction) {
                const int more = cost[std::size_t(cell * 4 + direction)];
                if (more < 0 || distance[std::size_t(cell)] < 0) return;
                int& known = distance[std::size_t(shape.index(next))];
                if (known >= 0 && known <= distance[std::size_t(cell)] + more) return;
                known = distance[std::size_t(cell)] + more;
                changed = true;
            });
    }
    return distance;
}

// Whether the way that is told is one, and as long as it should be.
static bool is_way(const polya::GridBfs& bfs, const std::vector<int>& sources, int target, const Cost& cost, int length) {
    const std::vector<int> cells = bfs.path_to(target), directions = bfs.directions_to(target);
    if (cells.size() != directions.size() + 1 || cells.back() != target) return false;
    bool begins_at_source = false;
    for (const int source : sources) begins_at_source |= cells.front() == source;
    int sum = 0;
    for (std::size_t step = 0; step < directions.size(); ++step) {
        const polya::Cell next = bfs.shape().cell(cells[step]) + polya::grid_steps[std::size_t(directions[step])];
        const int more = cost[std::size_t(cells[step] * 4 + directions[step])];
        if (!bfs.shape().contains(next) || bfs.shape().index(next) != cells[step + 1] || more < 0) return false;
        if (bfs.moves_to(target, "0123")[step] != '0' + directions[step]) return false;
        sum += more;
    }
    return begins_at_source && sum == length;
}

// What is more than `most` away is not looked at.
static int compare(const char* what, const polya::GridBfs& bfs, const std::vector<int>& sources, const Cost& cost, int target, int most = 1000) {
    std::vector<int> expected = relaxed(bfs.shape(), sources, cost);
    for (int& each : expected)
        if (each > most) each = -1;
    const int horizon = target < 0 ? -1 : expected[std::size_t(target)];
    std::vector<char> told(expected.size(), 0);
    for (int before = 0; const int cell : bfs.reached()) {
        if (told[std::size_t(cell)] || bfs.distance(cell) < before) return std::printf("%s: reached() is in no order\n", what), 1;
        told[std::size_t(cell)] = 1, before = bfs.distance(cell);
    }
    for (int cell = 0; cell < bfs.shape().size(); ++cell) {
        const int length = expected[std::size_t(cell)];
        if (target < 0 && told[std::size_t(cell)] != (length >= 0)) return std::printf("%s: reached() lacks %d\n", what, cell), 1;
        // With a target only what is nearer, and the target itself, is certain.
        if (horizon >= 0 && cell != target && (length < 0 || length >= horizon)) continue;
        if (bfs.distance(cell) != length) return std::printf("%s: %d steps to %d, not %d\n", what, length, cell, bfs.distance(cell)), 1;
        if (length >= 0 && !is_way(bfs, sources, cell, cost, length)) return std::printf("%s: a wrong way to %d\n", what, cell), 1;
    }
    return 0;
}

static int check(polya::Random& random) {
    const int height = random.between(1, 6), width = random.between(1, 6), cells = height * width;
    polya::GridBfs bfs(height, width);
    std::vector<char> wall(std::size_t(cells), 0), side(std::size_t(cells) * 4, 0);
    for (int round = 0; round < 12; ++round) {
        for (int change = 0; change < 6; ++change) {
            const int cell = int(random.below(unsigned(cells))), direction = int(random.below(4));
            const bool value = random.below(2) == 0;
            if (random.below(2) == 0) bfs.set_wall(cell, value), wall[std::size_t(cell)] = value;
            else {
                bfs.set_side(cell, direction, value);
                side[std::size_t(cell * 4 + direction)] = value;
                const polya::Cell next = bfs.shape().cell(cell) + polya::grid_steps[std::size_t(direction)];
                if (bfs.shape().contains(next)) side[std::size_t(bfs.shape().index(next) * 4 + polya::opposite_of(direction))] = value;
            }
        }
        Cost plain(std::size_t(cells) * 4, -1), breaking(std::size_t(cells) * 4, -1);
        for (int cell = 0; cell < cells; ++cell)
            bfs.shape().for_each_neighbour(bfs.shape().cell(cell), [&](polya::Cell next, int direction) {
                const std::size_t at = std::size_t(cell * 4 + direction);
                const bool is_closed = wall[std::size_t(cell)] || wall[std::size_t(bfs.shape().index(next))] || side[at];
                plain[at] = is_closed ? -1 : 1;
                // One may not leave the third column to the right; breaking through costs one, else it is free.
                breaking[at] = direction == polya::east && cell % width == 2 ? -1 : is_closed;
                if (bfs.is_open(cell, direction) == is_closed) std::printf("is_open(%d, %d) differs\n", cell, direction);
            });
        std::vector<int> sources(std::size_t(random.between(1, 3)));
        for (int& source : sources) source = int(random.below(unsigned(cells)));
        const int target = random.below(2) == 0 ? -1 : int(random.below(unsigned(cells)));
        bfs.run(sources, target);
        if (compare("breadth first", bfs, sources, plain, target)) return 1;
        const int most = random.between(0, 5);
        bfs.run(sources, -1, most);
        if (compare("a few steps", bfs, sources, plain, -1, most)) return 1;
        bfs.run_zero_one(
            sources,
            [&](int from, int to, bool is_open) {
                if (to == from + 1 && from % width == 2) return -1;
                return is_open ? 0 : 1;
            },
            target);
        // In a grid of one column, one below is the next index, too.
        if (width > 1 && compare("zero or one", bfs, sources, breaking, target)) return 1;
    }
    return 0;
}

int main() {
    polya::Random random(12);
    for (int round = 0; round < 150; ++round)
        if (check(random)) return 1;
    std::printf("ok\n");
}
