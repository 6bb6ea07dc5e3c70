// Both heaps, with two to four children a node, against std::multiset and plain scans, in long random sequences.
#include "fast_heap.hpp"

#include <cstdio>
#include <memory>
#include <set>
#include <vector>

#include "xorshift.hpp"

template <class Before, std::size_t children>
static int check_dary(polya::Random& random) {
    polya::DaryHeap<int, Before, children> heap;
    std::multiset<int, Before> expected;
    for (int step = 0; step < 2000; ++step) {
        const int value = random.between(0, 40);
        const unsigned kind = random.below(step % 400 < 200 ? 3 : 5);
        if (kind < 2) heap.push(value), expected.insert(value);
        else if (!expected.empty()) {
            if (heap.top() != *expected.begin()) return std::printf("top differs, %zu children\n", children), 1;
            const int first = *expected.begin();
            expected.erase(expected.begin());
            if (kind == 2) expected.insert(value);
            if ((kind == 2 ? heap.replace_top(value) : heap.pop()) != first) return std::printf("pop differs, %zu children\n", children), 1;
        }
        if (heap.size() != expected.size() || heap.empty() != expected.empty()) return std::printf("size differs\n"), 1;
    }
    heap.clear();
    return heap.empty() ? 0 : (std::printf("clear leaves something\n"), 1);
}

template <std::size_t children>
static int check_indexed(polya::Random& random) {
    const int size = 30;
    polya::IndexedHeap<int, std::less<int>, children> heap(size);
    std::vector<int> keys(size, -1);
    for (int step = 0; step < 4000; ++step) {
        const int id = int(random.below(size)), key = random.between(0, 50);
        int& known = keys[std::size_t(id)];
        switch (random.below(5)) {
            case 0: heap.set(id, key), known = key; break;
            case 1:
                if (heap.improve(id, key) != (known < 0 || key < known)) return std::printf("improve differs\n"), 1;
                if (known < 0 || key < known) known = key;
                break;
            case 2:
                if (known >= 0) heap.erase(id), known = -1;
                break;
            case 3:
                if (!heap.empty()) keys[std::size_t(heap.pop())] = -1;
                break;
            default:
                if (step % 500 == 4) heap.clear(), keys.assign(size, -1);
        }
        std::size_t held = 0;
        int least = 1000;
        for (int each = 0; each < size; ++each) {
            const int expected = keys[std::size_t(each)];
            if (heap.contains(each) != (expected >= 0)) return std::printf("contains(%d) differs\n", each), 1;
            if (expected < 0) continue;
            ++held;
            if (heap.key(each) != expected) return std::printf("key(%d) differs\n", each), 1;
            if (expected < least) least = expected;
        }
        if (heap.size() != held) return std::printf("size differs\n"), 1;
        if (held > 0 && (heap.top_key() != least || keys[std::size_t(heap.top())] != least)) return std::printf("the first differs, %zu children\n", children), 1;
    }
    return 0;
}

// What can only be moved.
static int check_moves() {
    struct Before {
        bool operator()(const std::unique_ptr<int>& a, const std::unique_ptr<int>& b) const { return *a < *b; }
    };
    polya::DaryHeap<std::unique_ptr<int>, Before> heap;
    for (const int value : {4, 1, 3, 5, 2}) heap.push(std::make_unique<int>(value));
    for (int expected = 1; expected <= 5; ++expected)
        if (*heap.pop() != expected) return std::printf("%d does not come out\n", expected), 1;
    return 0;
}

// By what only the comparison knows: costs that stand elsewhere.
static int check_comparisons_with_data() {
    const std::vector<int> cost{5, 1, 4, 2, 3};
    const auto before = [&](int a, int b) { return cost[std::size_t(a)] < cost[std::size_t(b)]; };
    polya::DaryHeap<int, decltype(before)> heap(before);
    polya::IndexedHeap<int, decltype(before)> indexed(5, before);
    for (int i = 0; i < 5; ++i) heap.push(i), indexed.set(4 - i, i);
    for (int i = 1; i <= 5; ++i) {
        if (cost[std::size_t(heap.pop())] != i) return std::printf("the comparison is not asked\n"), 1;
        if (cost[std::size_t(indexed.top_key())] != i) return std::printf("the comparison of keys is not asked\n"), 1;
        indexed.pop();
    }
    return 0;
}

int main() {
    polya::Random random(22);
    if (check_dary<std::less<int>, 4>(random) || check_dary<std::greater<int>, 2>(random)) return 1;
    if (check_indexed<4>(random) || check_indexed<3>(random)) return 1;
    if (check_moves() || check_comparisons_with_data()) return 1;
    std::printf("ok\n");
}
