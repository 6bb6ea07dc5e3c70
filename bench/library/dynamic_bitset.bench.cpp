#include "contest.hpp"
#include "dynamic_bitset.hpp"
#include "xorshift.hpp"

#include <vector>

int main() {
    const int size = 2000, sets = 40;
    const long long count = 1LL * sets * sets;
    polya::Random random(10);
    std::vector<polya::DynamicBitset> ours(sets, polya::DynamicBitset(size));
    std::vector<std::vector<bool>> plain(sets, std::vector<bool>(size));
    for (int set = 0; set < sets; ++set)
        for (int index = 0; index < size; ++index)
            if (random.below(20) == 0) ours[set].set(index), plain[set][index] = true;
    bench::contest(
        "the elements that two sets of 2,000 have in common, each visited", "two std::vector<bool>, element by element", count,
        [&] {
            long long sum = 0;
            for (int a = 0; a < sets; ++a)
                for (int b = 0; b < sets; ++b) (ours[a] & ours[b]).for_each([&](int index) { sum += index; });
            return sum;
        },
        [&] {
            long long sum = 0;
            for (int a = 0; a < sets; ++a)
                for (int b = 0; b < sets; ++b)
                    for (int index = 0; index < size; ++index)
                        if (plain[a][index] && plain[b][index]) sum += index;
            return sum;
        });
}
