#include "contest.hpp"
#include "timer.hpp"

#include <chrono>

int main() {
    const long long count = 400'000;
    bench::contest(
        "a look at the clock by TimeKeeper", "steady_clock::now() in each round", count,
        [&] {
            polya::TimeKeeper time(1000);
            long long over = 0;
            for (long long i = 0; i < count; i++) over += time.is_over();
            return double(over) + time.progress();
        },
        [&] {
            using Clock = std::chrono::steady_clock;
            const auto begin = Clock::now();
            long long over = 0;
            for (long long i = 0; i < count; i++)
                over += std::chrono::duration<double>(Clock::now() - begin).count() >= 1000;
            return double(over);
        });
}
