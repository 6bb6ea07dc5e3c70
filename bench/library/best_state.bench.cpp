#include "best_state.hpp"
#include "contest.hpp"

#include <numeric>
#include <vector>

// A search that climbs in steps: one offer in twenty is a record, as in a long annealing.
int main() {
    const int count = 20'000;
    std::vector<int> scores(count);
    unsigned draw = 1;
    for (int i = 0; i < count; i++) scores[i] = i / 20 + int((draw = draw * 1103515245 + 12345) >> 30);
    std::vector<int> state(500);
    std::iota(state.begin(), state.end(), 0);
    bench::contest(
        "an offer of a state of 500 numbers", "an if that keeps score and state", count,
        [&] {
            polya::Best<polya::Goal::maximise, std::vector<int>, int> best;
            for (int i = 0; i < count; i++) state[0] = i, best.offer(state, scores[i]);
            return best.state()[0] + best.score();
        },
        [&] {
            std::vector<int> kept;
            int most = -1;
            for (int i = 0; i < count; i++) {
                state[0] = i;
                if (scores[i] > most) most = scores[i], kept = state;
            }
            return kept[0] + most;
        });
}
