// Two loops that end by time: one that reads the counter in each round, one whose rounds are too short even for that.
#include "timer.hpp"

#include <cstdio>

int main() {
    polya::Timer timer;
    double temperature = 100;
    while (timer.fast_seconds() < 0.02) temperature = 100 - 99 * timer.progress(0.02);
    std::printf("the first was over in time: %s\n", timer.seconds() > 0.01 && temperature >= 1 ? "yes" : "no");

    polya::TimeKeeper time(0.02);
    double sum = 0;
    while (!time.is_over()) sum += 1.0 / double(time.rounds() + 1);
    std::printf("the second was over in time: %s\n", time.seconds() >= 0.02 && sum >= 0 ? "yes" : "no");
}
// prints: the first was over in time: yes
// prints: the second was over in time: yes
