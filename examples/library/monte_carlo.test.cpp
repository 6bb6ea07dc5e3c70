// Coins of known chances and a small game whose every course is counted: the move that is chosen is the best, all playouts are
// made and no more, and most of them go to the moves that are close.
#include "monte_carlo.hpp"

#include <cstdio>

static int wrong = 0;

// Race to 8: both sides add 1 to 3 in turn, who reaches it wins; then the other plays at random. The exact chance to win.
static double chance_to_win(int at, bool is_mine) {
    if (at >= 8) return is_mine ? 0 : 1;
    double sum = 0;
    for (int step = 1; step <= 3; step++) sum += chance_to_win(at + step, !is_mine);
    return sum / 3;
}

static double play_on(int at, polya::Random& random) {
    bool is_mine = false;
    for (; at < 8; is_mine = !is_mine) at += random.between(1, 3);
    return is_mine ? 0 : 1;
}

static void race() {
    int right_by_ucb = 0, right_by_halving = 0;
    for (int begin = 0; begin < 7; begin++) {
        int best = 0;
        for (int move = 1; move < 3; move++)
            if (chance_to_win(begin + 1 + move, false) > chance_to_win(begin + 1 + best, false)) best = move;
        polya::Random random(unsigned(begin) + 1);
        int plays = 0;
        auto play = [&](int move, polya::Random& chance) { return plays++, play_on(begin + 1 + move, chance); };
        const auto ucb = polya::play_by_ucb(3, polya::TimeKeeper::of_rounds(4000), random, play);
        if (plays != 4000) std::printf("%d of 4000 playouts\n", plays), wrong++;
        plays = 0;
        const auto halving = polya::play_by_halving(3, 4000, random, play);
        if (plays > 4000 || plays < 3900) std::printf("%d of 4000 playouts\n", plays), wrong++;
        const auto value = [&](int move) { return chance_to_win(begin + 1 + move, false); };
        right_by_ucb += value(ucb.best) > value(best) - 0.03;
        right_by_halving += value(halving.best) > value(best) - 0.03;
        for (int move = 0; move < 3; move++) {
            const auto& average = ucb.averages[size_t(move)];
            if (average.count() > 300 && std::fabs(average.mean() - value(move)) > 0.12)
                std::printf("%f, exactly %f\n", average.mean(), value(move)), wrong++;
        }
    }
    if (right_by_ucb != 7 || right_by_halving != 7)
        std::printf("right %d and %d of 7 times\n", right_by_ucb, right_by_halving), wrong++;
}

static void coins() {
    polya::Random random(5);
    const double chances[6] = {0.2, 0.5, 0.1, 0.7, 0.4, 0.62};
    // A scale and an offset of their own must not matter.
    auto play = [&](int move, polya::Random& chance) { return 1e6 + 1e3 * chance.chance(chances[move]); };
    const auto found = polya::play_by_ucb(6, polya::TimeKeeper::of_rounds(6000), random, play);
    if (found.best != 3) std::printf("the coin %d\n", found.best), wrong++;
    if (found.averages[3].count() < 3 * found.averages[0].count()) std::printf("playouts are wasted\n"), wrong++;
    int right = 0;
    for (int i = 0; i < 50; i++) right += polya::play_by_halving(6, 1500, random, play).best == 3;
    if (right < 45) std::printf("halving was right %d of 50 times\n", right), wrong++;
    if (polya::play_by_ucb(1, polya::TimeKeeper::of_rounds(1), random, play).best != 0) wrong++;
    if (polya::play_by_ucb(6, polya::TimeKeeper::of_rounds(1), random, play).best != 0) wrong++;
    if (polya::play_by_halving(1, 3, random, play).averages[0].count() != 3) std::printf("one move\n"), wrong++;
}

int main() {
    race();
    coins();
    polya::Average average;
    double sum = 0, squares = 0;
    polya::Random random(2);
    std::vector<double> values(50);
    for (double& each : values) average.add(each = random.gaussian(1e9, 3)), sum += each;
    for (const double each : values) squares += (each - sum / 50) * (each - sum / 50);
    if (std::fabs(average.mean() - sum / 50) > 1e-5 || std::fabs(average.variance() - squares / 49) > 1e-5 * squares)
        std::printf("mean %f, variance %f\n", average.mean(), average.variance()), wrong++;
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
