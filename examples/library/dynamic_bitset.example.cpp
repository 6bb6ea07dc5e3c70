// Who of 100 has been visited, who is next, and whom two have in common.
#include "dynamic_bitset.hpp"

#include <cstdio>

int main() {
    polya::DynamicBitset waiting(100, true);
    for (int index = 0; index < 70; ++index) waiting.reset(index);
    waiting.reset(71);
    std::printf("first that waits: %d\n", waiting.first());
    std::printf("next: %d\n", waiting.next(71));
    std::printf("waiting: %d\n", waiting.count());

    polya::DynamicBitset friends(100);
    for (const int each : {3, 72, 98, 5}) friends.set(each);
    std::printf("friends that wait:");
    (friends & waiting).for_each([](int each) { std::printf(" %d", each); });
    std::printf("\n");
    std::printf("counted without a copy: %d\n", friends.count_common(waiting));
}
// prints: first that waits: 70
// prints: next: 72
// prints: waiting: 29
// prints: friends that wait: 72 98
// prints: counted without a copy: 2
