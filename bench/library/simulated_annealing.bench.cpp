#include "contest.hpp"
#include "simulated_annealing.hpp"

#include <chrono>
#include <cmath>
#include <random>

int main() {
    const long long count = 1'000'000;
    polya::Random moves(1);
    std::vector<double> changes(1024);
    for (double& each : changes) each = moves.gaussian(5, 10);
    bench::contest(
        "a round: clock, temperature, acceptance", "exp, std::mt19937 and the clock in each round", count,
        [&] {
            polya::Annealing<> annealing({.start_temperature = 50, .end_temperature = 1, .seconds = 100});
            long long accepted = 0;
            for (long long i = 0; i < count && annealing.goes_on(); i++) accepted += annealing.accepts(changes[i & 1023]);
            return accepted;
        },
        [&] {
            using Clock = std::chrono::steady_clock;
            const auto begin = Clock::now();
            std::mt19937 random(1);
            std::uniform_real_distribution<double> uniform;
            long long accepted = 0;
            for (long long i = 0; i < count; i++) {
                const double progress = std::chrono::duration<double>(Clock::now() - begin).count() / 100;
                if (progress >= 1) break;
                const double temperature = 50 * std::pow(1.0 / 50, progress);
                const double change = changes[i & 1023];
                accepted += change <= 0 || uniform(random) < std::exp(-change / temperature);
            }
            return accepted;
        });
}
