#include "contest.hpp"
#include "top_k.hpp"
#include "xorshift.hpp"

#include <functional>
#include <queue>
#include <vector>

int main() {
    const int width = 1000;
    const long long count = 50'000;
    polya::Random random(11);
    std::vector<int> scores(count);
    for (int& each : scores) each = int(random.below(1'000'000'000));
    polya::TopK<int> ours(width);
    bench::contest(
        "one of 50,000 candidates of which 1,000 are kept", "a std::priority_queue that never holds more", count,
        [&] {
            ours.clear();
            for (const int score : scores) ours.push(score);
            long long sum = 0;
            for (const int score : ours.values()) sum += score;
            return sum;
        },
        [&] {
            std::priority_queue<int, std::vector<int>, std::greater<>> kept;
            for (const int score : scores) {
                kept.push(score);
                if (int(kept.size()) > width) kept.pop();
            }
            long long sum = 0;
            for (; !kept.empty(); kept.pop()) sum += kept.top();
            return sum;
        });
}
