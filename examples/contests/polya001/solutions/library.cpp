// Simulated annealing over the set of lanterns, with headers of the library: `polya ahc bundle` puts them in.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "grid_bfs.hpp"
#include "simulated_annealing.hpp"

namespace {

constexpr int powers = 5;

struct Lantern {
    int cell, power;
};

struct Garden {
    int side, most;
    int costs[powers];
    std::vector<int> worth, open_cells;
    // lit[power][cell]: what a lantern there lights.
    std::vector<std::vector<int>> lit[powers];
};

Garden read_garden() {
    Garden garden;
    if (std::scanf("%d %d", &garden.side, &garden.most) != 2) std::exit(1);
    for (int& cost : garden.costs)
        if (std::scanf("%d", &cost) != 1) std::exit(1);
    const int cells = garden.side * garden.side;
    garden.worth.resize(cells);
    polya::GridBfs bfs(garden.side, garden.side);
    for (int cell = 0; cell < cells; ++cell) {
        if (std::scanf("%d", &garden.worth[cell]) != 1) std::exit(1);
        if (garden.worth[cell] < 0) bfs.set_wall(cell);
        else garden.open_cells.push_back(cell);
    }
    for (auto& each : garden.lit) each.resize(cells);
    for (const int from : garden.open_cells) {
        bfs.run(from, -1, powers);
        for (const int cell : bfs.reached())
            for (int power = std::max(bfs.distance(cell), 1) - 1; power < powers; ++power)
                garden.lit[power][from].push_back(cell);
    }
    return garden;
}

class Lights {
public:
    explicit Lights(const Garden& garden) : garden_(garden), count_(garden.worth.size(), 0) {}

    int put(Lantern lantern) {
        int gain = -garden_.costs[lantern.power];
        for (const int cell : garden_.lit[lantern.power][lantern.cell])
            if (count_[cell]++ == 0) gain += garden_.worth[cell];
        return gain;
    }
    int take(Lantern lantern) {
        int gain = garden_.costs[lantern.power];
        for (const int cell : garden_.lit[lantern.power][lantern.cell])
            if (--count_[cell] == 0) gain -= garden_.worth[cell];
        return gain;
    }

private:
    const Garden& garden_;
    std::vector<unsigned char> count_;
};

}  // namespace

int main() {
    polya::Annealing<polya::Goal::maximise> annealing({.start_temperature = 120, .end_temperature = 2, .seconds = 0.85});
    const Garden garden = read_garden();
    Lights lights(garden);
    polya::Random& random = annealing.random();
    std::vector<Lantern> lanterns, best;
    int score = 0, best_score = 0;
    while (annealing.goes_on()) {
        const unsigned kind = random.below(8);
        if (kind == 0 || lanterns.empty()) {
            if (int(lanterns.size()) == garden.most) continue;
            const Lantern added{random.pick(garden.open_cells), int(random.below(powers))};
            const int gain = lights.put(added);
            if (annealing.accepts(gain)) score += gain, lanterns.push_back(added);
            else lights.take(added);
        } else {
            Lantern& chosen = random.pick(lanterns);
            const Lantern old = chosen;
            int gain = lights.take(old);
            if (kind == 1) {
                if (annealing.accepts(gain)) score += gain, chosen = lanterns.back(), lanterns.pop_back();
                else lights.put(old);
            } else {
                Lantern changed = old;
                if (kind == 2) changed = {random.pick(garden.open_cells), int(random.below(powers))};
                if (kind == 3 || kind == 4) changed.power = int(random.below(powers));
                if (kind >= 4) changed.cell = random.pick(garden.lit[kind == 5 ? 2 : 0][old.cell]);
                gain += lights.put(changed);
                if (annealing.accepts(gain)) score += gain, chosen = changed;
                else lights.take(changed), lights.put(old);
            }
        }
        if (score > best_score) best_score = score, best = lanterns;
    }
    std::printf("%zu\n", best.size());
    for (const Lantern& each : best)
        std::printf("%d %d %d\n", each.cell / garden.side, each.cell % garden.side, each.power + 1);
}
