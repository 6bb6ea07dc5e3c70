// Seats of a train that are booked for whole stretches: how many are free on a way, and how far one can go.
#include "lazy_segment_tree.hpp"

#include <cstdio>

int main() {
    polya::LazySegmentTree<polya::rule::AddMinimum<int>> free_seats(8, 3);
    free_seats.apply(0, 5, -1);
    free_seats.apply(3, 7, -2);
    std::printf("free from 0 to 3: %d\n", free_seats.fold(0, 3));
    std::printf("free from 2 to 6: %d\n", free_seats.fold(2, 6));
    std::printf("one can sit from 0 to %d\n", free_seats.last_that(0, [](int least) { return least > 0; }));
    free_seats.apply(3, 7, 2);
    std::printf("after a cancellation: %d\n", free_seats.fold_all());

    polya::LazySegmentTree<polya::rule::AssignSum<long long>> heights(1000, 2);
    heights.apply(100, 900, 5);
    std::printf("sum of heights: %lld\n", heights.fold_all());
}
// prints: free from 0 to 3: 2
// prints: free from 2 to 6: 0
// prints: one can sit from 0 to 3
// prints: after a cancellation: 2
// prints: sum of heights: 4400
