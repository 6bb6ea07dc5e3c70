#include "contest.hpp"
#include "fenwick_tree.hpp"
#include "xorshift.hpp"

#include <vector>

namespace {

class Plain {
public:
    explicit Plain(const std::vector<int>& values) : tree_(values.size() + 1) {
        for (int index = 0; index < int(values.size()); ++index) add(index, values[index]);
    }
    void add(int index, int change) {
        for (int node = index + 1; node < int(tree_.size()); node += node & -node) tree_[node] += change;
    }
    int prefix(int count) const {
        int sum = 0;
        for (int node = count; node > 0; node -= node & -node) sum += tree_[node];
        return sum;
    }
    int find(int target) const {
        int low = 0, high = int(tree_.size()) - 1;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (prefix(middle + 1) > target) high = middle;
            else low = middle + 1;
        }
        return low;
    }

private:
    std::vector<int> tree_;
};

}  // namespace

int main() {
    const int size = 10'000;
    const long long count = 100'000;
    std::vector<int> weights(size);
    polya::Random random(1);
    for (int& each : weights) each = random.between(1, 100);
    polya::FenwickTree<int> ours(weights);
    Plain plain(weights);
    // Both draw the same and change the same; the total never changes by more than it may lose.
    const auto work = [&](auto& tree) {
        polya::Random drawn(2);
        long long sum = 0;
        const int total = 200'000;
        for (long long each = 0; each < count; ++each) {
            const int index = tree.find(int(drawn.below(total)));
            const int change = each % 2 == 0 ? 1 : -1;
            tree.add(int(each / 2 % size), change);
            sum += index;
        }
        return sum;
    };
    bench::contest(
        "a draw by weight among 10,000, and a change of a weight", "a binary search over prefix sums of a Fenwick tree", count,
        [&] { return work(ours); }, [&] { return work(plain); });
}
