// Water is carried along a row of tanks: each turn, one tank gives to the next as much as fits. All tanks are the state, a turn
// changes two of them: what an action needs to go back is how much was carried.
#include "beam_search_euler.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

struct Tanks {
    struct Action {
        int from, amount;
    };
    using Score = int;
    std::vector<int> level, room;
    int score = 0;

    void carry(int from, int amount) {
        const int before = value(from) + value(from + 1);
        level[from] -= amount;
        level[from + 1] += amount;
        score += value(from) + value(from + 1) - before;
    }
    // Full tanks count, the last most of all.
    int value(int tank) const { return level[tank] == room[tank] ? (tank + 1) * room[tank] : 0; }

    void apply(const Action& action) { carry(action.from, action.amount); }
    void undo(const Action& action) { carry(action.from, -action.amount); }

    template <class Offer>
    void expand(Offer& offer) const {
        for (int i = 0; i + 1 < int(level.size()); i++) {
            const int amount = std::min(level[i], room[i + 1] - level[i + 1]);
            if (amount == 0) continue;
            Tanks then = *this;
            then.apply({i, amount});
            std::uint64_t hash = 0;
            for (const int each : then.level) hash = hash * 1000003 + unsigned(each);
            offer(Action{i, amount}, then.score, hash);
        }
    }
};

int main() {
    const Tanks start{{9, 4, 0, 3, 0}, {9, 5, 4, 3, 6}};
    const auto found = polya::beam_search_euler<polya::Goal::maximise>(start, {.turns = 6, .width = 20});
    Tanks after = start;
    for (const auto& action : found.actions) after.apply(action);
    std::printf("score %d, again %d, after %zu turns\n", found.score, after.score, found.actions.size());
}
// prints: score 21, again 21, after 6 turns
