// What a bench of a header calls: ours and the plain version in turn, round after round, by the time of the processor, so that
// others who work on the machine disturb little, and both alike. Both do the same `count` operations and return something of what they found, which nobody can leave out.
#pragma once
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace bench {

inline volatile double sink;

inline double cpu_nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

template <class Work>
double nanoseconds_each(long long count, Work& work) {
    const double begin = cpu_nanoseconds();
    sink = double(work());
    return (cpu_nanoseconds() - begin) / double(count);
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// `what`: one operation, as in "a draw below 1000". `against`: what the plain version is.
template <class Ours, class Plain>
void contest(const char* what, const char* against, long long count, Ours ours, Plain plain, int rounds = 11) {
    std::vector<double> our_times, plain_times, ratios;
    for (int round = 0; round <= rounds; round++) {
        double times[2];
        for (int turn = 0; turn < 2; turn++) {
            const bool is_ours = (round + turn) % 2 == 0;
            times[is_ours ? 0 : 1] = is_ours ? nanoseconds_each(count, ours) : nanoseconds_each(count, plain);
        }
        // The first round warms up.
        if (round == 0) continue;
        our_times.push_back(times[0]);
        plain_times.push_back(times[1]);
        ratios.push_back(times[1] / times[0]);
    }
    std::printf("what %s\nagainst %s\nours %.4f\nplain %.4f\nratio %.4f\n", what, against, median(our_times),
                median(plain_times), median(ratios));
}

}  // namespace bench
