// A die is rolled up to three times, and one may stop at any roll; what was rolled last counts. Whether to stop at a four with
// one roll left is found by playing on: the mean of another roll is 3.5.
#include "monte_carlo.hpp"

#include <cstdio>

int main() {
    polya::Random random(1);
    const int rolled = 4;
    auto play = [&](int move, polya::Random& chance) {
        return move == 0 ? double(rolled) : double(chance.between(1, 6));
    };
    const auto ucb = polya::play_by_ucb(2, polya::TimeKeeper::of_rounds(2000), random, play);
    const auto halving = polya::play_by_halving(2, 2000, random, play);
    std::printf("stop: %s, %s\n", ucb.best == 0 ? "yes" : "no", halving.best == 0 ? "yes" : "no");
}
// prints: stop: yes, yes
