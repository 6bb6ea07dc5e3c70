// A priority queue for numbers that are not negative and never fall below the last one that came out, as in Dijkstra's
// algorithm: the fastest heap there. A key lies in the bucket of the highest bit in which it differs from that one, so that it
// moves down at most once a bit, and is compared with few.
#pragma once
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace polya {

template <class Key, class Value>
class RadixHeap {
    static_assert(std::is_arithmetic_v<Key> && sizeof(Key) <= 8);

public:
    struct Entry {
        Key key;
        Value value;
    };

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    void push(Key key, Value value) {
        assert(!(key < last_));
        ++size_;
        buckets_[bucket_of(key)].push_back({key, std::move(value)});
    }

    Entry pop() {
        assert(!empty());
        if (buckets_[0].empty()) pull_down();
        --size_;
        Entry first = std::move(buckets_[0].back());
        buckets_[0].pop_back();
        return first;
    }

    // Begins anew, at key 0. Keeps its memory.
    void clear() {
        if (size_ > 0)
            for (auto& bucket : buckets_) bucket.clear();
        size_ = 0;
        last_ = Key{};
    }

private:
    using Bits = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;

    std::array<std::vector<Entry>, std::numeric_limits<Bits>::digits + 1> buckets_;
    std::size_t size_ = 0;
    Key last_{};

    // In the order of the keys: that of floating point numbers, too, as long as none is negative (zero added to -0 is 0).
    static Bits bits_of(Key key) {
        if constexpr (std::is_integral_v<Key>) return Bits(key);
        else return std::bit_cast<Bits>(key + Key{});
    }
    std::size_t bucket_of(Key key) const { return std::size_t(std::bit_width(Bits(bits_of(key) ^ bits_of(last_)))); }

    void pull_down() {
        std::size_t lowest = 1;
        while (buckets_[lowest].empty()) ++lowest;
        auto& bucket = buckets_[lowest];
        last_ = bucket.front().key;
        for (const Entry& entry : bucket)
            if (entry.key < last_) last_ = entry.key;
        for (Entry& entry : bucket) buckets_[bucket_of(entry.key)].push_back(std::move(entry));
        bucket.clear();
    }
};

}  // namespace polya
