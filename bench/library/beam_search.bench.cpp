#include <algorithm>
#include <set>
#include <vector>

#include "beam_search.hpp"
#include "beam_states.hpp"
#include "contest.hpp"

int main() {
    const int turns = 60, width = 300;
    polya::Random random(1);
    const bench::LightsWorld<40> world(turns, random);
    const bench::Lights<40> start = world.start(random);
    bench::contest(
        "a state of a beam of 300, with 16 candidates", "all candidates as states, sorted, a std::set of hashes",
        turns * width,
        [&] { return polya::beam_search<polya::Goal::maximise>(start, {.turns = turns, .width = width}).score; },
        [&] {
            std::vector<bench::Lights<40>> beam{start};
            for (int turn = 0; turn < turns; turn++) {
                std::vector<bench::Lights<40>> next;
                for (const auto& state : beam)
                    state.expand([&](int cell, int, std::uint64_t) {
                        next.push_back(state);
                        next.back().apply(cell);
                    });
                std::stable_sort(next.begin(), next.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
                std::set<std::uint64_t> seen;
                beam.clear();
                for (auto& state : next)
                    if (int(beam.size()) < width && seen.insert(state.hash).second) beam.push_back(std::move(state));
            }
            return beam[0].score;
        },
        5);
}
