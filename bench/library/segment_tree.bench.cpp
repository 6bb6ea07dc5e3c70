#include "contest.hpp"
#include "segment_tree.hpp"
#include "xorshift.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace {

class Plain {
public:
    explicit Plain(int size) : size_(size), tree_(4 * size, std::numeric_limits<int>::max()) {}
    void set(int index, int value) { set(1, 0, size_, index, value); }
    int minimum(int first, int last) const { return minimum(1, 0, size_, first, last); }

private:
    void set(int node, int left, int right, int index, int value) {
        if (right - left == 1) {
            tree_[node] = value;
            return;
        }
        const int middle = (left + right) / 2;
        if (index < middle) set(2 * node, left, middle, index, value);
        else set(2 * node + 1, middle, right, index, value);
        tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
    }
    int minimum(int node, int left, int right, int first, int last) const {
        if (last <= left || right <= first) return std::numeric_limits<int>::max();
        if (first <= left && right <= last) return tree_[node];
        const int middle = (left + right) / 2;
        return std::min(minimum(2 * node, left, middle, first, last), minimum(2 * node + 1, middle, right, first, last));
    }

    int size_;
    std::vector<int> tree_;
};

}  // namespace

int main() {
    const int size = 10'000;
    const long long count = 100'000;
    polya::SegmentTree<polya::monoid::Minimum<int>> ours(size);
    Plain plain(size);
    const auto work = [&](auto& tree, auto&& minimum) {
        polya::Random random(3);
        long long sum = 0;
        for (long long each = 0; each < count; ++each) {
            tree.set(int(random.below(size)), int(random.below(1'000'000)));
            int first = int(random.below(size)), last = int(random.below(size));
            if (first > last) std::swap(first, last);
            sum += minimum(tree, first, last) % 1000;
        }
        return sum;
    };
    bench::contest(
        "a change and the minimum of a range, of 10,000 values", "a recursive segment tree", count,
        [&] { return work(ours, [](auto& tree, int first, int last) { return tree.fold(first, last); }); },
        [&] { return work(plain, [](auto& tree, int first, int last) { return tree.minimum(first, last); }); });
}
