// Water is carried along a row of tanks: each turn, one tank gives to the next as much as fits. All tanks are the state, a turn
// changes two of them: what comes after a move is told from those two, and what it takes to go back is how much was carried.
#include "beam_search_euler.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "zobrist_hashing.hpp"

struct Tanks {
    struct Action {
        int from, amount;
    };
    using Score = int;
    std::vector<int> level, room;
    const polya::ZobristTable* keys;
    int score = 0;
    std::uint64_t hash = 0;

    // Full tanks count, the last most of all.
    int value(int tank, int holds) const { return holds == room[tank] ? (tank + 1) * room[tank] : 0; }
    int score_after(int from, int amount) const {
        const int to = from + 1, given = level[from] - amount, taken = level[to] + amount;
        return score + value(from, given) + value(to, taken) - value(from, level[from]) - value(to, level[to]);
    }
    std::uint64_t hash_after(int from, int amount) const {
        const std::uint64_t given = keys->changed(hash, from, level[from], level[from] - amount);
        return keys->changed(given, from + 1, level[from + 1], level[from + 1] + amount);
    }

    void carry(int from, int amount) {
        score = score_after(from, amount);
        hash = hash_after(from, amount);
        level[from] -= amount;
        level[from + 1] += amount;
    }
    void apply(const Action& action) { carry(action.from, action.amount); }
    void undo(const Action& action) { carry(action.from, -action.amount); }

    template <class Offer>
    void expand(Offer& offer) const {
        for (int i = 0; i + 1 < int(level.size()); i++) {
            const int amount = std::min(level[i], room[i + 1] - level[i + 1]);
            if (amount > 0) offer(Action{i, amount}, score_after(i, amount), hash_after(i, amount));
        }
    }
};

int main() {
    const polya::ZobristTable keys(5, 10);
    const Tanks start{{9, 4, 0, 3, 0}, {9, 5, 4, 3, 6}, &keys};
    const auto found = polya::beam_search_euler<polya::Goal::maximise>(start, {.turns = 6, .width = 20});
    Tanks after = start;
    for (const auto& action : found.actions) after.apply(action);
    std::printf("score %d, again %d, after %zu turns\n", found.score, after.score, found.actions.size());
}
// prints: score 21, again 21, after 6 turns
