// Iterated local search: climb, kick, climb again, and keep what is not worse. Kicks grow while they lead nowhere and become
// small again when one succeeds; after long failure the search goes back to the best that it has seen.
#pragma once
#include <cassert>
#include <cstdint>
#include <utility>

#include "best_state.hpp"
#include "timer.hpp"
#include "xorshift.hpp"

namespace polya {

struct IteratedOptions {
    double seconds = 1.8;
    // Above zero: ends after as many kicks, whatever the time.
    std::int64_t rounds = 0;
    int weakest_kick = 1, strongest_kick = 4;
    // So many failures make kicks stronger by one.
    int patience = 50;
    // So many failures in a row, and it goes on from the best; 0: never.
    int back_to_best_after = 1000;
    // A state that is worse by up to this is accepted as well: a little of it leaves basins that kicks alone do not.
    double tolerance = 0;
    std::uint64_t seed = 1;
};

// `improve(state)` climbs and returns the score that it reaches; `kick(state, strength, random)` disturbs the state. States
// are copied once a round, so keep in them only what a move changes.
template <Goal goal, class State, class Improve, class Kick>
auto iterated_local_search(State state, const IteratedOptions& options, Improve improve, Kick kick) {
    using Score = decltype(improve(state));
    assert(1 <= options.weakest_kick && options.weakest_kick <= options.strongest_kick && options.patience > 0);
    Random random(options.seed);
    TimeKeeper time = options.rounds > 0 ? TimeKeeper::of_rounds(options.rounds) : TimeKeeper(options.seconds);
    Score score = improve(state);
    Best<goal, State, Score> best(state, score);
    State tried = state;
    int strength = options.weakest_kick;
    std::int64_t failures = 0;
    while (!time.is_over()) {
        tried = state;
        kick(tried, strength, random);
        const Score reached = improve(tried);
        if (double(gain_of<goal>(score, reached)) >= -options.tolerance) {
            std::swap(state, tried);
            score = reached;
        }
        // With tolerance, to be better than a worse state is no success.
        if (best.offer(state, score)) {
            failures = 0;
            strength = options.weakest_kick;
            continue;
        }
        ++failures;
        if (failures % options.patience == 0)
            strength = strength == options.strongest_kick ? options.weakest_kick : strength + 1;
        if (options.back_to_best_after > 0 && failures % options.back_to_best_after == 0) {
            state = best.state();
            score = best.score();
        }
    }
    return best;
}

}  // namespace polya
