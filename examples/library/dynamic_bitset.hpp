// A set of 0 .. size-1 whose size is fixed when the program runs, 64 elements a step: the first, the next, what two have
// in common, without loops over what is not there.
//
// Where the size is known to the compiler std::bitset does the same but for next() and counting without a copy; for 64
// and less see bitset_tricks.hpp.
#pragma once
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polya {

class DynamicBitset {
public:
    explicit DynamicBitset(int size = 0, bool value = false)
        : size_(size), words_((std::size_t(size) + 63) / 64, value ? ~std::uint64_t{0} : 0) {
        trim();
    }

    int size() const { return size_; }
    bool operator[](int index) const { return word(index) >> (index & 63) & 1; }
    void set(int index) { word(index) |= bit(index); }
    void reset(int index) { word(index) &= ~bit(index); }
    void flip(int index) { word(index) ^= bit(index); }
    void set(int index, bool value) { value ? set(index) : reset(index); }
    void fill(bool value) { *this = DynamicBitset(size_, value); }
    void flip_all() {
        for (std::uint64_t& each : words_) each = ~each;
        trim();
    }

    int count() const {
        int sum = 0;
        for (const std::uint64_t each : words_) sum += std::popcount(each);
        return sum;
    }
    bool any() const {
        for (const std::uint64_t each : words_)
            if (each != 0) return true;
        return false;
    }

    // The first element that is `from` or more; size() where there is none.
    int next(int from) const {
        if (from >= size_) return size_;
        std::size_t at = std::size_t(from) / 64;
        std::uint64_t rest = words_[at] & (~std::uint64_t{0} << (from & 63));
        while (rest == 0)
            if (++at == words_.size()) return size_;
            else rest = words_[at];
        return int(at * 64) + std::countr_zero(rest);
    }
    int first() const { return next(0); }

    // visit(index) for each element, in rising order. An element of the same 64 that visit takes out still comes.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t at = 0; at < words_.size(); ++at)
            for (std::uint64_t rest = words_[at]; rest != 0; rest &= rest - 1)
                visit(int(at * 64) + std::countr_zero(rest));
    }

    DynamicBitset& operator&=(const DynamicBitset& other) { return combine(other, [](auto a, auto b) { return a & b; }); }
    DynamicBitset& operator|=(const DynamicBitset& other) { return combine(other, [](auto a, auto b) { return a | b; }); }
    DynamicBitset& operator^=(const DynamicBitset& other) { return combine(other, [](auto a, auto b) { return a ^ b; }); }
    DynamicBitset& operator-=(const DynamicBitset& other) { return combine(other, [](auto a, auto b) { return a & ~b; }); }
    friend DynamicBitset operator&(DynamicBitset a, const DynamicBitset& b) { return a &= b; }
    friend DynamicBitset operator|(DynamicBitset a, const DynamicBitset& b) { return a |= b; }
    friend DynamicBitset operator^(DynamicBitset a, const DynamicBitset& b) { return a ^= b; }
    friend DynamicBitset operator-(DynamicBitset a, const DynamicBitset& b) { return a -= b; }
    friend bool operator==(const DynamicBitset&, const DynamicBitset&) = default;

    // Without making the set that is counted.
    int count_common(const DynamicBitset& other) const {
        assert(size_ == other.size_);
        int sum = 0;
        for (std::size_t at = 0; at < words_.size(); ++at) sum += std::popcount(words_[at] & other.words_[at]);
        return sum;
    }
    bool intersects(const DynamicBitset& other) const {
        assert(size_ == other.size_);
        for (std::size_t at = 0; at < words_.size(); ++at)
            if ((words_[at] & other.words_[at]) != 0) return true;
        return false;
    }
    bool is_subset_of(const DynamicBitset& other) const {
        assert(size_ == other.size_);
        for (std::size_t at = 0; at < words_.size(); ++at)
            if ((words_[at] & ~other.words_[at]) != 0) return false;
        return true;
    }

private:
    int size_;
    // What lies beyond size_ in the last word is zero.
    std::vector<std::uint64_t> words_;

    static std::uint64_t bit(int index) { return std::uint64_t{1} << (index & 63); }
    std::uint64_t& word(int index) {
        assert(0 <= index && index < size_);
        return words_[std::size_t(index) / 64];
    }
    std::uint64_t word(int index) const { return const_cast<DynamicBitset*>(this)->word(index); }

    void trim() {
        if (size_ % 64 != 0) words_.back() &= bit(size_) - 1;
    }

    template <class Operation>
    DynamicBitset& combine(const DynamicBitset& other, Operation operation) {
        assert(size_ == other.size_);
        for (std::size_t at = 0; at < words_.size(); ++at) words_[at] = operation(words_[at], other.words_[at]);
        return *this;
    }
};

}  // namespace polya
