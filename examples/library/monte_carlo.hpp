// Which of some moves is best, by playing on at random: playouts go where they may still change the answer. UCB for values that
// come one by one, sequential halving for a fixed number of playouts, where candidates can be played with the same chance.
#pragma once
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "timer.hpp"
#include "xorshift.hpp"

namespace polya {

// Mean and spread of values that come one by one (Welford): nothing is kept of them, and nothing cancels out.
class Average {
public:
    void add(double value) {
        ++count_;
        const double off = value - mean_;
        mean_ += off / double(count_);
        squares_ += off * (value - mean_);
    }
    std::int64_t count() const { return count_; }
    double mean() const { return mean_; }
    double variance() const { return count_ < 2 ? 0 : squares_ / double(count_ - 1); }
    // Of the mean.
    double error() const { return count_ < 2 ? INFINITY : std::sqrt(variance() / double(count_)); }

private:
    std::int64_t count_ = 0;
    double mean_ = 0, squares_ = 0;
};

struct Playouts {
    int best = 0;
    // Of each move.
    std::vector<Average> averages;
};

// Plays moves 0 … moves - 1 until the time is over; `play(move, random)` returns the value of one playout, higher is better.
// Each time the move is played that may be the best by the most: mean plus a bound that shrinks with its playouts, in units of
// the spread that was seen, so that the scale of values does not matter. `boldness`: how much is tried of what looks worse.
template <class Play>
Playouts play_by_ucb(int moves, TimeKeeper time, Random& random, Play play, double boldness = 1) {
    assert(moves > 0);
    Playouts found{0, std::vector<Average>(static_cast<std::size_t>(moves))};
    Average all;
    const auto play_one = [&](int move) {
        const double value = play(move, random);
        found.averages[std::size_t(move)].add(value);
        all.add(value);
    };
    // Twice each: before that nothing is known of a spread.
    for (int round = 0; round < 2; ++round)
        for (int move = 0; move < moves && !time.is_over(); ++move) play_one(move);
    while (!time.is_over()) {
        const double width = boldness * std::sqrt(all.variance() * 2 * std::log(double(all.count())));
        int chosen = 0;
        double most = -INFINITY;
        for (int move = 0; move < moves; ++move) {
            const Average& each = found.averages[std::size_t(move)];
            const double bound = each.mean() + width / std::sqrt(double(each.count()));
            if (bound > most) most = bound, chosen = move;
        }
        play_one(chosen);
    }
    // Where time ended early, what was never played is no candidate.
    for (int move = 1; move < moves; ++move) {
        const Average &each = found.averages[std::size_t(move)], &best = found.averages[std::size_t(found.best)];
        if (each.count() > 0 && (best.count() == 0 || each.mean() > best.mean())) found.best = move;
    }
    return found;
}

// With `playouts` in all: in each round, those that are left are played equally often, and the worse half is let go. The n-th
// playout of each move gets the same random numbers: luck that all of them share does not decide.
template <class Play>
Playouts play_by_halving(int moves, std::int64_t playouts, Random& random, Play play) {
    assert(moves > 0);
    Playouts found{0, std::vector<Average>(static_cast<std::size_t>(moves))};
    std::vector<int> left(static_cast<std::size_t>(moves));
    std::iota(left.begin(), left.end(), 0);
    const int rounds = std::max(1, int(std::ceil(std::log2(double(moves)))));
    for (int round = 0; round < rounds; ++round) {
        const std::int64_t each = std::max<std::int64_t>(1, playouts / (std::int64_t(left.size()) * rounds));
        for (std::int64_t i = 0; i < each; ++i) {
            const Random same = random.split();
            for (const int move : left) {
                Random own = same;
                found.averages[std::size_t(move)].add(play(move, own));
            }
        }
        const auto better = [&](int a, int b) {
            return found.averages[std::size_t(a)].mean() > found.averages[std::size_t(b)].mean();
        };
        std::stable_sort(left.begin(), left.end(), better);
        left.resize((left.size() + 1) / 2);
    }
    found.best = left.front();
    return found;
}

}  // namespace polya
