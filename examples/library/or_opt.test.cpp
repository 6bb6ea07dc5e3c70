// Every move of a segment against the same on a list; after Or-opt no such move gains whose new edge is shorter than what is
// freed; with 2-opt, the best of some starts is the best of all tours.
#include "or_opt.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "xorshift.hpp"

static int wrong = 0;

static std::vector<int> identity(int n) {
    std::vector<int> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

struct Matrix {
    int n;
    std::vector<int> length;
    Matrix(int size, polya::Random& random) : n(size), length(size_t(size * size)) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) length[size_t(i * n + j)] = length[size_t(j * n + i)] = random.between(1, 100);
    }
    int operator()(int a, int b) const { return length[size_t(a * n + b)]; }
};

// Begins with city 0, so that turned tours can be compared.
static std::vector<int> from_zero(std::vector<int> order) {
    std::rotate(order.begin(), std::find(order.begin(), order.end(), 0), order.end());
    return order;
}

// The segment of `count` from place `at` on, moved behind the `gap`-th of the rest, on a list.
static std::vector<int> moved(std::vector<int> order, int at, int count, int gap, bool is_turned) {
    std::rotate(order.begin(), order.begin() + at, order.end());
    std::vector<int> segment(order.begin(), order.begin() + count), rest(order.begin() + count, order.end());
    if (is_turned) std::reverse(segment.begin(), segment.end());
    rest.insert(rest.begin() + gap + 1, segment.begin(), segment.end());
    return rest;
}

static void moves(unsigned seed) {
    polya::Random random(seed);
    const int n = random.between(5, 11);
    auto order = identity(n);
    random.shuffle(order);
    for (int at = 0; at < n; at++)
        for (int count = 1; count <= 3; count++)
            for (int gap = 0; gap < n - count; gap++)
                for (const bool is_turned : {false, true}) {
                    polya::Tour tour(order);
                    auto place = [&](int i) { return order[size_t((at + i) % n)]; };
                    polya::move_segment(tour, place(0), place(count - 1), place(count + gap), is_turned);
                    if (from_zero(tour.order()) != from_zero(moved(order, at, count, gap, is_turned)))
                        return std::printf("seed %u: a segment came to the wrong place\n", seed), void(wrong++);
                    for (int i = 0; i < n; i++)
                        if (tour.place(tour.at(i)) != i) std::printf("places are wrong\n"), wrong++;
                }
}

static void is_optimal(const std::vector<int>& order, const Matrix& distance) {
    const int n = int(order.size()), length = polya::tour_length(order, distance);
    for (int at = 0; at < n; at++)
        for (int count = 1; count <= 3 && count + 2 < n; count++)
            for (int gap = 0; gap + 1 < n - count; gap++)
                for (const bool is_turned : {false, true}) {
                    const auto next = moved(order, at, count, gap, is_turned);
                    auto place = [&](int i) { return order[size_t((at + i + n) % n)]; };
                    const int freed = distance(place(-1), place(0)) + distance(place(count - 1), place(count)) -
                                      distance(place(-1), place(count));
                    const int first = is_turned ? place(count - 1) : place(0), last = is_turned ? place(0) : place(count - 1);
                    const int joined = std::min(distance(place(count + gap), first), distance(last, place(count + gap + 1)));
                    if (joined < freed && polya::tour_length(next, distance) < length)
                        return std::printf("a move still gains\n"), void(wrong++);
                }
}

static void against_all(unsigned seed) {
    polya::Random random(seed);
    const int n = 8;
    const Matrix distance(n, random);
    auto order = identity(n);
    int optimum = polya::tour_length(order, distance);
    while (std::next_permutation(order.begin() + 1, order.end()))
        optimum = std::min(optimum, polya::tour_length(order, distance));
    const auto near = polya::near_cities(n, n, distance);
    int best = 1 << 30;
    for (int start = 0; start < 12; start++) {
        random.shuffle(order);
        const int before = polya::tour_length(order, distance);
        for (const bool is_both : {false, true}) {
            polya::Tour tour(order);
            const int gained =
                is_both ? polya::two_opt_and_or_opt(tour, near, distance) : polya::or_opt(tour, near, distance);
            const int length = polya::tour_length(tour.order(), distance);
            if (before - gained != length) std::printf("it gained %d, not %d\n", before - length, gained), wrong++;
            auto sorted = tour.order();
            std::sort(sorted.begin(), sorted.end());
            if (sorted != identity(n)) std::printf("no tour any more\n"), wrong++;
            is_optimal(tour.order(), distance);
            best = std::min(best, length);
        }
    }
    if (best != optimum) std::printf("seed %u: %d, and the best is %d\n", seed, best, optimum), wrong++;
}

int main() {
    for (unsigned seed = 1; seed <= 5; seed++) moves(seed);
    for (unsigned seed = 1; seed <= 8; seed++) against_all(seed);
    for (int n = 1; n <= 4; n++) {
        polya::Tour tour(identity(n));
        auto distance = [](int a, int b) { return double(a != b); };
        if (polya::or_opt(tour, polya::near_cities(n, 10, distance), distance) != 0) std::printf("nothing to gain\n"), wrong++;
    }
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
