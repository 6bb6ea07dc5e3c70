#include "contest.hpp"
#include "fast_heap.hpp"
#include "xorshift.hpp"

#include <queue>
#include <utility>
#include <vector>

int main() {
    const int held = 20'000;
    const long long count = 200'000;
    using Entry = std::pair<int, int>;
    const auto work = [&](auto& queue, auto&& pop) {
        polya::Random random(8);
        for (int each = 0; each < held; ++each) queue.push(Entry{-int(random.below(1'000'000)), each});
        long long sum = 0;
        for (long long each = 0; each < count; ++each) {
            const Entry top = pop();
            sum += top.first;
            queue.push(Entry{top.first - int(random.below(100'000)), top.second});
        }
        while (!queue.empty()) sum ^= pop().second;
        return sum;
    };
    // The largest first, as the standard queue has it.
    polya::DaryHeap<Entry, std::greater<Entry>> ours;
    std::priority_queue<Entry> plain;
    bench::contest(
        "a pop and a push among 20,000 pairs", "std::priority_queue", count, [&] { return work(ours, [&] { return ours.pop(); }); },
        [&] {
            return work(plain, [&] {
                const Entry top = plain.top();
                plain.pop();
                return top;
            });
        });
}
