#include "contest.hpp"
#include "xorshift.hpp"

#include <random>

int main() {
    const long long count = 2'000'000;
    polya::Random ours(1);
    std::mt19937_64 plain(1);
    bench::contest(
        "a draw below 1000", "std::uniform_int_distribution over std::mt19937_64", count,
        [&] {
            unsigned long long sum = 0;
            for (long long i = 0; i < count; i++) sum += ours.below(1000);
            return sum;
        },
        [&] {
            unsigned long long sum = 0;
            std::uniform_int_distribution<unsigned> below(0, 999);
            for (long long i = 0; i < count; i++) sum += below(plain);
            return sum;
        });
}
