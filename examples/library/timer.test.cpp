// The fast clock against the steady one, and the keeper's rounds against a count by hand.
#include "timer.hpp"

#include <cmath>
#include <cstdio>

int main() {
    int wrong = 0;
    polya::Timer timer;
    double worst = 0;
    while (timer.seconds() < 0.05) {
        const double before = timer.seconds();
        const double fast = timer.fast_seconds();
        const double after = timer.seconds();
        // Between the two looks the machine may do something else: then the fast one lies anywhere in between.
        if (before > 0.01) worst = std::fmax(worst, std::fmax(before - fast, fast - after) / before);
    }
    if (worst > 0.1) std::printf("the fast clock is off by %.3f of the time\n", worst), wrong++;
    if (timer.progress(0.01) != 1.0) std::printf("progress after the end is not 1\n"), wrong++;
    const double whole = timer.seconds();
    timer.restart();
    if (timer.seconds() >= whole) std::printf("restart does not begin anew\n"), wrong++;

    polya::TimeKeeper time(0.02, 0.0005);
    long long rounds = 0;
    double last = 0;
    while (!time.is_over()) {
        rounds++;
        if (time.rounds() != rounds) {
            std::printf("%lld rounds are told as %lld\n", rounds, (long long)time.rounds());
            return 1;
        }
        if (time.progress() < last || time.progress() > 1) std::printf("progress goes back\n"), wrong++;
        last = time.progress();
    }
    if (time.seconds() < 0.02) std::printf("over too early\n"), wrong++;
    if (rounds < 20) std::printf("only %lld rounds\n", rounds), wrong++;
    if (time.progress() != 1.0) std::printf("at the end progress is %f\n", time.progress()), wrong++;

    for (const long long most : {1, 2, 1000, 5000, 100001}) {
        auto counted = polya::TimeKeeper::of_rounds(most);
        long long done = 0;
        while (!counted.is_over()) {
            const double exact = double(done) / double(most);
            if (std::fabs(counted.progress() - exact) > 0.002) return std::printf("progress by rounds is off\n"), 1;
            done++;
        }
        if (done != most || counted.progress() != 1.0) std::printf("%lld rounds of %lld\n", done, most), wrong++;
    }
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
