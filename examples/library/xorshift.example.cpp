// What a local search draws: indices, orders, samples.
#include "xorshift.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

int main() {
    polya::Random random(2024);
    std::vector<int> count(6);
    for (int i = 0; i < 60000; i++) count[random.below(6)]++;
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    std::printf("a fair die: %s\n", *least > 9500 && *most < 10500 ? "yes" : "no");

    std::vector<int> order(8);
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    std::printf("sum of the shuffled: %d\n", std::accumulate(order.begin(), order.end(), 0));

    const auto [i, j] = random.two_below(8);
    std::printf("two different indices: %s\n", i != j ? "yes" : "no");
    std::printf("sampled of ten: %zu\n", random.sample(3, 10).size());
}
// prints: a fair die: yes
// prints: sum of the shuffled: 28
// prints: two different indices: yes
// prints: sampled of ten: 3
