// The best state that a search has seen, and which way better is. The other headers of searches say `Goal` as this one
// does, so that a search that maximises and one that minimises are the same code, chosen when it is compiled.
#pragma once
#include <cassert>
#include <utility>

namespace polya {

enum class Goal { minimise, maximise };

template <Goal goal, class Score>
constexpr bool is_better(const Score& a, const Score& b) {
    if constexpr (goal == Goal::maximise) return b < a;
    else return a < b;
}

// How much better `now` is than `before`: positive where it is better, whatever the goal.
template <Goal goal, class Score>
constexpr Score gain_of(const Score& before, const Score& now) {
    if constexpr (goal == Goal::maximise) return now - before;
    else return before - now;
}

// A copy of the best state. Copying costs, so it is done only for what is better than all before.
template <Goal goal, class State, class Score>
class Best {
public:
    Best() = default;
    Best(State state, Score score) : state_(std::move(state)), score_(score), is_set_(true) {}

    // Whether it was better, and is kept now.
    bool offer(const State& state, const Score& score) {
        if (is_set_ && !is_better<goal>(score, score_)) return false;
        state_ = state;
        score_ = score;
        is_set_ = true;
        return true;
    }

    bool is_set() const { return is_set_; }
    const State& state() const {
        assert(is_set_);
        return state_;
    }
    const Score& score() const {
        assert(is_set_);
        return score_;
    }

private:
    State state_{};
    Score score_{};
    bool is_set_ = false;
};

}  // namespace polya
