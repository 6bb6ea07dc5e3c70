#include "contest.hpp"
#include "hash_table.hpp"
#include "xorshift.hpp"

#include <unordered_set>
#include <vector>

int main() {
    const int turns = 50, each_turn = 4000;
    const long long count = 1LL * turns * each_turn;
    polya::Random random(7);
    std::vector<std::uint64_t> hashes(count);
    for (long long each = 0; each < count; ++each)
        hashes[each] = each % 3 == 0 && each % each_turn > 10 ? hashes[each - random.below(10)] : random();
    polya::HashSet ours;
    std::unordered_set<std::uint64_t> plain;
    const auto work = [&](auto& set, auto&& insert) {
        long long fresh = 0;
        for (int turn = 0; turn < turns; ++turn) {
            set.clear();
            for (int each = 0; each < each_turn; ++each) fresh += insert(hashes[turn * each_turn + each]);
        }
        return fresh;
    };
    bench::contest(
        "a state that is looked for and kept, in turns of 4,000", "std::unordered_set", count,
        [&] { return work(ours, [&](std::uint64_t hash) { return ours.insert(hash); }); },
        [&] { return work(plain, [&](std::uint64_t hash) { return plain.insert(hash).second; }); });
}
