// The k best of a stream: what a beam search keeps of a turn, or a local search of its candidates.
//
// Up to twice k are kept; when that is full, the worse half is thrown away in one go. So a value costs constant time on
// average, and nearly always one comparison with the worst that could still get in.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace polya {

// Better(a, b): a goes before b. With std::greater the largest are kept, with std::less the smallest. Among equals it
// is not said which are kept, but it is always the same ones: make them differ where that matters.
template <class Value, class Better = std::greater<Value>>
class TopK {
public:
    explicit TopK(std::size_t k, Better better = Better{}) : k_(k), better_(std::move(better)) {
        assert(k > 0);
        kept_.reserve(2 * k);
    }

    // Whether it may get in: ask before you make something that is dear to make. What is refused is surely not among
    // the k best.
    bool would_take(const Value& value) const { return !has_bar_ || better_(value, bar_); }

    bool push(Value value) {
        if (!would_take(value)) return false;
        kept_.push_back(std::move(value));
        if (kept_.size() == 2 * k_) prune();
        return true;
    }

    // The k best so far, or fewer, in no order.
    std::vector<Value>& values() {
        if (kept_.size() > k_) prune();
        return kept_;
    }
    // The best first.
    std::vector<Value>& sorted() {
        values();
        std::sort(kept_.begin(), kept_.end(), better_);
        return kept_;
    }

    // Keeps its memory.
    void clear() {
        kept_.clear();
        has_bar_ = false;
    }

private:
    std::size_t k_;
    std::vector<Value> kept_;
    // The worst of the k best as of the last time that some were thrown away.
    Value bar_{};
    bool has_bar_ = false;
    [[no_unique_address]] Better better_;

    void prune() {
        const auto last = kept_.begin() + std::ptrdiff_t(k_ - 1);
        std::nth_element(kept_.begin(), last, kept_.end(), better_);
        kept_.erase(last + 1, kept_.end());
        bar_ = kept_.back();
        has_bar_ = true;
    }
};

}  // namespace polya
