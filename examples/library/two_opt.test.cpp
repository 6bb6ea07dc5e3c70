// After 2-opt with lists of all cities no reversal at all gains; what it gained is the difference of the lengths; reversals are
// those of a plain array; the best of some starts is the best of all tours.
#include "two_opt.hpp"

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

// Symmetric, without any geometry: no triangle inequality helps.
struct Matrix {
    int n;
    std::vector<int> length;
    Matrix(int size, polya::Random& random) : n(size), length(size_t(size * size)) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) length[size_t(i * n + j)] = length[size_t(j * n + i)] = random.between(1, 100);
    }
    int operator()(int a, int b) const { return length[size_t(a * n + b)]; }
};

static void reversals(unsigned seed) {
    polya::Random random(seed);
    const int n = random.between(3, 12);
    polya::Tour tour(identity(n));
    for (int i = 0; i < 40; i++) {
        const auto [first, last] = random.two_below(n);
        std::vector<int> path;
        for (int city = first;; city = tour.next(city)) {
            path.push_back(city);
            if (city == last) break;
        }
        const int left = tour.before(first), right = tour.next(last);
        if (tour.length(first, last) != int(path.size())) std::printf("a length is off\n"), wrong++;
        tour.reverse(first, last);
        // The same circle, either way round.
        if (int(path.size()) >= n - 1) continue;
        const bool is_same_way = tour.next(left) == last;
        int city = is_same_way ? left : right;
        std::vector<int> expected(path.rbegin(), path.rend());
        expected.push_back(right);
        if (!is_same_way) {
            expected.assign(path.begin(), path.end());
            expected.push_back(left);
        }
        for (const int each : expected)
            if ((city = tour.next(city)) != each) return std::printf("seed %u: a reversal is wrong\n", seed), void(wrong++);
    }
    for (int i = 0; i < n; i++)
        if (tour.place(tour.at(i)) != i) std::printf("places are wrong\n"), wrong++;
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
    for (int start = 0; start < 40; start++) {
        random.shuffle(order);
        polya::Tour tour(order);
        const int before = polya::tour_length(order, distance), gained = polya::two_opt(tour, near, distance);
        const auto& after = tour.order();
        const int length = polya::tour_length(after, distance);
        if (before - gained != length) std::printf("it gained %d, not %d\n", before - length, gained), wrong++;
        auto sorted = after;
        std::sort(sorted.begin(), sorted.end());
        if (sorted != identity(n)) std::printf("no tour any more\n"), wrong++;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                auto turned = after;
                std::reverse(turned.begin() + i, turned.begin() + j + 1);
                if (polya::tour_length(turned, distance) < length) std::printf("seed %u: a move still gains\n", seed), wrong++;
            }
        best = std::min(best, length);
    }
    if (best != optimum) std::printf("seed %u: %d, and the best is %d\n", seed, best, optimum), wrong++;
}

int main() {
    for (unsigned seed = 1; seed <= 40; seed++) reversals(seed);
    for (unsigned seed = 1; seed <= 8; seed++) against_all(seed);
    for (int n = 1; n <= 4; n++) {
        polya::Tour tour(identity(n));
        auto distance = [](int a, int b) { return double(a != b); };
        if (polya::two_opt(tour, polya::near_cities(n, 10, distance), distance) != 0) std::printf("nothing to gain\n"), wrong++;
    }
    // Around two cities only: it gains what it says.
    polya::Random random(9);
    const Matrix distance(12, random);
    const auto near = polya::near_cities(12, 12, distance);
    polya::Tour some(identity(12));
    const int before = polya::tour_length(some.order(), distance), gained = polya::two_opt(some, near, distance, {3, 4});
    if (before - gained != polya::tour_length(some.order(), distance) || gained == 0) std::printf("around two\n"), wrong++;
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
