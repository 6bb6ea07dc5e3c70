// A row of coloured stones whose hash is kept up to date, stone by stone.
#include "zobrist_hashing.hpp"

#include <cstdio>
#include <utility>
#include <vector>

int main() {
    std::vector<int> stones{0, 2, 1, 2};
    const polya::ZobristTable table(4, 3);
    const std::uint64_t before = table.of(stones);

    std::uint64_t hash = table.swapped(before, 0, stones[0], 2, stones[2]);
    std::swap(stones[0], stones[2]);
    std::printf("after a swap it is %s\n", hash == before ? "the same" : "another");
    std::printf("it is that of the whole row: %s\n", hash == table.of(stones) ? "yes" : "no");
    hash = table.changed(hash, 0, 1, 0);
    hash = table.changed(hash, 2, 0, 1);
    std::printf("changed back: %s\n", hash == before ? "the same" : "another");

    polya::MultisetHash left, right;
    for (const int piece : {5, 9, 5}) left.add(piece);
    for (const int piece : {9, 5, 5}) right.add(piece);
    std::printf("the order of a collection does not count: %s\n", left.value() == right.value() ? "yes" : "no");
}
// prints: after a swap it is another
// prints: it is that of the whole row: yes
// prints: changed back: the same
// prints: the order of a collection does not count: yes
