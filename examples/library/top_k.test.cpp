// The k best against sorting everything, after each of several moments of one stream; what is refused is never among them.
#include "top_k.hpp"

#include <cstdio>

#include "xorshift.hpp"

template <class Better>
static int check(polya::Random& random, int most) {
    const std::size_t k = std::size_t(random.between(1, 12));
    polya::TopK<int, Better> top(k);
    for (int turn = 0; turn < 2; ++turn) {
        std::vector<int> all;
        for (int step = 0; step < 120; ++step) {
            const int value = random.between(0, most);
            const bool would = top.would_take(value);
            const bool taken = top.push(value);
            all.push_back(value);
            std::vector<int> expected = all;
            std::sort(expected.begin(), expected.end(), Better{});
            expected.resize(std::min(k, expected.size()));
            if (would != taken) return std::printf("would_take lies\n"), 1;
            if (!taken && Better{}(value, expected.back())) return std::printf("%d is refused among the best\n", value), 1;
            if (random.below(10) == 0 && top.sorted() != expected) return std::printf("the %zu best differ\n", k), 1;
            if (random.below(10) != 0) continue;
            std::vector<int> values = top.values();
            std::sort(values.begin(), values.end(), Better{});
            if (values != expected) return std::printf("the %zu best in no order differ\n", k), 1;
        }
        top.clear();
        if (!top.values().empty()) return std::printf("clear leaves something\n"), 1;
    }
    return 0;
}

int main() {
    polya::Random random(25);
    for (int round = 0; round < 60; ++round)
        if (check<std::greater<int>>(random, 1000) || check<std::less<int>>(random, 5)) return 1;
    std::printf("ok\n");
}
