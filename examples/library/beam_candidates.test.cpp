// Random offers against a map of the best score of each hash, sorted: the same scores are kept. And the width that follows the
// time stays within its bounds.
#include "beam_candidates.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

static int wrong = 0;

template <polya::Goal goal>
static void against_map(unsigned seed) {
    auto draw = [&seed](unsigned bound) { return (seed = seed * 1103515245 + 12345) / 65536 % bound; };
    polya::BeamCandidates<goal, int, int> candidates;
    for (int round = 0; round < 30; round++) {
        const int width = 1 + int(draw(20)), offers = int(draw(400)), hashes = 1 + int(draw(60));
        candidates.reset(width);
        std::map<unsigned, int> best;
        for (int i = 0; i < offers; i++) {
            const unsigned hash = draw(unsigned(hashes)) << 20;
            const int score = int(draw(100000));
            candidates.offer(i, score, hash, i);
            const auto [at, is_new] = best.emplace(hash, score);
            if (!is_new && polya::is_better<goal>(score, at->second)) at->second = score;
        }
        std::vector<int> expected, found;
        for (const auto& [hash, score] : best) expected.push_back(score);
        auto better = [](int a, int b) { return polya::is_better<goal>(a, b); };
        std::sort(expected.begin(), expected.end(), better);
        expected.resize(std::min(expected.size(), size_t(width)));
        const auto& kept = candidates.finish();
        for (const auto& each : kept) {
            found.push_back(each.score);
            if (best[unsigned(each.hash)] != each.score) std::printf("not the best of its hash\n"), wrong++;
        }
        if (!kept.empty() && kept[candidates.best()].score != expected[0]) std::printf("not the best\n"), wrong++;
        std::sort(found.begin(), found.end(), better);
        if (found != expected) std::printf("width %d, %d offers: %zu kept\n", width, offers, found.size()), wrong++;
    }
}

int main() {
    for (unsigned seed = 1; seed <= 20; seed++) {
        against_map<polya::Goal::minimise>(seed);
        against_map<polya::Goal::maximise>(seed);
    }
    polya::BeamPace pace({.turns = 50, .width = 8, .seconds = 1e-6, .least_width = 3});
    for (int turn = 0; turn < 50; turn++) pace.turn_done(turn, 8);
    if (pace.width() != 3) std::printf("without time the width is %d\n", pace.width()), wrong++;
    polya::BeamPace idle({.turns = 50, .width = 8, .seconds = 1e6, .most_width = 70});
    idle.turn_done(0, 8);
    if (idle.width() != 70) std::printf("with much time the width is %d\n", idle.width()), wrong++;
    if (polya::BeamPace({.turns = 5, .width = 8}).width() != 8) wrong++;
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
