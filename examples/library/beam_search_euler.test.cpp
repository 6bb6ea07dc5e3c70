// The same boards as for the beam that copies: wide enough, it finds what all walks together have; narrow, it finds what the
// other finds. After the search the walk is where it says.
#include "beam_search_euler.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "beam_search.hpp"
#include "xorshift.hpp"

static int wrong = 0;
using polya::Goal;

// Walks over a board that collect what lies there, each thing once, and pay a fee for each step: so no two walks have the
// same score.
struct Board {
    struct Action {
        int from, to;
        long long found;
    };
    using Score = long long;

    int n, at = 0, end = -1;
    long long score = 0;
    std::uint64_t taken_hash = 0;
    std::vector<long long> worth, fee;
    std::vector<std::uint64_t> key;

    long long gain(const Action& action) const {
        return action.found - (fee[size_t(action.from)] * 7 + fee[size_t(action.to)] * 13) % 10'000'019;
    }
    void apply(const Action& action) {
        at = action.to;
        score += gain(action);
        if (action.found != 0) worth[size_t(at)] = 0, taken_hash ^= key[size_t(at)];
    }
    void undo(const Action& action) {
        if (action.found != 0) worth[size_t(at)] = action.found, taken_hash ^= key[size_t(at)];
        score -= gain(action);
        at = action.from;
    }
    std::vector<Action> moves() const {
        std::vector<Action> all;
        const int row = at / n, column = at % n;
        for (const auto& [dr, dc] : {std::pair(-1, 0), std::pair(1, 0), std::pair(0, -1), std::pair(0, 1)}) {
            const int r = row + dr, c = column + dc;
            if (r >= 0 && r < n && c >= 0 && c < n) all.push_back({at, r * n + c, worth[size_t(r * n + c)]});
        }
        return all;
    }
    template <class Offer>
    void expand(Offer& offer) const {
        for (const Action& move : moves()) {
            const std::uint64_t taken = taken_hash ^ (move.found != 0 ? key[size_t(move.to)] : 0);
            if (offer.takes(score + gain(move)) || move.to == end)
                offer(move, score + gain(move), taken + std::uint64_t(move.to), move.to == end);
        }
    }
};

static Board random_board(polya::Random& random, int n) {
    const auto size = size_t(n * n);
    Board board{.n = n, .worth = std::vector<long long>(size), .fee = std::vector<long long>(size), .key = {}};
    board.key.resize(size);
    for (long long& each : board.worth) each = random.between(-1'000'000'000, 2'000'000'000);
    for (long long& each : board.fee) each = random.between(1, 10'000'000);
    for (std::uint64_t& each : board.key) each = random() << 8;
    return board;
}

template <Goal goal>
static void deepest(const Board& board, int turns, polya::Best<goal, int, long long>& best) {
    if (turns == 0) best.offer(0, board.score);
    if (turns == 0) return;
    for (const auto& move : board.moves()) {
        Board next = board;
        next.apply(move);
        deepest<goal>(next, turns - 1, best);
    }
}

template <class Result>
static void replay(Board board, const Result& result) {
    for (const auto& action : result.actions) {
        if (action.from != board.at) std::printf("the actions do not follow one another\n"), wrong++;
        board.apply(action);
    }
    if (board.score != result.score) std::printf("%lld, told %lld\n", board.score, result.score), wrong++;
}

template <Goal goal>
static void against_all(unsigned seed) {
    polya::Random random(seed);
    const Board board = random_board(random, 4);
    const int turns = 6;
    polya::Best<goal, int, long long> exact;
    deepest<goal>(board, turns, exact);
    const auto found = polya::beam_search_euler<goal>(board, {.turns = turns, .width = 5000});
    if (found.score != exact.score())
        std::printf("seed %u: %lld, and the best is %lld\n", seed, found.score, exact.score()), wrong++;
    if (int(found.actions.size()) != turns || !found.is_complete) std::printf("it is not complete\n"), wrong++;
    replay(board, found);
}

// To a corner: the fewest turns that lead there, and of those the best.
static void to_the_end(unsigned seed) {
    polya::Random random(seed);
    Board board = random_board(random, 4);
    board.end = 15;
    polya::Best<Goal::maximise, int, long long> exact;
    // Six steps lead there at the earliest: all of them go right or down.
    auto descend = [&](auto self, const Board& from) -> void {
        if (from.at == 15) exact.offer(0, from.score);
        for (const auto& move : from.moves())
            if (move.to > from.at) {
                Board next = from;
                next.apply(move);
                self(self, next);
            }
    };
    descend(descend, board);
    const auto found = polya::beam_search_euler<Goal::maximise>(board, {.turns = 30, .width = 5000});
    if (found.actions.size() != 6 || !found.is_complete || found.score != exact.score())
        std::printf("seed %u: %zu steps, %lld of %lld\n", seed, found.actions.size(), found.score, exact.score()), wrong++;
    replay(board, found);
}

// A board of one square has no move at all, and a beam of one is a greedy walk.
static void at_the_edges() {
    polya::Random random(3);
    const auto stuck = polya::beam_search_euler<Goal::maximise>(random_board(random, 1), {.turns = 5, .width = 10});
    if (stuck.is_complete || !stuck.actions.empty()) std::printf("it went on where nothing is\n"), wrong++;
    Board greedy = random_board(random, 6);
    const auto found = polya::beam_search_euler<Goal::maximise>(greedy, {.turns = 20, .width = 1});
    for (int turn = 0; turn < 20; turn++) {
        const auto moves = greedy.moves();
        greedy.apply(*std::max_element(moves.begin(), moves.end(), [&](auto& a, auto& b) { return greedy.gain(a) < greedy.gain(b); }));
    }
    if (greedy.score != found.score) std::printf("%lld, greedy %lld\n", found.score, greedy.score), wrong++;
    const auto timed = polya::beam_search_euler<Goal::maximise>(random_board(random, 8), {.turns = 40, .width = 5, .seconds = 0.02});
    if (timed.actions.size() != 40) std::printf("with a limit of time it made %zu turns\n", timed.actions.size()), wrong++;
}

static void as_by_copies(unsigned seed) {
    polya::Random random(seed + 100);
    const Board board = random_board(random, 7);
    for (const int width : {2, 7, 40}) {
        const polya::BeamOptions options{.turns = 30, .width = width};
        const auto copied = polya::beam_search<Goal::maximise>(board, options);
        const auto toured = polya::beam_search_euler<Goal::maximise>(board, options);
        if (copied.score != toured.score)
            std::printf("seed %u, width %d: %lld by copies, %lld\n", seed, width, copied.score, toured.score), wrong++;
        replay(board, toured);
    }
}

int main() {
    for (unsigned seed = 1; seed <= 12; seed++) {
        against_all<Goal::minimise>(seed);
        against_all<Goal::maximise>(seed);
        to_the_end(seed);
        as_by_copies(seed);
    }
    at_the_edges();
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
