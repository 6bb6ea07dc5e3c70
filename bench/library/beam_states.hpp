// The state that both beam searches are measured with: a board of N x N cells on which each turn one cell and its neighbours
// are turned over. Score and hash are kept, so that a turn costs what changes and no more.
#pragma once
#include <cstdint>
#include <vector>

#include "xorshift.hpp"

namespace bench {

template <int n>
struct Lights {
    using Action = int;
    using Score = int;
    static constexpr int width = n + 2, size = width * width;

    std::vector<std::uint8_t> is_on = std::vector<std::uint8_t>(size);
    const std::uint64_t* key;
    const int* choices;
    int score = 0, turn = 0;
    std::uint64_t hash = 0;

    static constexpr int around[5] = {0, 1, -1, width, -width};

    void flip(int cell) {
        for (const int each : around) {
            score += is_on[cell + each] ? 1 : -1;
            hash ^= key[cell + each];
            is_on[cell + each] ^= 1;
        }
    }
    void apply(int cell) { flip(cell), turn++; }
    void undo(int cell) { flip(cell), turn--; }

    template <class Offer>
    void expand(Offer&& offer) const {
        for (int i = 0; i < 16; i++) {
            const int cell = choices[turn * 16 + i];
            int then = score;
            std::uint64_t mixed = hash;
            for (const int each : around) then += is_on[cell + each] ? 1 : -1, mixed ^= key[cell + each];
            offer(cell, then, mixed);
        }
    }
};

// 16 cells a turn may be chosen from, the same for all states.
template <int n>
struct LightsWorld {
    std::vector<std::uint64_t> key = std::vector<std::uint64_t>(Lights<n>::size);
    std::vector<int> choices;

    LightsWorld(int turns, polya::Random& random) {
        for (std::uint64_t& each : key) each = random();
        for (int i = 0; i < turns * 16; i++)
            choices.push_back(random.between(1, n) * Lights<n>::width + random.between(1, n));
    }
    Lights<n> start(polya::Random& random) const {
        Lights<n> lights{.key = key.data(), .choices = choices.data()};
        for (std::uint8_t& each : lights.is_on) each = std::uint8_t(random.below(2)), lights.score -= each;
        return lights;
    }
};

}  // namespace bench
