// What both beam searches share: the best candidates of a turn, each hash once; options, result, and a width that follows the
// time that is left. A candidate is an action and a score, not a state: what is not chosen was cheap.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "best_state.hpp"
#include "timer.hpp"

namespace polya {

struct BeamOptions {
    int turns = 1;
    // At the beginning, or always where no time is set.
    int width = 100;
    // Above zero: the width follows, so that the last turn ends after about that time. Between `least` and `most_width`.
    double seconds = 0;
    int least_width = 1, most_width = 100'000;
};

template <class Action, class Score>
struct BeamResult {
    // From the start to the best state found.
    std::vector<Action> actions;
    Score score{};
    // Whether it got there: false where no state had a candidate left before the last turn, and none was final.
    bool is_complete = false;
};

// The best `width` of what is offered, each hash once, in O(1) on average: twice as many are gathered, then halved.
template <Goal goal, class Action, class Score>
class BeamCandidates {
public:
    struct Candidate {
        Score score;
        std::uint64_t hash;
        int parent;
        Action action;
    };

    void reset(int width) {
        assert(width > 0);
        width_ = std::size_t(width);
        kept_.clear();
        is_full_ = false;
        std::size_t size = 16;
        while (size < width_ * 4) size *= 2;
        if (size != table_.size()) table_.assign(size, Slot{});
        next_turn();
    }

    // Whether one of this score would be looked at. To be asked before a hash is computed that costs.
    bool takes(const Score& score) const { return !is_full_ || is_better<goal>(score, worst_); }

    void offer(const Action& action, const Score& score, std::uint64_t hash, int parent) {
        if (!takes(score)) return;
        Slot& slot = slot_of(hash);
        if (slot.turn == turn_) {
            Candidate& same = kept_[slot.index];
            if (is_better<goal>(score, same.score)) same = Candidate{score, hash, parent, action};
            return;
        }
        slot = Slot{hash, turn_, std::uint32_t(kept_.size())};
        kept_.push_back(Candidate{score, hash, parent, action});
        if (kept_.size() >= 2 * width_) halve();
    }

    // The best of them, at most `width`, in no order.
    const std::vector<Candidate>& finish() {
        if (kept_.size() > width_) halve();
        return kept_;
    }

    // Its place among them.
    std::size_t best() const {
        assert(!kept_.empty());
        std::size_t at = 0;
        for (std::size_t i = 1; i < kept_.size(); ++i)
            if (is_better<goal>(kept_[i].score, kept_[at].score)) at = i;
        return at;
    }

private:
    struct Slot {
        std::uint64_t hash = 0;
        // Of another turn: the slot is free. So the table is never cleared.
        std::uint32_t turn = 0, index = 0;
    };

    Slot& slot_of(std::uint64_t hash) {
        const std::size_t mask = table_.size() - 1;
        // Hashes whose low bits are alike, as those of small numbers, are spread.
        std::size_t at = std::size_t((hash * 0x9e3779b97f4a7c15ULL) >> 32) & mask;
        while (table_[at].turn == turn_ && table_[at].hash != hash) at = (at + 1) & mask;
        return table_[at];
    }

    void halve() {
        auto better = [](const Candidate& a, const Candidate& b) { return is_better<goal>(a.score, b.score); };
        std::nth_element(kept_.begin(), kept_.begin() + std::ptrdiff_t(width_ - 1), kept_.end(), better);
        kept_.resize(width_, kept_.front());
        worst_ = kept_.back().score;
        is_full_ = true;
        next_turn();
        for (std::size_t i = 0; i < kept_.size(); ++i) slot_of(kept_[i].hash) = Slot{kept_[i].hash, turn_, std::uint32_t(i)};
    }

    void next_turn() {
        if (++turn_ != 0) return;
        table_.assign(table_.size(), Slot{});
        turn_ = 1;
    }

    std::vector<Candidate> kept_;
    std::vector<Slot> table_;
    std::size_t width_ = 1;
    std::uint32_t turn_ = 0;
    Score worst_{};
    bool is_full_ = false;
};

// How wide the next turn may be, by what a state has cost so far.
class BeamPace {
public:
    explicit BeamPace(const BeamOptions& options) : options_(options), width_(options.width) {
        assert(options.turns > 0 && options.width > 0 && options.least_width > 0);
    }
    int width() const { return width_; }
    void turn_done(int turn, std::size_t states) {
        if (options_.seconds <= 0 || turn + 1 >= options_.turns) return;
        const double now = timer_.seconds();
        const double cost = std::max(now - last_, 1e-9) / double(std::max<std::size_t>(states, 1));
        last_ = now;
        // Turns differ: half of the old belief is kept.
        cost_ = cost_ == 0 ? cost : (cost_ + cost) / 2;
        const double each_turn = (options_.seconds - now) / double(options_.turns - turn - 1);
        const double wanted = std::clamp(each_turn / cost_, double(options_.least_width), double(options_.most_width));
        width_ = int(wanted);
    }

private:
    BeamOptions options_;
    Timer timer_;
    int width_;
    double last_ = 0, cost_ = 0;
};

// What a state's `expand` is given: it calls offer(action, score, hash) for each state that comes next, or
// offer(action, score, hash, true) for one in which the search may end.
template <Goal goal, class Action, class Score>
struct BeamOffer {
    BeamCandidates<goal, Action, Score>& candidates;
    // With the state that each comes from.
    Best<goal, std::pair<int, Action>, Score>& ends;
    int parent = -1;

    // Whether such a score has a chance: to be asked before a hash is computed that costs.
    bool takes(const Score& score) const { return candidates.takes(score); }
    void operator()(const Action& action, const Score& score, std::uint64_t hash, bool is_end = false) {
        if (is_end) ends.offer({parent, action}, score);
        else candidates.offer(action, score, hash, parent);
    }
};

}  // namespace polya
