// Beam search with states that are copied: `width` states a turn, duplicates by hash kept once. A state is made only when it
// is chosen, into memory that a state of an earlier turn has left.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "beam_candidates.hpp"
#include "best_state.hpp"

namespace polya {

// Which actions led where: one entry for each state that ever was in the beam.
template <class Action>
class BeamHistory {
public:
    int add(int parent, const Action& action) {
        links_.push_back({parent, action});
        return int(links_.size()) - 1;
    }
    std::vector<Action> path_to(int at) const {
        std::vector<Action> path;
        for (; at >= 0; at = links_[std::size_t(at)].first) path.push_back(links_[std::size_t(at)].second);
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    std::vector<std::pair<int, Action>> links_;
};

// `State` is copied, and has
//   using Action, Score;  void apply(const Action&);
//   template <class Offer> void expand(Offer& offer) const: calls offer(action, score, hash) for each state that comes next,
//   offer(action, score, hash, true) for one in which the search may end: the first turn that has such ends it.
// Scores say how good a state is after the action, of one turn among themselves.
template <Goal goal, class State>
auto beam_search(const State& start, const BeamOptions& options) {
    using Action = typename State::Action;
    using Score = typename State::Score;
    // A state, and its place in the history.
    using Node = std::pair<State, int>;
    BeamPace pace(options);
    BeamHistory<Action> history;
    BeamCandidates<goal, Action, Score> candidates;
    Best<goal, std::pair<int, Action>, Score> ends;
    BeamOffer<goal, Action, Score> offer{candidates, ends};
    BeamResult<Action, Score> result;
    int best_place = -1;

    std::vector<Node> beam{Node(start, -1)}, next;
    std::size_t size = 1;
    for (int turn = 0; turn < options.turns; ++turn) {
        candidates.reset(pace.width());
        for (std::size_t i = 0; i < size; ++i) {
            offer.parent = int(i);
            std::as_const(beam[i].first).expand(offer);
        }
        const bool is_last = ends.is_set() || turn + 1 == options.turns;
        if (ends.is_set()) {
            const auto& [parent, action] = ends.state();
            best_place = history.add(beam[std::size_t(parent)].second, action);
            result.score = ends.score();
        } else {
            const auto& chosen = candidates.finish();
            if (chosen.empty()) break;
            const auto top = candidates.best();
            result.score = chosen[top].score;
            for (std::size_t i = 0; i < chosen.size(); ++i) {
                const auto& [score, hash, parent, action] = chosen[i];
                const Node& from = beam[std::size_t(parent)];
                const int place = history.add(from.second, action);
                if (i == top) best_place = place;
                if (is_last) continue;
                if (i < next.size()) next[i].first = from.first;
                else next.emplace_back(from.first, 0);
                next[i].first.apply(action);
                next[i].second = place;
            }
            std::swap(beam, next);
            pace.turn_done(turn, size);
            size = chosen.size();
        }
        result.is_complete = is_last;
        if (is_last) break;
    }
    result.actions = history.path_to(best_place);
    return result;
}

}  // namespace polya
