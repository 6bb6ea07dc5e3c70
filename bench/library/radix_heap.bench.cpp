#include "contest.hpp"
#include "radix_heap.hpp"
#include "xorshift.hpp"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

int main() {
    const int held = 20'000;
    const long long count = 200'000;
    // As in a search: what comes out is followed by something that is farther.
    const auto work = [&](auto&& push, auto&& pop) {
        polya::Random random(8);
        for (int each = 0; each < held; ++each) push(int(random.below(100'000)), each);
        long long sum = 0;
        for (long long each = 0; each < count; ++each) {
            const auto [key, value] = pop();
            sum += key;
            push(key + int(random.below(100'000)), value);
        }
        for (int each = 0; each < held; ++each) sum += pop().first;
        return sum;
    };
    using Entry = std::pair<int, int>;
    polya::RadixHeap<int, int> ours;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> plain;
    bench::contest(
        "a pop and a push among 20,000 rising keys", "std::priority_queue", count,
        [&] {
            ours.clear();
            return work([&](int key, int value) { ours.push(key, value); },
                        [&] {
                            const auto [key, value] = ours.pop();
                            return Entry{key, value};
                        });
        },
        [&] {
            return work([&](int key, int value) { plain.push({key, value}); },
                        [&] {
                            const Entry top = plain.top();
                            plain.pop();
                            return top;
                        });
        });
}
