// Hill climbing over moves that are numbered from 0: to a local optimum by the first move that gains, or by the best of all;
// over plateaus; and from many beginnings until the time is over.
#pragma once
#include <cassert>
#include <cstdint>
#include <numeric>
#include <utility>

#include "timer.hpp"
#include "xorshift.hpp"

namespace polya {

template <class Gain>
struct Climb {
    // Of all moves together. What it was before, plus this, is the score now.
    Gain gain{};
    std::int64_t moves = 0;
};

// Takes the first move that gains, and goes on from the next one, until none of them gains. The moves come in an order that
// chance chooses without a list: from a random start on, by a stride that has no divisor in common with their number.
// `gain_of(move)`: how much better the state would be; `apply(move)` does it. At most `sideways` moves are
// taken that neither gain nor lose, all together: plateaus are crossed, and it ends all the same.
template <class GainOf, class Apply>
auto climb_first(int moves, Random& random, GainOf gain_of, Apply apply, std::int64_t sideways = 0) {
    using Gain = decltype(gain_of(0));
    Climb<Gain> climb;
    if (moves <= 0) return climb;
    int stride = 1 + int(random.below(std::uint32_t(moves)));
    while (std::gcd(stride, moves) != 1) ++stride;
    int move = int(random.below(std::uint32_t(moves)));
    for (int failed = 0; failed < moves; ++failed) {
        const Gain gain = gain_of(move);
        if (gain > Gain{} || (gain == Gain{} && sideways > 0)) {
            if (!(gain > Gain{})) --sideways;
            apply(move);
            climb.gain += gain;
            ++climb.moves;
            failed = -1;
        }
        move = int((std::int64_t(move) + stride) % moves);
    }
    return climb;
}

// Takes the best of all moves, until none gains: fewer and larger steps, each at the price of all evaluations.
template <class GainOf, class Apply>
auto climb_steepest(int moves, GainOf gain_of, Apply apply) {
    using Gain = decltype(gain_of(0));
    Climb<Gain> climb;
    for (;;) {
        int best = -1;
        Gain most{};
        for (int move = 0; move < moves; ++move)
            if (const Gain gain = gain_of(move); gain > most) most = gain, best = move;
        if (best < 0) return climb;
        apply(best);
        climb.gain += most;
        ++climb.moves;
    }
}

// From one beginning after another: `run(random)` makes one, climbs, and keeps what is best. At least once, whatever the
// time. Returns how often.
template <class Run>
std::int64_t climb_again_and_again(TimeKeeper time, Random& random, Run run) {
    std::int64_t times = 0;
    while (!time.is_over() || times == 0) {
        run(random);
        ++times;
    }
    return times;
}

}  // namespace polya
