#include "contest.hpp"
#include "union_find.hpp"
#include "xorshift.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace {

class Plain {
public:
    explicit Plain(int size) : parent_(size), size_(size, 1) { std::iota(parent_.begin(), parent_.end(), 0); }
    int find(int element) { return parent_[element] == element ? element : parent_[element] = find(parent_[element]); }
    bool unite(int a, int b) {
        a = find(a), b = find(b);
        if (a == b) return false;
        if (size_[a] < size_[b]) std::swap(a, b);
        parent_[b] = a;
        size_[a] += size_[b];
        return true;
    }

private:
    std::vector<int> parent_, size_;
};

}  // namespace

int main() {
    const int size = 100'000;
    const long long count = 150'000;
    polya::Random random(1);
    std::vector<std::pair<int, int>> pairs(count);
    for (auto& [a, b] : pairs) a = int(random.below(size)), b = int(random.below(size));
    bench::contest(
        "a union among 100,000 elements", "recursive path compression, parents and sizes in two arrays", count,
        [&] {
            polya::UnionFind sets(size);
            int united = 0;
            for (const auto& [a, b] : pairs) united += sets.unite(a, b);
            return united;
        },
        [&] {
            Plain sets(size);
            int united = 0;
            for (const auto& [a, b] : pairs) united += sets.unite(a, b);
            return united;
        });
}
