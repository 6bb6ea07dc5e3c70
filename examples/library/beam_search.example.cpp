// A walk over a board that collects what lies there, each thing once. A state is where it stands and what is taken; two walks
// that took the same and stand on the same square are the same, and kept once.
#include "beam_search.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

const int n = 5;
const int worth[n * n] = {0, 1, 9, 1, 2, 3, 1, 8, 1, 1, 1, 1, 7, 6, 5, 1, 2, 1, 1, 4, 9, 1, 1, 2, 3};

struct Walk {
    using Action = int;
    using Score = int;
    int at = 0, score = 0;
    std::uint32_t taken = 0;

    void apply(int to) {
        at = to;
        score += gain(to);
        taken |= 1u << to;
    }
    int gain(int to) const { return taken >> to & 1 ? 0 : worth[to]; }

    template <class Offer>
    void expand(Offer& offer) const {
        const int row = at / n, column = at % n;
        auto step = [&](int to) { offer(to, score + gain(to), std::uint64_t(taken | 1u << to) << 8 | unsigned(to)); };
        if (row > 0) step(at - n);
        if (row + 1 < n) step(at + n);
        if (column > 0) step(at - 1);
        if (column + 1 < n) step(at + 1);
    }
};

int main() {
    const auto found = polya::beam_search<polya::Goal::maximise>(Walk{}, {.turns = 8, .width = 50});
    std::printf("collected %d in %zu steps:", found.score, found.actions.size());
    for (const int to : found.actions) std::printf(" %d", to);
    std::printf("\n");
}
// prints: collected 43 in 8 steps: 1 2 7 12 13 14 19 24
