// Insertions, look-ups and emptying against std::map, with few keys that meet often, keys that lie side by side and keys
// that differ in their highest bits alone; it grows and is emptied again and again.
#include "hash_table.hpp"

#include <cstdio>
#include <map>

#include "xorshift.hpp"

static int check(polya::Random& random, int kind) {
    const auto key = [&]() -> std::uint64_t {
        const std::uint64_t drawn = random.below(300);
        return kind == 0 ? drawn : kind == 1 ? drawn << 55 : kind == 2 ? drawn << 32 : drawn * 0x9e3779b97f4a7c15ULL;
    };
    polya::HashTable<int> table(random.below(3) * 8);
    polya::HashSet set;
    for (int turn = 0; turn < 5; ++turn) {
        std::map<std::uint64_t, int> expected;
        for (int each = 0, inserts = random.between(0, 400); each < inserts; ++each) {
            const std::uint64_t hash = key();
            const int value = random.between(-1000, 1000);
            const auto [kept, is_new] = table.insert(hash, value);
            const bool was_new = expected.emplace(hash, value).second;
            if (is_new != was_new || kept != expected[hash] || set.insert(hash) != was_new) return std::printf("insert differs, kind %d\n", kind), 1;
            // What is found may be made better in its place.
            if (value > kept) kept = value, expected[hash] = value;
        }
        if (table.size() != expected.size() || set.size() != expected.size()) return std::printf("size differs, kind %d\n", kind), 1;
        for (int each = 0; each < 600; ++each) {
            const std::uint64_t hash = key();
            const auto found = expected.find(hash);
            const int* value = table.find(hash);
            if ((value == nullptr) != (found == expected.end()) || (value && *value != found->second)) return std::printf("find differs, kind %d\n", kind), 1;
            if (table.contains(hash) != (value != nullptr) || set.contains(hash) != (value != nullptr)) return std::printf("contains differs, kind %d\n", kind), 1;
        }
        table.clear(), set.clear();
    }
    return 0;
}

int main() {
    polya::Random random(21);
    for (int round = 0; round < 40; ++round)
        if (check(random, round % 4)) return 1;
    std::printf("ok\n");
}
