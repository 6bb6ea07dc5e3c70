// Beam search with one state: each turn it walks the tour through the tree of all states in the beam, by apply and undo, and
// nothing is copied. For large states whose moves change little. What all states have in common is applied once and for all.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "beam_candidates.hpp"
#include "best_state.hpp"

namespace polya {

// The tree of the beam as a walk around it: down an edge, up an edge, or a leaf, which is a state of the beam.
template <class Action>
class BeamTour {
public:
    BeamTour() : steps_{{0, {}}} {}

    // Takes `state` through all leaves, calls visit(leaf) at each, and brings it back.
    template <class State, class Visit>
    void walk(State& state, Visit visit) const {
        for (const auto& [kind, action] : steps_) {
            if (kind == down) state.apply(action);
            else if (kind == up) state.undo(action);
            else visit(kind);
        }
    }

    // Each leaf gets the chosen ones of which it is the parent; those without are taken away, with all edges that lead only to
    // them. What is left above all leaves is applied to `state` for good.
    template <class State, class Candidate>
    void grow(const std::vector<Candidate>& chosen, std::size_t leaves, State& state) {
        sort_by_parent(chosen, leaves);
        next_.clear();
        for (const auto& [kind, action] : steps_) {
            if (kind >= 0) {
                for (int i = first_[std::size_t(kind)]; i < first_[std::size_t(kind) + 1]; ++i) {
                    const int child = children_[std::size_t(i)];
                    const Action& step = chosen[std::size_t(child)].action;
                    next_.push_back({down, step});
                    next_.push_back({child, {}});
                    next_.push_back({up, step});
                }
            } else if (kind == up && !next_.empty() && next_.back().first == down) {
                next_.pop_back();
            } else {
                next_.push_back({kind, action});
            }
        }
        strip(shared_edges(), state);
    }

    std::vector<Action> path_to(int leaf) const {
        std::vector<Action> path = trunk_;
        for (const auto& [kind, action] : steps_) {
            if (kind == down) path.push_back(action);
            else if (kind == up) path.pop_back();
            else if (kind == leaf) break;
        }
        return path;
    }

private:
    static constexpr int down = -1, up = -2;
    using Step = std::pair<int, Action>;

    template <class Candidate>
    void sort_by_parent(const std::vector<Candidate>& chosen, std::size_t leaves) {
        first_.assign(leaves + 2, 0);
        for (const auto& each : chosen) ++first_[std::size_t(each.parent) + 2];
        for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
        children_.resize(chosen.size());
        for (std::size_t i = 0; i < chosen.size(); ++i)
            children_[std::size_t(first_[std::size_t(chosen[i].parent) + 1]++)] = int(i);
    }

    // Edges that lead to all leaves: as many as the walk never leaves between its first leaf and its last.
    int shared_edges() const {
        int depth = 0, lowest = 0, shared = -1;
        for (const auto& step : next_) {
            if (step.first == down) ++depth;
            else if (step.first == up) lowest = std::min(lowest, --depth);
            else shared = shared < 0 ? depth : std::min(shared, lowest), lowest = depth;
        }
        return std::max(shared, 0);
    }

    // `count` edges stand at the beginning, down, and at the end, up.
    template <class State>
    void strip(int count, State& state) {
        for (int i = 0; i < count; ++i) {
            state.apply(next_[std::size_t(i)].second);
            trunk_.push_back(next_[std::size_t(i)].second);
        }
        steps_.assign(next_.begin() + count, next_.end() - count);
    }

    std::vector<Step> steps_, next_;
    std::vector<Action> trunk_;
    std::vector<int> first_, children_;
};

// `state` has what `beam_search` asks for, and `void undo(const Action&)`: so an action holds what it takes to go back. It is
// the same search: where no two scores of a turn are equal, it finds the same.
template <Goal goal, class State>
auto beam_search_euler(State state, const BeamOptions& options) {
    using Action = typename State::Action;
    using Score = typename State::Score;
    BeamPace pace(options);
    BeamTour<Action> tour;
    BeamCandidates<goal, Action, Score> candidates;
    Best<goal, std::pair<int, Action>, Score> ends;
    BeamOffer<goal, Action, Score> offer{candidates, ends};
    BeamResult<Action, Score> result;
    std::size_t size = 1;
    int best_leaf = 0;
    for (int turn = 0; turn < options.turns; ++turn) {
        candidates.reset(pace.width());
        tour.walk(state, [&](int leaf) {
            offer.parent = leaf;
            std::as_const(state).expand(offer);
        });
        const auto& chosen = candidates.finish();
        if (ends.is_set()) {
            result.actions = tour.path_to(ends.state().first);
            result.actions.push_back(ends.state().second);
            result.score = ends.score();
            result.is_complete = true;
            return result;
        }
        if (chosen.empty()) break;
        best_leaf = int(candidates.best());
        result.score = chosen[std::size_t(best_leaf)].score;
        result.is_complete = turn + 1 == options.turns;
        tour.grow(chosen, size, state);
        pace.turn_done(turn, size);
        size = chosen.size();
    }
    result.actions = tour.path_to(best_leaf);
    return result;
}

}  // namespace polya
