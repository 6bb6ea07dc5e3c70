// Two loops that end by time: one that reads the counter in each round, one whose rounds are too short even for that.
#include "timer.hpp"

#include <cstdio>

int main() {
    polya::Timer timer;
    double last = 0;
    bool goes_on = true;
    while (timer.fast_seconds() < 0.02) {
        const double now = timer.progress(0.02);
        goes_on = goes_on && now > last - 0.1;
        last = now;
    }
    std::printf("progress went on: %s\n", goes_on ? "yes" : "no");

    polya::TimeKeeper time(0.02);
    double sum = 0;
    while (!time.is_over()) sum += 1.0 / double(time.rounds() + 1);
    std::printf("over after its time: %s\n", time.seconds() >= 0.02 && sum > 1 ? "yes" : "no");
}
// prints: progress went on: yes
// prints: over after its time: yes
