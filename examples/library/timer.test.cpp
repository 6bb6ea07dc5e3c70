// The fast clock against the steady one, and the keeper's rounds against a count by hand. What a busy machine can spoil is tried
// again until it comes out right once.
#include "timer.hpp"

#include <cmath>
#include <cstdio>

static int wrong = 0;

template <class Trial>
static void once_of(int tries, const char* what, Trial comes_out_right) {
    for (int i = 0; i < tries; i++)
        if (comes_out_right()) return;
    std::printf("%s\n", what), wrong++;
}

static bool fast_is_right() {
    polya::Timer timer;
    double worst = 0;
    while (timer.seconds() < 0.02) {
        const double before = timer.seconds();
        const double fast = timer.fast_seconds();
        const double after = timer.seconds();
        // Between the two looks the machine may do something else: then the fast one lies anywhere in between.
        if (before > 0.005) worst = std::fmax(worst, std::fmax(before - fast, fast - after) / before);
    }
    return worst < 0.05 && timer.progress(0.01) == 1.0;
}

static void restarts() {
    const polya::Timer whole;
    polya::Timer timer;
    while (timer.seconds() < 0.002) continue;
    const double before = timer.seconds();
    timer.restart();
    const double since = timer.seconds();
    if (since + before > whole.seconds()) std::printf("restart does not begin anew\n"), wrong++;
}

// Whether it took more than a handful of rounds; what must hold of all of them, always.
static bool keeps_time() {
    polya::TimeKeeper time(0.01, 0.0005);
    long long rounds = 0;
    double last = 0;
    while (!time.is_over()) {
        rounds++;
        if (time.rounds() != rounds) return std::printf("%lld rounds are told as %lld\n", rounds, (long long)time.rounds()), wrong++, true;
        if (time.progress() < last || time.progress() > 1) std::printf("progress goes back\n"), wrong++;
        last = time.progress();
    }
    if (time.seconds() < 0.01) std::printf("over too early\n"), wrong++;
    if (time.progress() != 1.0) std::printf("at the end progress is %f\n", time.progress()), wrong++;
    return rounds > 20;
}

// Who took too long to read the input has nothing left, or less: no round, and no end of the program.
static void without_time(double left) {
    polya::TimeKeeper time(left);
    polya::Timer timer;
    if (!time.is_over() || !time.is_over() || time.progress() != 1.0 || timer.progress(left) != 1.0)
        std::printf("%f seconds are not over\n", left), wrong++;
}

static void counts(long long most) {
    auto counted = polya::TimeKeeper::of_rounds(most);
    long long done = 0;
    while (!counted.is_over()) {
        const double exact = double(done) / double(most);
        if (std::fabs(counted.progress() - exact) > 0.002) std::printf("progress by rounds is off\n"), wrong++;
        done++;
    }
    if (done != most || counted.progress() != 1.0) std::printf("%lld rounds of %lld\n", done, most), wrong++;
}

int main() {
    once_of(100, "the fast clock is off", fast_is_right);
    once_of(100, "a handful of rounds", keeps_time);
    restarts();
    without_time(0), without_time(-0.3);
    for (const long long most : {1, 2, 1000, 5000, 100001}) counts(most);
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
