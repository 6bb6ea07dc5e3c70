#include <vector>

#include "contest.hpp"
#include "monte_carlo.hpp"

// Twenty moves of which a playout is worth its mean and much luck, half of which all moves share. Each side gets as many
// playouts as it takes to choose the best nine times of ten, found by doubling; then the decisions are timed.
static const int moves = 20, decisions = 300;

static double playout(int move, polya::Random& random) {
    double luck = 0;
    for (int i = 0; i < 15; i++) luck += random.uniform(-1, 1);
    polya::Random own(random() + std::uint64_t(move));
    for (int i = 0; i < 15; i++) luck += own.uniform(-1, 1);
    return move * 0.25 + luck;
}

static int evenly(int playouts, polya::Random& random) {
    std::vector<double> sum(moves);
    for (int i = 0; i < playouts; i++) sum[i % moves] += playout(i % moves, random);
    int best = 0;
    for (int move = 1; move < moves; move++)
        if (sum[move] > sum[best]) best = move;
    return best;
}

template <class Decide>
static int playouts_needed(Decide decide) {
    for (int playouts = 200;; playouts += playouts / 4) {
        int right = 0;
        for (int i = 0; i < decisions; i++) right += decide(playouts) == moves - 1;
        if (right >= decisions * 9 / 10) return playouts;
    }
}

int main() {
    polya::Random random(1);
    auto ours = [&](int playouts) { return polya::play_by_halving(moves, playouts, random, playout).best; };
    auto plain = [&](int playouts) { return evenly(playouts / moves * moves, random); };
    const int for_ours = playouts_needed(ours), for_plain = playouts_needed(plain);
    bench::contest(
        "a choice among 20 moves, right nine times of ten, half of the luck shared", "the same number of playouts for each move", 20,
        [&] {
            int sum = 0;
            for (int i = 0; i < 20; i++) sum += ours(for_ours);
            return sum;
        },
        [&] {
            int sum = 0;
            for (int i = 0; i < 20; i++) sum += plain(for_plain);
            return sum;
        },
        5);
}
