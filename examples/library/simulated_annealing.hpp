// Simulated annealing with a schedule by time (or by rounds). The loop stays with its user; this holds clock, temperature
// and acceptance, each cheap enough for ten million rounds a second: the clock is looked at now and then, the temperature
// moves only then, and the logarithms of chance come from a table.
#pragma once
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "best_state.hpp"
#include "timer.hpp"
#include "xorshift.hpp"

namespace polya {

enum class Cooling { exponential, linear };

struct AnnealingOptions {
    // Of the worsening that is usual: at the start a typical one should pass, at the end the smallest should not. Linear cooling
    // may end at 0.
    double start_temperature, end_temperature;
    // What is left of the limit; nothing, or less, is no round at all.
    double seconds = 1.8;
    // Above zero: ends after as many rounds, whatever the time, and the same seed gives the same run.
    std::int64_t rounds = 0;
    Cooling cooling = Cooling::exponential;
    std::uint64_t seed = 1;
};

template <Goal goal = Goal::minimise>
class Annealing {
public:
    explicit Annealing(const AnnealingOptions& options)
        : options_(options),
          time_(options.rounds > 0 ? TimeKeeper::of_rounds(options.rounds) : TimeKeeper(options.seconds)),
          random_(options.seed),
          temperature_(options.start_temperature) {
        assert(options.start_temperature > 0 && options.end_temperature >= 0);
        assert(options.end_temperature > 0 || options.cooling == Cooling::linear);
    }

    // To be called once a round; false when the time is over.
    bool goes_on() {
        if (time_.is_over()) return false;
        if (time_.progress() != progress_) cool();
        return true;
    }

    // Whether to accept a move that changes the score by `change` (new minus old).
    bool accepts(double change) { return goal == Goal::maximise ? change >= -leeway() : change <= leeway(); }

    // How much worse the next state may be, drawn anew at each call. Draw it before the move is evaluated: then an evaluation
    // that is already worse than that can be broken off.
    double leeway() { return temperature_ * logs()[random_() >> (64 - log_bits)]; }

    double temperature() const { return temperature_; }
    double progress() const { return progress_; }
    std::int64_t rounds() const { return time_.rounds(); }
    Random& random() { return random_; }

private:
    static constexpr int log_bits = 14;
    using Logs = std::array<float, std::size_t(1) << log_bits>;

    // -log(u) at the middle of each cell of (0, 1]: a fixed set of leeways, none of them infinite.
    static const Logs& logs() {
        static const Logs made = [] {
            Logs table;
            for (std::size_t i = 0; i < table.size(); ++i)
                table[i] = float(-std::log((double(i) + 0.5) / double(table.size())));
            return table;
        }();
        return made;
    }

    void cool() {
        progress_ = time_.progress();
        const auto [start, end] = std::pair(options_.start_temperature, options_.end_temperature);
        temperature_ = options_.cooling == Cooling::linear ? start + (end - start) * progress_
                                                           : start * std::pow(end / start, progress_);
    }

    AnnealingOptions options_;
    TimeKeeper time_;
    Random random_;
    double temperature_, progress_ = 0;
};

// The temperature at which the share `acceptance` of such worsenings passes. Sample them from moves of the first state with
// 0.5 or so for the start, and with 0.001 for the end.
inline double temperature_for(const std::vector<double>& worsenings, double acceptance) {
    assert(!worsenings.empty() && 0 < acceptance && acceptance < 1);
    double low = 1e-12, high = 1e12;
    for (int step = 0; step < 200; ++step) {
        const double middle = std::sqrt(low * high);
        double passed = 0;
        for (const double each : worsenings) passed += std::exp(-std::fabs(each) / middle);
        (passed < acceptance * double(worsenings.size()) ? low : high) = middle;
    }
    return high;
}

}  // namespace polya
