// A clock for loops that end by time: it asks the operating system rarely, or reads the processor's own counter.
// Timer counts the seconds since it was made. TimeKeeper looks at a clock only every so many rounds, and finds out itself
// how many that may be.
#pragma once
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>

namespace polya {

// Of a counter that only grows: the time stamp counter where there is one, else nanoseconds of the steady clock. A built-in
// function of g++ and clang, because the header of its intrinsics takes longer to compile than all of this library.
inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#else
    return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

class Timer {
public:
    Timer() { restart(); }

    void restart() {
        begin_ = Clock::now();
        begin_ticks_ = ticks();
        seconds_per_tick_ = 0;
        next_check_ = 0;
    }

    // Exact, by the steady clock.
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    // By the counter. How long a tick is, is learnt from the steady clock, and learnt again whenever the run has become a
    // quarter longer: an error at the beginning, or a processor that changes its pace, does not last.
    double fast_seconds() {
        const std::uint64_t passed = ticks() - begin_ticks_;
        if (passed >= next_check_) calibrate(passed);
        return double(passed) * seconds_per_tick_;
    }

    // The share of `limit` seconds that has passed: 0 at the beginning, 1 at the end and after it, and where there is no time.
    double progress(double limit) {
        const double now = fast_seconds();
        return now < limit ? now / limit : 1.0;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t first_check = 1 << 16;

    // Where the machine did something else between the two clocks, they tell of different moments: then once more.
    void calibrate(std::uint64_t passed) {
        for (int attempt = 0; attempt < 3; ++attempt) {
            const double now = seconds();
            const std::uint64_t after = ticks() - begin_ticks_, gap = after - passed;
            if (after > 0) seconds_per_tick_ = now / (double(passed) + double(gap) / 2);
            passed = after;
            if (gap <= passed / 128) break;
        }
        next_check_ = std::max(passed + passed / 4, first_check);
    }

    Clock::time_point begin_;
    std::uint64_t begin_ticks_, next_check_;
    double seconds_per_tick_;
};

// For loops whose rounds are so short that even the counter would be felt: most rounds cost one subtraction. After each
// look at the clock it chooses when to look next, by the pace of the last stride, so that a stride takes about `grain`
// seconds. Or it ends after a number of rounds, whatever the time: then a search comes out the same on every machine.
class TimeKeeper {
public:
    // What is left of the time may be nothing, or less: then it is over before the first round.
    explicit TimeKeeper(double limit, double grain = 0.0002) : limit_(limit), grain_(grain) { assert(grain > 0); }

    static TimeKeeper of_rounds(std::int64_t most) {
        assert(most > 0);
        TimeKeeper keeper(1);
        keeper.most_rounds_ = most;
        return keeper;
    }

    // True once the time is over; to be called once a round.
    bool is_over() {
        if (--until_look_ == 0) look();
        return is_over_;
    }

    // From 0 to 1, as of the last look.
    double progress() const { return progress_; }
    // How often is_over was called.
    std::int64_t rounds() const { return rounds_ + stride_ - until_look_; }
    double seconds() const { return timer_.seconds(); }

private:
    void look() {
        rounds_ += stride_;
        stride_ = most_rounds_ > 0 ? stride_by_rounds() : stride_by_clock();
        until_look_ = stride_;
    }

    std::int64_t stride_by_clock() {
        const double now = timer_.seconds();
        is_over_ = now >= limit_;
        progress_ = is_over_ ? 1.0 : now / limit_;
        const double round = std::max(now - last_, 1e-9) / double(stride_);
        last_ = now;
        // At most four times the last stride: a few quick rounds must not be followed by a thousand unwatched slow ones.
        return std::clamp<std::int64_t>(std::int64_t(grain_ / round), 1, stride_ * 4);
    }

    std::int64_t stride_by_rounds() {
        is_over_ = rounds_ > most_rounds_;
        progress_ = std::min(double(rounds_ - 1) / double(most_rounds_), 1.0);
        const std::int64_t left = std::max<std::int64_t>(most_rounds_ + 1 - rounds_, 1);
        return std::clamp<std::int64_t>(most_rounds_ / 1024, 1, left);
    }

    Timer timer_;
    double limit_, grain_, progress_ = 0, last_ = 0;
    std::int64_t rounds_ = 0, stride_ = 1, until_look_ = 1, most_rounds_ = 0;
    bool is_over_ = false;
};

}  // namespace polya
