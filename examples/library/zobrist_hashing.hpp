// A number for a state that is changed as fast as the state: the exclusive or of one random key for each thing that is
// somewhere. To recognise a state that was there already, keep the numbers in hash_table.hpp.
//
// Two states of 64 bits are confused about once in 2^64 pairs: with a million states, in one run of 37 million. For
// things that are there several times add key * count instead (see MultisetHash).
#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polya {

// Any number to one that looks random; no two to the same.
constexpr std::uint64_t mixed_bits(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15ULL;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ULL;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebULL;
    return number ^ (number >> 31);
}

// Keys for `values` values at each of `places` places.
class ZobristTable {
public:
    ZobristTable(int places, int values, std::uint64_t seed = 1)
        : values_(values), keys_(std::size_t(places) * std::size_t(values)) {
        std::uint64_t state = mixed_bits(seed);
        for (std::uint64_t& key : keys_) key = mixed_bits(state++);
    }

    // To be put in and taken out alike: hash ^= table.key(place, value).
    std::uint64_t key(int place, int value) const {
        assert(0 <= value && value < values_);
        return keys_[std::size_t(place) * std::size_t(values_) + std::size_t(value)];
    }
    std::uint64_t changed(std::uint64_t hash, int place, int from, int to) const {
        return hash ^ key(place, from) ^ key(place, to);
    }
    std::uint64_t swapped(std::uint64_t hash, int place, int value, int other_place, int other_value) const {
        return changed(changed(hash, place, value, other_value), other_place, other_value, value);
    }
    // Of a whole state: the value at each place, in order.
    template <class State>
    std::uint64_t of(const State& state) const {
        std::uint64_t hash = 0;
        int place = 0;
        for (const auto& value : state) hash ^= key(place++, int(value));
        return hash;
    }

private:
    int values_;
    std::vector<std::uint64_t> keys_;
};

// Of a collection without order in which things may be several times.
class MultisetHash {
public:
    explicit MultisetHash(std::uint64_t seed = 1) : seed_(mixed_bits(seed)) {}
    std::uint64_t value() const { return sum_; }
    void add(std::uint64_t thing, std::uint64_t count = 1) { sum_ += key(thing) * count; }
    void remove(std::uint64_t thing, std::uint64_t count = 1) { sum_ -= key(thing) * count; }

private:
    std::uint64_t seed_, sum_ = 0;
    // Odd, so that no count but 2^64 is lost.
    std::uint64_t key(std::uint64_t thing) const { return mixed_bits(thing ^ seed_) | 1; }
};

}  // namespace polya
