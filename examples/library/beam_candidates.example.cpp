// The three best of a stream, each hash once: what a turn of a beam search does with what its states offer.
#include "beam_candidates.hpp"

#include <algorithm>
#include <cstdio>

int main() {
    polya::BeamCandidates<polya::Goal::maximise, char, int> candidates;
    candidates.reset(3);
    const struct {
        char action;
        int score;
        unsigned hash;
    } offered[] = {{'a', 5, 1}, {'b', 9, 2}, {'c', 7, 1}, {'d', 1, 3}, {'e', 8, 4}, {'f', 2, 2}, {'g', 6, 5}, {'h', 3, 6}};
    for (const auto& [action, score, hash] : offered) candidates.offer(action, score, hash, 0);
    auto kept = candidates.finish();
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    for (const auto& each : kept) std::printf("%c%d ", each.action, each.score);
    std::printf("\n");
}
// prints: b9 e8 c7
