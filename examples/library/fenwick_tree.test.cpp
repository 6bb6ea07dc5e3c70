// Every prefix, range and find against adding up, on arrays of all small sizes.
#include "fenwick_tree.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

#include "xorshift.hpp"

static bool agree(const polya::FenwickTree<int>& tree, const std::vector<int>& values) {
    const int size = int(values.size());
    for (int first = 0; first <= size; ++first)
        for (int last = first, sum = 0; last <= size; sum += last < size ? values[std::size_t(last)] : 0, ++last) {
            if (tree.sum(first, last) != sum) return false;
            if (first == 0 && tree.prefix(last) != sum) return false;
        }
    return tree.total() == std::accumulate(values.begin(), values.end(), 0);
}

int main() {
    polya::Random random(14);
    for (int size = 0; size <= 40; ++size) {
        std::vector<int> values(static_cast<std::size_t>(size));
        for (int& each : values) each = random.between(-5, 5);
        polya::FenwickTree<int> tree(values), built(size);
        for (int index = 0; index < size; ++index) built.add(index, values[std::size_t(index)]);
        for (int round = 0; round < 10; ++round) {
            if (!agree(tree, values) || !agree(built, values)) return std::printf("sums of %d values differ\n", size), 1;
            if (size == 0) break;
            const int index = int(random.below(unsigned(size))), value = random.between(-5, 5);
            values[std::size_t(index)] = value;
            tree.set(index, value);
            built.add(index, value - built.value(index));
        }
        std::vector<int> weights(static_cast<std::size_t>(size));
        for (int& each : weights) each = int(random.below(4));
        const polya::FenwickTree<int> wheel(weights);
        int target = 0;
        for (int index = 0; index < size; ++index)
            for (int each = 0; each < weights[std::size_t(index)]; ++each, ++target)
                if (wheel.find(target) != index) return std::printf("find(%d) is not %d\n", target, index), 1;
        if (wheel.find(target) != size) return std::printf("find beyond the end\n"), 1;
    }
    std::printf("ok\n");
}
