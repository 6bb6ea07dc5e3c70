// Against std::multiset in long random sequences: small numbers and large, whole and real, near one another and far apart.
#include "radix_heap.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "xorshift.hpp"

template <class Key>
static int check_radix(polya::Random& random, Key largest) {
    polya::RadixHeap<Key, int> heap;
    for (int round = 0; round < 20; ++round) {
        std::multiset<std::pair<Key, int>> expected;
        Key last{};
        for (int step = 0; step < 300; ++step) {
            if (random.below(5) < 3) {
                // Small steps mostly, none at times, and rarely anything up to the largest.
                const double most = random.below(40) == 0 ? double(largest) : 20;
                const double drawn = std::clamp(double(last) + random.uniform(-5, most), double(last), double(largest));
                const Key key = std::max(last, Key(drawn));
                heap.push(key, step), expected.insert({key, step});
            } else if (!expected.empty()) {
                const auto [key, value] = heap.pop();
                if (key != expected.begin()->first || expected.erase({key, value}) != 1) return std::printf("a radix heap of %zu bytes differs\n", sizeof(Key)), 1;
                last = key;
            }
            if (heap.size() != expected.size() || heap.empty() != expected.empty()) return std::printf("size differs\n"), 1;
        }
        heap.clear();
    }
    return 0;
}

int main() {
    polya::Random random(22);
    if (check_radix<std::uint8_t>(random, 255) || check_radix<std::uint64_t>(random, 1ULL << 63)) return 1;
    if (check_radix<int>(random, 2'000'000'000) || check_radix<float>(random, 1e30f)) return 1;
    if (check_radix<double>(random, 1e300)) return 1;
    std::printf("ok\n");
}
