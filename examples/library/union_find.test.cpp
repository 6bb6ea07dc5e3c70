// Both kinds against labels that are painted over; rollbacks against copies that were kept.
#include "union_find.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "xorshift.hpp"

using Labels = std::vector<int>;

static bool paint(Labels& labels, int a, int b) {
    const int old = labels[std::size_t(a)], chosen = labels[std::size_t(b)];
    std::replace(labels.begin(), labels.end(), old, chosen);
    return old != chosen;
}

template <class Sets>
static bool agree(Sets& sets, const Labels& labels) {
    Labels distinct = labels;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (sets.sets() != int(distinct.size())) return false;
    for (int a = 0; a < int(labels.size()); ++a) {
        if (sets.size_of(a) != int(std::count(labels.begin(), labels.end(), labels[std::size_t(a)]))) return false;
        for (int b = 0; b < int(labels.size()); ++b)
            if (sets.are_together(a, b) != (labels[std::size_t(a)] == labels[std::size_t(b)])) return false;
    }
    return true;
}

int main() {
    polya::Random random(13);
    for (int round = 0; round < 60; ++round) {
        const int size = random.between(1, 20);
        polya::UnionFind plain(size);
        polya::RollbackUnionFind undoable(size);
        Labels labels(static_cast<std::size_t>(size));
        for (int each = 0; each < size; ++each) labels[std::size_t(each)] = each;
        std::vector<std::pair<std::size_t, Labels>> kept{{undoable.moment(), labels}};
        for (int change = 0; change < size; ++change) {
            const int a = int(random.below(unsigned(size))), b = int(random.below(unsigned(size)));
            const bool united = paint(labels, a, b);
            if (plain.unite(a, b) != united || undoable.unite(a, b) != united) return std::printf("unite(%d, %d) differs\n", a, b), 1;
            if (!agree(plain, labels) || !agree(undoable, labels)) return std::printf("sets of %d differ\n", size), 1;
            kept.push_back({undoable.moment(), labels});
        }
        std::vector<std::vector<int>> groups = plain.groups();
        std::size_t total = 0;
        int before = -1;
        for (const std::vector<int>& group : groups) {
            total += group.size();
            if (group.front() <= before || !std::is_sorted(group.begin(), group.end())) return std::printf("groups in no order\n"), 1;
            before = group.front();
            for (const int each : group)
                if (labels[std::size_t(each)] != labels[std::size_t(group.front())]) return std::printf("a wrong group\n"), 1;
        }
        if (total != labels.size() || int(groups.size()) != plain.sets()) return std::printf("groups differ\n"), 1;
        while (!kept.empty()) {
            undoable.rollback(kept.back().first);
            if (!agree(undoable, kept.back().second)) return std::printf("a rollback differs\n"), 1;
            kept.resize(kept.size() - std::min(kept.size(), std::size_t(random.between(1, 3))));
        }
        plain.reset();
        if (plain.sets() != size || plain.size_of(0) != 1) return std::printf("reset leaves something\n"), 1;
    }
    std::printf("ok\n");
}
