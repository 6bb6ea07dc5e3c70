#include <algorithm>
#include <unordered_set>
#include <vector>

#include "beam_candidates.hpp"
#include "contest.hpp"
#include "xorshift.hpp"

int main() {
    const int offers = 40'000, width = 1000;
    polya::Random random(1);
    std::vector<std::pair<int, std::uint64_t>> all(offers);
    // A third of them lead where another one leads.
    for (auto& [score, hash] : all) hash = random.below(offers * 3 / 2), score = int(hash * 2654435761u >> 8 & 0xffffff);
    bench::contest(
        "a candidate of 40,000 for a beam of 1,000", "all sorted, then a std::unordered_set of hashes", offers,
        [&] {
            polya::BeamCandidates<polya::Goal::maximise, int, int> candidates;
            candidates.reset(width);
            for (int i = 0; i < offers; i++) candidates.offer(i, all[i].first, all[i].second, i);
            long long sum = 0;
            for (const auto& each : candidates.finish()) sum += each.score;
            return sum;
        },
        [&] {
            auto sorted = all;
            std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
            std::unordered_set<std::uint64_t> seen;
            long long sum = 0;
            for (const auto& [score, hash] : sorted)
                if (int(seen.size()) < width && seen.insert(hash).second) sum += score;
            return sum;
        });
}
