// Sums of prefixes of an array that changes: adding and summing in log n steps, in one array of n numbers.
//
// Its third operation makes it a wheel of fortune: find(target) gives the element at which the sum of the weights
// passes a number that was drawn below total(), while the weights keep changing. For anything but sums (minimum,
// products that cannot be divided) use segment_tree.hpp.
#pragma once
#include <bit>
#include <cassert>
#include <cstddef>
#include <vector>

namespace polya {

template <class Value = long long>
class FenwickTree {
public:
    explicit FenwickTree(int size) : size_(size), tree_(std::size_t(size) + 1) {}

    // In n steps, not n log n.
    explicit FenwickTree(const std::vector<Value>& values) : FenwickTree(int(values.size())) {
        for (int node = 1; node <= size_; ++node) {
            tree_[at(node)] += values[at(node) - 1];
            const int above = node + (node & -node);
            if (above <= size_) tree_[at(above)] += tree_[at(node)];
        }
    }

    int size() const { return size_; }

    void add(int index, Value change) {
        assert(0 <= index && index < size_);
        for (int node = index + 1; node <= size_; node += node & -node) tree_[at(node)] += change;
    }

    // Of the first `count` values.
    Value prefix(int count) const {
        assert(0 <= count && count <= size_);
        Value sum{};
        for (int node = count; node > 0; node &= node - 1) sum += tree_[at(node)];
        return sum;
    }

    // From `first` on to before `last`; stops where the two ways meet.
    Value sum(int first, int last) const {
        assert(0 <= first && first <= last && last <= size_);
        Value sum{};
        for (; last > first; last &= last - 1) sum += tree_[at(last)];
        for (; first > last; first &= first - 1) sum -= tree_[at(first)];
        return sum;
    }

    Value total() const { return prefix(size_); }
    Value value(int index) const { return sum(index, index + 1); }
    void set(int index, Value value) { add(index, value - this->value(index)); }

    // The first index whose prefix, itself included, is more than `target`: index i is found for exactly value(i)
    // targets from 0 to total() - 1. size() where there is none. No value may be negative.
    int find(Value target) const {
        int node = 0;
        for (int step = int(std::bit_floor(unsigned(size_))); step > 0; step /= 2) {
            if (node + step > size_ || tree_[at(node + step)] > target) continue;
            node += step;
            target -= tree_[at(node)];
        }
        return node;
    }

private:
    int size_;
    // tree_[i] is the sum of the i & -i values that end with the i-th.
    std::vector<Value> tree_;

    static std::size_t at(int index) { return std::size_t(index); }
};

}  // namespace polya
