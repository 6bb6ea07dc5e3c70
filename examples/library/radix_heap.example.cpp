// Events in the order of their time: one that happens may bring about others, later ones only.
#include "radix_heap.hpp"

#include <cstdio>

int main() {
    polya::RadixHeap<unsigned, char> events;
    events.push(20, 'b');
    events.push(5, 'a');
    while (!events.empty()) {
        const auto [time, name] = events.pop();
        std::printf("%c at %u\n", name, time);
        if (name == 'a') events.push(time + 100, 'c');
    }
}
// prints: a at 5
// prints: b at 20
// prints: c at 105
