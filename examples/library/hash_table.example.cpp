// Of states with one hash only the best is kept, turn by turn.
#include "hash_table.hpp"

#include <cstdio>

int main() {
    struct State {
        std::uint64_t hash;
        int score;
    };
    const State states[] = {{17, 3}, {99, 5}, {17, 8}, {17, 4}};

    polya::HashTable<int> best;
    for (const State& state : states) {
        const auto [score, is_new] = best.insert(state.hash, state.score);
        if (!is_new && state.score > score) score = state.score;
    }
    std::printf("different states: %zu\n", best.size());
    std::printf("best of 17: %d\n", *best.find(17));

    polya::HashSet seen;
    std::printf("first time: %s\n", seen.insert(17) ? "yes" : "no");
    std::printf("second time: %s\n", seen.insert(17) ? "no" : "yes, seen");
    // The next turn begins with nothing, at once.
    seen.clear();
    std::printf("next turn: %s\n", seen.contains(17) ? "still there" : "empty");
}
// prints: different states: 2
// prints: best of 17: 8
// prints: first time: yes
// prints: second time: yes, seen
// prints: next turn: empty
