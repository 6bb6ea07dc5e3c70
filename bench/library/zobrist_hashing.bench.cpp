#include "contest.hpp"
#include "xorshift.hpp"
#include "zobrist_hashing.hpp"

#include <utility>
#include <vector>

int main() {
    const int places = 100;
    const long long count = 200'000;
    polya::Random random(6);
    std::vector<int> state(places);
    for (int& each : state) each = int(random.below(8));
    std::vector<std::pair<int, int>> swaps(count);
    for (auto& [a, b] : swaps) a = int(random.below(places)), b = int(random.below(places));
    const polya::ZobristTable table(places, 8);
    bench::contest(
        "the hash after a swap of two of 100", "hashing the whole state (FNV)", count,
        [&] {
            std::uint64_t hash = table.of(state), sum = 0;
            for (const auto& [a, b] : swaps) {
                if (a != b) hash = table.swapped(hash, a, state[a], b, state[b]);
                std::swap(state[a], state[b]);
                sum += hash;
            }
            return sum;
        },
        [&] {
            std::uint64_t sum = 0;
            for (const auto& [a, b] : swaps) {
                std::swap(state[a], state[b]);
                std::uint64_t hash = 14695981039346656037ULL;
                for (const int each : state) hash = (hash ^ std::uint64_t(each)) * 1099511628211ULL;
                sum += hash;
            }
            return sum;
        });
}
