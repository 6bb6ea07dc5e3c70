#include "bitset_tricks.hpp"
#include "contest.hpp"
#include "xorshift.hpp"

#include <algorithm>
#include <vector>

int main() {
    const unsigned all = (1u << 12) - 1;
    polya::Random random(9);
    std::vector<int> worth(all + 1);
    for (int& each : worth) each = random.between(0, 100);
    bench::contest(
        "a set of 12 elements, best partition over its subsets", "all masks, of which the subsets are taken", all + 1,
        [&] {
            std::vector<int> best(all + 1);
            for (unsigned set = 1; set <= all; ++set)
                polya::for_each_subset(set, [&](unsigned part) {
                    if (part != 0) best[set] = std::max(best[set], worth[part] + best[set ^ part]);
                });
            return best[all];
        },
        [&] {
            std::vector<int> best(all + 1);
            for (unsigned set = 1; set <= all; ++set)
                for (unsigned part = 1; part <= set; ++part)
                    if ((part & set) == part) best[set] = std::max(best[set], worth[part] + best[set ^ part]);
            return best[all];
        });
}
