// Numbers are divided into two piles of the same sum. A climb moves one number at a time; a kick moves some at random.
#include "iterated_local_search.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
    const std::vector<int> numbers{771, 121, 281, 854, 885, 734, 486, 1003, 83, 62, 617, 553};
    using Side = std::vector<int>;
    auto difference = [&](const Side& side) {
        int sum = 0;
        for (size_t i = 0; i < side.size(); i++) sum += side[i] ? numbers[i] : -numbers[i];
        return std::abs(sum);
    };
    auto improve = [&](Side& side) {
        int now = difference(side);
        for (size_t i = 0; i < side.size(); i++) {
            side[i] ^= 1;
            const int then = difference(side);
            if (then < now) now = then, i = size_t(-1);
            else side[i] ^= 1;
        }
        return now;
    };
    auto kick = [&](Side& side, int strength, polya::Random& random) {
        for (int i = 0; i < strength; i++) random.pick(side) ^= 1;
    };
    const auto best = polya::iterated_local_search<polya::Goal::minimise>(
        Side(numbers.size()), {.rounds = 3000, .weakest_kick = 2, .strongest_kick = 5}, improve, kick);
    std::printf("the piles differ by %d\n", best.score());
}
// prints: the piles differ by 0
