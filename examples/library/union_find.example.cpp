// Which islands are connected, and what another bridge would change.
#include "union_find.hpp"

#include <cstdio>

int main() {
    polya::UnionFind islands(6);
    islands.unite(0, 1);
    islands.unite(1, 2);
    std::printf("a second way: %s\n", islands.unite(2, 0) ? "no" : "yes");
    islands.unite(3, 4);
    for (const auto& group : islands.groups()) {
        std::printf("group:");
        for (const int island : group) std::printf(" %d", island);
        std::printf("\n");
    }

    polya::RollbackUnionFind trial(6);
    trial.unite(0, 1);
    const auto before = trial.moment();
    trial.unite(1, 5);
    std::printf("with the bridge: %d\n", trial.size_of(0));
    trial.rollback(before);
    std::printf("without it: %d\n", trial.size_of(0));
}
// prints: a second way: yes
// prints: group: 0 1 2
// prints: group: 3 4
// prints: group: 5
// prints: with the bridge: 3
// prints: without it: 2
