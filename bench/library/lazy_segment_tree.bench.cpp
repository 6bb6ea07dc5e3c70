#include "contest.hpp"
#include "lazy_segment_tree.hpp"
#include "xorshift.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace {

class Plain {
public:
    explicit Plain(int size) : size_(size), least_(4 * size), pending_(4 * size) {}
    void add(int first, int last, int more) { add(1, 0, size_, first, last, more); }
    int minimum(int first, int last) { return minimum(1, 0, size_, first, last); }

private:
    void push(int node) {
        for (const int child : {2 * node, 2 * node + 1}) least_[child] += pending_[node], pending_[child] += pending_[node];
        pending_[node] = 0;
    }
    void add(int node, int left, int right, int first, int last, int more) {
        if (last <= left || right <= first) return;
        if (first <= left && right <= last) {
            least_[node] += more, pending_[node] += more;
            return;
        }
        push(node);
        const int middle = (left + right) / 2;
        add(2 * node, left, middle, first, last, more);
        add(2 * node + 1, middle, right, first, last, more);
        least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
    }
    int minimum(int node, int left, int right, int first, int last) {
        if (last <= left || right <= first) return 1'000'000'000;
        if (first <= left && right <= last) return least_[node];
        push(node);
        const int middle = (left + right) / 2;
        return std::min(minimum(2 * node, left, middle, first, last), minimum(2 * node + 1, middle, right, first, last));
    }

    int size_;
    std::vector<int> least_, pending_;
};

}  // namespace

int main() {
    const int size = 10'000;
    const long long count = 50'000;
    polya::LazySegmentTree<polya::rule::AddMinimum<int>> ours(size, 0);
    Plain plain(size);
    const auto work = [&](auto&& add, auto&& minimum) {
        polya::Random random(3);
        long long sum = 0;
        const auto range = [&]() -> std::pair<int, int> {
            const int a = int(random.below(size)), b = int(random.below(size));
            return {std::min(a, b), std::max(a, b)};
        };
        for (long long each = 0; each < count; ++each) {
            const auto changed = range(), asked = range();
            add(changed.first, changed.second, each % 2 == 0 ? 3 : -3);
            sum += minimum(asked.first, asked.second);
        }
        return sum;
    };
    bench::contest(
        "adding to a range and the minimum of another, of 10,000 values", "a recursive lazy segment tree", count,
        [&] {
            return work([&](int first, int last, int more) { ours.apply(first, last, more); },
                        [&](int first, int last) { return first == last ? 0 : ours.fold(first, last); });
        },
        [&] {
            return work([&](int first, int last, int more) { plain.add(first, last, more); },
                        [&](int first, int last) { return first == last ? 0 : plain.minimum(first, last); });
        });
}
