// A hash that is changed step by step against that of the whole state; different states against one another.
#include "zobrist_hashing.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "xorshift.hpp"

static int check_states(polya::Random& random) {
    const int places = random.between(1, 12), values = random.between(1, 5);
    const polya::ZobristTable table(places, values, random());
    std::vector<int> state(static_cast<std::size_t>(places));
    for (int& each : state) each = int(random.below(unsigned(values)));
    std::uint64_t hash = table.of(state);
    for (int change = 0; change < 30; ++change) {
        const int a = int(random.below(unsigned(places))), b = int(random.below(unsigned(places)));
        int& at_a = state[std::size_t(a)];
        int& at_b = state[std::size_t(b)];
        if (random.below(2) == 0 && a != b) {
            hash = table.swapped(hash, a, at_a, b, at_b);
            std::swap(at_a, at_b);
        } else {
            const int value = int(random.below(unsigned(values)));
            hash = table.changed(hash, a, at_a, value);
            at_a = value;
        }
        if (hash != table.of(state)) return std::printf("a changed hash differs\n"), 1;
    }
    return 0;
}

// All states of 6 places and 4 values, and all numbers up to a million mixed: no two alike.
static int check_collisions() {
    const polya::ZobristTable table(6, 4, 7), other(6, 4, 8);
    std::vector<std::uint64_t> hashes;
    for (int state = 0; state < 4096; ++state) {
        std::vector<int> digits;
        for (int rest = state, place = 0; place < 6; rest /= 4, ++place) digits.push_back(rest % 4);
        hashes.push_back(table.of(digits));
        hashes.push_back(other.of(digits));
    }
    for (std::uint64_t number = 0; number < 100'000; ++number) hashes.push_back(polya::mixed_bits(number));
    std::sort(hashes.begin(), hashes.end());
    if (std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end()) return std::printf("two states have one hash\n"), 1;
    // Half of the bits of each place are set, and each bit in half of the hashes.
    for (int bit = 0; bit < 64; ++bit) {
        const auto set = std::count_if(hashes.begin(), hashes.end(), [&](std::uint64_t hash) { return hash >> bit & 1; });
        if (set < 53'000 || set > 55'200) return std::printf("bit %d is set in %d\n", bit, int(set)), 1;
    }
    return 0;
}

static int check_multisets(polya::Random& random) {
    polya::MultisetHash first(3), second(3), empty(3);
    std::vector<std::uint64_t> things(20);
    for (std::uint64_t& each : things) each = random.below(6);
    for (const std::uint64_t each : things) first.add(each);
    random.shuffle(things);
    for (const std::uint64_t each : things) second.add(each);
    if (first.value() != second.value()) return std::printf("the order counts\n"), 1;
    second.add(4);
    if (first.value() == second.value()) return std::printf("one more does not count\n"), 1;
    second.add(4, 2);
    second.remove(4, 3);
    if (first.value() != second.value()) return std::printf("something is left\n"), 1;
    for (const std::uint64_t each : things) first.remove(each);
    return first.value() == empty.value() ? 0 : (std::printf("not empty\n"), 1);
}

int main() {
    polya::Random random(20);
    for (int round = 0; round < 100; ++round)
        if (check_states(random) || check_multisets(random)) return 1;
    if (check_collisions()) return 1;
    std::printf("ok\n");
}
