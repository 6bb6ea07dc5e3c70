// Jobs by their deadline, and jobs whose deadline changes.
#include "fast_heap.hpp"

#include <cstdio>

int main() {
    polya::DaryHeap<int> deadlines;
    for (const int day : {7, 3, 9, 3}) deadlines.push(day);
    std::printf("first: %d\n", deadlines.pop());
    std::printf("replaced: %d\n", deadlines.replace_top(8));
    std::printf("next: %d\n", deadlines.top());

    polya::IndexedHeap<int> jobs(10);
    jobs.set(4, 70);
    jobs.set(2, 50);
    jobs.set(7, 60);
    jobs.improve(4, 40);
    std::printf("most urgent: job %d at %d\n", jobs.top(), jobs.top_key());
    jobs.set(4, 90);
    jobs.erase(2);
    std::printf("now: job %d\n", jobs.pop());
}
// prints: first: 3
// prints: replaced: 3
// prints: next: 7
// prints: most urgent: job 4 at 40
// prints: now: job 7
