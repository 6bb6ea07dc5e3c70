// Three clouds of points, found again.
#include "k_means.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    polya::Random random(1);
    const polya::Point<2> middles[3] = {{0, 0}, {100, 0}, {50, 90}};
    std::vector<polya::Point<2>> points;
    for (int i = 0; i < 300; i++)
        points.push_back({random.gaussian(middles[i % 3][0], 5), random.gaussian(middles[i % 3][1], 5)});

    const auto clusters = polya::k_means(points, 3, random, /* tries */ 5);
    bool is_right = true;
    for (int i = 0; i < 300; i++) is_right = is_right && clusters.label[i] == clusters.label[i % 3];
    std::printf("each cloud is a cluster: %s\n", is_right ? "yes" : "no");
    std::vector<int> count(3);
    for (const int each : clusters.label) count[each]++;
    std::printf("%d %d %d\n", count[0], count[1], count[2]);
}
// prints: each cloud is a cluster: yes
// prints: 100 100 100
